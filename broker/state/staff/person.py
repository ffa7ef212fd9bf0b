"""State of a person's data on the page of duties; what is searched for stays on the server, out of the address."""

from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx

from broker.duties.complaint import NotDone
from broker.duties.form_view import FormView, filled
from broker.duties.person_data import Person
from broker.duties.person_view import (
    PersonView,
    RequestLine,
    correction_fields,
    deleted_words,
    person_view,
    request_fields,
    request_lines,
)
from broker.services import current
from broker.staff.roles import Right
from broker.state.staff.access import StaffState
from broker.state.staff.menu import MenuState

FIND, ASK, CORRECT = "find", "ask", "correct"
"""What the open form does."""

DONE_ID = "person-done"
"""Id of what says that something was done."""

_FORMS: Mapping[str, tuple[str, str]] = {
    ASK: ("Record what they ask for", "Record it"),
    CORRECT: ("Correct it wherever it stands", "Correct it"),
}


class PersonState(StaffState):
    """The person on screen, the form that is open, and the requests that are not answered.

    `result` says what was done, `refused` why something was not, `not_answered` why an answer was not recorded.
    """

    right: ClassVar[Right] = Right.DELETE_PERSON
    found: PersonView = PersonView()
    requests: tuple[RequestLine, ...] = ()
    form: FormView = FormView()
    result: str = ""
    refused: str = ""
    not_answered: str = ""
    is_owner: bool = False

    _person: Person | None = None
    _doing: str = ""
    _forms: int = 0

    @rx.event
    async def open(self) -> None:
        if not self._is_shown_again():
            self._person, self.found, self.form = None, PersonView(), FormView()
            self.result = self.refused = self.not_answered = ""
        self.is_owner = self._may_delete()
        await self._read_requests()

    @rx.event
    async def find(self, given: dict[str, Any]) -> None:
        self.result = self.refused = ""
        await self._find(given.get("person") if isinstance(given, Mapping) else None)

    @rx.event
    async def add_also(self) -> None:
        """Search for what else is known of the person too."""
        if self._person:
            await self._find(f"{self.found.found_by}, {self.found.also}")

    @rx.event
    def begin(self, doing: str) -> None:
        self.result = self.refused = ""
        if self._person and doing in _FORMS:
            self._doing = doing
            self._show({})

    @rx.event
    def cancel(self) -> None:
        self.form = FormView()

    @rx.event
    async def submit(self, given: dict[str, Any]) -> Any:
        """Do what the open form is for, and focus what says so; what was typed stays where it is refused."""
        person, typed = self._person, given if isinstance(given, Mapping) else {}
        if not person or not self.form.title:
            return None
        self.result = self.refused = ""
        people, who = current().duties.people, self.staff_name
        if self._doing == CORRECT:
            done = await people.correct(person.wanted, typed, who=who)
        else:
            done = await people.ask(person.wanted, typed, who=who)
        if isinstance(done, NotDone):
            self.refused = done.words
            self._show(typed, done)
            return None
        self.form = FormView()
        self.result = "It is corrected" if self._doing == CORRECT else "It is recorded"
        if self._doing == CORRECT:
            new = (text for name in ("telephone", "email") if isinstance(text := typed.get(name), str) and text.strip())
            await self._find(", ".join((self.found.found_by, *new)))
        await self._read_requests()
        return rx.set_focus(DONE_ID)

    @rx.event
    async def delete(self, given: dict[str, Any]) -> Any:
        """Delete what need not be kept, once the reference was typed, and focus what says so."""
        self.result = self.refused = ""
        typed = given.get("typed") if isinstance(given, Mapping) else None
        if not self._person:
            return None
        people = current().duties.people
        done = await people.delete(self._person, typed, who=self.staff_name, is_owner=self._may_delete())
        if isinstance(done, NotDone):
            self.refused = done.words
            return None
        left = await people.find(self.found.found_by)
        self._person = None if isinstance(left, NotDone) else left
        self.found = person_view(self._person) if self._person else PersonView()
        self.result = deleted_words(done, self._person)
        await self._read_requests()
        return [rx.set_focus(DONE_ID), MenuState.count]

    @rx.event
    async def answered(self, id_: int) -> None:
        """Record that a request was answered."""
        done = await current().duties.people.answered(id_ if isinstance(id_, int) else 0, who=self.staff_name)
        self.not_answered = done.words if done else ""
        await self._read_requests()

    async def _find(self, text: object) -> None:
        self.form = FormView()
        found = await current().duties.people.find(text)
        if isinstance(found, NotDone):
            self._person, self.found, self.refused = None, PersonView(), found.words
            return
        self._person, self.found = found, person_view(found)

    async def _read_requests(self) -> None:
        people = current().duties.people
        found = await people.requests()
        self.requests = () if isinstance(found, NotDone) else request_lines(found, people.today)

    def _show(self, values: Mapping[str, Any], refused: NotDone | None = None) -> None:
        self._forms += 1
        title, label = _FORMS[self._doing]
        today = current().duties.people.today.isoformat()
        fields = correction_fields() if self._doing == CORRECT else request_fields(today)
        shown = filled(fields, values, refused.problems if refused else ())
        self.form = FormView(title=title, button=label, key=str(self._forms), fields=shown)

    def _may_delete(self) -> bool:
        """Return whether the account is an owner's: no other role may look after accounts."""
        return Right.ACCOUNTS.value in self.staff_rights
