"""The staff page of watches whose owner agreed to a call, by the month in which the deal ends."""

from dataclasses import dataclass
from itertools import groupby

from starlette.types import Scope

from broker import routes
from broker.clock import uk_date, utc_now
from broker.lending.money import exact_percent, pounds
from broker.mail.mail import MAIL_RETURNED
from broker.server.response import Answer, Handler
from broker.server.staff.access import staff_handlers
from broker.server.staff.pages import StaffPages
from broker.services import Services
from broker.staff.accounts import StaffSession
from broker.staff.audit import Act, AuditEntry
from broker.watches.page_view import telephone_words, tell_words
from broker.watches.watch import StaffWatch, Tell, WatchState

TITLE = "Watches"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A watch in words: its telephone number as shown and as dialled, loan, deal, and what is told and was."""

    telephone: str
    dialled: str
    email: str
    loan: str
    deal: str
    tells: tuple[str, ...]
    is_paused: bool
    returned: str


class WatchesPages:
    """A watch has no name: its owner gave an email address, and a telephone number for a call."""

    def __init__(self, services: Services, *, firm: str) -> None:
        self._services, self._pages = services, StaffPages(firm=firm)

    def handlers(self) -> dict[str, Handler]:
        staff = staff_handlers(self._services, self._pages, TITLE, back=routes.STAFF_WATCHES)
        return {routes.STAFF_WATCHES: staff.page(routes.STAFF_WATCHES, self._page)}

    async def _page(self, session: StaffSession, _scope: Scope) -> Answer:
        watches = await self._services.watches.callable_watches()
        entry = AuditEntry(at=utc_now(), who=session.name, what=Act.WATCHES_READ, detail=f"{len(watches):,}")
        await self._services.audit.add(entry)
        ordered = sorted(watches, key=lambda each: each.watch.deal_end)
        months = [
            (month, [self._line(each) for each in found])
            for month, found in groupby(ordered, key=lambda each: f"{each.watch.deal_end:%B %Y}")
        ]
        return self._pages.answer("watches", TITLE, months=months, count=len(watches))

    def _line(self, found: StaffWatch) -> _Line:
        watch = found.watch
        lender = self._services.lenders.name(watch.lender_id) if watch.lender_id else ""
        sent = {each.tell: f", sent on {uk_date(each.at):%-d %B %Y}" for each in found.told}
        return _Line(
            telephone=telephone_words(found.telephone),
            dialled=found.telephone.partition(" ")[0],
            email=found.email,
            loan=f"{pounds(watch.balance)} of {pounds(watch.value)}",
            deal=f"{exact_percent(watch.rate)} until {watch.deal_end:%-d %B %Y}, {lender or 'lender not listed'}",
            tells=tuple(tell_words(tell, watch) + sent.get(tell, "") for tell in Tell if tell in watch.tells),
            is_paused=found.state is WatchState.PAUSED,
            returned=MAIL_RETURNED if found.is_returned else "",
        )
