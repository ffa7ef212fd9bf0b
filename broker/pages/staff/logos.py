"""Lenders and logos for staff: the two fetches, the table, a zip upload, and the result of the last change."""

from functools import partial
from typing import Any

import reflex as rx
from reflex.vars import ArrayVar

from broker import routes
from broker.components.client_scripts import expression
from broker.components.client_values import TYPED, BrowserValues, client_handler, memoized_section
from broker.components.elements import (
    button,
    disclosure,
    icon,
    note,
    picture,
    plain_link,
    scrolling,
    skeleton,
    visually_hidden,
)
from broker.components.forms.fields import tick
from broker.components.forms.post_form import drop_events, drop_target, file_button
from broker.components.jinja import Attributes, Handler
from broker.lenders.logos.list_view import LenderLine, VersionLine
from broker.lenders.logos.outcomes import NOTHING_TO_UNDO, Outcome
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.frame import cell, staff_page, table_head
from broker.state.staff.logos import StaffLogosState

_STATE: Any = StaffLogosState

_MAX_PICTURE_BYTES = 2 * 1024 * 1024
"""Bytes of a picture that a page sends; the server checks again."""

_PICTURES = "image/png,image/jpeg,image/gif"
"""Types that the file chooser offers; the server goes by the content."""

_HEADS = ("Lender", "Number", "Used for", "Logo", "From", "Last change", "Versions")

_MAX_ZIP_BYTES = 20 * 1024 * 1024
"""Bytes of a zip file that a page sends; the server checks again."""


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        staff_page(
            inputs,
            routes.UPDATE_LENDERS,
            "Lenders and logos",
            _logos_section,
            title="Lenders and logos",
            description="For staff: all lenders with their logos, to fetch, upload, replace, remove and put back.",
            on_load=StaffLogosState.open,
        ),
    )


def _lender_table() -> rx.Component:
    emptied = rx.el.div(
        note("The list of lenders is empty", _STATE.lenders.sentence, tone="bad"),
        button("Show the lenders as last known", look="line", on_click=_STATE.open),
        class_name="stack",
    )
    return rx.el.section(
        rx.el.h2("All lenders", class_name="as-h3"),
        rx.match(_STATE.status, ("loading", skeleton(2)), ("emptied", emptied), _lender_results()),
        class_name="stack lender-table",
    )


def _lender_results() -> rx.Component:
    filters = BrowserValues("logo_filter", {"text": "", "bare": False})
    shown = _visible_lines(filters)
    table = rx.el.table(
        rx.el.caption("Lenders and their logos", class_name="vh"),
        table_head(*_HEADS, actions="What to do"),
        rx.el.tbody(rx.foreach(shown, _line)),
        class_name="tbl cards",
    )
    none = rx.el.p("No lender is found. Write less of the name, or take the tick away.", class_name="note")
    return memoized_section(
        filters.state,
        rx.el.p(_STATE.counts),
        _filters(filters),
        rx.el.p("Shown below: ", shown.length(), " of ", _STATE.lines.length(), class_name="small", role="status"),
        rx.cond(shown.length() > 0, scrolling(table, "Lenders and their logos", class_name="panel scroll-x"), none),
        class_name="stack",
        aria_label="Table of lenders",
    )


def _filters(filters: BrowserValues) -> rx.Component:
    field = rx.el.input(
        id="lender-name",
        type="search",
        value=filters["text"],
        on_change=client_handler(filters.put({"text": TYPED})),
        auto_complete="off",
        class_name="input",
    )
    return rx.el.div(
        rx.el.div(
            rx.el.label("Find a lender by name or number", html_for="lender-name"),
            field,
            class_name="stack tight-6 narrow",
        ),
        tick(
            "Only lenders without a logo",
            checked=filters["bare"],
            on_change=client_handler(filters.put({"bare": ~filters["bare"]})),
            identity="no-logo",
        ),
        class_name="row filters",
    )


def _visible_lines(filters: BrowserValues) -> ArrayVar[list[LenderLine]]:
    lines, text, bare = _STATE.lines, filters["text"], filters["bare"]
    wanted = (
        f"(line) => (!{bare!s} || !line.has_logo) && ((sought) => line.sought.includes(sought)"
        f" || String(line.lender_id) === sought)({text!s}.trim().toLowerCase())"
    )
    return expression(f"{lines!s}.filter({wanted})", lines, text, bare).to(list[LenderLine])


_third = partial(cell, class_name=None)


def _line(line: LenderLine) -> rx.Component:
    is_open = line.lender_id == _STATE.chosen
    row = rx.el.tr(
        rx.el.th(rx.cond(line.href != "", rx.el.a(line.name, href=line.href), line.name), scope="row"),
        _third("Number", line.lender_id),
        _third("Used for", line.used, rx.el.br(), rx.el.span(line.deals, class_name="small mute")),
        _third("Logo", _logo(line)),
        _third("From", rx.el.span(line.source, class_name=line.tone)),
        _third("Last change", line.who, rx.el.br(), rx.el.span(line.at, class_name="small mute")),
        _third("Versions", line.versions),
        rx.el.td(
            _upload(line),
            button(
                "More",
                visually_hidden(f" for {line.name}"),
                look="line s",
                on_click=_STATE.choose(line.lender_id),
                custom_attrs={"aria-expanded": rx.cond(is_open, "true", "false")},
            ),
            rx.cond(line.lender_id == _STATE.done.lender_id, _undo_button(_STATE.done)),
            class_name="n whole acts",
        ),
        custom_attrs=_drop_target(line),
    )
    return rx.fragment(row, rx.cond(is_open, _actions(line)), key=line.lender_id)


def _drop_target(line: LenderLine) -> Attributes:
    return drop_target(routes.STAFF_FORMS["logo"], most=_MAX_PICTURE_BYTES, lender=line.lender_id, number=line.number)


def _logo(line: LenderLine) -> rx.Component:
    return rx.cond(
        line.picture != "",
        rx.el.span(picture(line.picture, width=100, height=48), class_name="logo"),
        rx.el.span(line.initials, class_name="logo none", aria_hidden="true"),
    )


def _upload(line: LenderLine) -> rx.Component:
    words = rx.cond(line.has_logo, "Replace", "Upload")
    return file_button(icon("upload"), words, visually_hidden(f" the logo of {line.name}"), accept=_PICTURES)


def _actions(line: LenderLine) -> rx.Component:
    """Draw the actions on a lender's logo: upload in each way, remove, restore a version."""
    paste = rx.el.div(
        rx.el.label("Or paste a picture here", html_for="pasted"),
        # every browser pastes into a field; what is typed into it is discarded
        rx.el.input(
            id="pasted", class_name="input", auto_complete="off", custom_attrs={"value": "", "readOnly": False}
        ),
        class_name="stack tight-6",
    )
    give = rx.el.div(
        rx.el.p("PNG, JPEG or GIF of up to 2 MB. We save it as a new PNG, without anything else that was in the file."),
        rx.el.div(_upload(line), rx.el.span("or drop a file here", class_name="small mute"), class_name="drop row"),
        paste,
        button(
            "Remove",
            visually_hidden(f" the logo of {line.name}"),
            look="line s",
            icon_name="close",
            on_click=_STATE.remove(line.lender_id, line.number),
        ),
        class_name="stack",
    )
    versions = rx.cond(
        _STATE.versions.length() > 0,
        rx.el.ul(rx.foreach(_STATE.versions, lambda version: _version(line, version)), class_name="versions"),
        rx.el.p("Staff have not changed this logo yet."),
    )
    history = rx.el.div(rx.el.h4("Versions that are kept"), versions, class_name="stack")
    both = rx.el.div(give, history, class_name="g2")
    content = rx.el.div(rx.el.h3(line.name, class_name="as-h4"), both, class_name="stack")
    return rx.el.tr(rx.el.td(content, col_span=len(_HEADS) + 1, class_name="whole"), custom_attrs=_drop_target(line))


def _undo_button(done: Outcome) -> rx.Component:
    """Draw the button that undoes a change; nothing where there was none."""
    press = _STATE.put_back(done.lender_id, done.undo_to, done.number)
    named = visually_hidden(
        rx.cond(
            done.before != "", " the change before", rx.cond(done.file_name != "", f" {done.file_name}", " this change")
        )
    )
    return rx.cond(
        done.undo_to != NOTHING_TO_UNDO, button("Undo", named, icon_name="loop", look="line s", on_click=press)
    )


def _version(line: LenderLine, version: VersionLine) -> rx.Component:
    press = _STATE.put_back(line.lender_id, version.number, line.number)
    return rx.el.li(
        rx.cond(
            version.picture != "",
            rx.el.span(picture(version.picture, width=100, height=48), class_name="logo"),
            rx.el.span("None", class_name="logo none small", aria_hidden="true"),
        ),
        rx.el.span(
            rx.el.b(version.what), rx.el.br(), rx.el.span(version.who, " ", version.at, class_name="small mute")
        ),
        rx.cond(
            version.is_current,
            rx.el.span("Stands now", class_name="tag good"),
            button("Put back", visually_hidden(f" {version.what}"), look="line s", on_click=press),
        ),
        class_name="row",
        key=version.number,
    )


def _logos_section() -> rx.Component:
    """Draw the section, within which files may be chosen, dropped and pasted."""
    windows = plain_link("Correct how early a lender lets its own borrowers book", href=routes.STAFF_WINDOWS)
    return rx.el.div(
        rx.el.p(windows),
        _zip_form(),
        _zip_report(),
        _fetches(),
        _lender_table(),
        _last_result(),
        class_name="stack loose logos",
        custom_attrs=drop_events(begun=_STATE.begun, done=_STATE.sent),
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
            custom_attrs=drop_target(routes.STAFF_FORMS["logos"], most=_MAX_ZIP_BYTES),
        ),
        class_name="stack zip-form",
    )


def _zip_report() -> rx.Component:
    """Draw the result of a zip file, file by file; while it is shown, the browser prints it alone."""
    table = rx.el.table(
        rx.el.caption("Files of the zip file"),
        table_head("File", "Result", "Details", actions="Undo"),
        rx.el.tbody(rx.foreach(_STATE.bulk.files, _zipped)),
        class_name="tbl cards",
    )
    report = rx.el.section(
        rx.el.h2("Result of the zip file", class_name="as-h3"),
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
        rx.el.td(_undo_button(file), class_name="n whole"),
        key=file.file_name,
    )


def _last_result() -> rx.Component:
    """Draw the result of the last change with its undo button, visible at any scroll position of the table."""
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
            _undo_button(done),
            button("Close", visually_hidden(" this message"), look="line s", on_click=_STATE.put_away),
            class_name="row",
        ),
        class_name=_note("note ", done.tone),
    )
    sending = rx.el.p("Sending ", _STATE.sending, " …", class_name="note")
    return rx.el.div(
        rx.cond(_STATE.sending != "", sending, rx.cond(done.sentence != "", shown)),
        role="status",
        class_name="last-result",
    )


def _note(kind: str, tone: str) -> rx.Var:
    return rx.Var.create(kind).to(str) + tone
