"""State of the page of accounts: people, the details of one, invitations and their links."""

from collections.abc import Awaitable, Mapping
from typing import Any, ClassVar

import reflex as rx
from reflex.event import EventSpec

from broker import routes
from broker.cases.case import Refused
from broker.mail.mail import WAITS
from broker.services import current
from broker.staff.account_admin import AccountAdmin, Disabled, MadeLink
from broker.staff.audit import AuditFilter
from broker.staff.audit_reader import record_page
from broker.staff.people import Person
from broker.staff.people_view import (
    IN_TURN,
    LinkLine,
    PersonLine,
    PersonView,
    disabled_words,
    link_lines,
    people_sentence,
    person_line,
    person_view,
)
from broker.staff.roles import Right
from broker.staff.times import moment_words
from broker.state.staff.access import FAILED, IDLE, LOADED, LOADING, StaffState
from broker.state.staff.menu import MenuState
from broker.storage.errors import StorageError

AWAY = "The database did not answer, and nothing may have been changed. Try once more in a minute"

DONE_ID = "accounts-done"
"""Element that says what was done, refused, or made."""

RECORD_LINES = 5
"""Entries of a person's record that the page shows."""


class AccountsState(StaffState):
    """`chosen` is the account in the address; `link` is the address of a link just made, which is shown this once.

    `result` says what was done, `refused` why something was not. `version` changes once the form of the invitation is
    to be empty again.
    """

    right: ClassVar[Right] = Right.ACCOUNTS
    status: str = IDLE
    problem: str = ""
    sentence: str = ""
    people: tuple[PersonLine, ...] = ()
    links: tuple[LinkLine, ...] = ()
    chosen: PersonView = PersonView()
    errors: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    link: str = ""
    link_words: str = ""
    result: str = ""
    refused: str = ""
    version: str = "0"

    _who: str = ""

    @rx.event
    async def open(self) -> Any:
        """Read everybody, and the account in the page's address."""
        self._who = self.router.url.query_parameters.get("who", "")
        if not self._is_shown_again():
            self._clear()
        if self.status != LOADED:
            self.status = LOADING
        yield
        await self._read()

    @rx.event
    async def invite(self, form: dict[str, Any]) -> None:
        self._clear()
        given = form if isinstance(form, Mapping) else {}
        try:
            made = await _admin().invite(given, who=self.staff_name)
        except StorageError:
            self.refused = AWAY
            return
        if isinstance(made, MadeLink):
            self._show(made)
            self.version = str(int(self.version) + 1)
            await self._read()
        else:
            self.errors = made

    @rx.event
    async def make_link(self, account: int) -> EventSpec:
        """Make a link of an account: its invitation again, or one that resets how it signs in."""
        self._clear()
        try:
            made = await _admin().make_link(_number(account), who=self.staff_name)
        except StorageError:
            self.refused = AWAY
            return rx.set_focus(DONE_ID)
        if isinstance(made, MadeLink):
            self._show(made)
        else:
            self.refused = made.words
        await self._read()
        return rx.set_focus(DONE_ID)

    @rx.event
    async def withdraw(self, account: int) -> EventSpec:
        return await self._do(_admin().withdraw(_number(account), who=self.staff_name), "The link no longer works")

    @rx.event
    async def set_role(self, role: str) -> None:
        """Change the role of the account that is open; its field keeps the focus."""
        done = f"The role of {self.chosen.shown_name} is changed, and they sign in again"
        await self._do(_admin().set_role(self.chosen.id, role, who=self.staff_name), done)

    @rx.event
    async def end_session(self, session: int) -> EventSpec | None:
        number = _number(session)
        if not number:
            return None
        ended = _admin().end_sessions(self.chosen.id, number, who=self.staff_name)
        return await self._do(ended, "The session is ended")

    @rx.event
    async def end_all(self) -> EventSpec:
        ended = _admin().end_sessions(self.chosen.id, 0, who=self.staff_name)
        return await self._do(ended, f"{self.chosen.shown_name} is signed out everywhere")

    @rx.event
    async def remove_passkey(self, passkey: int) -> EventSpec:
        removed = _admin().remove_passkey(self.chosen.id, _number(passkey), who=self.staff_name)
        return await self._do(removed, "The passkey no longer signs in")

    @rx.event
    async def disable(self, form: dict[str, Any]) -> list[Any]:
        """Disable the account that is open, hand over its open work as the form says, and pass on its appointments."""
        self._clear()
        to = form.get("to") if isinstance(form, Mapping) else None
        heirs = tuple(each.value for each in self.chosen.heirs if each.value not in (IN_TURN, ""))
        chosen = heirs if to == IN_TURN else (to,) if isinstance(to, str) and to else ()
        try:
            done = await _admin().disable(self.chosen.id, chosen, who=self.staff_name)
            if isinstance(done, Disabled):
                passed, left = await current().diary.hand_over(self.chosen.account)
                self.result = disabled_words(
                    done.name, cases=done.cases, complaints=done.complaints, to=done.to, passed=passed, left=left
                )
            else:
                self.refused = done.words
        except StorageError:
            self.refused = AWAY
        await self._read()
        return [rx.set_focus(DONE_ID), MenuState.count]

    @rx.event
    async def enable(self) -> EventSpec:
        return await self._do(
            _admin().enable(self.chosen.id, who=self.staff_name), f"{self.chosen.shown_name} can sign in again"
        )

    async def _do(self, work: Awaitable[Refused | None], done: str) -> EventSpec:
        """Change something, and say what came of it; return the event that focuses what says so."""
        self._clear()
        try:
            refused = await work
        except StorageError:
            self.refused = AWAY
            return rx.set_focus(DONE_ID)
        self.result, self.refused = ("", refused.words) if refused else (done, "")
        await self._read()
        return rx.set_focus(DONE_ID)

    def _show(self, made: MadeLink) -> None:
        """Show a link this once."""
        ends = moment_words(made.expires, _admin().now)
        mailed, shown = "It is mailed, and shown here this once", "No address is known to mail it to: bring it to them"
        if not current().sends_mail:
            mailed = f"Its mail {WAITS}. It is shown here this once"
        sent = mailed if made.is_mailed else f"{shown}. It is shown here this once"
        self.link = f"{self.router.headers.origin}{routes.staff_link(made.token)}"
        self.link_words = f"A link for {made.person}. {sent}; it works once, until {ends}."

    def _clear(self) -> None:
        """Clear what the last action said."""
        self.result = self.refused = self.link = self.link_words = ""
        self.errors = {}

    async def _read(self) -> None:
        try:
            found = await _admin().people()
            record = await self._record(found)
        except StorageError:
            if self.status == LOADED:  # what is typed and shown stays
                self.refused = self.refused or AWAY
            else:
                self.status, self.problem = FAILED, "The database did not answer"
            return
        now = _admin().now
        self.people = tuple(person_line(each, chosen=self._who, now=now) for each in found)
        self.sentence, self.links = people_sentence(found), link_lines(found, now)
        person = next((each for each in found if each.name == self._who), None)
        self.chosen = person_view(person, found, record, now=now) if person else PersonView()
        self.status, self.problem = LOADED, ""

    async def _record(self, found: tuple[Person, ...]) -> tuple[Any, ...]:
        """Return the newest entries of the account that is open."""
        if self._who not in {each.name for each in found}:
            return ()
        page = await record_page(current(), AuditFilter(who=self._who))
        return () if isinstance(page, Refused) else page.entries[:RECORD_LINES]


def _admin() -> AccountAdmin:
    return current().staff.admin


def _number(value: object) -> int:
    """Return a number that a page sends; 0, which nothing has, for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**31 else 0
