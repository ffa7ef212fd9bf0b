"""Support needs on the page of a case: the form that records them; the case itself shows them before a call."""

from typing import Any

import reflex as rx

from broker.components.chakra import desk_button
from broker.components.elements import button
from broker.duties.support_needs import AGREED, CONSENT_WORDS, MAX_WORDS, NEED_WORDS, NEEDS, NEEDS_WORDS, QUESTION
from broker.state.staff.needs import NeedsState

_STATE: Any = NeedsState


def support_needs_form() -> rx.Component:
    """Draw the button that asks, and the form once it is pressed; it asks for a need, never for its reason."""
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
            button("Cancel", look="s line", on_click=NeedsState.ask),
            rx.cond(_STATE.words != "", button("Delete it", look="s line", on_click=NeedsState.remove)),
            class_name="row",
        ),
        on_submit=NeedsState.submit,
        method="post",
        class_name="panel stack",
        aria_label="Support needs",
    )
    opener = desk_button(
        rx.cond(_STATE.words != "", "Change support needs", "Ask for support needs"), size="xs", on_click=NeedsState.ask
    )
    return rx.cond(_STATE.is_open, form, rx.el.div(opener))
