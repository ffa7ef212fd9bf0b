"""State of Today: what is due, the case that is open beside it, and a caller who is entered by hand."""

from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx

from broker import routes
from broker.cases.case import Changed, Gone, Refused
from broker.cases.case_view import stamp_in
from broker.cases.today_view import CALLER, DayView, caller_words, case_address, day_view, next_after, with_held_rows
from broker.services import current
from broker.staff.roles import Right
from broker.staff.times import clock
from broker.state.staff.access import FAILED, IDLE, LOADED, full_load, page_address, sign_in_from, still_signed_in
from broker.state.staff.case import PANEL, CaseState, news


class TodayState(CaseState):
    """The list of the day beside the open case.

    `everyone` shows the rows of all accounts. `waiting` counts the rows that came while the list was on screen; they
    wait while somebody points into it. `place` says where the open row is.
    """

    right: ClassVar[Right] = Right.CASES

    day: DayView = DayView()
    day_status: str = IDLE
    day_problem: str = ""
    everyone: bool = False
    waiting: int = 0
    place: str = ""
    caller_twins: str = ""

    _known: rx.Field[set[str]] = rx.field(default_factory=set)

    @rx.event
    async def open_day(self) -> None:
        """Read what is due, and open the form of a caller where the address says so."""
        await self._read_day(is_live=False)
        if self.router.url.query_parameters.get(CALLER) == "1":
            self.panel, self.caller_twins = CALLER, ""

    @rx.event(background=True)
    async def watch_day(self) -> Any:
        """Show what colleagues change, until the tab goes or leaves the page: Reflex ends what a page's load began."""
        async for changed in news():
            async with self:
                if not await still_signed_in(self):
                    yield full_load(self.router.headers.origin, sign_in_from(page_address(self)))
                    return
                await self._follow(changed)
                if changed or clock(current().cases.now) != self.read_at:
                    await self._read_day(is_live=True)

    @rx.event
    async def show(self, everyone: bool) -> None:
        """Show the rows of all accounts, or those of one's own."""
        self.everyone = everyone is True
        await self._read_day(is_live=False)

    @rx.event
    def settle(self) -> None:
        """Show the rows that came while somebody pointed into the list."""
        self._known = {row.key for group in self.day.groups for row in group.rows}
        self.day, self.waiting = with_held_rows(self.day, frozenset(self._known)), 0

    @rx.event
    async def take_row(self, stamp: str) -> Any:
        """Take a case of the list that nobody has, and open it."""
        self._clear()
        reference, _ = stamp_in(stamp)
        outcome = await current().cases.take(reference, who=self.staff_name)
        if isinstance(outcome, Refused):
            self._say(outcome.words, undoable=False)
        elif isinstance(outcome, Gone):
            self._say("This case is deleted", undoable=False)
        await self._read_day(is_live=False)
        if not isinstance(outcome, Changed):
            return None
        self._say("It is yours", undoable=True)
        return rx.redirect(case_address(outcome.case.head.reference))

    @rx.event
    def open_caller(self) -> None:
        self._clear()
        self.panel, self.caller_twins = CALLER, ""

    @rx.event
    def close_caller(self) -> Any:
        """Close the form of a caller, also that of the address."""
        self._clear()
        self._close_panel()
        if CALLER not in self.router.url.query_parameters:
            return None
        return rx.redirect(case_address(self.reference) if self.reference else routes.STAFF)

    @rx.event
    async def look_up_caller(self, typed: str) -> None:
        """Say which cases there are of a telephone number or an email address that is typed."""
        found = await current().cases.known_by(typed)
        self.caller_twins = "" if isinstance(found, Refused) else caller_words(found)

    @rx.event
    async def add_caller(self, form: dict[str, Any]) -> Any:
        """Enter somebody who telephones, and open the case."""
        self._clear()
        given = form if isinstance(form, Mapping) else {}
        outcome = await current().cases.add_caller(given, who=self.staff_name)
        if isinstance(outcome, Refused):
            self.refused, self.refused_at = outcome.words, PANEL
        elif isinstance(outcome, tuple):
            self.problems = {problem.field: problem.reason for problem in outcome}
        else:
            self._close_panel()
            await self._read_day(is_live=False)
            self._say("The caller is entered", undoable=False)
            return rx.redirect(case_address(outcome.case.head.reference))
        return None

    async def _read_day(self, *, is_live: bool) -> None:
        service = current().cases
        today = await service.today(self.staff_name, everyone=self.everyone)
        if isinstance(today, Refused):
            if self.day_status == LOADED:
                self.day_problem = f"No answer from the desk since {self.read_at}: this list is from then"
            else:
                self.day_status, self.day_problem = FAILED, today.words
            return
        found = day_view(today, now=service.now, everyone=self.everyone)
        keys = {row.key for group in found.groups for row in group.rows}
        if not is_live or self.day_status != LOADED:
            self._known = keys
        fresh = keys - self._known
        self.day, self.waiting = with_held_rows(found, frozenset(self._known)), len(fresh)
        self.day_status, self.day_problem, self.read_at = LOADED, "", clock(service.now)
        self.next_href, self.place = next_after(found, self.reference)
        if not self.everyone:  # the menu counts what is one's own, on every page
            self.menu_counts = {**self.menu_counts, routes.STAFF: str(found.total)}
