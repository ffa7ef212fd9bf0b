"""The list of enquiries for staff: its filters, its rows and its download."""

from typing import Any

import reflex as rx

from broker import routes
from broker.cases.list_view import KIND, KINDS, MAX_TEXT, ORDER, ORDERS, TEXT, WHOM, WHOSE, EnquiryRow
from broker.components.elements import button, note, telephone_link, visually_hidden
from broker.components.forms.post_form import ListForm, post_form
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.frame import (
    cell,
    filter_form,
    filter_select,
    loading,
    not_read,
    read_at,
    staff_page,
    table_head,
)
from broker.staff.roles import Right
from broker.state.staff.cases import EMPTY, FAILED, LOADED, EnquiriesState

_STATE: Any = EnquiriesState

_LISTED = (_STATE.status == LOADED) | (_STATE.status == EMPTY)


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        staff_page(
            inputs,
            routes.STAFF_ENQUIRIES,
            "Enquiries",
            _enquiries_section,
            title="Enquiries, for staff",
            description="Staff of the firm find enquiries here, in the order in which visitors are to be called.",
            right=Right.CASES,
            on_load=EnquiriesState.open,
        ),
    )


def _enquiries_section() -> rx.Component:
    failed = not_read("The list could not be read", _STATE.problem, retry=EnquiriesState.open)
    return rx.fragment(
        rx.window_event_listener(on_focus=EnquiriesState.look_again),
        rx.cond(_LISTED, _filters()),
        _count(),
        rx.match(_STATE.status, (LOADED, _list()), (EMPTY, _nothing()), (FAILED, failed), loading(rows=3)),
    )


def _filters() -> rx.Component:
    """Draw the filters, together with the data: without scripts, the form would put names into the address."""
    form = ListForm("staff_enquiries", (TEXT, KIND, WHOSE, ORDER), version=_STATE.version, shown=_STATE.form)
    chips = rx.foreach(
        _STATE.found.chips,
        lambda chip: rx.el.a(
            chip.label,
            rx.el.b(chip.count),
            href=chip.href,
            class_name="chip",
            custom_attrs={"aria-current": rx.cond(chip.is_here, "true", rx.Var("undefined"))},
        ),
    )
    return filter_form(
        form,
        _text(form),
        filter_select(form, KIND, label="Kind", options=KINDS),
        filter_select(form, WHOSE, label="Who has it", options=WHOM),
        filter_select(form, ORDER, label="Order", options=ORDERS),
        rx.el.div(
            button("Search", look="s", icon_name="search", kind="submit"),
            rx.cond(_STATE.found.is_narrowed, button("Clear", look="s line", on_click=EnquiriesState.clear)),
            class_name="row",
        ),
        submit=EnquiriesState.submit,
        label="Enquiries",
        title="Narrow the list",
        above=rx.el.nav(chips, class_name="chips", aria_label="By state, with how many there are in all"),
    )


def _text(form: ListForm) -> rx.Component:
    box = rx.el.input(
        id=TEXT,
        value=form[TEXT],
        on_change=form.change(TEXT),
        type="search",
        auto_complete="off",
        max_length=MAX_TEXT,
        class_name="input",
        spell_check=False,
    )
    return rx.el.div(
        rx.el.label("Name, telephone, email or reference", html_for=TEXT), box, class_name="stack tight-6 wide"
    )


def _count() -> rx.Component:
    found = _STATE.found
    return rx.el.div(
        rx.el.div(
            rx.el.h2(rx.cond(_LISTED, found.sentence, "Enquiries are on their way"), class_name="as-h3", role="status"),
            rx.cond(found.showing != "", rx.el.p(found.showing, class_name="small mute")),
        ),
        rx.cond(_LISTED, read_at("Read at ", _STATE.read_at, look_again=EnquiriesState.look_again)),
        class_name="bar",
    )


def _list() -> rx.Component:
    table = rx.el.table(
        rx.el.caption("Enquiries", class_name="vh"),
        table_head("Who", "Call", "Asked for", "State", "Who has it"),
        rx.el.tbody(rx.foreach(_STATE.found.rows, _row)),
        class_name="tbl cards",
    )
    return rx.el.div(
        rx.cond(_STATE.found.left_out != "", note(_STATE.found.left_out, tone="warn")),
        rx.el.div(table, class_name="panel"),
        _pages(),
        _download(),
        class_name="stack",
    )


def _row(row: EnquiryRow) -> rx.Component:
    who = rx.el.th(rx.el.a(row.name, href=row.href), rx.el.span(row.reference, class_name="xs mute under"), scope="row")
    return rx.el.tr(
        who,
        cell(
            "Call",
            rx.cond(row.is_overdue, rx.el.span("Overdue", class_name="tag bad")),
            rx.el.span(row.promise, class_name=rx.cond(row.is_overdue, "under", "")),
            rx.cond(row.tel != "", telephone_link(row.telephone, number=row.tel, class_name="under")),
        ),
        cell("Asked for", row.kind, rx.el.span(row.received, class_name="xs mute under")),
        cell("State", rx.el.span(row.state, class_name=f"tag {row.tone}")),
        cell("Who has it", row.assigned),
        key=row.reference,
    )


def _pages() -> rx.Component:
    found = _STATE.found
    return rx.cond(
        (found.earlier != "") | (found.later != ""),
        rx.el.nav(
            rx.cond(found.earlier != "", rx.el.a("Page before", href=found.earlier, class_name="btn s line")),
            rx.el.span(found.showing, class_name="small"),
            rx.cond(found.later != "", rx.el.a("Next page", href=found.later, class_name="btn s line")),
            class_name="row",
            aria_label="Pages of the list",
        ),
    )


def _download() -> rx.Component:
    """Draw the form that downloads the whole list: a POST, since a filter may hold a name."""
    hidden = rx.foreach(
        _STATE.found.fields,
        lambda field: rx.el.input(type="hidden", name=field.name, value=field.value, key=field.name),
    )
    buttons = (
        rx.el.button(
            label,
            visually_hidden(" of all that is listed"),
            type="submit",
            name="form",
            value=value,
            class_name="btn s line",
        )
        for value, label in (("csv", "CSV for a spreadsheet"), ("json", "JSON"))
    )
    return post_form(
        hidden,
        rx.el.span("All of this list as a file, with answers and notes:", class_name="small"),
        *buttons,
        action=routes.STAFF_FORMS["enquiries-file"],
        class_name="row",
    )


def _nothing() -> rx.Component:
    return rx.cond(
        _STATE.found.is_narrowed,
        note("Nothing fits", " Search for fewer words, or press Clear to see every enquiry.", tone="warn"),
        note("Nobody has asked for anything yet", " Enquiries appear here as soon as visitors send them."),
    )
