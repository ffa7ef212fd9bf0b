"""One enquiry for staff, read-only: the person, what they sent and agreed to, and its history."""

from typing import Any

import reflex as rx
from reflex_components_core.el.elements.inline import A

from broker import routes
from broker.components.elements import disclosure, fact, note, scrolling, telephone_link
from broker.pages.staff.enquiry_work import delete_panel, notes_panel, unsent_note, work_panel, writing
from broker.pages.staff.frame import loading, not_read, read_at
from broker.staff.enquiry_view import ResultView
from broker.state.staff.enquiry import FAILED, GONE, LOADED, LOOK, EnquiryPageState


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


_STATE: Any = EnquiryPageState
_FOUND = _STATE.found

RESULT_ID = "enquiry-told"
"""Id of the message about the result of an action."""


def enquiry_section() -> rx.Component:
    problem = not_read("This enquiry could not be read", _STATE.problem, retry=EnquiryPageState.open)
    failed = rx.el.div(problem, unsent_note(), class_name="stack")
    return rx.fragment(
        rx.window_event_listener(on_focus=EnquiryPageState.look_again),
        writing(),
        rx.el.div(
            rx.el.a("All enquiries", href=routes.STAFF_ENQUIRIES),
            rx.el.div(
                rx.el.p(_STATE.told, class_name="said"),
                id=RESULT_ID,
                tab_index=-1,
                role="status",
                class_name="said-slot",
            ),
        ),
        rx.match(_STATE.status, (LOADED, _enquiry()), (GONE, _gone()), (FAILED, failed), loading(rows=2)),
    )


def _enquiry() -> rx.Component:
    return rx.el.div(
        rx.el.div(_title(), _conflict()),
        rx.cond(
            _STATE.refused_at == LOOK, note("This could not be read again", rx.el.p(_STATE.refused, "."), tone="warn")
        ),
        rx.el.div(_contact(), work_panel(), class_name="g2"),
        rx.el.div(_sent(), notes_panel(), class_name="g2"),
        rx.foreach(_FOUND.results, result_panel),
        rx.el.div(_panel("What they allowed", _facts(_FOUND.consent)), _record(), class_name="g2"),
        delete_panel(),
        class_name="stack loose",
    )


def _title() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.h2(_FOUND.reference, class_name="as-h3"),
            rx.el.p(
                rx.el.span(_FOUND.state, class_name=f"tag {_FOUND.tone}"),
                rx.cond(_FOUND.is_overdue, rx.el.span("Overdue", class_name="tag bad")),
                rx.el.span(_FOUND.promise),
                class_name="row small",
            ),
            class_name="stack tight-8",
        ),
        read_at("Read at ", _STATE.read_at, look_again=EnquiryPageState.look_again),
        class_name="bar",
    )


def _conflict() -> rx.Component:
    """Draw what others changed meanwhile, and what was not done because of it."""
    conflict = _STATE.meanwhile
    return rx.el.div(
        rx.cond(
            conflict.heading != "",
            note(
                conflict.heading,
                rx.el.ul(rx.foreach(conflict.lines, rx.el.li)),
                rx.cond(
                    conflict.wanted != "",
                    rx.el.p(
                        "You wanted: ",
                        rx.el.b(conflict.wanted),
                        ". Below is the enquiry as it is now, and what you typed. Do it again if it is still right.",
                    ),
                ),
                tone="warn",
            ),
        ),
        role="alert",
        class_name="said-slot",
    )


def _contact() -> rx.Component:
    email = rx.cond(_FOUND.email != "", rx.el.a(_FOUND.email, href=_FOUND.mailto), "None given")
    return _panel(
        "Who it is",
        rx.el.dl(
            fact("Name", _FOUND.name),
            fact("Telephone", telephone_link(_FOUND.telephone, number=_FOUND.tel)),
            fact("Email", email),
            fact("When to call", _FOUND.when),
            class_name="kv wide",
        ),
    )


def _sent() -> rx.Component:
    return _panel(
        "What they sent",
        rx.el.p(rx.el.span(_FOUND.kind, class_name="tag")),
        rx.cond(
            _FOUND.message != "",
            rx.el.blockquote(_FOUND.message, class_name="as-typed"),
            rx.cond(_FOUND.lines.length() == 0, rx.el.p("They wrote no message.", class_name="mute")),
        ),
        rx.cond(_FOUND.lines.length() > 0, _facts(_FOUND.lines)),
    )


def _record() -> rx.Component:
    entries = rx.el.ol(
        rx.foreach(_STATE.history, lambda line: rx.el.li(line.did, rx.el.span(line.at, class_name="xs mute under"))),
        class_name="history",
    )
    empty = rx.el.p("Nobody of staff has done anything with it yet.", class_name="mute")
    history = rx.cond(_STATE.history.length() > 0, entries, empty)
    return _panel("What we keep", _facts(_FOUND.record), disclosure("History of this enquiry", history))


def _panel(title: str, *content: rx.Component) -> rx.Component:
    return rx.el.section(rx.el.h2(title, class_name="as-h4"), *content, class_name="panel stack")


def _facts(lines: Any) -> rx.Component:
    return rx.el.dl(rx.foreach(lines, lambda line: fact(line.label, line.words)), class_name="kv wide")


def _gone() -> rx.Component:
    return rx.el.div(
        note(_STATE.gone_title, rx.el.p(_STATE.gone_words), tone="warn"),
        unsent_note(),
        role="alert",
        class_name="stack",
    )
