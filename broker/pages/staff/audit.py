"""The audit log for staff: its filters, and the entries by day."""

from typing import Any

import reflex as rx

from broker import routes
from broker.components.elements import button, button_link, note
from broker.components.forms.fields import live_error
from broker.components.forms.post_form import ListForm
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.frame import filter_form, filter_select, loading, not_read, staff_page
from broker.staff.audit import MAX_SUBJECT_LENGTH
from broker.staff.audit_view import ABOUT, KIND, KINDS, WHO, RecordDay, RecordLine
from broker.staff.roles import Right
from broker.state.staff.audit import EMPTY, FAILED, LOADED, AuditState

_STATE: Any = AuditState

_READ = (_STATE.status == LOADED) | (_STATE.status == EMPTY)


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        staff_page(
            inputs,
            routes.STAFF_RECORD,
            "Record",
            _audit_section,
            title="Record, for staff",
            description="Staff of the firm read here who of them did what and when, from sign-in to deletion.",
            right=Right.ACCOUNTS,
            on_load=AuditState.open,
            menu=routes.STAFF_ACCOUNTS,
        ),
    )


def _audit_section() -> rx.Component:
    failed = not_read("The record could not be read", _STATE.problem, retry=AuditState.open)
    found = rx.cond(_READ, _STATE.sentence, rx.cond(_STATE.status == FAILED, "No lines", "The record is on its way"))
    return rx.fragment(
        rx.cond(_READ, _filters()),
        rx.el.h2(rx.el.span(found, role="status"), class_name="as-h3"),
        rx.match(_STATE.status, (LOADED, _days()), (EMPTY, _nothing()), (FAILED, failed), loading(rows=3)),
    )


def _filters() -> rx.Component:
    form = ListForm("staff_record", (WHO, ABOUT, KIND), version=_STATE.version, shown=_STATE.form)
    return filter_form(
        form,
        _about(form),
        _who(form),
        filter_select(form, KIND, label="What", options=KINDS),
        rx.el.div(
            button("Show", look="s", icon_name="filter", kind="submit"),
            rx.cond(_STATE.is_narrowed, button_link("Clear", routes.STAFF_RECORD, look="s line")),
            class_name="row",
        ),
        submit=AuditState.submit,
        label="The record",
        title="Narrow the record",
    )


def _who(form: ListForm) -> rx.Component:
    choices = rx.foreach(_STATE.whom, lambda one: rx.el.option(one.words, value=one.value, key=one.value))
    return rx.el.div(
        rx.el.label("Who", html_for="who"),
        rx.el.select(choices, id="who", value=form[WHO], on_change=form.change(WHO), class_name="select"),
        class_name="stack tight-6",
    )


def _about(form: ListForm) -> rx.Component:
    box = rx.el.input(
        id=ABOUT,
        value=form[ABOUT],
        on_change=form.change(ABOUT),
        auto_complete="off",
        max_length=MAX_SUBJECT_LENGTH,
        class_name="input",
        spell_check=False,
        custom_attrs={
            "aria-describedby": f"{ABOUT}-hint {ABOUT}-error",
            "aria-invalid": rx.cond(_STATE.about_problem != "", "true", rx.Var("undefined")),
        },
    )
    hint = "A reference, a lender’s number or the name of an account"
    return rx.el.div(
        rx.el.label("About", html_for=ABOUT),
        rx.el.span(hint, id=f"{ABOUT}-hint", class_name="hint"),
        box,
        live_error(_STATE.about_problem, identity=ABOUT),
        class_name="stack tight-6 wide",
    )


def _days() -> rx.Component:
    more = button("See more", look="line", icon_name="down", on_click=AuditState.see_more(_STATE.last))
    return rx.el.div(
        rx.foreach(_STATE.days, _day),
        rx.cond(_STATE.last > 0, more),
        rx.cond(_STATE.older != "", button_link("Older lines", _STATE.older, look="line")),
        class_name="stack loose",
    )


def _day(day: RecordDay) -> rx.Component:
    return rx.el.section(
        rx.el.h3(day.title, class_name="as-h4"),
        rx.el.ol(rx.foreach(day.lines, _line), class_name="panel record"),
        key=day.title,
        class_name="stack",
    )


def _line(line: RecordLine) -> rx.Component:
    return rx.el.li(
        rx.el.time(line.at, date_time=line.moment),
        rx.el.span(
            rx.el.b(line.who),
            " ",
            line.before,
            rx.cond(line.href != "", rx.el.a(line.reference, href=line.href)),
            line.after,
        ),
        key=line.number,
    )


def _nothing() -> rx.Component:
    return rx.cond(
        _STATE.is_narrowed,
        note("Nothing fits", "Choose less, or press Clear to see the whole record.", tone="warn"),
        note("Nobody has done anything yet", "What staff do appears here at once."),
    )
