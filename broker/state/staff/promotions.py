"""State of the register of promotions."""

from typing import Any, ClassVar

import reflex as rx

from broker.duties.complaint import NotDone
from broker.duties.promotion import Promotion, PromotionState
from broker.duties.promotion_view import PromotionLine, PromotionView, promotion_line, promotion_view, to_do
from broker.services import current
from broker.staff.roles import Right
from broker.state.staff.access import FAILED, IDLE, LOADED, LOADING, StaffState

FIRST = 12
"""Approved pages that are listed before all are asked for."""

HEADING_ID = "promotion-heading"
"""Id of the heading of the open page."""


class PromotionsState(StaffState):
    """The register on screen, and the page that is open."""

    right: ClassVar[Right] = Right.PROMOTIONS
    status: str = IDLE
    problem: str = ""
    words: str = ""
    lines: tuple[PromotionLine, ...] = ()
    more: int = 0
    one: PromotionView = PromotionView()
    result: str = ""
    refused: str = ""

    _found: tuple[Promotion, ...] = ()
    _all: bool = False

    @rx.event
    async def open(self) -> Any:
        if not self._is_shown_again():
            self.one, self.result, self.refused = PromotionView(), "", ""
        if self.status in (IDLE, FAILED):
            self.status = LOADING
        yield
        await self._read()

    @rx.event
    def show_all(self) -> None:
        self._all = True
        self._list()

    @rx.event
    def look(self, path: str) -> Any:
        """Open a page: what it shows, and what has changed since it was approved; its heading gets the focus."""
        self.result = self.refused = ""
        found = next((each for each in self._found if each.path == path), None)
        self.one = promotion_view(found, current().duties.promotions.today) if found else PromotionView()
        return rx.set_focus(HEADING_ID) if found else None

    @rx.event
    def leave(self) -> None:
        self.one = PromotionView()

    @rx.event
    async def approve(self) -> None:
        """Approve what the open page shows."""
        done = await current().duties.promotions.approve(self.one.path, self.one.digest, who=self.staff_name)
        if isinstance(done, NotDone):
            self.refused = done.words
        else:
            self.result, self.one, self.refused = f"{done.path} is approved", PromotionView(), ""
        await self._read()

    async def _read(self) -> None:
        found = await current().duties.promotions.register()
        if isinstance(found, NotDone):
            self.status, self.problem = FAILED, found.words
            return
        self._found, self.status, self.words = found, LOADED, to_do(found)
        self._list()

    def _list(self) -> None:
        approved = [each for each in self._found if each.state is PromotionState.APPROVED]
        shown = self._found if self._all else self._found[: len(self._found) - len(approved) + FIRST]
        today = current().duties.promotions.today
        self.lines = tuple(promotion_line(each, today) for each in shown)
        self.more = len(self._found) - len(shown)
