"""State of Today: what is due, beside the case that is open."""

from typing import Any, ClassVar

import reflex as rx

from broker import routes
from broker.cases.case import Changed, Gone, Refused
from broker.cases.case_view import stamp_in
from broker.cases.today_view import DayView, case_address, day_view, next_after, with_held_rows
from broker.services import current
from broker.staff.roles import Right
from broker.staff.times import clock
from broker.state.staff.access import FAILED, IDLE, LOADED, sign_in_again, still_signed_in
from broker.state.staff.case import CaseState, news


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

    _known: rx.Field[set[str]] = rx.field(default_factory=set)

    @rx.event
    async def open_case(self) -> Any:
        """Read the case of the page's address, and show with it what follows it in the list on screen."""
        async for _ in self._open():
            yield
        self._place(self.day)

    @rx.event
    async def open_day(self) -> None:
        """Read what is due."""
        await self._read_day(is_live=False)

    @rx.event(background=True)
    async def watch_day(self) -> Any:
        """Show what colleagues change, until the tab goes or leaves the page: Reflex ends what a page's load began."""
        async for changed in news():
            async with self:
                if not await still_signed_in(self):
                    yield sign_in_again(self)
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
            self._say(outcome.words, undoable=False, is_done=False)
        elif isinstance(outcome, Gone):
            self._say("This case is deleted", undoable=False, is_done=False)
        await self._read_day(is_live=False)
        if not isinstance(outcome, Changed):
            return None
        self._say("It is yours", undoable=True)
        return rx.redirect(case_address(outcome.case.head.reference))

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
        self._place(found)
        if not self.everyone:  # the menu counts what is one's own, on every page
            self.menu_counts = {**self.menu_counts, routes.STAFF: str(found.total)}

    def _place(self, day: DayView) -> None:
        """Say where the open case is in a list, and what follows it."""
        self.next_href, self.place = next_after(day, self.reference, planned=self.next_href)
