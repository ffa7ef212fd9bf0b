"""State of the menu: numbers beside its entries, which every page of staff asks for as it opens."""

from typing import Any, ClassVar

import reflex as rx

from broker import routes
from broker.cases.case import Refused
from broker.duties.complaint import ComplaintState, NotDone
from broker.services import current
from broker.staff.roles import Right
from broker.state.staff.access import StaffState, page_address
from broker.state.staff.caller import CallerState

_PRESSING = (ComplaintState.DUE, ComplaintState.LATE)


class MenuState(StaffState):
    """`menu_counts` of the account: what is due today, and complaints whose time is near or over."""

    right: ClassVar[Right] = Right.OWN

    @rx.event
    async def count(self) -> None:
        """Count what the account may see; a number that is not known is left out."""
        counts = {routes.STAFF: await self._due(), routes.STAFF_DUTIES: await self._pressing()}
        self.menu_counts = {path: str(number) for path, number in counts.items() if number}
        self._shown = page_address(self)  # this is the last handler of a page's load

    @rx.event
    def leave_caller(self) -> Any:
        """Close the form of a caller as a page opens that roles without this form use too."""
        return CallerState.leave if Right.CASES.value in self.staff_rights and not self._is_shown_again() else None

    async def _due(self) -> int:
        if Right.CASES.value not in self.staff_rights:
            return 0
        today = await current().cases.today(self.staff_name)
        if isinstance(today, Refused):
            return 0
        ahead = sum(each.booked.is_live for each in today.appointments)
        return ahead + sum(map(len, (today.calls, today.due, today.new, today.watches)))

    async def _pressing(self) -> int:
        if Right.COMPLAINTS.value not in self.staff_rights:
            return 0
        complaints = current().duties.complaints
        found = await complaints.all()
        return 0 if isinstance(found, NotDone) else sum(each.state(complaints.today) in _PRESSING for each in found)
