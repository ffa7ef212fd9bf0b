"""Lender logos for staff: upload, lenders without a logo first, versions of the chosen one, and what came of files."""

from typing import Any

import reflex as rx
from reflex.vars import ArrayVar

from broker import routes
from broker.components.chakra import (
    badge,
    button_group,
    column,
    desk_button,
    desk_table,
    row_name,
    table_cell,
    table_row,
)
from broker.components.client_scripts import expression, script_function
from broker.components.client_values import TYPED, BrowserValues, client_handler, memoized_section
from broker.components.elements import disclosure, icon, note, picture, plain_link, visually_hidden
from broker.components.forms.post_form import drop_events, drop_target, file_button, watch_paste
from broker.components.jinja import Attributes, Handler
from broker.lenders.logos.list_view import LenderLine, VersionLine
from broker.lenders.logos.logo import MIN_WIDTH
from broker.lenders.logos.reports import NOTHING_TO_UNDO, LogoReport
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.frame import key_button, loading, staff_page
from broker.staff.roles import Right
from broker.state.staff.logos import StaffLogosState

_STATE: Any = StaffLogosState

_MAX_PICTURE_BYTES = 2 * 1024 * 1024
"""Bytes of a picture that a page sends; the server checks again."""

_MAX_ZIP_BYTES = 20 * 1024 * 1024
"""Bytes of a zip file that a page sends; the server checks again."""

_PICTURES = "image/png,image/jpeg,image/gif,image/webp"
"""Types that the file chooser offers; the server goes by the content."""

_KEYS = (
    *(("u", "upload"), ("Ctrl V", "paste for the chosen lender"), ("j k", "move"), ("Enter", "open")),
    *(("r", "replace"), ("z", "undo"), ("/", "find a lender"), ("Esc", "close the lender")),
)

_SHOWN = (("all", "All", "true"), ("bare", "Without", "!line.has_logo"), ("poor", "Look at", "line.is_poor"))
"""Filters: name, words, and what is asked of a line, in the browser."""


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        staff_page(
            inputs,
            routes.UPDATE_LENDERS,
            "Lender logos",
            _logos_section,
            title="Lender logos",
            description="For staff: all lenders with their logos, to upload, fetch, replace, remove and put back.",
            right=Right.LOGOS,
            on_load=StaffLogosState.open,
            beside=_counts,
            keys=_KEYS,
        ),
    )


def _counts() -> rx.Component:
    every = plain_link(icon("download"), "Download all", href=routes.STAFF_LOGOS_FILE, class_name="btn s line push")
    return rx.fragment(rx.el.p(_STATE.counts, role="status", class_name="small mute"), every)


def _logos_section() -> rx.Component:
    """Draw the section: a file that is dropped anywhere in it finds its place by its name."""
    events = {"begun": _STATE.begun, "done": _STATE.sent}
    anywhere = drop_target(routes.STAFF_FORMS["logos"], most=_MAX_ZIP_BYTES)
    return rx.el.div(
        _upload_section(),
        rx.el.div(
            rx.el.div(_lenders(), class_name="lender-table"),
            rx.el.div(_reports(), _chosen(), _fetches(), class_name="stack aside"),
            class_name="desk-side",
        ),
        _news(),
        # the reports have buttons of their own
        key_button("z", "Undo the last change", press=_STATE.undo_last),
        on_mount=watch_paste(**events),
        class_name="stack loose logos",
        custom_attrs={**anywhere, "data-takes-files": "", **drop_events(**events)},
    )


def _upload_section() -> rx.Component:
    words = (
        "One, many, or a zip file of up to 20 MB and 500 pictures. PNG, WebP, JPEG or GIF of up to 2 MB each. Named by "
        "number (101.png) or by lender (atom-bank.png) they find their place. "
        f"At least {MIN_WIDTH} pixels wide; shown at most 100 wide."
    )
    return rx.el.section(
        icon("upload"),
        rx.el.div(rx.el.h2("Drop logos here, paste one, or choose files"), rx.el.p(words, class_name="small mute")),
        rx.el.div(
            file_button(
                *(icon("upload"), "Choose files", rx.el.kbd("u", aria_hidden="true")),
                accept=_PICTURES,
                look="lamp",
                multiple=True,
                custom_attrs={"data-key": "u"},
            ),
            file_button("Choose a zip file", accept=".zip,application/zip", look="line"),
            class_name="row",
        ),
        aria_label="Upload",
        class_name="drop upload needs-script",
    )


def _lenders() -> rx.Component:
    emptied = rx.el.div(
        note("The list of lenders is empty", _STATE.lenders.sentence, tone="bad"),
        desk_button("Show the lenders as last known", on_click=_STATE.open),
        class_name="stack",
    )
    return rx.fragment(rx.match(_STATE.status, ("loading", loading(rows=2)), ("emptied", emptied), _found_lenders()))


def _found_lenders() -> rx.Component:
    filters = BrowserValues("logo_filter", {"text": "", "show": "all"})
    shown = _visible_lines(filters)
    heads = ("Logo", "Lender", "No.", "State", "Where used", "Version")
    table = desk_table(
        [*map(column, heads), column(visually_hidden("What to do"))],
        rx.foreach(shown, _line),
        caption="Lenders, those without a logo first",
        class_name="logo-table",
    )
    none = rx.el.p("No lender is found. Write less of the name, or show all.", class_name="note")
    return memoized_section(
        filters.state,
        _filters(filters),
        rx.el.p("Shown below: ", shown.length(), " of ", _STATE.lines.length(), class_name="small mute", role="status"),
        rx.cond(shown.length() > 0, rx.el.div(table, class_name="panel listed"), none),
        class_name="stack",
        aria_label="All lenders",
    )


def _filters(filters: BrowserValues) -> rx.Component:
    field = rx.el.input(
        type="search",
        placeholder="Lender or number",
        value=filters["text"],
        on_change=client_handler(filters.put({"text": TYPED})),
        auto_complete="off",
        class_name="input",
        aria_label="Find a lender by name or number",
        custom_attrs={"data-key": "/"},
    )
    choices = (
        desk_button(
            words,
            " ",
            _lines_where(asked).length(),
            on_click=client_handler(filters.put({"show": name})),
            custom_attrs={"aria-pressed": rx.cond(filters["show"] == name, "true", "false")},
        )
        for name, words, asked in _SHOWN
    )
    return rx.el.div(field, button_group(*choices, label="Show"), class_name="row filters")


def _lines_where(asked: str) -> ArrayVar[list[LenderLine]]:
    lines = _STATE.lines
    return expression(f"{lines!s}.filter((line) => {asked})", lines).to(list[LenderLine])


def _visible_lines(filters: BrowserValues) -> ArrayVar[list[LenderLine]]:
    lines, text, show = _STATE.lines, filters["text"], filters["show"]
    asked = " || ".join(f'({show!s} === "{name}" && {asked})' for name, _, asked in _SHOWN)
    wanted = (
        f"(line) => ({asked}) && ((sought) => line.sought.includes(sought)"
        f" || String(line.lender_id) === sought)({text!s}.trim().toLowerCase())"
    )
    return expression(f"{lines!s}.filter({wanted})", lines, text, show).to(list[LenderLine])


def _line(line: LenderLine) -> rx.Component:
    is_open = line.lender_id == _STATE.chosen
    choose = rx.el.button(
        line.name,
        type="button",
        on_click=_STATE.choose(line.lender_id),
        class_name="linked",
        custom_attrs={"aria-expanded": rx.cond(is_open, "true", "false")},
    )
    return table_row(
        table_cell(_logo(line), class_name="l0"),
        row_name(choose, class_name="n0"),
        table_cell(line.lender_id, class_name="i0 mute"),
        table_cell(badge(line.state, colour=line.colour), class_name="s0"),
        table_cell(line.deals, class_name="u0 mute"),
        table_cell(line.versions, class_name="v0 mute"),
        table_cell(_upload(line), class_name="a0"),
        key=line.lender_id,
        custom_attrs={**_place(line), "data-row": "", "aria-current": rx.cond(is_open, "true", "false")},
    )


def _place(line: LenderLine) -> Attributes:
    return drop_target(routes.STAFF_FORMS["logo"], most=_MAX_PICTURE_BYTES, lender=line.lender_id, number=line.number)


def _logo(line: LenderLine) -> rx.Component:
    drawn = rx.el.span(picture(line.picture, width=96, height=26), class_name=rx.cond(line.has_logo, "lg0", "lg0 no"))
    return rx.cond(line.picture != "", drawn, rx.el.span(line.initials, class_name="lg0 no", aria_hidden="true"))


def _upload(line: LenderLine) -> rx.Component:
    words = rx.el.span(rx.cond(line.has_logo, "Replace", "Upload"), visually_hidden(f" the logo of {line.name}"))
    return file_button(icon("upload"), words, accept=_PICTURES, custom_attrs={"data-key": "r"})


def _chosen() -> rx.Component:
    """Draw the chosen lender: how to replace its logo, its versions, and where it is used."""
    return rx.foreach(_STATE.lines, lambda line: rx.cond(line.lender_id == _STATE.chosen, _chosen_panel(line)))


def _chosen_panel(line: LenderLine) -> rx.Component:
    versions = rx.cond(
        _STATE.versions.length() > 0,
        rx.el.ul(rx.foreach(_STATE.versions, lambda version: _version(line, version)), class_name="versions"),
        rx.el.p("Staff have not changed this logo yet.", class_name="small"),
    )
    # every browser pastes into a field; what is typed into it is discarded
    paste = rx.el.input(
        class_name="input",
        auto_complete="off",
        placeholder="Or paste a picture here",
        aria_label="Or paste a picture here",
        custom_attrs={"value": "", "onChange": client_handler(rx.Var("undefined"))},
    )
    page = rx.cond(line.href != "", rx.el.span(", ", plain_link("its page", href=line.href)))
    return rx.el.section(
        rx.el.div(
            rx.el.h2(line.name, id="chosen-lender"),
            rx.el.span("No. ", line.lender_id, class_name="small mute"),
            desk_button(
                *(icon("close"), visually_hidden(f"Close {line.name}")),
                look="ghost",
                on_click=_STATE.choose(line.lender_id),
                class_name="push",
                custom_attrs={"data-key": "Escape"},
            ),
            class_name="row",
        ),
        rx.el.div(
            _upload(line),
            desk_button(
                "Remove",
                visually_hidden(f" the logo of {line.name}"),
                size="xs",
                on_click=_STATE.remove(line.lender_id, line.number),
            ),
            class_name="row",
        ),
        paste,
        rx.el.h3("Versions that are kept"),
        versions,
        rx.el.h3("Where used"),
        rx.el.p(line.used, ": ", line.deals, page, ". Logo: ", line.source, ".", class_name="small"),
        key=line.lender_id,
        tab_index=-1,
        aria_labelledby="chosen-lender",
        class_name="panel stack chosen",
        # the list has many rows before it
        custom_attrs={**_place(line), "data-paste": "", "ref": script_function("desk", "focusPanel")},
    )


def _version(line: LenderLine, version: VersionLine) -> rx.Component:
    press = _STATE.put_back(line.lender_id, version.number, line.number)
    return rx.el.li(
        rx.cond(
            version.picture != "",
            rx.el.span(picture(version.picture, width=96, height=26), class_name="lg0"),
            rx.el.span("None", class_name="lg0 no", aria_hidden="true"),
        ),
        rx.el.span(
            rx.el.b(version.what), rx.el.br(), rx.el.span(version.who, " ", version.at, class_name="small mute")
        ),
        rx.cond(
            version.is_current,
            badge("on the site", colour="green"),
            desk_button("Put back", visually_hidden(f" {version.what}"), size="xs", on_click=press),
        ),
        key=version.number,
    )


def _undo_button(report: LogoReport) -> rx.Component:
    """Draw the button that undoes a change; nothing where there was none."""
    press = _STATE.put_back(report.lender_id, report.undo_to, report.number)
    named = visually_hidden(rx.cond(report.file_name != "", f" {report.file_name}", f" for {report.lender}"))
    return rx.cond(
        report.undo_to != NOTHING_TO_UNDO, desk_button("Undo", named, look="ghost", size="xs", on_click=press)
    )


def _mark(tone: str) -> rx.Component:
    return rx.fragment(rx.match(tone, ("good", icon("check")), ("", icon("info")), icon("alert")))


def _reports() -> rx.Component:
    """Draw what came of files and changes until somebody puts it away; the browser prints it alone."""
    listed = rx.el.section(
        rx.el.div(
            rx.el.h2("Just now", id="just-now"),
            desk_button("Print", size="xs", on_click=client_handler(rx.Var("window.print()")), class_name="push"),
            desk_button(
                *(icon("close"), visually_hidden("Put the results away")),
                look="ghost",
                size="xs",
                on_click=_STATE.put_away,
            ),
            class_name="row",
        ),
        rx.el.p(_STATE.told, " Kept here until you close it.", class_name="small mute"),
        rx.el.ul(rx.foreach(_STATE.reports, _report), class_name="reports"),
        aria_labelledby="just-now",
        class_name="panel stack report",
    )
    return rx.cond(_STATE.told != "", listed)


def _report(report: LogoReport) -> rx.Component:
    return rx.el.li(
        _mark(report.tone),
        rx.el.span(rx.el.b(report.what, ": "), report.sentence, " ", report.now, class_name=f"told {report.tone}"),
        _undo_button(report),
    )


def _news() -> rx.Component:
    """Draw the latest result at the foot of the page, wherever it is scrolled to."""
    sending = rx.el.p("Sending ", _STATE.sending, " …", class_name="note")
    shown = rx.cond(_STATE.sending != "", sending, rx.foreach(_STATE.news, _latest))
    return rx.el.div(shown, role="status", class_name="last-result")


def _latest(report: LogoReport) -> rx.Component:
    return rx.el.div(
        _mark(report.tone),
        rx.el.div(
            rx.el.p(rx.el.strong(report.sentence)),
            rx.cond(report.now != "", rx.el.p(report.now)),
            rx.cond(report.picture != "", rx.el.span(picture(report.picture, width=96, height=26), class_name="lg0")),
        ),
        rx.el.div(
            _undo_button(report),
            desk_button("Close", visually_hidden(" this message"), size="xs", on_click=_STATE.close_news),
            class_name="row",
        ),
        class_name=_toned("note ", report.tone),
    )


def _toned(kind: str, tone: str) -> rx.Var:
    return rx.Var.create(kind).to(str) + tone


def _fetches() -> rx.Component:
    return rx.el.section(
        rx.el.h2("From the feed", id="from-the-feed"),
        _fetch("The list of lenders", "Read the list again", view=_STATE.lenders, on_click=_STATE.fetch_lenders),
        _fetch("Their logos", "Fetch the logos", view=_STATE.logos, on_click=_STATE.fetch_logos),
        aria_labelledby="from-the-feed",
        class_name="panel stack fetches needs-script",
    )


def _fetch(title: str, label: str, *, view: Any, on_click: Handler) -> rx.Component:
    failures = disclosure(
        rx.el.span("Each that failed: ", view.failures.length()),
        rx.el.ul(rx.foreach(view.failures, rx.el.li), class_name="small failures"),
    )
    again = desk_button(
        *(icon("loop"), label),
        size="xs",
        on_click=on_click,
        custom_attrs={"aria-busy": rx.cond(view.fetching, "true", "false")},
    )
    return rx.el.div(
        rx.el.div(rx.el.h3(title), rx.el.span(view.state, class_name=view.tone), class_name="row"),
        rx.el.p(view.sentence, class_name="small", role="status"),
        rx.cond(view.strangers != "", rx.el.p(view.strangers, class_name="small")),
        rx.cond(view.failures.length() > 0, failures),
        again,
        class_name="stack",
    )
