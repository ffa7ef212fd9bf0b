"""The staff overview: waiting enquiries, and the state of the sources, the outbox and the release."""

from collections.abc import Callable, Iterable
from typing import Any

import reflex as rx

from broker import routes
from broker.components.elements import button, fact, icon, note, plain_link, titled_section
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.frame import cell, loading, read_at, staff_page, table_head
from broker.staff.overview_view import FaultLine, PartLine
from broker.staff.roles import Right
from broker.staff.times import Fact
from broker.state.staff.overview import LOADED, OverviewState

_STATE: Any = OverviewState


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        staff_page(
            inputs,
            routes.STAFF_HEALTH,
            "Health of the site",
            _overview_section,
            title="Health of the site, for staff",
            description="Staff of the firm see here what waits for them, and how the sources of the site stand.",
            right=Right.PROMOTIONS,
            on_load=OverviewState.open,
        ),
    )


def _content_section() -> rx.Component:
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


def _publishing_panel() -> rx.Component:
    publishing = _STATE.found.publishing
    return _panel(
        "publishing",
        _standing_heading("publishing", "Publishing", publishing),
        publishing.facts,
        rx.cond(
            _STATE.found.can_publish,
            rx.el.p(button("Publish now", look="s line", icon_name="loop", on_click=OverviewState.publish_now)),
        ),
        rx.el.p(_STATE.publish_result, role="status", class_name="small"),
    )


def _overview_section() -> rx.Component:
    return rx.fragment(
        rx.window_event_listener(on_focus=OverviewState.look_again),
        rx.cond(
            _STATE.status == LOADED,
            rx.fragment(
                _waiting(),
                _sources(),
                _content_section(),
                _publishing_panel(),
                rx.el.div(_outbox(), _release(), class_name="standings"),
            ),
            loading(rx.el.h2("The overview is on its way", class_name="as-h3"), rows=2),
        ),
    )


def _waiting() -> rx.Component:
    waiting = rx.cond(
        _STATE.problem != "",
        note("It is not known what waits", _STATE.problem, ".", tone="warn"),
        rx.el.ul(rx.foreach(_STATE.counts, _count), class_name="counts"),
    )
    diary = rx.el.p(plain_link("Diary: appointments, hours and absences", href=routes.STAFF_DIARY))
    return titled_section("Enquiries", "enquiries-title", _overdue(), waiting, diary, look="as-h3")


def _overdue() -> rx.Component:
    delete = rx.el.button(
        "Delete what is past its time", type="button", on_click=OverviewState.delete_overdue, class_name="btn s line"
    )
    words = note("Past its time. ", _STATE.overdue, tone="warn")
    return rx.cond(_STATE.overdue != "", rx.el.div(words, delete, class_name="stack"))


def _count(one: Any) -> rx.Component:
    link = rx.el.a(
        rx.el.b(one.count, class_name="big"),
        rx.el.span(rx.cond(one.is_pressing, icon("alert"), rx.fragment()), one.words),
        href=one.href,
        class_name=rx.cond(one.is_pressing, "panel pressing", "panel"),
    )
    return rx.el.li(link, key=one.words)


def _sources() -> rx.Component:
    table = rx.el.table(
        rx.el.caption("Sources of the site", class_name="vh"),
        table_head("Source", "State", "Last read", "What is known", actions="Refresh"),
        rx.el.tbody(rx.foreach(_STATE.found.sources, _source)),
        class_name="tbl cards",
    )
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h2("Sources", id="sources-title", class_name="as-h3"),
                rx.el.p(_STATE.found.summary, "."),
                rx.el.p(_STATE.result, role="status", class_name="small"),
            ),
            read_at("Looked at ", _STATE.found.at, look_again=OverviewState.look_again),
            class_name="bar",
        ),
        rx.el.div(table, class_name="panel sources"),
        class_name="stack",
        aria_labelledby="sources-title",
    )


def _source(line: Any) -> rx.Component:
    failed = rx.cond(line.failed != "", rx.el.p(icon("alert"), line.failed, ".", class_name="err"))
    return rx.el.tr(
        rx.el.th(line.name, scope="row"),
        cell("State", rx.el.span(line.tag, class_name=f"tag {line.tone}")),
        cell("Last read", line.read),
        cell("What is known", failed, rx.el.p(line.words, ".", class_name="small"), class_name="whole"),
        rx.el.td(rx.cond(line.can_refresh, _refresh(line)), class_name="n whole"),
        key=line.key,
    )


def _refresh(line: Any) -> rx.Component:
    """Draw the refresh button of a source; disabling it while the source is read would lose the focus."""
    is_reading = _STATE.reading.contains(line.key)
    return rx.el.button(
        icon("loop"),
        rx.cond(is_reading, "Reading…", "Refresh now"),
        type="button",
        on_click=OverviewState.refresh(line.key),
        class_name=rx.cond(is_reading, "btn s line busy", "btn s line"),
        custom_attrs={
            "aria-label": rx.cond(is_reading, "Reading…: ", "Refresh now: ") + line.name.to(str),
            "aria-disabled": rx.cond(is_reading, "true", rx.Var("undefined")),
        },
    )


def _outbox() -> rx.Component:
    outbox = _STATE.found.outbox
    return _panel(
        "outbox",
        _standing_heading("outbox", "Mail", outbox),
        outbox.facts,
        rx.el.p(plain_link("See what waits and what failed", href=routes.STAFF_MAIL)),
        rx.el.p(plain_link("See the watches of visitors to call", href=routes.STAFF_WATCHES)),
    )


def _release() -> rx.Component:
    heading = rx.el.h2("What visitors are served", id="release-title", class_name="as-h4")
    return _panel("release", heading, _STATE.found.release)


def _standing_heading(name: str, words: str, standing: Any) -> rx.Component:
    return rx.el.div(
        rx.el.h2(words, id=f"{name}-title", class_name="as-h4"),
        rx.el.span(standing.tag, class_name=f"tag {standing.tone}"),
        class_name="bar",
    )


def _panel(name: str, heading: rx.Component, facts: Iterable[Fact], *more: rx.Component) -> rx.Component:
    return rx.el.section(
        heading,
        rx.el.dl(rx.foreach(facts, lambda one: fact(one.label, one.words)), class_name="kv wide"),
        *more,
        class_name="panel stack",
        aria_labelledby=f"{name}-title",
    )
