"""A case: what stands before a call, note and outcome, the timeline, contact and figures; also a page of its own."""

from typing import Any

import reflex as rx
from reflex_components_core.el.elements.inline import A

from broker import routes
from broker.cases.case import MAX_NOTE
from broker.cases.case_view import DELETE_REASONS, OUTCOMES, PlanChoice, ResultView, StageStep, TimelineEntry
from broker.cases.list_view import TEXT
from broker.components.chakra import badge, desk_button, desk_menu, menu_entry
from broker.components.client_scripts import expression, script_function, shared_component
from broker.components.client_values import client_handler
from broker.components.elements import disclosure, fact, icon, note, plain_link, scrolling, telephone_link
from broker.components.forms.fields import live_error
from broker.components.forms.post_form import post_form
from broker.components.jinja import Text
from broker.duties.complaint_view import OpenComplaint
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.case_dialogs import case_dialogs
from broker.pages.staff.frame import desk_toast, key_button, not_read, staff_page, staff_problem
from broker.pages.staff.support_needs import support_needs_form
from broker.staff.roles import Right
from broker.state.staff.access import FAILED, GONE, LOADED
from broker.state.staff.case import (
    DATE_ID,
    HEADING_ID,
    NONE_OPEN,
    NOTE,
    NOTE_ID,
    OUTCOME,
    REASON,
    REPLY_ID,
    STAMP,
    CaseState,
)
from broker.state.staff.cases import EnquiriesState

_STATE: Any = CaseState
_LIST: Any = EnquiriesState
_FOUND = _STATE.found
_PLAN = _STATE.plan
_IS_WORKED = _FOUND.deleted == ""
"""Whether somebody may work on the case: more than the record of advice is kept of it."""


_SCRIPT = "staff-case"
"""Name of the script chunk of the two pages with a case."""

_TYPED_NOTE = expression(f"(document.getElementById('{NOTE_ID}')?.value ?? '')").to(str)

_DRAFT_MS = 600
"""Milliseconds without typing after which the draft of a note is kept."""

CASE_KEYS = (
    *(("t", "take"), ("c", "call"), ("1 – 9", "outcome"), ("n", "next"), ("m", "note"), ("z", "undo")),
    *(("d", "another date"), ("r", "reply"), ("b", "book a time"), ("h", "hand over"), ("Ctrl Enter", "save the note")),
)

_ICONS = ("clock", "phone", "mail", "pen", "person", "flag", "call", "check", "out")
"""Icons of the timeline."""


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        staff_page(
            inputs,
            routes.STAFF_ENQUIRY,
            "Case",
            _page,
            title="One case, for staff",
            description="Staff of the firm read one case here, note what was said and what comes next.",
            on_load=[CaseState.open, CaseState.watch],
            right=Right.CASES,
            menu=routes.STAFF_ENQUIRIES,
            keys=CASE_KEYS,
            live=_STATE.read_at,
            is_whole=True,
        ),
    )


def _page() -> rx.Component:
    above = rx.fragment(rx.el.h1("Case", tab_index=-1, class_name="vh"), staff_problem())
    back = rx.cond(_LIST.address != "", _LIST.address, routes.STAFF_ENQUIRIES)
    return case_article(back=back.to(str), back_words="Cases", above=above)


def case_article(
    *,
    back: Text,
    back_words: str,
    retry: Any = CaseState.open,
    above: rx.Component | None = None,
    place: rx.Component | None = None,
    after: rx.Component | None = None,
    first: rx.Component | None = None,
) -> rx.Component:
    """Draw the open case; `back` leads to its list, `place` says where in it, `after` goes on to the next.

    `first` is drawn where no case is open, and `retry` reads again one that could not be read.
    """
    lead = (
        A.create(icon("left"), back_words, href=back, class_name="btn line back", custom_attrs={"data-key": "Escape"}),
        place or rx.fragment(),
    )
    failed = not_read("This case could not be read", _STATE.problem, retry=retry)
    return rx.el.article(
        above or rx.fragment(),
        rx.match(
            _STATE.status,
            (LOADED, rx.fragment(_head(lead, after or rx.fragment()), shared_component(_body, script=_SCRIPT))),
            (GONE, rx.el.div(*lead, _gone(), class_name="case-aside")),
            (FAILED, rx.el.div(*lead, failed, _unsent_note(), class_name="case-aside")),
            (
                NONE_OPEN,
                rx.el.div(
                    rx.el.p("Choose a row, and its case is here."), first or rx.fragment(), class_name="case-none"
                ),
            ),
            _loading(),
        ),
        shared_component(case_dialogs, script=_SCRIPT),
        shared_component(_result, script=_SCRIPT),
        id="case",
        aria_label="Case",
        class_name="case" if above is None else "case alone",
        custom_attrs={
            "aria-labelledby": rx.cond(_STATE.status == LOADED, HEADING_ID, rx.Var("undefined")),
            "data-open": rx.cond(_STATE.status == NONE_OPEN, rx.Var("undefined"), ""),
        },
    )


def _result() -> rx.Component:
    """Draw what the last action did, with its undo; `z` undoes for ten minutes, also when this is gone."""
    return rx.fragment(
        key_button("z", "Undo my last change", press=CaseState.undo),
        desk_toast(
            _STATE.result, is_done=_STATE.is_done, number=_STATE.results, undo=CaseState.undo, can_undo=_STATE.can_undo
        ),
    )


def _head(lead: tuple[rx.Component, ...], after: rx.Component) -> rx.Component:
    return rx.el.header(
        rx.el.div(
            *lead,
            shared_component(_name, script=_SCRIPT),
            rx.el.div(
                shared_component(_menu, script=_SCRIPT),
                after,
                shared_component(_call, script=_SCRIPT),
                class_name="push line go",
            ),
            class_name="line lead",
        ),
        shared_component(_before_call, script=_SCRIPT),
        class_name="case-head",
    )


def _name() -> rx.Component:
    return rx.fragment(
        rx.el.h2(rx.el.bdi(_FOUND.name), id=HEADING_ID, tab_index=-1, title=_FOUND.name, class_name="cut"),
        rx.el.span(_FOUND.reference, class_name="hint"),
        rx.cond(_FOUND.service != "", badge(_FOUND.service, colour="cyan")),
        rx.cond(
            _FOUND.promise != "",
            badge(rx.cond(_FOUND.promise_tone == "orange", icon("clock")), _FOUND.promise, colour=_FOUND.promise_tone),
        ),
        rx.cond(_FOUND.is_closed, badge(_FOUND.closed, colour="gray")),
    )


def _menu() -> rx.Component:
    reply = menu_entry(icon("mail"), "Reply from template", rx.el.kbd("r"), on_click=CaseState.open_panel("reply"))
    entries = (
        menu_entry(icon("people"), "Hand over", rx.el.kbd("h"), on_click=CaseState.open_panel("hand")),
        rx.cond(_IS_WORKED, reply),
        menu_entry(icon("pen"), "Reply templates", on_click=CaseState.open_panel("templates")),
        menu_entry(icon("merge"), "Merge with another", on_click=CaseState.open_panel("merge")),
        menu_entry(icon("scales"), "Record a complaint", on_click=rx.redirect(_FOUND.complaint_href)),
        menu_entry(icon("pen"), "Correct contact details", on_click=CaseState.open_panel("contact")),
        menu_entry(icon("back"), "Undo my last change", rx.el.kbd("z"), on_click=CaseState.undo),
    )
    return rx.fragment(
        key_button("h", "Hand over", press=CaseState.open_panel("hand")),
        desk_menu(icon("dots"), *entries, label="More: hand over, reply, merge, complaint, correct, undo"),
    )


def _call() -> rx.Component:
    take = desk_button("Take", on_click=CaseState.take(_FOUND.stamp), custom_attrs={"data-key": "t"})
    call = A.create(
        icon("phone"),
        "Call ",
        _FOUND.telephone,
        href="tel:" + _FOUND.tel,
        class_name="btn lamp call",
        custom_attrs={"data-key": "c"},
    )
    return rx.fragment(rx.cond(_FOUND.assigned == "", take), rx.cond(_IS_WORKED, call))


def _before_call() -> rx.Component:
    needs = rx.el.div(icon("heart"), rx.el.span(rx.el.b("When you call: "), _FOUND.needs), class_name="al", role="note")
    twins = rx.el.div(
        icon("people"),
        rx.el.span(rx.el.b(_STATE.twins_count), _STATE.twins_words),
        desk_button("Compare, merge", size="xs", on_click=CaseState.open_panel("merge")),
        class_name="al w",
    )
    deleted = rx.el.div(icon("alert"), rx.el.b(_FOUND.deleted), class_name="al w", role="note")
    has_complaints = _STATE.complaints.length() > 0
    stages = rx.el.ol(rx.foreach(_FOUND.stages, _stage), class_name="stages", aria_label="Stage")
    change = rx.el.button("Change", type="button", class_name="linked", on_click=CaseState.open_panel("stage"))
    waiting_for = rx.el.span(" Waiting for ", rx.el.b(_FOUND.waiting), rx.el.bdi(_FOUND.waiting_note), ". ")
    waiting = rx.el.p(
        rx.el.span(rx.el.b(_FOUND.stage), rx.el.span(_FOUND.stage_place, class_name="only-small"), _FOUND.since),
        rx.cond(_FOUND.is_closed, "", waiting_for),
        rx.cond(_IS_WORKED, change),
        rx.el.span(rx.foreach(_STATE.readers, _reader), class_name="push readers", role="status"),
        class_name="line stage-line",
    )
    return rx.fragment(
        rx.cond(_FOUND.deleted != "", deleted),
        rx.cond(
            (_FOUND.needs != "") | (_STATE.twins_count != "") | has_complaints,
            rx.el.div(
                rx.cond(_FOUND.needs != "", needs),
                rx.foreach(_STATE.complaints, _complaint),
                rx.cond(_STATE.twins_count != "", twins),
                class_name="pair",
            ),
        ),
        stages,
        waiting,
    )


def _complaint(one: OpenComplaint) -> rx.Component:
    words = rx.el.span(plain_link(one.label, href=one.href), one.words)
    return rx.el.div(icon("scales"), words, class_name="al w", role="note", key=one.label)


def _stage(step: StageStep) -> rx.Component:
    current = rx.cond(step.look == "h", "step", rx.Var("undefined"))
    return rx.el.li(step.words, class_name=step.look, key=step.words, custom_attrs={"aria-current": current})


def _reader(reader: Any) -> rx.Component:
    return rx.el.span(
        rx.el.span(reader.initials, class_name=f"av {reader.tone}", aria_hidden="true"), reader.words, key=reader.words
    )


def _body() -> rx.Component:
    return rx.fragment(_meanwhile(), _what_happened(), rx.el.div(_timeline(), _contact(), class_name="case-body"))


def _meanwhile() -> rx.Component:
    """Draw what others did while the case was open; focus and text stay."""
    line = rx.el.div(
        icon("people"),
        rx.el.span(rx.el.b(_STATE.meanwhile, "."), " Your note is untouched."),
        desk_button("Close", size="xs", on_click=CaseState.close_meanwhile),
        class_name="al w",
    )
    away = rx.el.div(
        icon("wifi"),
        rx.el.span(rx.el.b(_STATE.away), " You can go on typing."),
        desk_button("Try now", size="xs", on_click=CaseState.look_again),
        class_name="al b",
    )
    return rx.el.div(
        rx.cond(_STATE.meanwhile != "", line), rx.cond(_STATE.away != "", away), role="status", class_name="case-news"
    )


def _what_happened() -> rx.Component:
    box = rx.el.textarea(
        id=NOTE_ID,
        name=NOTE,
        key=_STATE.note_key,
        default_value=_STATE.draft,
        on_change=lambda text: CaseState.keep_draft(_STATE.note_key, text).debounce(_DRAFT_MS),
        max_length=MAX_NOTE,
        rows="4",
        class_name="input",
        custom_attrs={"data-key": "m", "aria-describedby": "note-error"},
    )
    typed = rx.el.form(
        rx.el.input(type="hidden", name=STAMP, value=_FOUND.stamp),
        rx.el.div(
            rx.el.label("Note", html_for=NOTE_ID),
            rx.el.span(_STATE.draft_kept, class_name="hint push", role="status"),
            rx.el.button("Save note", type="submit", class_name="linked", title="Ctrl Enter"),
            class_name="line",
        ),
        box,
        _refusal(NOTE),
        on_submit=CaseState.add_note,
        method="post",
    )
    pad = rx.el.fieldset(
        rx.el.legend("Outcome ", rx.el.span("press one, then a date: saved", class_name="hint")),
        *(_outcome(number, value, words) for number, (value, words) in enumerate(OUTCOMES, start=1)),
        class_name="pad",
    )
    return rx.el.section(
        typed,
        rx.cond(_IS_WORKED, rx.fragment(pad, rx.cond(_PLAN.outcome != "", _plan(), _next_action()))),
        aria_label="What happened",
        class_name="happened",
    )


def _outcome(number: int, value: str, words: str) -> rx.Component:
    pressed = {"aria-pressed": rx.cond(_PLAN.outcome == value, "true", "false"), "data-key": str(number)}
    return desk_button(
        rx.el.kbd(str(number), aria_hidden="true"),
        words,
        on_click=CaseState.choose(value, _FOUND.stamp),
        custom_attrs=pressed,
    )


def _plan() -> rx.Component:
    """Draw the dates or the reasons of the pressed outcome: the first has the focus, and takes Enter."""
    first = _PLAN.choices[0]
    proposed = rx.cond(
        _PLAN.choices.length() > 0,
        desk_button(
            first.words,
            rx.el.kbd("↵", aria_hidden="true"),
            key=_PLAN.outcome,
            on_click=_record(first),
            look="solid",
            custom_attrs={"autoFocus": True},
        ),
    )
    others = rx.foreach(_PLAN.choices[1:], lambda each: desk_button(each.words, key=each.words, on_click=_record(each)))
    booking = A.create(icon("call"), "Book a time in the diary", href=_FOUND.book_href, class_name="btn")
    return rx.el.fieldset(
        rx.el.span(_PLAN.label, class_name="lb"),
        rx.cond(_PLAN.is_booking, booking),
        proposed,
        others,
        rx.cond(_PLAN.has_dates, _other_date("Other")),
        desk_button("Cancel", look="ghost", on_click=CaseState.drop_outcome, custom_attrs={"data-key": "Escape"}),
        _refusal(OUTCOME),
        aria_label="Next action",
        class_name="next",
    )


def _record(choice: PlanChoice) -> Any:
    return CaseState.record(choice.due, choice.reason, _TYPED_NOTE, _PLAN.stamp)


def _other_date(label: str | rx.Var, **opener: Any) -> rx.Component:
    """Draw a date and a time of one's own; the time is that of the UK. Once open, all of it is in sight."""
    show = client_handler(script_function("desk", "showOpened").call(rx.Var("typed.currentTarget")))
    return rx.el.details(
        rx.el.summary(icon("call"), label, class_name="btn line", custom_attrs={"data-key": "d"}, **opener),
        rx.el.form(
            rx.el.input(type="hidden", name=STAMP, value=rx.cond(_PLAN.stamp != "", _PLAN.stamp, _FOUND.stamp)),
            rx.el.label("Day", rx.el.input(type="date", name="day", required=True, class_name="input")),
            rx.el.label("UK time", rx.el.input(type="time", name="time", required=True, class_name="input")),
            desk_button("Save", look="solid", kind="submit"),
            on_submit=lambda form: CaseState.record_other(form, _TYPED_NOTE),
            method="post",
        ),
        key=_STATE.date_key,
        class_name="other",
        custom_attrs={"onToggle": show},
    )


def _next_action() -> rx.Component:
    said = rx.cond(
        _FOUND.next_action != "",
        rx.el.span(
            "Next: ",
            rx.el.b(rx.el.bdi(_FOUND.next_action)),
            " ",
            rx.el.span(_FOUND.next_due, class_name=_FOUND.next_look),
        ),
        rx.el.span("No next action is set.", class_name="hint"),
    )
    change = _other_date(rx.cond(_FOUND.next_action != "", "Another date", "Set a date"), id=DATE_ID)
    write = rx.cond(
        _FOUND.proposed != "",
        rx.el.span(_FOUND.proposed, " ", desk_button("Write a mail", size="xs", on_click=CaseState.write_mail)),
    )
    return rx.el.fieldset(said, change, write, _refusal(OUTCOME), aria_label="Next action", class_name="next")


def _timeline() -> rx.Component:
    reply = desk_button(
        icon("mail"),
        "Reply",
        size="xs",
        id=REPLY_ID,
        on_click=CaseState.open_panel("reply"),
        custom_attrs={"data-key": "r"},
    )
    book = A.create(
        icon("call"), "Book", href=_FOUND.book_href, class_name="btn line xs", custom_attrs={"data-key": "b"}
    )
    return rx.el.div(
        rx.el.div(
            rx.el.h3("Timeline", id="timeline-title"),
            rx.cond(
                _IS_WORKED, rx.el.div(reply, rx.el.span(book, custom_attrs={"data-books": ""}), class_name="push line")
            ),
            class_name="hd",
        ),
        rx.el.div(
            rx.el.ol(rx.foreach(_FOUND.timeline, _entry), class_name="tl"),
            class_name="scrolls",
            tab_index=0,
            role="region",
            aria_labelledby="timeline-title",
        ),
        class_name="case-card",
    )


def _entry(entry: TimelineEntry) -> rx.Component:
    mark = rx.match(entry.icon, *((name, icon(name)) for name in _ICONS), icon("info"))
    return rx.fragment(
        rx.cond(entry.day != "", rx.el.li(entry.day, class_name="d")),
        rx.el.li(
            mark,
            rx.el.span(rx.el.b(rx.el.bdi(entry.who)), " ", entry.did),
            rx.el.time(entry.time),
            rx.cond(entry.text != "", rx.el.p(entry.text, class_name="as-typed", dir="auto")),
        ),
        key=entry.key,
    )


def _contact() -> rx.Component:
    returned = rx.cond(_FOUND.returned != "", rx.el.p(icon("alert"), _FOUND.returned, ".", class_name="err"))
    email = rx.cond(
        _FOUND.email != "", rx.cond(_IS_WORKED, rx.el.a(_FOUND.email, href=_FOUND.mailto), _FOUND.email), "none"
    )
    telephone = telephone_link(_FOUND.telephone, number=_FOUND.tel)
    contact = rx.el.dl(
        fact("Telephone", rx.cond(_IS_WORKED, telephone, _FOUND.telephone)),
        fact("Email", rx.fragment(email, returned)),
        fact("Best time", _FOUND.when),
        fact("Agreed to", _FOUND.agreed),
        rx.cond(
            _FOUND.appointment != "", fact("Appointment", plain_link(_FOUND.appointment, href=_FOUND.appointment_href))
        ),
        fact("With", rx.cond(_FOUND.assigned != "", _FOUND.assigned, "nobody")),
        class_name="kv",
    )
    correct = desk_button(icon("pen"), "Correct", size="xs", look="ghost", on_click=CaseState.open_panel("contact"))
    needs = rx.el.div(support_needs_form(), key=_FOUND.reference, class_name="kv-p")
    content = (
        contact,
        rx.cond(_IS_WORKED, needs),
        _figures(),
        _sent(),
        rx.foreach(_FOUND.results, _result_panel),
        _lines("What we keep", _FOUND.record),
        _below(),
    )
    return rx.el.div(
        rx.el.div(
            rx.el.h3("Contact and figures", id="contact-title"), rx.el.div(correct, class_name="push"), class_name="hd"
        ),
        rx.el.div(*content, class_name="scrolls", tab_index=0, role="region", aria_labelledby="contact-title"),
        class_name="case-card",
    )


def _figures() -> rx.Component:
    """Draw the loan and the end of the deal, with their form also where neither is known."""
    correct = desk_button(icon("pen"), "Correct figures", size="xs", on_click=CaseState.open_panel("figures"))
    listed = rx.el.dl(rx.foreach(_FOUND.figures, lambda line: fact(line.label, line.words)), class_name="kv")
    return rx.fragment(
        rx.el.h4("Figures", class_name="sub"),
        rx.cond(_FOUND.figures.length() > 0, listed),
        rx.el.p(correct, class_name="kv-p"),
    )


def _lines(title: str, lines: Any) -> rx.Component:
    listed = rx.el.dl(rx.foreach(lines, lambda line: fact(line.label, line.words)), class_name="kv")
    return rx.cond(lines.length() > 0, rx.fragment(rx.el.h4(title, class_name="sub"), listed))


def _sent() -> rx.Component:
    answers = rx.el.dl(
        rx.foreach(_FOUND.lines, lambda line: fact(line.label, rx.el.bdi(line.words))), class_name="kv wide"
    )
    return rx.cond(_FOUND.lines.length() > 0, rx.fragment(rx.el.h4("What they answered", class_name="sub"), answers))


def _result_panel(result: ResultView) -> rx.Component:
    attached = rx.fragment(
        rx.el.h4("Result attached", class_name="sub"),
        rx.el.p(rx.el.b(result.title), " ", rx.el.span(result.subtitle, class_name="hint"), class_name="kv-p"),
        rx.cond(
            result.figure != "",
            rx.el.p(result.label, " ", rx.el.b(result.figure, " ", result.per), " ", result.caption, class_name="kv-p"),
        ),
        rx.el.dl(rx.foreach(result.figures, lambda line: fact(line.label, line.words)), class_name="kv"),
        rx.el.p(
            A.create("Open its page with these figures", href=result.address, target="_blank"),
            " (opens in a new tab; deals may have changed), ",
            A.create("as they sent it (PDF)", href=result.pdf),
            class_name="kv-p",
        ),
        disclosure(
            "Everything they saw",
            rx.el.div(rx.foreach(result.parts, _part), rx.foreach(result.remarks, rx.el.p), class_name="stack"),
        ),
    )
    problem = note("No result is attached. ", result.problem, tone="warn")
    return rx.cond(result.problem != "", problem, attached)


def _part(part: Any) -> rx.Component:
    return rx.el.div(
        rx.cond(part.heading != "", rx.el.h5(part.heading)),
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


def _below() -> rx.Component:
    reasons = (
        rx.el.label(rx.el.input(type="radio", name=REASON, value=value), words, class_name="tick")
        for value, words in DELETE_REASONS
    )
    form = rx.el.form(
        rx.el.fieldset(rx.el.legend("Why is it deleted?"), rx.el.div(*reasons, class_name="row")),
        _refusal(REASON),
        desk_button("Delete it", kind="submit"),
        on_submit=CaseState.ask,
        method="post",
        class_name="stack",
    )
    delete = disclosure(
        "Delete this case", rx.el.div(form, rx.cond(_STATE.asked != "", _confirmation()), class_name="stack")
    )
    return rx.fragment(rx.cond(_STATE.staff_rights.contains(Right.EXPORT.value), _export()), delete)


def _export() -> rx.Component:
    """Draw the form that downloads this case: a POST, as that of the list."""
    buttons = (
        rx.el.button(words, type="submit", name="form", value=value, class_name="btn line xs")
        for value, words in (("json", "Export this case (JSON)"), ("csv", "CSV"))
    )
    reference = rx.el.input(type="hidden", name=TEXT, value=_FOUND.reference)
    return post_form(reference, *buttons, action=routes.STAFF_FORMS["enquiries-file"], class_name="row kv-p")


def _confirmation() -> rx.Component:
    """Draw the confirmation; the focus goes to the button that cancels, which is described by the question."""
    keep = desk_button(
        "No, keep it", on_click=CaseState.keep, custom_attrs={"autoFocus": True, "aria-describedby": "delete-question"}
    )
    delete = desk_button("Yes, delete it", on_click=CaseState.delete(_FOUND.stamp))
    return rx.el.div(
        rx.el.p(
            rx.el.strong("Delete ", _FOUND.reference, " for good? "),
            "The reason: ",
            _STATE.asked_words,
            ". Its contact details, answers, notes and mail are deleted, and cannot be brought back. "
            "The record keeps the reference and the reason.",
            id="delete-question",
        ),
        rx.el.div(keep, delete, class_name="row"),
        role="group",
        aria_label="Confirm",
        class_name="note bad stack",
    )


def _gone() -> rx.Component:
    return rx.el.div(
        note(_STATE.gone_title, rx.el.p(_STATE.gone_words), tone="warn"),
        _unsent_note(),
        role="alert",
        class_name="stack",
    )


def _unsent_note() -> rx.Component:
    """Draw the draft note of a case that was deleted or cannot be read, so that it can be copied."""
    shown = rx.el.label(
        "You had typed this note, and it was not saved",
        rx.el.textarea(default_value=_STATE.draft, read_only=True, rows="4", class_name="input"),
        class_name="stack tight-8",
    )
    return rx.cond(_STATE.draft != "", shown)


def _loading() -> rx.Component:
    """Draw the boxes of a case, which appear after 200 ms."""
    boxes = (rx.el.i(class_name="sk") for _ in range(6))
    words = rx.el.p("This page needs scripts, which aren’t running in your browser.", class_name="no-script-only")
    return rx.el.div(words, *boxes, class_name="case-aside after-200", aria_busy=True)


def _refusal(part: str) -> rx.Component:
    return live_error(rx.cond(_STATE.refused_at == part, _STATE.refused, ""), identity=part)
