"""State of the audit page: the search in its address, and the entries loaded so far."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import reflex as rx

from broker.cases.case import Refused
from broker.duties.record_words import entry_in_words
from broker.services import current
from broker.staff.audit import AuditEntry, AuditFilter, AuditPage
from broker.staff.audit_reader import record_names, record_page, recorded_about
from broker.staff.audit_view import ABOUT, RecordDay, address_of, filter_in, form_of, record_days, tally, who_choices
from broker.staff.roles import Right
from broker.state.staff.access import EMPTY, FAILED, IDLE, LOADED, LOADING, StaffState

MAX_LINES = 1_000
"""Lines that a tab holds; older ones are a page of their own, by their address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    value: str
    words: str


class AuditState(StaffState):
    """The lines on screen; `version` changes whenever `form` replaces the values of the form fields.

    A submitted form is not replaced, so what is typed during the request stays. `last` is the number of the oldest
    line, 0 where there are none older; `older` is the address of older lines once the tab is full.
    """

    right: ClassVar[Right] = Right.ACCOUNTS
    status: str = IDLE
    problem: str = ""
    version: str = "0"
    form: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    about_problem: str = ""
    whom: tuple[Choice, ...] = ()
    days: tuple[RecordDay, ...] = ()
    sentence: str = ""
    last: int = 0
    older: str = ""
    is_narrowed: bool = False

    _wanted: AuditFilter = AuditFilter()
    _entries: tuple[AuditEntry, ...] = ()
    _existing: frozenset[str] = frozenset()

    @rx.event
    async def open(self) -> Any:
        self._wanted = filter_in(self.router.url.query_parameters)
        form = form_of(self._wanted)
        if form != self.form:
            self.version, self.form = str(int(self.version) + 1), form
        self.about_problem, self.is_narrowed = "", self._wanted != AuditFilter()
        if self.status in (IDLE, FAILED):
            self.status = LOADING
        yield
        names = await record_names(current())
        known = () if isinstance(names, Refused) else names
        self.whom = tuple(Choice(value=value, words=words) for value, words in who_choices(known, self._wanted.who))
        self._entries, self._existing = (), frozenset()
        self._take(await record_page(current(), self._wanted))

    @rx.event
    async def submit(self, typed: dict[str, Any]) -> Any:
        """Search by the form. Typed text gets into the address only if the record holds it."""
        given = typed if isinstance(typed, Mapping) else {}
        about = await recorded_about(current(), given.get(ABOUT))
        if isinstance(about, Refused):
            self.about_problem = about.words
            return None
        self.about_problem = ""
        wanted = filter_in({**form_of(filter_in(given)), ABOUT: about})
        form = form_of(wanted)
        if all(given.get(name) == value for name, value in form.items()):
            self.form = form
        return AuditState.open if wanted == self._wanted else rx.redirect(address_of(wanted))

    @rx.event
    async def see_more(self, last: int) -> None:
        """Read the lines before the oldest on screen; a second press on the same button does nothing."""
        if self.status == LOADED and last and last == self.last:
            self._take(await record_page(current(), replace(self._wanted, before=self.last)))

    def _in_words(self) -> tuple[AuditEntry, ...]:
        return tuple(map(entry_in_words, self._entries))

    def _take(self, page: AuditPage | Refused) -> None:
        if isinstance(page, Refused):
            self.status, self.problem = FAILED, page.words
            self._entries, self.days, self.last, self.older = (), (), 0, ""
            return
        self._entries, self._existing = self._entries + page.entries, self._existing | page.existing
        self.days = record_days(self._in_words(), existing=self._existing, now=current().cases.now)
        self.sentence = tally(len(self._entries), has_more=page.has_more, is_narrowed=self.is_narrowed)
        number = self._entries[-1].number if page.has_more else 0
        is_full = len(self._entries) >= MAX_LINES
        self.last = 0 if is_full else number
        self.older = address_of(replace(self._wanted, before=number)) if number and is_full else ""
        self.status, self.problem = LOADED if self._entries else EMPTY, ""
