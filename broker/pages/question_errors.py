"""The page with which the edge asks a question once more, where a plain form brought what cannot be kept.

It stands for every question of the questionnaire: the edge fills it with the question's own fields.
"""

from __future__ import annotations

from functools import partial

import reflex as rx

from broker.components.elements.icons import icon
from broker.components.forms.post_form import hidden, posted_form, problem_summary
from broker.components.unfilled import whether
from broker.domain.questionnaire.forms import STEP
from broker.pages.questionnaire import frame
from broker.pages.registry import BuildInputs, Page, unfilled_page
from broker.presenters.marks import flag, mark
from broker.sections.questionnaire.frame import rather_talk


def unfilled_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the page, to be filled with a question, what was given to it, and what is wrong with that."""
    return (
        unfilled_page(
            "question",
            title="Error: look at this answer again",
            description="This answer was not kept yet: something has to be put right first.",
            render=partial(_render, inputs),
        ),
    )


def _render(inputs: BuildInputs) -> rx.Component:
    site = inputs.store.site()
    form = posted_form(
        problem_summary(site.phone, site.tel),
        hidden(STEP, mark(STEP)),
        whether(
            "fields",
            whether("fixed", hidden(mark("name"), mark("value"))),
            whether("choice", _choice()),
            whether("box", _box()),
        ),
        rx.el.div(rx.el.button("Continue", icon("arrow"), type="submit", class_name="btn wide"), class_name="row"),
        action=mark("action"),
        class_name="stack loose",
    )
    asked = rx.el.div(rx.el.h1(mark("question"), tab_index=-1), form, class_name="stack")
    aside = rx.el.aside(rather_talk(site), class_name="stack", aria_label="Help")
    return frame(inputs, rx.el.div(asked, aside, class_name="side"))


def _box() -> rx.Component:
    """Draw a figure to type, with its signs and its ends."""
    field = rx.el.input(
        id=mark("id"),
        name=mark("name"),
        default_value=mark("value"),
        input_mode="numeric",
        auto_complete="off",
        custom_attrs={
            "aria-describedby": f"{mark('id')}-hint {mark('id')}-error",
            **flag("aria-invalid", "wrong"),
        },
    )
    sign = rx.el.span(mark("sign"), aria_hidden="true")
    return rx.el.div(
        rx.el.label(mark("label"), html_for=mark("id")),
        rx.el.p(mark("hint"), class_name="hint", id=f"{mark('id')}-hint"),
        rx.el.div(whether("before", sign), field, whether("after", sign), class_name="num"),
        rx.el.div(_told(), id=f"{mark('id')}-error", class_name="err-slot"),
        class_name="stack tight-6",
    )


def _choice() -> rx.Component:
    """Draw a few words of which one is chosen."""
    option = rx.el.input(
        type="radio",
        id=mark("id"),
        name=mark("name"),
        value=mark("value"),
        custom_attrs=flag("checked", "chosen"),
    )
    return rx.el.fieldset(
        rx.el.legend(mark("legend")),
        rx.el.div(whether("options", rx.el.label(option, mark("words"))), class_name="seg"),
        rx.el.div(_told(), id=f"{mark('name')}-error", class_name="err-slot"),
        custom_attrs={"aria-describedby": f"{mark('name')}-error"},
    )


def _told() -> rx.Component:
    return whether("told", rx.el.p(icon("alert"), mark("reason"), class_name="err"))
