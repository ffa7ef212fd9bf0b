"""State of the form of somebody who telephones, which opens over any page of staff."""

from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx

from broker import routes
from broker.cases.case import Refused
from broker.cases.today_view import CALLER, KnownCase, case_address, known_cases
from broker.enquiries.contact_details import EMAIL, TELEPHONE
from broker.services import current
from broker.staff.roles import Right
from broker.state.staff.access import StaffState

_LOOKED_UP = (TELEPHONE, EMAIL)


class CallerState(StaffState):
    """The form; `known` are the cases of the number and of the email that are typed, `known_more` that there are more.

    `problems` are the errors of its fields, and `refused` is why the caller was not entered.
    """

    right: ClassVar[Right] = Right.CASES

    is_open: bool = False
    known: rx.Field[dict[str, tuple[KnownCase, ...]]] = rx.field(default_factory=lambda: dict.fromkeys(_LOOKED_UP, ()))
    known_more: rx.Field[dict[str, str]] = rx.field(default_factory=lambda: dict.fromkeys(_LOOKED_UP, ""))
    problems: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    refused: str = ""

    @rx.event
    def show(self) -> None:
        """Open an empty form over the page."""
        self._show(is_open=True)

    @rx.event
    def follow_address(self) -> None:
        """Open the form where the address of a page that opens says so, and close it where it does not."""
        if not self._is_shown_again():
            self._show(is_open=self._is_in_address)

    @rx.event
    def close(self) -> Any:
        """Close the form, also that of the address."""
        self._show(is_open=False)
        return rx.redirect(routes.STAFF) if self._is_in_address else None

    @rx.event
    def leave(self) -> None:
        """Close the form as the page of a case opens."""
        self._show(is_open=False)

    @rx.event
    async def look_up(self, name: str, typed: str) -> None:
        """Say which cases there are of the telephone number or the email address that is typed into a field."""
        if name in _LOOKED_UP:
            found = await current().cases.known_by(typed)
            self.known[name], self.known_more[name] = known_cases(() if isinstance(found, Refused) else found)

    @rx.event
    async def add(self, form: dict[str, Any]) -> Any:
        """Enter somebody who telephones, and open the case."""
        self.problems, self.refused = {}, ""
        given = form if isinstance(form, Mapping) else {}
        outcome = await current().cases.add_caller(given, who=self.staff_name)
        if isinstance(outcome, Refused):
            self.refused = outcome.words
            return None
        if isinstance(outcome, tuple):
            self.problems = {problem.field: problem.reason for problem in outcome}
            return None
        self._show(is_open=False)
        return rx.redirect(case_address(outcome.case.head.reference))

    @property
    def _is_in_address(self) -> bool:
        return self.router.url.query_parameters.get(CALLER) == "1"

    def _show(self, *, is_open: bool) -> None:
        self.is_open, self.problems, self.refused = is_open, {}, ""
        self.known, self.known_more = dict.fromkeys(_LOOKED_UP, ()), dict.fromkeys(_LOOKED_UP, "")
