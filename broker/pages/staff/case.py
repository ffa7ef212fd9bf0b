"""One enquiry for staff: who sent what, its history, and work on it."""

from typing import Any

import reflex as rx
from reflex_components_core.el.elements.inline import A

from broker import routes
from broker.cases.case import MAX_NOTE
from broker.cases.case_view import DELETE_REASONS, Move, ResultView
from broker.components.client_scripts import refs, script_function, var_data
from broker.components.client_values import TYPED, BrowserValues, client_handler, client_state_key, memoized_section
from broker.components.elements import button, disclosure, fact, icon, note, plain_link, scrolling, telephone_link
from broker.components.forms.fields import live_error
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.frame import loading, not_read, read_at, staff_page
from broker.staff.roles import Right
from broker.state.staff.case import ACCOUNT, FAILED, GONE, LOADED, LOOK, NOTE, REASON, STAMP, STATE, EnquiryPageState

_STATE: Any = EnquiryPageState
_FOUND = _STATE.found

_RESULT_ID = "last-result"
"""Id of the message about the result of an action."""

_FOCUS_RESULT = rx.set_focus(_RESULT_ID)
"""Focuses the result: the button that was pressed disappears when it has worked."""

_DRAFT_NAME = "staff_note"

_UNCHOSEN = "?"
"""Value of the option without an account, which the server refuses."""


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        staff_page(
            inputs,
            routes.STAFF_ENQUIRY,
            "Enquiry",
            _enquiry_section,
            title="One enquiry, for staff",
            description="Staff of the firm read one enquiry here, note what was said, and pass it on to a colleague.",
            right=Right.CASES,
            on_load=EnquiryPageState.open,
            menu=routes.STAFF_ENQUIRIES,
        ),
    )


def _result_panel(result: ResultView) -> rx.Component:
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


def _enquiry_section() -> rx.Component:
    problem = not_read("This enquiry could not be read", _STATE.problem, retry=EnquiryPageState.open)
    failed = rx.el.div(problem, _unsent_note(), class_name="stack")
    return rx.fragment(
        rx.window_event_listener(on_focus=EnquiryPageState.look_again),
        _DRAFT.state,
        rx.el.div(
            rx.el.a("All enquiries", href=routes.STAFF_ENQUIRIES),
            rx.el.div(
                rx.el.p(_STATE.result, class_name="said"),
                id=_RESULT_ID,
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
        rx.el.div(_contact(), _work_panel(), class_name="g2"),
        rx.el.div(_sent(), _notes_panel(), class_name="g2"),
        rx.foreach(_FOUND.results, _result_panel),
        rx.el.div(_panel("What they allowed", _facts(_FOUND.consent)), _record(), class_name="g2"),
        _delete_panel(),
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
    """Draw what others changed meanwhile, and the change that was therefore refused."""
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
    returned = rx.cond(_FOUND.returned != "", rx.el.p(icon("alert"), _FOUND.returned, ".", class_name="err"))
    email = rx.cond(_FOUND.email != "", rx.el.a(_FOUND.email, href=_FOUND.mailto), "None given")
    return _panel(
        "Who it is",
        rx.el.dl(
            fact("Name", _FOUND.name),
            fact("Telephone", telephone_link(_FOUND.telephone, number=_FOUND.tel)),
            fact("Email", rx.fragment(email, returned)),
            fact("When to call", _FOUND.when),
            rx.cond(
                _FOUND.appointment != "",
                fact("Appointment", plain_link(_FOUND.appointment, href=_FOUND.appointment_href)),
            ),
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
        _unsent_note(),
        role="alert",
        class_name="stack",
    )


def _draft() -> BrowserValues:
    """Return the draft note and its enquiry, which start as the tab kept them."""
    started = script_function("staff_session", "startNote").call(refs(), client_state_key(_DRAFT_NAME))
    before = var_data(started, hooks=(f"useState(() => {started!s})",), react=("useState",))
    return BrowserValues(_DRAFT_NAME, {"stamp": "", "text": ""}, before=before)


_DRAFT = _draft()


def _work_panel() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Status", class_name="as-h4"),
        rx.el.p("This enquiry is ", rx.el.b(_FOUND.state), "."),
        rx.el.div(rx.foreach(_FOUND.moves, _move), class_name="row", role="group", aria_label="Change the state"),
        _refusal(STATE),
        rx.el.h2("Who has it", class_name="as-h4"),
        rx.el.div(
            rx.el.p(
                rx.cond(
                    _FOUND.is_mine,
                    "You have it.",
                    rx.cond(
                        _FOUND.assigned != "", rx.el.span(rx.el.b(_FOUND.assigned), " has it."), "Nobody has it yet."
                    ),
                )
            ),
            rx.cond(
                _FOUND.is_mine,
                rx.fragment(),
                button("Take it", look="s", on_click=[EnquiryPageState.take(_FOUND.stamp), _FOCUS_RESULT]),
            ),
            class_name="row",
        ),
        _accounts(),
        _refusal(ACCOUNT),
        class_name="panel stack",
    )


def _move(move: Move) -> rx.Component:
    return button(
        move.label,
        look=move.look,
        key=move.state,
        on_click=[EnquiryPageState.move(move.state, _FOUND.stamp), _FOCUS_RESULT],
    )


def _accounts() -> rx.Component:
    options = rx.foreach(_STATE.accounts, lambda name: rx.el.option(name, value=name, key=name))
    return rx.el.form(
        _stamp(),
        rx.el.div(
            rx.el.label("Give it to", html_for="give-to"),
            rx.el.select(
                rx.el.option("Choose", value=_UNCHOSEN),
                options,
                rx.el.option("Nobody", value=""),
                id="give-to",
                name=ACCOUNT,
                class_name="select",
            ),
            class_name="stack tight-6",
        ),
        button("Give", look="s line", kind="submit"),
        on_submit=EnquiryPageState.assign,
        method="post",
        class_name="row give",
    )


def _notes_panel() -> rx.Component:
    text = _typed()
    box = rx.el.textarea(
        id="note",
        name=NOTE,
        value=text,
        on_change=client_handler(
            _DRAFT.merge(
                _DRAFT.state.value, script_function("staff_session", "keepNote").call(_STATE.note_stamp, TYPED)
            )
        ),
        rows="4",
        max_length=MAX_NOTE,
        class_name="input",
        custom_attrs={"aria-describedby": "note-hint note-error"},
    )
    form = rx.el.form(
        _stamp(),
        rx.el.label("New note", html_for="note"),
        rx.el.p(
            "For staff alone. This tab keeps it until you add it, also where you are signed out.",
            id="note-hint",
            class_name="hint",
        ),
        box,
        _refusal(NOTE),
        button("Add note", look="s", kind="submit"),
        on_submit=EnquiryPageState.add_note,
        method="post",
        class_name="stack tight-8",
    )
    none = rx.el.p("No notes yet.", class_name="mute")
    listed = rx.foreach(
        _FOUND.notes,
        lambda one: rx.el.li(rx.el.b(one.by, class_name="small"), rx.el.p(one.text, class_name="as-typed")),
    )
    return memoized_section(
        rx.el.h2("Notes", class_name="as-h4"),
        form,
        rx.cond(_FOUND.notes.length() > 0, rx.el.ol(listed, class_name="history"), none),
        class_name="panel stack",
        aria_label="Notes",
    )


def _unsent_note() -> rx.Component:
    """Draw the draft note of an enquiry that was deleted meanwhile, so that it can be copied."""
    text = _typed()
    shown = rx.el.div(
        rx.el.label("You had typed this note, and it was not kept", html_for="unsent"),
        rx.el.textarea(id="unsent", value=text, read_only=True, rows="4", class_name="input"),
        class_name="panel stack tight-8",
    )
    return memoized_section(rx.cond(text != "", shown), aria_label="Your note")


def _delete_panel() -> rx.Component:
    reasons = (
        rx.el.label(rx.el.input(type="radio", name=REASON, value=value), words, class_name="tick")
        for value, words in DELETE_REASONS
    )
    form = rx.el.form(
        rx.el.fieldset(rx.el.legend("Why is it deleted?"), rx.el.div(*reasons, class_name="row")),
        _refusal(REASON),
        button("Delete it", look="s line", kind="submit"),
        on_submit=EnquiryPageState.ask,
        method="post",
        class_name="stack",
    )
    return rx.el.section(
        disclosure(
            "Delete this enquiry", rx.el.div(form, rx.cond(_STATE.asked != "", _confirmation()), class_name="stack")
        ),
        class_name="panel",
    )


def _confirmation() -> rx.Component:
    """Draw the confirmation; the focus goes to the button that cancels, which is described by the question."""
    keep = button(
        "No, keep it",
        look="s",
        on_click=[EnquiryPageState.keep, _FOCUS_RESULT],
        auto_focus=True,
        custom_attrs={"aria-describedby": "delete-question"},
    )
    delete = button("Yes, delete it", look="s line", on_click=[EnquiryPageState.delete(_FOUND.stamp), _FOCUS_RESULT])
    return rx.el.div(
        rx.el.div(
            rx.el.p(
                rx.el.strong("Delete ", _FOUND.reference, " for good?"),
                "The reason: ",
                _STATE.asked_words,
                ". Its contact details, answers, notes and mail are deleted, and cannot be brought back. "
                "The record keeps the reference and the reason.",
                id="delete-question",
            ),
            rx.el.div(keep, delete, class_name="row"),
            class_name="stack",
        ),
        role="group",
        aria_label="Confirm",
        class_name="note bad",
    )


def _typed() -> rx.Var:
    return rx.cond(_DRAFT["stamp"] == _STATE.note_stamp, _DRAFT["text"], "").to(str)


def _stamp() -> rx.Component:
    return rx.el.input(type="hidden", name=STAMP, value=_FOUND.stamp)


def _refusal(part: str) -> rx.Component:
    return live_error(rx.cond(_STATE.refused_at == part, _STATE.refused, ""), identity=part)
