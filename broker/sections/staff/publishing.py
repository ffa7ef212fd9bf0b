"""The panel of the staff overview on publishing: what came of the last change, and the button that publishes now."""

from typing import Any

import reflex as rx

from broker.components.elements.buttons import button
from broker.components.elements.lists import fact
from broker.state.staff.overview import OverviewState

_STATE: Any = OverviewState


def publishing_panel() -> rx.Component:
    publishing = _STATE.found.publishing
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Publishing", id="publishing-title", class_name="as-h4"),
            rx.el.span(publishing.tag, class_name=f"tag {publishing.tone}"),
            class_name="bar",
        ),
        rx.el.dl(rx.foreach(publishing.facts, lambda one: fact(one.label, one.words)), class_name="kv wide"),
        rx.cond(
            _STATE.found.can_publish,
            rx.el.p(button("Publish now", look="s line", icon_name="loop", on_click=OverviewState.publish_now)),
        ),
        rx.el.p(_STATE.publish_told, role="status", class_name="small"),
        class_name="panel stack",
        aria_labelledby="publishing-title",
    )
