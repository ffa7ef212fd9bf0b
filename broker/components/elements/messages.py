"""Messages: notes, field errors, disclosures, skeletons and toasts."""

import reflex as rx

from broker.components.elements.icons import icon
from broker.components.inline_style import inline_style
from broker.components.screen_types import Content


def note(title: Content, *text: Content, tone: str = "") -> rx.Component:
    """Draw a message; `tone` is empty for information, `good`, `warn`, or `bad`, which is announced at once."""
    role = {"role": "alert"} if tone == "bad" else {}
    mark = {"good": "check", "warn": "alert", "bad": "alert"}.get(tone, "info")
    return rx.el.div(
        icon(mark), rx.el.div(rx.el.strong(title), *text), class_name=f"note {tone}".strip(), custom_attrs=role
    )


def disclosure(
    title: Content, *content: Content, icon_name: str = "down", on_toggle: rx.Var | None = None
) -> rx.Component:
    """Draw a disclosure under a result, which opens without scripts; `on_toggle` handles its toggle event."""
    handlers = {} if on_toggle is None else {"onToggle": on_toggle}
    return rx.el.details(rx.el.summary(icon(icon_name), title), *content, class_name="how", custom_attrs=handlers)


def question(title: Content, answer: rx.Component, *, is_open: bool = False, identity: str = "") -> rx.Component:
    """Draw one question of a list, whose answer opens without scripts; `identity` is its id."""
    named = {"id": identity} if identity else {}
    return rx.el.details(rx.el.summary(title, icon("down")), answer, class_name="acc", open=is_open, custom_attrs=named)


def skeleton(rows: int) -> rx.Component:
    """Draw placeholders for `rows` cards that are loading."""
    return rx.el.div(*(_skeleton_card() for _ in range(rows)), class_name="deals", aria_hidden="true")


def _skeleton_card() -> rx.Component:
    def bone(width: str, height: str) -> rx.Component:
        return rx.el.span(class_name="sk", custom_attrs=inline_style({"width": width, "height": height}))

    return rx.el.div(
        rx.el.div(bone("118px", "48px"), bone("40%", "20px"), class_name="row"),
        rx.el.div(bone("100%", "96px"), bone("100%", "60px"), class_name="nums"),
        bone("100%", "92px"),
        bone("100%", "44px"),
        class_name="deal",
    )


def toast(state: str, text: str, *, icon_name: str) -> rx.Component:
    """Draw a short message about the connection: its state in bold, then a text."""
    return rx.el.div(icon(icon_name), rx.el.p(rx.el.b(state), " ", text), class_name="toast dark", role="status")
