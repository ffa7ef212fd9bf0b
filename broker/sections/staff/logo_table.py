"""The table of all lenders, filtered in the browser; a file can be dropped on each row, which opens to its versions."""

from typing import Any

import reflex as rx
from reflex.vars import ArrayVar, VarData

from broker import routes
from broker.components.client_values import TYPED, BrowserValues, client_handler, memoized_section
from broker.components.elements.buttons import button
from broker.components.elements.icons import icon
from broker.components.elements.messages import note, skeleton
from broker.components.elements.picture import picture
from broker.components.elements.tables import scrolling
from broker.components.elements.text import visually_hidden
from broker.components.forms.fields import tick
from broker.components.forms.file_upload import file_button, place
from broker.components.screen_types import Attributes, Content
from broker.presenters.staff.logo_outcomes import NOTHING_TO_UNDO, Outcome
from broker.presenters.staff.logos import LenderLine, VersionLine
from broker.sections.staff.frame import table_head
from broker.state.staff.logos import StaffLogosState

_STATE: Any = StaffLogosState

MAX_PICTURE_BYTES = 2 * 1024 * 1024
"""Bytes of a picture that a page sends; the server checks again."""

PICTURES = "image/png,image/jpeg,image/gif"
"""Types that the file chooser offers; the server goes by the content."""

HEADS = ("Lender", "Number", "Used for", "Logo", "From", "Last change", "Versions")


def lender_table() -> rx.Component:
    emptied = rx.el.div(
        note("The list of lenders is empty", _STATE.lenders.sentence, tone="bad"),
        button("Show the lenders as last known", look="line", on_click=_STATE.open),
        class_name="stack",
    )
    return rx.el.section(
        rx.el.h2("All lenders", class_name="as-h3"),
        rx.match(_STATE.status, ("loading", skeleton(2)), ("emptied", emptied), _found()),
        class_name="stack lender-table",
    )


def _found() -> rx.Component:
    filters = BrowserValues("logo_filter", {"text": "", "bare": False})
    shown = _shown(filters)
    table = rx.el.table(
        rx.el.caption("Lenders and their logos", class_name="vh"),
        table_head(*HEADS, actions="What to do"),
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


def _shown(filters: BrowserValues) -> ArrayVar[list[LenderLine]]:
    lines, text, bare = _STATE.lines, filters["text"], filters["bare"]
    wanted = (
        f"(line) => (!{bare!s} || !line.has_logo) && ((sought) => line.sought.includes(sought)"
        f" || String(line.lender_id) === sought)({text!s}.trim().toLowerCase())"
    )
    used = VarData.merge(*(each._get_all_var_data() for each in (lines, text, bare)))
    return rx.Var(f"{lines!s}.filter({wanted})", _var_data=used).to(list[LenderLine])


def _line(line: LenderLine) -> rx.Component:
    is_open = line.lender_id == _STATE.chosen
    row = rx.el.tr(
        rx.el.th(rx.cond(line.href != "", rx.el.a(line.name, href=line.href), line.name), scope="row"),
        _cell("Number", line.lender_id),
        _cell("Used for", line.used, rx.el.br(), rx.el.span(line.deals, class_name="small mute")),
        _cell("Logo", _logo(line)),
        _cell("From", rx.el.span(line.source, class_name=line.tone)),
        _cell("Last change", line.who, rx.el.br(), rx.el.span(line.at, class_name="small mute")),
        _cell("Versions", line.versions),
        rx.el.td(
            _upload(line),
            button(
                "More",
                visually_hidden(f" for {line.name}"),
                look="line s",
                on_click=_STATE.choose(line.lender_id),
                custom_attrs={"aria-expanded": rx.cond(is_open, "true", "false")},
            ),
            rx.cond(line.lender_id == _STATE.done.lender_id, undo_button(_STATE.done)),
            class_name="n whole acts",
        ),
        custom_attrs=_place(line),
    )
    return rx.fragment(row, rx.cond(is_open, _opened(line)), key=line.lender_id)


def _cell(head: str, *content: Content) -> rx.Component:
    return rx.el.td(*content, custom_attrs={"data-l": head})


def _place(line: LenderLine) -> Attributes:
    return place(routes.STAFF_FORMS["logo"], most=MAX_PICTURE_BYTES, lender=line.lender_id, number=line.number)


def _logo(line: LenderLine) -> rx.Component:
    return rx.cond(
        line.picture != "",
        rx.el.span(picture(line.picture, width=100, height=48), class_name="logo"),
        rx.el.span(line.initials, class_name="logo none", aria_hidden="true"),
    )


def _upload(line: LenderLine) -> rx.Component:
    words = rx.cond(line.has_logo, "Replace", "Upload")
    return file_button(icon("upload"), words, visually_hidden(f" the logo of {line.name}"), accept=PICTURES)


def _opened(line: LenderLine) -> rx.Component:
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
    return rx.el.tr(rx.el.td(content, col_span=len(HEADS) + 1, class_name="whole"), custom_attrs=_place(line))


def undo_button(done: Outcome) -> rx.Component:
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
            version.stands,
            rx.el.span("Stands now", class_name="tag good"),
            button("Put back", visually_hidden(f" {version.what}"), look="line s", on_click=press),
        ),
        class_name="row",
        key=version.number,
    )
