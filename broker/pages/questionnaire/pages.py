"""The questionnaire: a page per question, matching deals, and the page to check the answers (specification 4)."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import reflex as rx

from broker import routes
from broker.analytics.counted import Counted
from broker.components.client_scripts import shared_component
from broker.components.client_values import BrowserValues
from broker.components.elements import button, inline_style, note
from broker.components.form_scripts import copy_field, forget_forms
from broker.content.models.pages import DESCRIPTION_LIMIT
from broker.content.models.site import Site
from broker.pages.enquiry_form import EnquiryForm
from broker.pages.questionnaire.frame import (
    IN_VIEW,
    all_answers,
    answers_so_far,
    contact_options,
    frame,
    heading,
    matching_deals,
    notices,
    opening,
    progress_tiles,
    reach_panel,
    resume_status,
    why_we_ask,
)
from broker.pages.questionnaire.question import SCRIPT, STATE, question_form
from broker.pages.registry import BuildInputs, Page
from broker.questionnaire.flow import Flow, Step
from broker.state.questionnaire import QuestionnaireState, SavedAnswersState

SAVED: Any = SavedAnswersState
"""The state of a saved link, as browser expressions."""

_COPIED = "Link copied. Paste it somewhere safe."
_NOT_COPIED = "Your browser won’t let us copy the link. It is selected above, so you can copy it yourself."

_BOX = "saved-link"
"""The id of the field that holds the link."""

_PANEL_HEIGHT, _ROW_HEIGHT, _FOLDED_HEIGHT = 72, 73, 44
"""Pixels of the panel of answers: of itself, each answer, and the line that unfolds the earlier ones."""

_OPENING = "About five minutes. You can change any answer before you send it, and stop and come back at any time."


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    before = _answers_before(inputs.flow)
    return (
        *(_question_page(inputs, step, before.get(step.id, 0)) for step in inputs.flow.steps.values()),
        Page(
            route=routes.CHECK_ANSWERS,
            counted_as=Counted.QUESTION,
            title="Check your answers",
            description="Check your answers, tell us how to reach you, and send them to an adviser.",
            render=partial(_check, inputs),
            on_load=QuestionnaireState.open,
            indexed=False,
        ),
        Page(
            route=routes.SAVED_ANSWERS,
            counted_as=Counted.QUESTION,
            title="Your saved answers",
            description="Open your saved link and carry on with the questions.",
            render=partial(_saved, inputs),
            on_load=SavedAnswersState.resume,
            indexed=False,
        ),
    )


def _save_for_later() -> rx.Component:
    is_made = SAVED.made_on == STATE.path
    save = button("Save and come back", look="line s", on_click=SavedAnswersState.save)
    return rx.el.section(
        rx.el.h2("No time now?", class_name="as-h4"),
        rx.el.p("This browser keeps your answers for 30 days. To use another one, save a link.", class_name="small"),
        rx.cond(is_made & (SAVED.link != ""), _link(), save),
        rx.cond(is_made & (SAVED.not_done != ""), note(SAVED.not_done, tone="bad")),
        _delete(),
        class_name="panel stack needs-script",
    )


def _link() -> rx.Component:
    copying = BrowserValues("saved_link", {"link": "", "words": ""})
    done, refused = (copying.put({"link": SAVED.link, "words": words}) for words in (_COPIED, _NOT_COPIED))
    return rx.el.div(
        copying.state,
        rx.el.label("Your link (works for 30 days)", html_for=_BOX),
        rx.el.input(id=_BOX, value=SAVED.link, read_only=True, class_name="input"),
        button("Copy the link", look="line s", on_click=copy_field(_BOX, done, refused=refused)),
        rx.cond(copying["link"] == SAVED.link, rx.el.p(copying["words"], class_name="small")),
        rx.el.p("Do not share it: anyone with this link can read and change your answers.", class_name="small"),
        class_name="stack tight-8",
        role="status",
    )


def _delete() -> rx.Component:
    """Draw the deletion of the answers, which needs two presses because it cannot be undone."""
    return rx.el.details(
        rx.el.summary("Delete my answers", class_name="as-link"),
        rx.el.div(
            rx.el.p("We can’t bring them back, and any link you saved will stop working."),
            button("Delete them", look="line s", on_click=[forget_forms(), SavedAnswersState.forget]),
            class_name="stack tight-8",
        ),
        class_name="small",
    )


def _answers_before(flow: Flow) -> Mapping[str, int]:
    """Return by step how many answers come before it at least, on a way from the start."""
    before, waiting = {flow.start: 0}, [flow.start]
    for step in waiting:
        asked = flow.steps[step]
        for each in asked.next_ids:
            if each in flow.steps and each not in before:
                before[each] = before[step] + asked.is_question
                waiting.append(each)
    return before


def _question_page(inputs: BuildInputs, step: Step, before: int) -> Page:
    is_first = step.id == inputs.flow.start
    return Page(
        route=routes.question(step.id),
        counted_as=Counted.QUESTION,
        title="Find your mortgage in five minutes" if is_first else step.question,
        description=(
            "A few questions about you and the property. See matching deals on the way, and send your answers to an "
            "adviser when you are ready. No fee."
            if is_first
            else _description(step)
        ),
        render=partial(_question, inputs, step, before),
        label="Find your mortgage" if is_first else "",
        on_load=QuestionnaireState.open,
        indexed=is_first,
    )


def _description(step: Step) -> str:
    """Return the question and why it is asked, in as many whole sentences as a description may have."""
    words = step.question
    for sentence in re.split(r"(?<=[.?!]) ", step.why):
        if len(words) + 1 + len(sentence) > DESCRIPTION_LIMIT:
            break
        words = f"{words} {sentence}"
    return words


def _question(inputs: BuildInputs, step: Step, before: int) -> rx.Component:
    site = inputs.store.site()
    is_first = step.id == inputs.flow.start
    deals = () if step.is_question else (shared_component(matching_deals, site, script=f"{SCRIPT}_deals"),)
    return frame(
        inputs,
        shared_component(progress_tiles, script=SCRIPT),
        rx.el.div(
            rx.el.div(
                shared_component(notices, site, is_first, script=SCRIPT),
                heading(step.question),
                *([shared_component(opening, _OPENING, script=SCRIPT)] if is_first else []),
                *deals,
                question_form(step),
                class_name="stack",
            ),
            _aside(site, step.why, before=before),
            class_name="side",
        ),
    )


def _aside(site: Site, why: str, *, before: int = 0, answers: bool = True) -> rx.Component:
    """Draw the column beside a question.

    The answers come from the server once the page is drawn. Space is reserved for `before` answers; where there
    may be none they come last, so that nothing moves.
    """
    listed = [_answers_slot(before)] if answers else []
    return rx.el.aside(
        *(listed if before else []),
        *([why_we_ask(why)] if why else []),
        shared_component(_save_for_later, script=SCRIPT),
        shared_component(contact_options, site, script=SCRIPT),
        *([] if before else listed),
        class_name="stack",
        aria_label="Help and your answers",
    )


def _answers_slot(before: int) -> rx.Component:
    """Draw the answers so far, in the space that `before` answers take."""
    folded = _FOLDED_HEIGHT if before > IN_VIEW else 0
    room = _PANEL_HEIGHT + min(before, IN_VIEW) * _ROW_HEIGHT + folded
    return rx.el.div(
        shared_component(answers_so_far, script=SCRIPT),
        class_name="answers-slot needs-script",
        custom_attrs=inline_style({"minHeight": f"{room}px"} if before else {}),
    )


def _check(inputs: BuildInputs) -> rx.Component:
    site = inputs.store.site()
    return frame(
        inputs,
        shared_component(progress_tiles, script=SCRIPT),
        rx.el.div(
            rx.el.div(
                shared_component(notices, site, False, script=SCRIPT),
                heading("Check your answers"),
                shared_component(all_answers, script=SCRIPT),
                reach_panel(site, EnquiryForm(action=routes.SEND_ANSWERS, button="Send my answers")),
                class_name="stack",
            ),
            _aside(
                site,
                "An adviser needs a way to reach you. We never sell your details, and one call from us does not commit "
                "you to anything.",
                answers=False,
            ),
            class_name="side",
        ),
    )


def _saved(inputs: BuildInputs) -> rx.Component:
    return frame(
        inputs, heading("Your saved answers"), shared_component(resume_status, inputs.store.site(), script=SCRIPT)
    )
