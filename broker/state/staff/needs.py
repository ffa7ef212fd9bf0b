"""State of the support needs of the case that is open."""

from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx

from broker.duties.complaint import NotDone
from broker.duties.support_needs import CaseNeeds
from broker.services import current
from broker.staff.roles import Right
from broker.staff.times import moment_words
from broker.state.staff.access import StaffState


class NeedsState(StaffState):
    """What the case's person needs, in words; `asked` says when it was agreed to, and who recorded it."""

    right: ClassVar[Right] = Right.CASES
    words: str = ""
    asked: str = ""
    refused: str = ""
    is_open: bool = False

    _reference: str = ""
    _version: int = 0

    @rx.event
    async def load(self, reference: str) -> None:
        """Read the needs of a case."""
        self._reference, self.is_open, self.refused = reference if isinstance(reference, str) else "", False, ""
        self._take(await current().duties.needs.find(self._reference))

    @rx.event
    async def ask(self) -> None:
        """Open the form for the case as it is now, or close it."""
        opens = not self.is_open
        if opens:
            self._take(await current().duties.needs.find(self._reference))
        self.is_open, self.refused = opens, ""

    @rx.event
    async def submit(self, given: dict[str, Any]) -> None:
        typed = given if isinstance(given, Mapping) else {}
        needs, who = current().duties.needs, self.staff_name
        await self._settle(await needs.record(self._reference, typed, version=self._version, who=who))

    @rx.event
    async def remove(self) -> None:
        """Delete the needs, as the person asks."""
        done = await current().duties.needs.remove(self._reference, version=self._version, who=self.staff_name)
        await self._settle(done)

    async def _settle(self, found: CaseNeeds | NotDone) -> None:
        """Show the result; after a refusal the form stays, and goes by the case as it is now."""
        if isinstance(found, NotDone):
            self.refused = next((problem.reason for problem in found.problems), found.words)
            now = await current().duties.needs.find(self._reference)
            self._version = now.version if isinstance(now, CaseNeeds) else self._version
            return
        self._take(found, closes=True)

    def _take(self, found: CaseNeeds | NotDone, *, closes: bool = False) -> None:
        if isinstance(found, NotDone):
            self.refused = found.words
            return
        self.refused, self._version = "", found.version
        self.is_open = self.is_open and not closes
        needs = found.needs
        now = current().duties.complaints.now
        self.words = needs.sentence if needs else ""
        self.asked = f"agreed {moment_words(needs.at, now)}, recorded by {needs.who}" if needs else ""
