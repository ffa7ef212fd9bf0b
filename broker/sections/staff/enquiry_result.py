"""The result that a visitor attached to an enquiry, as it was when they sent it."""

from typing import Any

import reflex as rx
from reflex_components_core.el.elements.inline import A

from broker.components.elements.lists import fact
from broker.components.elements.messages import disclosure, note
from broker.components.elements.tables import scrolling
from broker.presenters.staff.enquiry_result import ResultView


def result_panel(result: ResultView) -> rx.Component:
    """Draw a ResultView of the browser."""
    attached = rx.el.section(
        rx.el.h2("The result they attached", class_name="as-h4"),
        rx.el.p(rx.el.b(result.title), rx.el.span(result.subtitle, class_name="small mute under")),
        rx.cond(result.figure != "", _plate(result)),
        rx.el.p(
            A.create("Open its page with these figures", href=result.address, target="_blank"),
            " (opens in a new tab; deals may have changed) ",
            A.create("The result as they sent it (PDF)", href=result.pdf),
            class_name="small",
        ),
        rx.el.dl(rx.foreach(result.figures, lambda line: fact(line.label, line.words)), class_name="kv wide"),
        disclosure(
            "Everything they saw",
            rx.el.div(rx.foreach(result.parts, _part), rx.foreach(result.remarks, rx.el.p), class_name="stack"),
        ),
        class_name="panel stack",
    )
    problem = note("No result is attached. ", result.problem, tone="warn")
    return rx.cond(result.problem != "", problem, attached)


def _plate(result: ResultView) -> rx.Component:
    return rx.el.div(
        rx.el.span(result.label, class_name="label"),
        rx.el.b(result.figure, " ", rx.el.small(result.per), class_name="big"),
        rx.el.span(result.caption, class_name="small cap-2"),
        class_name="plate",
    )


def _part(part: Any) -> rx.Component:
    return rx.el.div(
        rx.cond(part.heading != "", rx.el.h3(part.heading, class_name="as-h4")),
        rx.cond(part.title != "", rx.el.p(rx.el.b(part.title))),
        rx.cond(part.rows.length() > 0, _table(part)),
        rx.cond(part.steps.length() > 0, rx.el.ol(rx.foreach(part.steps, rx.el.li))),
        rx.cond(part.text != "", rx.el.p(part.text)),
        class_name="stack tight-8",
    )


def _table(part: Any) -> rx.Component:
    head = rx.el.thead(rx.el.tr(rx.foreach(part.heads, lambda cell: rx.el.th(cell, scope="col"))))
    table = rx.el.table(
        rx.cond(part.caption != "", rx.el.caption(part.caption)),
        rx.cond(part.heads.length() > 0, head),
        rx.el.tbody(rx.foreach(part.rows, lambda row: rx.el.tr(rx.foreach(row, rx.el.td)))),
        class_name="tbl",
    )
    return scrolling(table, "A table of the result")
