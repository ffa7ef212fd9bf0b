"""The list of cases for staff: tabs, filters, rows to tick, what is done with the ticked, and files of the list."""

from typing import Any

import reflex as rx

from broker import routes
from broker.cases.case import CLOSE_REASONS
from broker.cases.case_list import OPTIONAL, REFERENCES, Column
from broker.cases.list_view import CHOICES, COLUMN_WORDS, MAX_TEXT, TEXT, CaseRow, Head, TabView
from broker.cases.lists import MAX_NAME
from broker.components.chakra import badge, column, desk_button, desk_table, row_name, table_cell, table_row
from broker.components.client_scripts import script_function
from broker.components.elements import icon, note, visually_hidden
from broker.components.forms.post_form import post_form
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.frame import desk_toast, hide_box, key_button, loading, not_read, staff_page
from broker.staff.roles import Right
from broker.state.staff.cases import ACCOUNT, DAY, EMPTY, FAILED, LOADED, NAME, NOBODY, REASON, TIME, EnquiriesState

_STATE: Any = EnquiriesState
_FOUND = _STATE.found

_LISTED = (_STATE.status == LOADED) | (_STATE.status == EMPTY)
_TICKED = _STATE.ticked.length() > 0

_COLUMNS_ID, _FILES_ID, _SAVE_ID, _FILTERS_ID, _SAVED_ID = "columns", "files", "save-filter", "filters", "saved-filter"
_HAND_OVER_ID, _CLOSE_ID, _DUE_ID, _EXPORT_ID = "hand-over", "close-cases", "due-date", "export-ticked"
"""Ids of the boxes that buttons open, by the browser's own popover."""

_FORMATS = (("csv", "CSV"), ("xlsx", "Excel"), ("json", "JSON"))

_FILTER_LABELS = {
    "state": "State",
    "stage": "Stage",
    "adviser": "Adviser",
    "due": "Due",
    "source": "Source",
    "kind": "Kind",
    "amount": "Amount",
}

_KEYS = (
    *(("j k", "move"), ("Enter", "open"), ("x", "tick"), ("/", "search")),
    *(("h", "hand over the ticked"), ("d", "due date of the ticked"), ("e", "export the ticked"), ("z", "undo")),
)


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        staff_page(
            inputs,
            routes.STAFF_ENQUIRIES,
            "Cases",
            _cases_section,
            title="Cases, for staff",
            description="Staff of the firm find cases here, by who has them, their stage, and when they are due.",
            right=Right.CASES,
            on_load=[EnquiriesState.open, EnquiriesState.watch],
            beside=_beside,
            keys=_KEYS,
        ),
    )


def _beside() -> rx.Component:
    return rx.fragment(
        rx.el.p(
            rx.cond(_LISTED, _FOUND.sentence, "Cases are on their way"),
            role="status",
            class_name="small mute needs-script",
        ),
        rx.el.div(
            _opener(_COLUMNS_ID, icon("list"), "Columns", class_name="only-wide"),
            _opener(_FILES_ID, icon("download"), "CSV, Excel", class_name="only-wide"),
            rx.cond(
                _FOUND.is_narrowed, desk_button("Clear", look="ghost", on_click=_STATE.clear, class_name="only-small")
            ),
            _opener(_FILTERS_ID, icon("filter"), "Filter", class_name="only-small"),
            class_name="row push needs-script",
        ),
        _box(_COLUMNS_ID, "Columns", *map(_column_box, OPTIONAL)),
        _box(_FILES_ID, "All of this list as a file", _files("", "with answers and notes")),
    )


def _opener(box: str, *content: Any, class_name: str = "", key: str = "") -> rx.Component:
    """Draw a button that opens a box."""
    attributes = {"popoverTarget": box, "aria-haspopup": "dialog", **({"data-key": key} if key else {})}
    return desk_button(*content, class_name=class_name, custom_attrs=attributes)


def _box(identity: str, title: str, *content: rx.Component) -> rx.Component:
    """Draw what a button opens; Esc and a press elsewhere close it."""
    return rx.el.div(
        rx.el.h2(title),
        *content,
        id=identity,
        role="dialog",
        aria_label=title,
        class_name="menu-box list-box",
        custom_attrs={"popover": "auto"},
    )


def _column_box(each: Column) -> rx.Component:
    box = rx.el.input(
        type="checkbox", checked=~_STATE.hidden.contains(each.value), on_change=_STATE.toggle_column(each.value)
    )
    return rx.el.label(box, COLUMN_WORDS[each], class_name="tick")


def _files(references: Any, words: str) -> rx.Component:
    """Draw the form that downloads a list: a post, since a filter may hold a name."""
    hidden = rx.foreach(
        _FOUND.fields, lambda field: rx.el.input(type="hidden", name=field.name, value=field.value, key=field.name)
    )
    # the library's button knows no value, of which it would make a style
    buttons = (
        desk_button(label, kind="submit", name="form", custom_attrs={"value": value}) for value, label in _FORMATS
    )
    return post_form(
        hidden,
        rx.el.input(type="hidden", name=REFERENCES, value=references),
        rx.el.p("What is listed, ", words, ". The record says who took it."),
        rx.el.div(*buttons, class_name="row"),
        action=routes.STAFF_FORMS["enquiries-file"],
        class_name="stack",
    )


def _cases_section() -> rx.Component:
    failed = not_read("The list could not be read", _STATE.problem, retry=EnquiriesState.open)
    return rx.fragment(
        rx.window_event_listener(on_focus=EnquiriesState.look_again),
        rx.cond(_LISTED, rx.fragment(_tabs(), _filters())),
        rx.el.div(
            rx.cond(_STATE.refused != "", note(_STATE.refused, tone="warn")), role="status", class_name="told-slot"
        ),
        rx.match(_STATE.status, (LOADED, _list()), (EMPTY, _nothing()), (FAILED, failed), loading(rows=3)),
        rx.cond(_TICKED, _bulk_bar()),
        # in sight wherever the list is scrolled to
        desk_toast(
            _STATE.result,
            is_done=_STATE.is_done,
            number=_STATE.results,
            undo=_STATE.undo,
            can_undo=_STATE.can_undo,
            close=_STATE.dismiss,
        ),
        key_button("z", "Undo my last change", press=_STATE.undo),
    )


def _tabs() -> rx.Component:
    save = _form_box(
        _SAVE_ID,
        "Save this filter",
        _text(NAME, "Name", max_length=MAX_NAME),
        button_words="Save",
        submit=EnquiriesState.save_filter,
    )
    saved = _box(
        _SAVED_ID,
        "Saved filter",
        rx.el.form(
            _text(NAME, "Name", max_length=MAX_NAME, default_value=_FOUND.saved_name, key=_FOUND.saved_name),
            desk_button("Rename", kind="submit"),
            on_submit=EnquiriesState.rename_filter,
            method="post",
            class_name="stack",
        ),
        desk_button("Remove", on_click=_STATE.delete_filter),
    )
    return rx.fragment(
        rx.el.nav(
            rx.el.ul(
                rx.foreach(_FOUND.tabs, _tab),
                rx.el.li(
                    rx.cond(
                        _FOUND.saved > 0,
                        _tab_button(_SAVED_ID, icon("pen"), "Rename or remove"),
                        _tab_button(_SAVE_ID, icon("plus"), "Save this filter"),
                    )
                ),
            ),
            aria_label="Saved filters",
            class_name="desk-tabs",
        ),
        rx.cond(_FOUND.meaning != "", rx.el.p(_FOUND.meaning, class_name="hint")),
        save,
        saved,
    )


def _tab(tab: TabView) -> rx.Component:
    here = {"aria-current": rx.cond(tab.is_here, "page", rx.Var("undefined"))}
    return rx.el.li(rx.el.a(tab.label, rx.el.span(tab.count, class_name="c"), href=tab.href, custom_attrs=here))


def _tab_button(box: str, *content: Any) -> rx.Component:
    return rx.el.button(*content, type="button", custom_attrs={"popoverTarget": box, "aria-haspopup": "dialog"})


def _text(name: str, label: str, **attributes: Any) -> rx.Component:
    return rx.el.label(label, rx.el.input(name=name, auto_complete="off", class_name="input", **attributes))


def _form_box(identity: str, title: str, *fields: rx.Component, button_words: str, submit: Any) -> rx.Component:
    """Draw a box with a form, which its button closes."""
    closes = {"popoverTarget": identity, "popoverTargetAction": "hide"}
    return _box(
        identity,
        title,
        rx.el.form(
            *fields,
            desk_button(button_words, look="solid", kind="submit"),
            desk_button("Cancel", look="ghost", custom_attrs=closes),
            on_submit=[hide_box(identity), submit],
            method="post",
            class_name="stack",
        ),
    )


def _filters() -> rx.Component:
    """Draw the filters: a row, and on small screens a drawer. Without scripts they would put names into the address."""
    box = rx.el.input(
        name=TEXT,
        default_value=_STATE.form[TEXT],
        on_change=_STATE.search.debounce(250),
        type="search",
        placeholder="Name, telephone, words of notes",
        auto_complete="off",
        max_length=MAX_TEXT,
        spell_check=False,
        key=_STATE.version,
        class_name="input",
        aria_label="Search in all cases of this tab",
        custom_attrs={"data-key": "/"},
    )
    return rx.el.form(
        box,
        *(_select(name) for name in CHOICES),
        rx.cond(_FOUND.is_narrowed, desk_button("Clear", look="ghost", on_click=_STATE.clear)),
        desk_button("Done", class_name="only-small", custom_attrs={"popoverTarget": _FILTERS_ID}),
        id=_FILTERS_ID,
        on_submit=EnquiriesState.submit,
        method="post",
        role="search",
        aria_label="Filter",
        class_name="list-filters",
        custom_attrs={"popover": "auto"},
    )


def _select(name: str) -> rx.Component:
    accounts = rx.foreach(_STATE.accounts, lambda each: rx.el.option(each, value=each))
    return rx.el.select(
        *(rx.el.option(words, value=value) for value, words in CHOICES[name]),
        *((accounts,) if name == "adviser" else ()),
        name=name,
        default_value=_STATE.form[name],
        on_change=_STATE.narrow(name),
        key=_STATE.version,
        class_name="select",
        aria_label=_FILTER_LABELS[name],
    )


def _list() -> rx.Component:
    all_ticked = _STATE.ticked.length() >= _STATE.rows.length()
    tick_all = rx.el.input(
        type="checkbox", checked=all_ticked, on_change=_STATE.tick_all, aria_label="Tick all on this page"
    )
    table = desk_table(
        [column(tick_all, class_name="c-tick"), rx.foreach(_FOUND.heads, _head)],
        rx.foreach(_STATE.rows, _row),
        caption=_FOUND.caption,
        class_name="case-table",
    )
    fresh = desk_button(
        _STATE.fresh,
        on_click=_STATE.look_again,
        class_name="fresh",
        custom_attrs={"ref": script_function("desk", "pressWhenAway")},
    )
    return rx.el.div(
        rx.el.div(rx.cond(_STATE.fresh != "", fresh), role="status", class_name="fresh-slot"),
        rx.el.div(table, class_name=f"panel listed {_STATE.hidden_class}"),
        _pages(),
        class_name="stack case-list",
    )


def _head(head: Head) -> rx.Component:
    return column(
        rx.el.a(head.words, rx.cond(head.sorted != "", icon("down")), href=head.href),
        class_name=f"c-{head.column}",
        order=rx.cond(head.sorted != "", head.sorted, rx.Var("undefined")),
    )


def _row(row: CaseRow) -> rx.Component:
    is_ticked = _STATE.ticked.contains(row.reference)
    tick = rx.el.input(
        type="checkbox",
        checked=is_ticked,
        on_change=_STATE.tick(row.reference),
        aria_label=f"Tick {row.name}, {row.reference}",
        custom_attrs={"data-key": "x"},
    )
    stage = rx.el.span(rx.el.i(class_name=f"pips p{row.place}", aria_hidden="true"), row.stage, class_name="stage")
    due = rx.match(
        row.tone,
        ("", rx.el.span(row.due)),
        ("red", badge(row.due, colour="red")),
        ("orange", badge(row.due, colour="orange")),
        badge(row.due, colour="gray"),
    )
    who = rx.el.span(row.initials, class_name=f"av {row.who_tone}", title=row.who, aria_hidden="true")
    return table_row(
        table_cell(tick, class_name="c-tick"),
        row_name(rx.el.a(row.name, href=row.href, dir="auto"), class_name="c-name"),
        table_cell(row.reference, class_name="c-reference"),
        table_cell(row.kind, class_name="c-kind"),
        table_cell(row.amount, class_name="c-amount"),
        table_cell(stage, class_name="c-stage"),
        table_cell(row.waits, class_name="c-waits"),
        table_cell(rx.el.bdi(row.action), class_name="c-action"),
        table_cell(due, class_name="c-due"),
        table_cell(who, visually_hidden(rx.cond(row.who != "", row.who, "nobody")), class_name="c-who"),
        table_cell(row.source, class_name="c-source"),
        table_cell(row.changed, class_name="c-changed"),
        key=row.reference,
        class_name=rx.cond(is_ticked, "tk", ""),
        custom_attrs={"data-row": ""},
    )


def _pages() -> rx.Component:
    return rx.cond(
        (_FOUND.earlier != "") | (_FOUND.later != ""),
        rx.el.nav(
            rx.el.span(_FOUND.showing, class_name="small mute"),
            rx.el.span(
                rx.cond(
                    _FOUND.earlier != "", rx.el.a(icon("left"), "Before", href=_FOUND.earlier, class_name="btn s line")
                ),
                rx.el.span(_FOUND.place, class_name="small mute"),
                rx.cond(
                    _FOUND.later != "", rx.el.a("Next 50", icon("right"), href=_FOUND.later, class_name="btn s line")
                ),
                class_name="row push",
            ),
            class_name="row",
            aria_label="Pages",
        ),
    )


def _nothing() -> rx.Component:
    elsewhere = rx.fragment(" Found in another list: ", rx.el.a(_FOUND.elsewhere, href=_FOUND.elsewhere_href), ".")
    fewer = " Search for fewer words, or press Clear to see every case of this tab."
    return rx.cond(
        _FOUND.is_narrowed,
        note("No case matches", rx.cond(_FOUND.elsewhere != "", elsewhere, fewer), tone="warn"),
        note("Nothing is here", " Cases appear here as soon as they belong to this list."),
    )


def _bulk_bar() -> rx.Component:
    """Draw what can be done with the ticked cases, in the place of the strip of keys."""
    untick = desk_button(
        "Untick", rx.el.kbd("Esc", aria_hidden="true"), on_click=_STATE.untick, custom_attrs={"data-key": "Escape"}
    )
    return rx.el.section(
        rx.el.b(_STATE.ticked_words, role="status"),
        rx.el.span(_STATE.ticked_sum, class_name="only-wide"),
        _opener(_HAND_OVER_ID, icon("people"), "Hand over", _kbd("h"), key="h"),
        _opener(_CLOSE_ID, icon("close"), rx.el.span("Close", rx.el.span(" with reason", class_name="only-wide"))),
        _opener(_DUE_ID, icon("clock"), "Due date", _kbd("d"), key="d", class_name="only-wide"),
        _opener(_EXPORT_ID, icon("download"), "Export", _kbd("e"), key="e", class_name="only-wide"),
        rx.el.span("Each can be undone with ", _kbd("z"), class_name="only-wide"),
        rx.el.span(untick, class_name="push"),
        _form_box(
            _HAND_OVER_ID,
            "Hand over",
            _choice(
                ACCOUNT,
                "To",
                rx.foreach(_STATE.accounts, lambda each: rx.el.option(each, value=each)),
                rx.el.option("Nobody", value=NOBODY),
            ),
            button_words="Hand over",
            submit=EnquiriesState.hand_over,
        ),
        _form_box(
            _CLOSE_ID,
            "Close with a reason",
            _choice(
                REASON, "Because", *(rx.el.option(words, value=reason.value) for reason, words in CLOSE_REASONS.items())
            ),
            button_words="Close",
            submit=EnquiriesState.close_cases,
        ),
        _form_box(
            _DUE_ID,
            "Due date",
            _text(DAY, "Day", type="date", required=True),
            _text(TIME, "Time, in the UK", type="time", required=True, default_value="10:00"),
            button_words="Set",
            submit=EnquiriesState.change_due,
        ),
        _box(_EXPORT_ID, "The ticked cases as a file", _files(_STATE.ticked.join(","), "ticked alone")),
        aria_label="Ticked cases",
        class_name="bulk",
    )


def _kbd(key: str) -> rx.Component:
    return rx.el.kbd(key, aria_hidden="true")


def _choice(name: str, label: str, *options: rx.Component) -> rx.Component:
    """Draw a select in which nothing is chosen yet."""
    none = rx.el.option("Choose", value="")
    return rx.el.label(
        label, rx.el.select(none, *options, name=name, class_name="select", auto_focus=True, required=True)
    )
