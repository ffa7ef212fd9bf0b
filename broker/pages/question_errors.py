"""Template of the page that shows a question again when a form posted an answer that is not accepted.

It serves every question: the edge renders it with the question's own fields.
"""

from functools import partial

import reflex as rx

from broker.components.elements.icons import icon
from broker.components.forms.field import choice_field, descriptions, field, invalid_if, template_error
from broker.components.forms.post_form import error_summary, hidden, post_form
from broker.components.jinja import block_for, block_if
from broker.domain.questionnaire.forms import DIGEST, STEP
from broker.pages.questionnaire import frame
from broker.pages.registry import BuildInputs, Page, edge_template_page
from broker.presenters.jinja import attribute_if, variable
from broker.sections.questionnaire.frame import contact_options


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the template of a question with what was answered, and what is wrong with it."""
    return (
        edge_template_page(
            "question",
            title=f"Error: {variable('question')}",
            description="We haven't saved this answer yet: there is something to correct first.",
            render=partial(_render, inputs),
        ),
    )


def _render(inputs: BuildInputs) -> rx.Component:
    site = inputs.store.site()
    drawn = block_if(
        "field.is_hidden",
        hidden(variable("field.name"), variable("field.value")),
        otherwise=(block_if("field.options", _radios(), otherwise=(_number_box(),)),),
    )
    form = post_form(
        error_summary(site.phone, site.tel),
        hidden(STEP, variable(STEP)),
        hidden(DIGEST, variable(DIGEST)),
        block_for("field", "fields", drawn),
        rx.el.div(rx.el.button("Continue", icon("arrow"), type="submit", class_name="btn wide"), class_name="row"),
        action=variable("action"),
        class_name="stack loose",
    )
    question = rx.el.div(rx.el.h1(variable("question"), tab_index=-1), form, class_name="stack")
    aside = rx.el.aside(contact_options(site), class_name="stack", aria_label="Help")
    return frame(inputs, rx.el.div(question, aside, class_name="side"))


def _number_box() -> rx.Component:
    identity = variable("field.id")
    control = rx.el.input(
        id=identity,
        name=variable("field.name"),
        default_value=variable("field.value"),
        input_mode="numeric",
        auto_complete="off",
        custom_attrs={"aria-describedby": descriptions(identity, hint=True), **invalid_if("field.error")},
    )
    return field(
        variable("field.label"),
        rx.el.div(_unit("field.prefix"), control, _unit("field.suffix"), class_name="num"),
        identity=identity,
        hint=variable("field.hint"),
        error=template_error("field.error", identity=identity),
    )


def _unit(name: str) -> rx.Component:
    return block_if(name, rx.el.span(variable(name), aria_hidden="true"))


def _radios() -> rx.Component:
    name = variable("field.name")
    option = rx.el.input(
        type="radio",
        id=variable("option.id"),
        name=name,
        value=variable("option.value"),
        custom_attrs=attribute_if("checked", "option.checked"),
    )
    labels = block_for("option", "field.options", rx.el.label(option, variable("option.words")))
    return choice_field(
        variable("field.label"),
        rx.el.div(labels, class_name="seg"),
        error=template_error("field.error", identity=name),
        described_by=descriptions(name),
    )
