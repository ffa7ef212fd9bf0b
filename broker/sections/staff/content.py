"""The content section of the staff overview: what the last copy of the content service came to."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from broker.components.elements.icons import icon
from broker.presenters.staff.content import FaultLine, PartLine
from broker.sections.staff.frame import cell, table_head
from broker.state.staff.overview import OverviewState

_STATE: Any = OverviewState


def content_section() -> rx.Component:
    """Draw the section, or nothing where no content service is copied from."""
    content = _STATE.found.content
    table = rx.el.table(
        rx.el.caption("Parts of the content", class_name="vh"),
        table_head("Part", "State", "Last read whole"),
        rx.el.tbody(rx.foreach(content.parts, _part)),
        class_name="tbl cards",
    )
    section = rx.el.section(
        rx.el.div(
            rx.el.div(rx.el.h2("Content", id="content-title", class_name="as-h3"), rx.el.p(content.summary, ".")),
            rx.el.span(content.tag, class_name=f"tag {content.tone}"),
            class_name="bar",
        ),
        _list("To mend in WordPress", content.faults, _fault),
        _list("Removed in the last 30 days", content.removed, lambda words: rx.el.li(words, ".")),
        rx.el.div(table, class_name="panel sources"),
        class_name="stack",
        aria_labelledby="content-title",
    )
    return rx.cond(content.summary != "", section)


def _part(line: PartLine) -> rx.Component:
    failed = rx.cond(line.failed != "", rx.el.p(icon("alert"), line.failed, ".", class_name="err"))
    return rx.el.tr(
        rx.el.th(line.name, scope="row"),
        cell("State", rx.el.span(line.tag, class_name=f"tag {line.tone}"), failed),
        cell("Last read whole", line.read),
        key=line.name,
    )


def _list(title: str, lines: Any, draw: Callable[..., rx.Component]) -> rx.Component:
    content = rx.el.div(
        rx.el.h3(title, class_name="as-h4"), rx.el.ul(rx.foreach(lines, draw)), class_name="panel stack"
    )
    return rx.cond(lines.length() > 0, content)


def _fault(line: FaultLine) -> rx.Component:
    name = rx.cond(
        line.href != "", rx.el.a(line.item, href=line.href, target="_blank", rel="noopener noreferrer"), line.item
    )
    return rx.el.li(name, ": ", line.words, ".")
