"""Dialogs of a case: stage, contact details, hand over, reply, merge, and a conflict between two changes."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from broker.cases.case_view import NOT_USED, SAME, STAGES, TAKEN_OVER, WAITING, Twin
from broker.cases.changes import AMOUNT, DEAL_ENDS, SERVICE
from broker.cases.replies import MAX_REPLY
from broker.cases.today_view import SERVICES
from broker.components.chakra import badge, desk_button, desk_modal
from broker.components.elements import icon
from broker.components.forms.fields import live_error
from broker.enquiries.contact_details import EMAIL, NAME, TELEPHONE, WHEN, isolated
from broker.enquiries.form_view import CALL_TIMES
from broker.pages.staff.reply_templates import reply_templates
from broker.state.staff.case import NEXT_ID, PANEL, REPLY_ID, STAMP, CaseState

_STATE: Any = CaseState
_FOUND = _STATE.found


def case_dialogs() -> rx.Component:
    return rx.fragment(_stage(), _contact(), _figures(), _hand_over(), _reply(), _templates(), _merge(), _conflict())


def _dialog(name: str, title: Any, *content: rx.Component, wide: bool = False, focus_after: str = "") -> rx.Component:
    return desk_modal(
        title,
        *content,
        identity=name,
        is_open=_STATE.panel == name,
        on_close=CaseState.close_panel,
        class_name="wide" if wide else "",
        focus_after=focus_after,
    )


def _form(submit: Any, *fields: rx.Component, send: Any, said: Any = "") -> rx.Component:
    return rx.el.form(
        rx.el.input(type="hidden", name=STAMP, value=_STATE.panel_stamp),
        rx.el.div(*fields, class_name="stack dialog-body"),
        rx.el.div(
            rx.cond(said != "", rx.el.span(said, class_name="hint")),
            desk_button("Cancel", on_click=CaseState.close_panel),
            desk_button(send, look="solid", kind="submit"),
            class_name="dialog-foot",
        ),
        on_submit=submit,
        method="post",
    )


def _field(label: str, name: str, *, value: Any = "", **more: Any) -> rx.Component:
    problem = rx.cond(_STATE.problems.contains(name), _STATE.problems[name], "")
    attributes = {
        "aria-invalid": rx.cond(problem != "", "true", rx.Var("undefined")),
        "aria-describedby": f"case-{name}-error",
    }
    box = rx.el.input(
        id=f"case-{name}", name=name, default_value=value, class_name="input", custom_attrs=attributes, **more
    )
    return rx.el.div(rx.el.label(label, html_for=f"case-{name}"), box, live_error(problem, identity=f"case-{name}"))


def _select(label: str, name: str, options: Any, *, value: Any) -> rx.Component:
    listed = (rx.el.option(words, value=each) for each, words in options)
    box = rx.el.select(*listed, id=f"case-{name}", name=name, default_value=value, class_name="select")
    return rx.el.div(rx.el.label(label, html_for=f"case-{name}"), box)


def _refusal() -> rx.Component:
    return live_error(rx.cond(_STATE.refused_at == PANEL, _STATE.refused, ""), identity="panel")


def _stage() -> rx.Component:
    return _dialog(
        "stage",
        "Stage, and whom we wait for",
        _form(
            CaseState.set_stage,
            _select("Stage", "stage", STAGES, value=_FOUND.stage_value),
            _select("Waiting for", "waiting", WAITING, value=_FOUND.waiting_value),
            _field("What for", "waiting_note", value=_FOUND.waiting_text, max_length=200, placeholder="payslips"),
            _refusal(),
            send="Save",
        ),
    )


def _contact() -> rx.Component:
    return _dialog(
        "contact",
        "Correct contact details",
        _form(
            CaseState.correct,
            _field("Name", NAME, value=_FOUND.name, auto_complete="off", dir="auto"),
            _field("Telephone", TELEPHONE, value=_FOUND.telephone, type="tel", auto_complete="off"),
            _field("Email, if there is one", EMAIL, value=_FOUND.email, type="email", auto_complete="off"),
            _select(
                "Best time", WHEN, [(each.value, words) for each, words in CALL_TIMES.items()], value=_FOUND.when_value
            ),
            _refusal(),
            send="Save",
        ),
    )


def _figures() -> rx.Component:
    return _dialog(
        "figures",
        "Correct the figures",
        _form(
            CaseState.correct_figures,
            _select("What it is about", SERVICE, SERVICES, value=_FOUND.service_value),
            _field("Loan in pounds", AMOUNT, value=_FOUND.amount, input_mode="numeric", auto_complete="off"),
            _field("Deal ends", DEAL_ENDS, value=_FOUND.deal_ends, type="date"),
            _refusal(),
            send="Save",
        ),
    )


def _hand_over() -> rx.Component:
    def give(name: Any) -> rx.Component:
        return desk_button(name, key=name, on_click=CaseState.hand_over(name, _FOUND.stamp))

    return _dialog(
        "hand",
        "Hand over to",
        rx.el.div(
            rx.foreach(_STATE.accounts, give),
            rx.cond(_FOUND.assigned != "", desk_button("Nobody", on_click=CaseState.hand_over("", _FOUND.stamp))),
            _refusal(),
            class_name="stack dialog-body",
        ),
    )


def _reply() -> rx.Component:
    pick = rx.el.div(
        rx.el.label("Template", html_for="case-template"),
        rx.el.select(
            rx.el.option("None", value=""),
            rx.foreach(_STATE.templates, lambda name: rx.el.option(name, value=name, key=name)),
            id="case-template",
            name="template",
            value=_STATE.template,
            on_change=CaseState.use_template,
            class_name="select",
        ),
    )
    text = rx.el.div(
        rx.el.label("Mail to ", _FOUND.email, html_for="case-reply"),
        rx.el.textarea(
            id="case-reply",
            name="text",
            key=_STATE.template,
            default_value=_STATE.reply_text,
            rows="10",
            max_length=MAX_REPLY,
            class_name="input",
            dir="auto",
            custom_attrs={"aria-describedby": "case-reply-hint"},
        ),
        rx.el.p(
            rx.cond(_STATE.refused_at == PANEL, "", _STATE.reply_hint),
            id="case-reply-hint",
            role="status",
            class_name="hint",
        ),
        rx.el.p(
            "Subject: ",
            rx.cond(_STATE.reply_subject != "", _STATE.reply_subject, "About your enquiry"),
            " ",
            _FOUND.reference,
            class_name="hint",
        ),
        rx.el.p("Below it they get a link to their page, the reference and our address.", class_name="hint"),
        rx.el.p("Templates are written and changed under More, Reply templates.", class_name="hint"),
    )
    form = _form(CaseState.send_reply, pick, text, _refusal(), send="Send", said=_STATE.reply_waits)
    nowhere = rx.el.p(
        "There is no email address to reply to. Correct the contact details first.", class_name="dialog-body"
    )
    return _dialog(
        "reply", "Reply by mail", rx.cond(_FOUND.email != "", form, nowhere), wide=True, focus_after=REPLY_ID
    )


def _templates() -> rx.Component:
    return _dialog("templates", "Reply templates", reply_templates(), wide=True)


def _merge() -> rx.Component:
    rows = (
        ("Name", lambda twin: rx.el.bdi(twin.name)),
        ("Telephone", lambda twin: rx.fragment(twin.telephone, _mark(twin.telephone_mark))),
        ("Email", lambda twin: rx.fragment(_email(twin.email), _mark(twin.email_mark))),
        ("With", lambda twin: rx.fragment(twin.who, _open(twin.readers))),
        ("Came", lambda twin: twin.came),
        ("Kind", lambda twin: twin.kind),
        ("Stage", lambda twin: rx.fragment(twin.stage, _mark(twin.stage_mark))),
        ("Next action", lambda twin: twin.next_action),
    )
    table = rx.el.table(
        rx.el.thead(
            rx.el.tr(
                rx.el.th(rx.el.span("What", class_name="vh"), scope="col"), rx.foreach(_STATE.twins, _twin_heading)
            )
        ),
        rx.el.tbody(
            *(_compared(words, draw) for words, draw in rows),
            rx.el.tr(rx.el.th("Merge", scope="row"), rx.foreach(_STATE.twins, _merge_button)),
        ),
        class_name="tbl",
    )
    other = rx.el.form(
        rx.el.label("Compare with another reference", html_for="case-other"),
        rx.el.div(
            rx.el.input(id="case-other", name="reference", auto_complete="off", class_name="input"),
            desk_button("Compare", kind="submit"),
            class_name="line",
        ),
        _refusal(),
        on_submit=CaseState.compare,
        method="post",
        class_name="dialog-body",
    )
    return _dialog(
        "merge",
        "Are these one person?",
        rx.cond(
            _STATE.twins.length() > 1,
            rx.el.div(table, class_name="scroll-x", tab_index=0, role="region", aria_label="Compared"),
            rx.el.p("No other case has this telephone or this address.", class_name="dialog-body"),
        ),
        other,
        rx.el.div(
            rx.el.span(
                "This case keeps its stage: to keep that of another, open that one first. "
                "Both references stay valid. Undo within ten minutes.",
                class_name="hint",
            ),
            desk_button("Not the same", on_click=CaseState.close_panel),
            class_name="dialog-foot",
        ),
        wide=True,
    )


def _twin_heading(twin: Twin) -> rx.Component:
    is_own = twin.reference == _FOUND.reference
    opened = rx.el.a(twin.reference, href=twin.href)
    return rx.el.th(rx.cond(is_own, twin.reference, opened), scope="col", key=twin.reference)


def _compared(words: str, draw: Callable[[Any], rx.Component | rx.Var]) -> rx.Component:
    cells = rx.foreach(_STATE.twins, lambda twin: rx.el.td(draw(twin), key=twin.reference))
    return rx.el.tr(rx.el.th(words, scope="row"), cells)


def _merge_button(twin: Twin) -> rx.Component:
    merge = desk_button(
        icon("merge"),
        "Merge into " + _FOUND.reference,
        size="xs",
        on_click=CaseState.merge(twin.reference, _FOUND.stamp),
        custom_attrs={"aria-label": "Merge " + twin.reference + " into " + _FOUND.reference},
    )
    return rx.el.td(rx.cond(twin.reference == _FOUND.reference, "this case", merge), key=twin.reference)


def _email(address: Any) -> rx.Component:
    """Draw an address that a narrow column breaks before its sign rather than within a word."""
    parts = address.split("@")
    return rx.cond(address.contains("@"), rx.fragment(parts[0], rx.el.wbr(), "@", parts[1]), address)


def _mark(mark: Any) -> Any:
    colours = ((SAME, "green"), (TAKEN_OVER, "cyan"), (NOT_USED, "orange"))
    badges = ((each, rx.fragment(" ", badge(each, colour=colour))) for each, colour in colours)
    return rx.match(mark, *badges, rx.fragment())


def _open(readers: Any) -> rx.Component:
    return rx.cond(readers != "", rx.fragment(" ", badge(readers, colour="orange")))


def _conflict() -> rx.Component:
    conflict = _STATE.conflict
    return _dialog(
        "conflict",
        "Both of you changed " + isolated(_FOUND.name.to(str)),
        rx.el.div(
            rx.el.div(
                rx.el.div(rx.el.b(conflict.theirs_by), rx.foreach(conflict.theirs, rx.el.p)),
                rx.el.div(rx.el.b("You, now"), rx.el.p(conflict.mine)),
                class_name="was",
            ),
            rx.el.p(
                "“Mine counts” changes only what is said under “You, now”. Notes of both are kept.", class_name="hint"
            ),
            class_name="stack dialog-body",
        ),
        rx.el.div(
            desk_button(conflict.leave, look="solid", on_click=CaseState.leave_theirs),
            desk_button("Mine counts", on_click=CaseState.mine_counts),
            class_name="dialog-foot",
        ),
        focus_after=NEXT_ID,
    )
