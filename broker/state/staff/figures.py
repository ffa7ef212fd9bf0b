"""State of the figures: the choice of its address, and the page in words."""

from typing import Any, ClassVar

import reflex as rx

from broker.cases.case import Refused
from broker.figures.page_view import FigureChoice, FiguresPage, figures_page, parse_choice
from broker.services import current
from broker.staff.roles import Right, own_cases_only
from broker.state.staff.access import FAILED, IDLE, LOADED, LOADING, StaffState


class FiguresState(StaffState):
    """The figures on screen; `advisers` are those that may be chosen, none for an adviser, who sees their own."""

    right: ClassVar[Right] = Right.FIGURES
    status: str = IDLE
    problem: str = ""
    page: FiguresPage = FiguresPage()
    weeks: str = ""
    adviser: str = ""
    advisers: rx.Field[list[str]] = rx.field(default_factory=list)
    may_count: bool = False

    _choice: FigureChoice = FigureChoice()

    @rx.event
    async def open(self) -> Any:
        self._choice = parse_choice(dict(self.router.url.query_parameters), own=self._own)
        if self.status in (IDLE, FAILED):
            self.status = LOADING
        yield
        await self._read()

    @rx.event
    async def count_again(self) -> None:
        """Count anew, which owners may."""
        if not self._own:
            await current().figures.count_again()
            await self._read()

    @property
    def _own(self) -> str:
        """Return whose figures alone the account may see; empty for everybody's."""
        is_limited = self._role is None or own_cases_only(self._role, Right.FIGURES)
        return self.staff_name if is_limited else ""

    async def _read(self) -> None:
        report = await current().figures.report(weeks=self._choice.weeks, adviser=self._choice.adviser)
        if isinstance(report, Refused):
            self.status, self.problem, self.page = FAILED, report.words, FiguresPage()
            return
        self.page = figures_page(report, self._choice)
        self.weeks, self.adviser = str(report.weeks), report.adviser
        self.advisers, self.may_count = [] if self._own else list(report.advisers), not self._own
        self.status, self.problem = LOADED, ""
