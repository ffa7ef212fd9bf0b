"""The page of duties: complaints with their clocks, one complaint, and the half-year table."""

from typing import Any

import reflex as rx

from broker import routes
from broker.components.chakra import badge, column, desk_button, desk_table, row_name, table_cell, table_row
from broker.components.elements import button, fact, note, plain_link, visually_hidden
from broker.components.forms.post_form import post_form
from broker.duties.form_view import Field
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.frame import loading, may, not_read, staff_page
from broker.staff.roles import Right
from broker.state.staff.duties import ADD, CHANGE, CLOSE, FAILED, HEADING_ID, LETTER, LOADED, SECTIONS, ComplaintsState
from broker.state.staff.person import ASK, CORRECT, DONE_ID, PersonState

_COMPLAINTS: Any = ComplaintsState

_PERSON: Any = PersonState

_WORDS = ("Complaints", "A person’s data", "Half-year table", "Retention", "Support needs")
"""The words of each section of the page."""

_KEYS = (("n", "new complaint"), ("j k", "move"), ("Enter", "open"), ("Esc", "back to the register"))


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        staff_page(
            inputs,
            routes.STAFF_DUTIES,
            "Duties",
            _duties_section,
            title="Duties, for staff",
            description="Staff of the firm keep the register of complaints here.",
            right=Right.COMPLAINTS,
            on_load=[ComplaintsState.open, PersonState.open],
            beside=_actions,
            keys=_KEYS,
        ),
    )


def duties_form(form: Any, *, submit: Any, cancel: Any, refused: Any) -> rx.Component:
    """Draw the form that is open, or nothing; a new `key` of it replaces what was typed."""
    drawn = rx.el.form(
        rx.el.h3(form.title),
        rx.cond(refused != "", note("Nothing was saved. ", refused, ".", tone="bad")),
        rx.el.div(rx.foreach(form.fields, _field), class_name="duty-fields"),
        rx.el.div(
            button(form.button, look="s", kind="submit"),
            button("Cancel", look="s line", on_click=cancel),
            class_name="row",
        ),
        on_submit=submit,
        method="post",
        key=form.key,
        class_name="panel stack",
        aria_label=form.title,
    )
    return rx.cond(form.title != "", drawn)


def _field(field: Field) -> rx.Component:
    marked = {
        "id": f"duty-{field.name}",
        "name": field.name,
        "auto_focus": field.has_focus,
        "custom_attrs": {
            "aria-describedby": f"duty-{field.name}-hint duty-{field.name}-error",
            "aria-invalid": rx.cond(field.problem != "", "true", rx.Var("undefined")),
        },
    }
    error = rx.el.p(field.problem, id=f"duty-{field.name}-error", class_name="err")
    hint = rx.cond(field.hint != "", rx.el.p(field.hint, id=f"duty-{field.name}-hint", class_name="hint"))
    label = rx.el.label(field.label, html_for=f"duty-{field.name}")
    choices = rx.foreach(field.choices, lambda one: rx.el.option(one.label, value=one.value, key=one.value))
    text = rx.el.input(
        default_value=field.value, max_length=field.most, auto_complete="off", type="text", class_name="input", **marked
    )
    area = rx.el.textarea(default_value=field.value, max_length=field.most, rows="4", class_name="input", **marked)
    control = rx.match(
        field.kind,
        ("date", rx.el.input(default_value=field.value, type="date", class_name="input", **marked)),
        ("select", rx.el.select(choices, default_value=field.value, class_name="select", **marked)),
        ("area", area),
        text,
    )
    tick = rx.el.label(
        rx.el.input(type="checkbox", default_checked=field.value == "on", **marked),
        rx.el.span(
            field.label,
            rx.cond(field.hint != "", rx.el.span(field.hint, id=f"duty-{field.name}-hint", class_name="hint under")),
        ),
        class_name="tick",
    )
    boxed = rx.el.div(
        label, control, hint, error, class_name=rx.cond(field.kind == "area", "stack tight-6 wide", "stack tight-6")
    )
    drawn = rx.match(
        field.kind,
        ("tick", rx.el.div(tick, class_name="wide")),
        ("hidden", rx.cond(field.problem != "", rx.el.div(error, class_name="wide"))),
        boxed,
    )
    return rx.fragment(drawn, key=field.name)


def card(
    identity: str, title: str, words: Any, *content: rx.Component, beside: rx.Component | None = None
) -> rx.Component:
    """Draw a section of the page as a card, under its title and what it is about."""
    head = rx.el.div(
        rx.el.div(rx.el.h2(title, id=f"{identity}-title"), rx.el.p(words, class_name="small mute")),
        *([rx.el.div(beside, class_name="push row")] if beside else []),
        class_name="row card-head",
    )
    return rx.el.section(head, *content, class_name="panel listed", id=identity, aria_labelledby=f"{identity}-title")


def _actions() -> rx.Component:
    return rx.el.div(_new_complaint(), class_name="push needs-script")


def _new_complaint() -> rx.Component:
    return button(
        "New complaint",
        rx.el.kbd("n", aria_hidden="true"),
        look="s",
        on_click=ComplaintsState.begin(ADD),
        custom_attrs={"data-key": "n"},
    )


def _tab(identity: str, words: str) -> rx.Component:
    here = {"aria-current": rx.cond(_COMPLAINTS.section == identity, "true", rx.Var("undefined"))}
    choose = ComplaintsState.choose(identity)
    return rx.el.li(rx.el.a(words, href=f"#{identity}", on_click=choose, custom_attrs=here))


def _duties_section() -> rx.Component:
    tabs = rx.cond(_COMPLAINTS.status == LOADED, rx.fragment(*map(_tab, SECTIONS, _WORDS)))
    promotions = rx.cond(may(routes.STAFF_PROMOTIONS), rx.el.li(rx.el.a("Promotions", href=routes.STAFF_PROMOTIONS)))
    failed = not_read("The register could not be read", _COMPLAINTS.problem, retry=ComplaintsState.open)
    return rx.fragment(
        rx.window_event_listener(on_focus=ComplaintsState.look_again),
        rx.el.nav(rx.el.ul(tabs, promotions), class_name="desk-tabs", aria_label="Duties"),
        rx.match(_COMPLAINTS.status, (LOADED, _complaints_section()), (FAILED, failed), loading(rows=3)),
    )


def _complaints_section() -> rx.Component:
    return rx.el.div(
        _pressing(),
        rx.cond(_COMPLAINTS.one.number == 0, _form()),
        _register(),
        rx.el.div(rx.el.p(_COMPLAINTS.result, class_name="said"), role="status", class_name="said-slot"),
        rx.cond(_COMPLAINTS.one.number != 0, _one()),
        rx.el.div(_person(), _asked(), class_name="desk-side"),
        _half_years(),
        rx.el.div(_retention(), _needs(), class_name="desk-side"),
        class_name="stack loose",
    )


def _form() -> rx.Component:
    return duties_form(
        _COMPLAINTS.form, submit=ComplaintsState.submit, cancel=ComplaintsState.cancel, refused=_COMPLAINTS.refused
    )


def _pressing() -> rx.Component:
    pressing = _COMPLAINTS.found.warning
    words = note(
        pressing.title,
        " ",
        pressing.words,
        ". ",
        desk_button("Open it", size="xs", on_click=ComplaintsState.read(pressing.number)),
        tone="warn",
    )
    return rx.cond(pressing.number != 0, words)


def _register() -> rx.Component:
    heads = (
        "No.",
        "Who",
        "About",
        "Received",
        "3 business days",
        "8 weeks, or 30 days for data",
        "Letters",
        "With",
        "State",
    )
    table = desk_table(
        [column(head) for head in heads],
        rx.foreach(_COMPLAINTS.found.lines, _row),
        caption="Complaints with their clocks",
        class_name="duty-table complaint-table",
    )
    closed = rx.el.label(
        rx.el.input(type="checkbox", checked=_COMPLAINTS.closed, on_change=ComplaintsState.toggle_closed),
        "Also closed",
        class_name="tick small",
    )
    csv = post_form(
        rx.el.button("CSV", visually_hidden(" of all complaints"), type="submit", class_name="btn s line"),
        action=routes.STAFF_FORMS["complaints-file"],
    )
    return card(
        "complaints",
        "Complaints",
        rx.el.span(_COMPLAINTS.found.count, "; any dissatisfaction counts, spoken too"),
        rx.cond(
            _COMPLAINTS.found.lines.length() > 0, table, rx.el.p("No complaint is open.", class_name="mute card-text")
        ),
        beside=rx.fragment(closed, csv),
    )


def _row(line: Any) -> rx.Component:
    opener = rx.el.button(line.label, type="button", on_click=ComplaintsState.read(line.number), class_name="linked")
    return table_row(
        row_name(opener, class_name="a0"),
        table_cell(rx.el.b(rx.el.bdi(line.who)), class_name="b0"),
        table_cell(rx.el.bdi(line.about), class_name="c0"),
        table_cell(line.received, class_name="d0"),
        table_cell(_clock(line.summary), class_name="e0"),
        table_cell(rx.foreach(line.clocks, _clock), class_name="f0"),
        table_cell(line.letters, class_name="g0"),
        table_cell(line.assigned, class_name="h0"),
        table_cell(badge(line.state, colour=line.tone), class_name="i0"),
        key=line.label,
        custom_attrs={
            "data-row": "",
            "aria-current": rx.cond(line.number == _COMPLAINTS.one.number, "true", rx.Var("undefined")),
        },
    )


def _clock(clock: Any) -> rx.Component:
    bar = rx.el.span(
        rx.el.i(style={"width": clock.width}),
        class_name="duty-bar",
        aria_hidden="true",
        custom_attrs={"data-tone": clock.tone},
    )
    return rx.fragment(rx.el.span(clock.words, class_name="under small"), rx.cond(clock.width != "", bar))


def _one() -> rx.Component:
    one = _COMPLAINTS.one
    actions = rx.fragment(
        desk_button("Letter sent", on_click=ComplaintsState.begin(LETTER)),
        rx.cond(one.is_open, desk_button("Close it", on_click=ComplaintsState.begin(CLOSE))),
        desk_button("Correct", on_click=ComplaintsState.begin(CHANGE)),
        desk_button("Back to the register", on_click=ComplaintsState.leave, custom_attrs={"data-key": "Escape"}),
    )
    letters = rx.el.dl(
        rx.foreach(one.letters, lambda each: fact(each.label, rx.el.bdi(each.words))), class_name="kv wide"
    )
    none = rx.el.p("No letter is recorded. Acknowledge a complaint promptly.", class_name="mute")
    refused = note("Not done. ", _COMPLAINTS.refused, ".", tone="bad")
    return rx.el.section(
        rx.el.div(
            rx.el.h2(one.label, ", ", rx.el.bdi(one.who), id=HEADING_ID, tab_index=-1),
            badge(one.state, colour=one.tone),
            rx.el.div(actions, class_name="push row"),
            class_name="row",
        ),
        rx.cond((_COMPLAINTS.refused != "") & (_COMPLAINTS.form.title == ""), refused),
        _form(),
        rx.el.div(
            rx.el.div(
                rx.el.dl(
                    rx.foreach(one.facts, lambda each: fact(each.label, rx.el.bdi(each.words))), class_name="kv wide"
                ),
                rx.cond(one.case_href != "", rx.el.p(plain_link("Its enquiry", href=one.case_href))),
            ),
            rx.el.div(
                rx.el.h3("What they say"),
                rx.el.p(
                    rx.cond(one.matter != "", one.matter, "Nothing is recorded."), class_name="as-typed", dir="auto"
                ),
                rx.el.h3("Letters"),
                rx.cond(one.letters.length() > 0, letters, none),
                class_name="stack",
            ),
            class_name="g2",
        ),
        class_name="panel stack",
        aria_labelledby=HEADING_ID,
    )


def _person() -> rx.Component:
    found = _PERSON.found
    find = rx.el.form(
        rx.el.input(
            type="search",
            name="person",
            aria_label="Telephone or email",
            placeholder="Telephone or email",
            auto_complete="off",
            class_name="input",
        ),
        button("Find", look="s", kind="submit"),
        on_submit=PersonState.find,
        method="post",
        role="search",
        class_name="row card-text",
    )
    also = rx.el.p(
        "Also known in these records: ",
        found.also,
        " ",
        desk_button("Search for it too", size="xs", on_click=PersonState.add_also),
    )
    table = desk_table(
        [column(head) for head in ("Held", "Which", "If deleted now", "Why")],
        rx.foreach(found.lines, _held),
        caption="What is held, and what deleting would do",
        class_name="duty-table held-table",
    )
    shown = rx.el.div(
        rx.el.p(rx.el.b(found.heading), class_name="card-text", role="status"),
        rx.cond(found.also != "", rx.el.div(also, class_name="card-text")),
        table,
        _person_actions(),
    )
    done = rx.cond(_PERSON.result != "", rx.el.p(_PERSON.result, id=DONE_ID, tab_index=-1, class_name="said"))
    return card(
        "person",
        "A person’s data",
        "everything under a telephone or email, in all tables",
        find,
        _refused(_PERSON.refused, found.found_by == ""),
        rx.cond(found.found_by != "", shown),
        _refused(_PERSON.refused, found.found_by != "", done),
    )


def _refused(words: Any, is_here: Any, *others: rx.Component) -> rx.Component:
    """Draw why something was not done, beside what was pressed, which is where `is_here` is true."""
    refused = rx.cond((words != "") & is_here, note("Not done. ", words, ".", tone="warn"))
    return rx.el.div(refused, *others, role="status", class_name="card-text person-said")


def _held(line: Any) -> rx.Component:
    return table_row(
        row_name(line.what),
        table_cell(line.which, class_name="c0"),
        table_cell(badge(line.fate, colour=line.tone), class_name="i0"),
        table_cell(line.why, class_name="g0"),
        key=f"{line.what} {line.which}",
    )


def _person_actions() -> rx.Component:
    found = _PERSON.found
    files = post_form(
        rx.el.input(type="hidden", name="person", value=found.found_by),
        rx.el.span("Export:", class_name="small"),
        rx.el.button("PDF", type="submit", name="form", value="pdf", class_name="btn s"),
        rx.el.button("JSON", type="submit", name="form", value="json", class_name="btn s line"),
        action=routes.STAFF_FORMS["person-file"],
        class_name="row",
    )
    delete = rx.el.form(
        rx.el.label("Type the reference to go on", html_for="duty-typed"),
        rx.el.input(id="duty-typed", name="typed", placeholder=found.example, auto_complete="off", class_name="input"),
        rx.foreach(found.under_way, lambda words: note(words, ".", tone="warn")),
        rx.el.p("It cannot be undone. The record keeps who, when, why, which adds to what is kept.", class_name="hint"),
        button(found.delete, look="s line danger", kind="submit"),
        on_submit=PersonState.delete,
        method="post",
        class_name="stack tight-6",
    )
    nothing = rx.el.p("Nothing is left to delete: all of it is kept, for the reasons above.", class_name="small mute")
    owner = rx.el.p("An owner deletes. Record the request, and an owner sees it here.", class_name="small mute")
    return rx.el.div(
        files,
        rx.el.div(
            desk_button("Record what they ask for", on_click=PersonState.begin(ASK)),
            desk_button("Correct", on_click=PersonState.begin(CORRECT)),
            class_name="row",
        ),
        duties_form(_PERSON.form, submit=PersonState.submit, cancel=PersonState.cancel, refused=_PERSON.refused),
        rx.cond(found.delete == "", nothing, rx.cond(_PERSON.is_owner, delete, owner)),
        class_name="stack card-text",
    )


def _asked() -> rx.Component:
    return card(
        "asked",
        "What they asked for",
        "answer within a month",
        _refused(_PERSON.not_answered, True),
        rx.el.div(
            rx.el.ul(rx.foreach(_PERSON.requests, _request), class_name="reports"),
            rx.cond(_PERSON.requests.length() == 0, rx.el.p("No request waits.", class_name="mute")),
            class_name="card-text",
        ),
    )


def _request(line: Any) -> rx.Component:
    return rx.el.li(
        rx.el.span(),
        rx.el.span(line.what, ": ", rx.el.bdi(line.who), " ", badge(line.due, colour=line.tone)),
        desk_button("Answered", size="xs", on_click=PersonState.answered(line.id)),
        key=line.id,
    )


def _retention() -> rx.Component:
    def rule(each: Any) -> rx.Component:
        return table_row(
            row_name(each.what),
            table_cell(each.kept, class_name="k0"),
            table_cell(each.since, class_name="c0"),
            table_cell(each.why, class_name="g0"),
            key=each.what,
        )

    table = desk_table(
        [column(head) for head in ("What", "Kept", "From", "Why")],
        rx.foreach(_COMPLAINTS.rules, rule),
        caption="Retention rules",
        class_name="duty-table held-table",
    )
    return card("retention", "What is kept how long", "the table by which the server deletes, every hour", table)


def _needs() -> rx.Component:
    def kind(each: Any) -> rx.Component:
        return table_row(row_name(each[0]), table_cell(each[1], class_name="i0"), key=each[0])

    table = desk_table(
        [column("What makes a call easier"), column("Cases", class_name="i0")],
        rx.foreach(_COMPLAINTS.needs, kind),
        caption="Support needs",
        class_name="duty-table",
    )
    return card("needs", "Support needs", "asked once, optional; small counts are not given", table)


def _half_years() -> rx.Component:
    return card(
        "half-year",
        "Half-year table",
        "complaints received, by root cause",
        rx.el.div(rx.foreach(_COMPLAINTS.found.half_years, _half_year), class_name="g2 card-text"),
    )


def _half_year(half: Any) -> rx.Component:
    heads = [column("Root cause"), *(column(head, class_name="i0") for head in ("All", "3 days", "8 weeks", "Late"))]
    rows = rx.foreach(half.lines, _cause)
    table = desk_table(heads, rows, caption="Complaints by root cause", class_name="duty-table")
    return rx.el.div(
        rx.el.h3(half.words),
        table,
        rx.el.p(half.vulnerable, class_name="small mute"),
        class_name="stack",
        key=half.words,
    )


def _cause(line: Any) -> rx.Component:
    counts = rx.foreach(line.counts, lambda count: table_cell(count, class_name="i0"))
    return table_row(row_name(line.cause), counts, key=line.cause)
