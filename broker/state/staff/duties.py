"""State of the page of duties: the register of complaints, and the form that is open.

Personal data stay in the state on the server, out of the address.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx

from broker.cases.case import Case, Refused
from broker.duties.complaint import EMAIL, NAME, REFERENCE, TELEPHONE, Complaint, NotDone, Overtaken
from broker.duties.complaint_view import ComplaintsView, ComplaintView, complaint_view, complaints_view, overtaken_words
from broker.duties.complaints import Outcome
from broker.duties.form_view import (
    Field,
    FormView,
    complaint_fields,
    complaint_values,
    ending_fields,
    filled,
    letter_fields,
)
from broker.duties.retention_rules import RetentionRule
from broker.enquiries.enquiry import parse_reference
from broker.services import current
from broker.staff.roles import Right
from broker.state.staff.access import FAILED, IDLE, LOADED, LOADING, StaffState
from broker.state.staff.menu import MenuState

ADD, CHANGE, LETTER, CLOSE = "add", "change", "letter", "close"
"""What the open form does."""

_FORMS: Mapping[str, tuple[str, str]] = {
    ADD: ("New complaint", "Record it"),
    CHANGE: ("Correct what is recorded", "Save"),
    LETTER: ("A letter was sent", "Record it"),
    CLOSE: ("Close it", "Close it"),
}
_DONE = {ADD: "is recorded", CHANGE: "is changed", LETTER: "has its letter", CLOSE: "is closed"}
"""The title and the button of each form, and what is said once it is done."""

SECTIONS = ("complaints", "person", "half-year", "retention", "needs")
"""Ids of the sections of the page, in their order."""


_MAX_DIGITS = 9
"""Digits of a complaint's number in an address; a longer one may exceed the integers of a database."""

HEADING_ID = "complaint-heading"
"""Id of the heading of the open complaint."""


class ComplaintsState(StaffState):
    """The register on screen, the complaint that is open, and the form below it.

    `section` is the id of the section that was chosen last. `result` says what was done, `refused` why something was
    not.
    """

    right: ClassVar[Right] = Right.COMPLAINTS
    status: str = IDLE
    problem: str = ""
    found: ComplaintsView = ComplaintsView()
    one: ComplaintView = ComplaintView()
    form: FormView = FormView()
    rules: tuple[RetentionRule, ...] = ()
    needs: tuple[tuple[str, str], ...] = ()
    closed: bool = False
    section: str = ""
    result: str = ""
    refused: str = ""

    _held: Complaint | None = None
    _accounts: tuple[str, ...] = ()
    _doing: str = ""
    _forms: int = 0

    @rx.event
    async def open(self) -> Any:
        """Read the register, and open the complaint that the address names.

        An address with the reference of a case has the form for a complaint about it by its person.
        """
        again = self._is_shown_again()
        if not again:
            self.section = SECTIONS[0]
            self._held, self.one, self.form, self.result, self.refused = None, ComplaintView(), FormView(), "", ""
        if self.status in (IDLE, FAILED):
            self.status = LOADING
        yield
        await self._read()
        if again:
            return
        parameters = self.router.url.query_parameters
        if reference := parse_reference(parameters.get(REFERENCE)):
            self._doing = ADD
            self._show(await self._fields(), {REFERENCE: reference, **await self._contact(reference)})
        elif (number := parameters.get("complaint", "")).isdecimal() and len(number) <= _MAX_DIGITS:
            self._take(await current().duties.complaints.open(int(number), who=self.staff_name))
            if self._held:
                yield rx.set_focus(HEADING_ID)

    @rx.event
    def choose(self, section: str) -> None:
        """Mark a section as the one that is looked at."""
        self.section = section if section in SECTIONS else self.section

    @rx.event
    async def look_again(self) -> None:
        """Read the register again; what is typed stays."""
        if self.status == LOADED:
            self.refused = ""
            await self._read()

    @rx.event
    async def toggle_closed(self) -> None:
        """Show closed complaints too, or no longer."""
        self.closed, self.refused = not self.closed, ""
        await self._read()

    @rx.event
    async def read(self, number: int) -> Any:
        """Open a complaint, whose heading gets the focus; the audit record lists it."""
        self.form, self.result, self.refused = FormView(), "", ""
        found = await current().duties.complaints.open(number if isinstance(number, int) else 0, who=self.staff_name)
        self._take(found)
        return None if isinstance(found, NotDone) else rx.set_focus(HEADING_ID)

    @rx.event
    def leave(self) -> None:
        self._held, self.one, self.form, self.result, self.refused = None, ComplaintView(), FormView(), "", ""

    @rx.event
    async def begin(self, doing: str) -> None:
        """Open a form: a new complaint, or one that changes the open complaint."""
        self.result = self.refused = ""
        if doing == ADD:
            self._held, self.one = None, ComplaintView()
        if doing in _FORMS and (doing == ADD or self._held):
            self._doing = doing
            values = complaint_values(self._held) if doing == CHANGE and self._held else {}
            self._show(await self._fields(), values)

    @rx.event
    def cancel(self) -> None:
        self.form = FormView()

    @rx.event
    async def submit(self, given: dict[str, Any]) -> Any:
        """Do what the open form is for; what was typed stays where it is refused."""
        self.result = self.refused = ""
        if not self.form.title:
            return None
        typed = given if isinstance(given, Mapping) else {}
        outcome = await self._do(typed)
        if isinstance(outcome, NotDone):
            self.refused = outcome.words
            self._show(await self._fields(), typed, outcome)
            return None
        self._take(outcome.complaint)
        if isinstance(outcome, Overtaken):
            self.refused = overtaken_words(outcome.complaint)
            return None
        self.form = FormView()
        self.result = f"{outcome.complaint.label} {_DONE[self._doing]}"
        await self._read()
        return [rx.set_focus(HEADING_ID), MenuState.count]

    async def _do(self, typed: Mapping[str, Any]) -> Outcome:
        complaints, who, held = current().duties.complaints, self.staff_name, self._held
        if self._doing == ADD or held is None:
            return await complaints.add(typed, who=who)
        if self._doing == LETTER:
            return await complaints.add_letter(held, typed, who=who)
        if self._doing == CLOSE:
            return await complaints.close(held, typed, who=who)
        return await complaints.change(held.number, typed, version=held.version, who=who)

    async def _fields(self) -> tuple[Field, ...]:
        today = current().duties.complaints.today.isoformat()
        if self._doing == LETTER:
            return letter_fields(today)
        if self._doing == CLOSE:
            return ending_fields(today)
        accounts = await current().cases.accounts()
        if not isinstance(accounts, Refused):
            self._accounts = accounts
        return complaint_fields(today, self._accounts, who=self.staff_name)

    async def _contact(self, reference: str) -> Mapping[str, str]:
        """Return what the form of a complaint asks and the case knows; the audit record lists the read."""
        if Right.CASES.value not in self.staff_rights:
            return {}
        case = await current().cases.open(reference, who=self.staff_name)
        contact = case.head.contact if isinstance(case, Case) else None
        if contact is None:
            return {}
        return {NAME: contact.name, TELEPHONE: contact.telephone_shown, EMAIL: contact.email}

    def _show(self, fields: tuple[Field, ...], values: Mapping[str, Any], refused: NotDone | None = None) -> None:
        self._forms += 1
        title, label = _FORMS[self._doing]
        problems = refused.problems if refused else ()
        shown = filled(fields, values, problems)
        self.form = FormView(title=title, button=label, key=str(self._forms), fields=shown)

    async def _read(self) -> None:
        complaints = current().duties.complaints
        found = await complaints.all()
        if isinstance(found, NotDone):
            if self.status == LOADED:  # what is typed and shown stays
                self.refused = found.words
            else:
                self.status, self.problem = FAILED, found.words
            return
        self.found = complaints_view(found, complaints.today, closed=self.closed)
        needs = await current().duties.needs.counts()
        self.rules, self.needs = current().duties.rules, () if isinstance(needs, NotDone) else needs
        self.status, self.problem = LOADED, ""

    def _take(self, found: Complaint | NotDone) -> None:
        if isinstance(found, NotDone):
            self.refused = found.words
            return
        complaints = current().duties.complaints
        self._held, self.one = found, complaint_view(found, complaints.today, now=complaints.now)
