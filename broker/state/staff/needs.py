"""State of the form for support needs of the case that is open."""

from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx

from broker.cases.case_view import stamp_in
from broker.duties.complaint import NotDone
from broker.duties.support_needs import CaseNeeds
from broker.services import current
from broker.staff.roles import Right
from broker.state.staff.access import StaffState

OPENER_ID = "case-needs"
"""Id of the button that opens the form, which has the focus once the form is gone."""


class NeedsState(StaffState):
    """The form of the case `reference`, which may no longer be on screen, and what became of it."""

    right: ClassVar[Right] = Right.CASES
    reference: str = ""
    is_open: bool = False
    refused: str = ""
    result: str = ""

    _version: int = 0

    @rx.event
    def ask(self, stamp: str) -> None:
        """Open the form for the version of a case that is on screen, or close it."""
        reference, version = stamp_in(stamp)
        self.is_open = not (self.is_open and self.reference == reference)
        self.reference, self._version, self.refused, self.result = reference, version, "", ""

    @rx.event
    async def submit(self, given: dict[str, Any]) -> Any:
        typed = given if isinstance(given, Mapping) else {}
        needs, who = current().duties.needs, self.staff_name
        found = await needs.record(self.reference, typed, version=self._version, who=who)
        return await self._settle(found, "Recorded. It is shown above when you call.")

    @rx.event
    async def remove(self) -> Any:
        """Delete the needs, as the person asks."""
        found = await current().duties.needs.remove(self.reference, version=self._version, who=self.staff_name)
        return await self._settle(found, "Deleted")

    async def _settle(self, found: CaseNeeds | NotDone, done: str) -> Any:
        """Show the result; after a refusal the form stays, and goes by the case as it is now."""
        if isinstance(found, NotDone):
            self.refused = next((problem.reason for problem in found.problems), found.words)
            now = await current().duties.needs.find(self.reference)
            self._version = now.version if isinstance(now, CaseNeeds) else self._version
            return None
        self.is_open, self.refused, self.result = False, "", done
        return rx.set_focus(OPENER_ID)
