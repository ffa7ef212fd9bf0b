"""Support needs on the page of a case: the form that records them; the case itself shows them before a call."""

from typing import Any

import reflex as rx

from broker.components.chakra import desk_button
from broker.components.elements import button
from broker.duties.support_needs import AGREED, CONSENT_WORDS, MAX_WORDS, NEED_WORDS, NEEDS, NEEDS_WORDS, QUESTION
from broker.state.staff.case import CaseState
from broker.state.staff.needs import OPENER_ID, NeedsState

_STATE: Any = NeedsState
_FOUND: Any = CaseState.found


def support_needs_form() -> rx.Component:
    """Draw the button that asks, and the form once it is pressed; it asks for a need, never for its reason.

    Both are of the case on screen, whichever case the form was opened for last.
    """
    is_here, has_needs = _STATE.reference == _FOUND.reference, _FOUND.needs != ""
    ticks = (
        rx.el.label(rx.el.input(type="checkbox", name=f"{NEEDS}-{need}"), words, class_name="tick")
        for need, words in NEED_WORDS.items()
    )
    form = rx.el.form(
        rx.el.fieldset(rx.el.legend(QUESTION), rx.el.div(*ticks, class_name="row")),
        rx.el.label("In their words (optional)", html_for=NEEDS_WORDS),
        rx.el.p("The need, not the reason: “large print”, no diagnosis.", class_name="hint"),
        rx.el.input(id=NEEDS_WORDS, name=NEEDS_WORDS, max_length=MAX_WORDS, auto_complete="off", class_name="input"),
        rx.el.label(
            rx.el.input(type="checkbox", name=AGREED), f"They agree: “{CONSENT_WORDS}”", class_name="tick small"
        ),
        rx.cond(_STATE.refused != "", rx.el.p(_STATE.refused, class_name="err", role="alert")),
        rx.el.div(
            button("Record it", look="s", kind="submit"),
            button("Cancel", look="s line", on_click=NeedsState.ask(_FOUND.stamp)),
            rx.cond(has_needs, button("Delete it", look="s line", on_click=NeedsState.remove)),
            class_name="row",
        ),
        on_submit=NeedsState.submit,
        method="post",
        class_name="panel stack",
        aria_label="Support needs",
    )
    opener = desk_button(
        rx.cond(has_needs, "Change support needs", "Ask for support needs"),
        size="xs",
        id=OPENER_ID,
        on_click=NeedsState.ask(_FOUND.stamp),
    )
    result = rx.el.p(rx.cond(is_here, _STATE.result, ""), class_name="hint", role="status")
    return rx.cond(is_here & _STATE.is_open, form, rx.el.div(opener, result))
