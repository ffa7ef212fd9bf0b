"""Lenders and logos for staff: the two fetches, the table, a zip upload, and the result of the last change."""

from typing import Any

import reflex as rx

from broker import routes
from broker.components.client_values import client_handler
from broker.components.elements.buttons import button
from broker.components.elements.icons import icon
from broker.components.elements.messages import disclosure
from broker.components.elements.picture import picture
from broker.components.elements.tables import scrolling
from broker.components.elements.text import visually_hidden
from broker.components.forms.file_upload import file_button, place, places
from broker.components.screen_types import Handler
from broker.presenters.staff.logo_outcomes import Outcome
from broker.sections.staff.frame import table_head
from broker.sections.staff.logo_table import lender_table, undo_button
from broker.state.staff.logos import StaffLogosState

_STATE: Any = StaffLogosState

MAX_ZIP_BYTES = 20 * 1024 * 1024
"""Bytes of a zip file that a page sends; the server checks again."""


def logos_section() -> rx.Component:
    """Draw the section, within which files may be chosen, dropped and pasted."""
    return rx.el.div(
        _zip_form(),
        _zip_report(),
        _fetches(),
        lender_table(),
        _last_result(),
        class_name="stack loose logos",
        custom_attrs=places(begun=_STATE.begun, done=_STATE.sent),
    )


def _fetches() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Fetch from the feed", class_name="as-h3"),
        rx.el.div(
            _fetch("The list of lenders", "Fetch the lenders", view=_STATE.lenders, on_click=_STATE.fetch_lenders),
            _fetch("Their logos", "Fetch the logos", view=_STATE.logos, on_click=_STATE.fetch_logos),
            class_name="g2",
        ),
        class_name="stack fetches",
    )


def _fetch(title: str, label: str, *, view: Any, on_click: Handler) -> rx.Component:
    failures = disclosure(
        rx.el.span("Each that failed: ", view.failures.length()),
        rx.el.ul(rx.foreach(view.failures, rx.el.li), class_name="small failures"),
    )
    return rx.el.div(
        rx.el.div(
            rx.el.h3(title, class_name="as-h4"), rx.el.span(view.state, class_name=view.tone), class_name="row between"
        ),
        rx.el.p(view.sentence, class_name="small", role="status"),
        rx.cond(view.strangers != "", rx.el.p(view.strangers, class_name="small")),
        rx.cond(view.failures.length() > 0, failures),
        button(
            label,
            icon_name="loop",
            look="line s",
            on_click=on_click,
            custom_attrs={"aria-busy": rx.cond(view.fetching, "true", "false")},
        ),
        class_name="panel stack",
    )


def _zip_form() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Many logos at once", class_name="as-h3"),
        rx.el.p(
            "Put the logos into one zip file, without folders, each named by its lender’s number: 42.png for lender "
            "42. It may hold 500 pictures and 20 MB. A picture that cannot be taken does not hold up the others.",
            class_name="text-width",
        ),
        rx.el.div(
            file_button(icon("upload"), "Choose a zip file", accept=".zip,application/zip", look="line"),
            rx.el.span("or drop it here", class_name="small mute"),
            class_name="drop row",
            custom_attrs=place(routes.STAFF_FORMS["logos"], most=MAX_ZIP_BYTES),
        ),
        class_name="stack zip-form",
    )


def _zip_report() -> rx.Component:
    """Draw the result of a zip file, file by file; while it is shown, the browser prints it alone."""
    table = rx.el.table(
        rx.el.caption("Files of the zip file"),
        table_head("File", "What came of it", "In words", actions="Undo"),
        rx.el.tbody(rx.foreach(_STATE.bulk.files, _zipped)),
        class_name="tbl cards",
    )
    report = rx.el.section(
        rx.el.h2("What came of the zip file", class_name="as-h3"),
        rx.el.p(_STATE.bulk.sentence, class_name=_note("note ", _STATE.bulk.tone)),
        rx.cond(_STATE.bulk.files.length() > 0, scrolling(table, "Files of the zip file")),
        rx.el.div(
            button("Print", icon_name="print", look="line s", on_click=client_handler(rx.Var("window.print()"))),
            button("Put the report away", look="line s", on_click=_STATE.put_report_away),
            class_name="row",
        ),
        class_name="stack zip-report",
    )
    return rx.el.div(rx.cond(_STATE.bulk.sentence != "", report), role="status", class_name="slot")


def _zipped(file: Outcome) -> rx.Component:
    return rx.el.tr(
        rx.el.th(file.file_name, scope="row"),
        rx.el.td(rx.el.span(file.what, class_name=_note("tag ", file.tone))),
        rx.el.td(file.sentence, " ", file.now, class_name="whole"),
        rx.el.td(undo_button(file), class_name="n whole"),
        key=file.file_name,
    )


def _last_result() -> rx.Component:
    """Draw the result of the last change, with its undo button, in view at any scroll position of the table."""
    done = _STATE.done
    shown = rx.el.div(
        rx.match(done.tone, ("good", icon("check")), ("", icon("info")), icon("alert")),
        rx.el.div(
            rx.el.p(rx.el.strong(done.sentence)),
            rx.cond(done.now != "", rx.el.p(done.now)),
            rx.cond(done.before != "", rx.el.p("You can still undo the change before: ", done.before)),
            rx.cond(done.picture != "", rx.el.span(picture(done.picture, width=100, height=48), class_name="logo")),
        ),
        rx.el.div(
            undo_button(done),
            button("Close", visually_hidden(" this message"), look="line s", on_click=_STATE.put_away),
            class_name="row",
        ),
        class_name=_note("note ", done.tone),
    )
    sending = rx.el.p("Sending ", _STATE.sending, " …", class_name="note")
    return rx.el.div(
        rx.cond(_STATE.sending != "", sending, rx.cond(done.sentence != "", shown)), role="status", class_name="told"
    )


def _note(kind: str, tone: str) -> rx.Var:
    return rx.Var.create(kind).to(str) + tone
