"""The services of a process, and `current()`, through which event handlers reach them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from broker.analytics.daily_counts import DailyCounts
from broker.documents.pdf import PdfService

if TYPE_CHECKING:  # the command line starts without them
    from broker.appointments.service import AppointmentService
    from broker.cases.drafts import NoteDrafts
    from broker.cases.lists import CaseLists
    from broker.cases.service import CaseService
    from broker.content.publish_requests import Publishing
    from broker.duties.promotion import PublicPage
    from broker.duties.service import Duties
    from broker.enquiries.retention import Retention
    from broker.enquiries.service import EnquiryService
    from broker.figures.service import FigureService
    from broker.lenders.directory import LenderDirectory
    from broker.lenders.logos.admin import LogoAdmin
    from broker.lenders.window_admin import WindowAdmin
    from broker.mail.admin import MailAdmin
    from broker.mail.outbox_store import OutboxStore
    from broker.plans.rate_history import Visit
    from broker.questionnaire.journeys import JourneyService
    from broker.rates.lender_rates import LenderRates
    from broker.rates.live_feed import BestRates
    from broker.rates.search import RatesService
    from broker.staff.audit_log import AuditStore
    from broker.staff.authentication import StaffAuthentication
    from broker.staff.diary_admin import DiaryAdmin
    from broker.staff.health import Health
    from broker.watches.service import WatchService


class ServicesMissingError(RuntimeError):
    """A handler ran before the composition root installed the services."""


class DatabaseClosedError(RuntimeError):
    """A database service was used before the server started, or after it stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseServices:
    enquiries: EnquiryService
    appointments: AppointmentService
    diary: DiaryAdmin
    journeys: JourneyService
    cases: CaseService
    drafts: NoteDrafts
    case_lists: CaseLists
    audit: AuditStore
    staff: StaffAuthentication
    outbox: OutboxStore
    mail: MailAdmin
    publishing: Publishing
    retention: Retention
    windows: WindowAdmin
    watches: WatchService
    duties: Duties
    figures: FigureService
    check_writable: Callable[[], Awaitable[None]]
    redis_answers: Callable[[], Awaitable[bool | None]]
    has_right_key: Callable[[], Awaitable[bool]]


class OpenDatabase:
    """Holder of the database services, None while the database is not open."""

    services: DatabaseServices | None = None


async def no_pages() -> tuple[PublicPage, ...]:
    """Return nothing: without the edge there is no release."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """All services of a process; those of the database raise DatabaseClosedError while it is not open."""

    rates: RatesService
    best: BestRates
    lender_rates: LenderRates
    lenders: LenderDirectory
    logos: LogoAdmin
    health: Health
    rate_history: Callable[[Mapping[str, str]], Visit]
    """Returns the published averages for the parameters of an address."""
    is_demo: bool = False
    """Whether everything in the database is made up, which pages of staff say."""
    sends_mail: bool = True
    """Whether mail is sent; else it waits, which staff are told."""
    public_pages: Callable[[], Awaitable[Sequence[PublicPage]]] = no_pages
    """Returns the public pages of the release, with what they show."""
    pdf: PdfService = field(default_factory=PdfService)
    counts: DailyCounts = field(default_factory=DailyCounts)
    database: OpenDatabase = field(default_factory=OpenDatabase)

    @property
    def enquiries(self) -> EnquiryService:
        return self._database.enquiries

    @property
    def appointments(self) -> AppointmentService:
        return self._database.appointments

    @property
    def diary(self) -> DiaryAdmin:
        return self._database.diary

    @property
    def journeys(self) -> JourneyService:
        return self._database.journeys

    @property
    def cases(self) -> CaseService:
        return self._database.cases

    @property
    def drafts(self) -> NoteDrafts:
        return self._database.drafts

    @property
    def case_lists(self) -> CaseLists:
        return self._database.case_lists

    @property
    def audit(self) -> AuditStore:
        return self._database.audit

    @property
    def staff(self) -> StaffAuthentication:
        return self._database.staff

    @property
    def outbox(self) -> OutboxStore:
        return self._database.outbox

    @property
    def mail(self) -> MailAdmin:
        return self._database.mail

    @property
    def publishing(self) -> Publishing:
        return self._database.publishing

    @property
    def retention(self) -> Retention:
        return self._database.retention

    @property
    def windows(self) -> WindowAdmin:
        return self._database.windows

    @property
    def watches(self) -> WatchService:
        return self._database.watches

    @property
    def duties(self) -> Duties:
        return self._database.duties

    @property
    def figures(self) -> FigureService:
        return self._database.figures

    async def check_writable(self) -> None:
        """Raise StorageError if nothing can be stored."""
        await self._database.check_writable()

    async def redis_answers(self) -> bool | None:
        """Return whether Redis responds; None without Redis."""
        return await self._database.redis_answers()

    async def has_right_key(self) -> bool:
        """Return whether stored data can be decrypted, now and after a restart; raises StorageError."""
        return await self._database.has_right_key()

    @property
    def _database(self) -> DatabaseServices:
        if self.database.services is None:
            raise DatabaseClosedError("the database is not open")
        return self.database.services


_installed: list[Services] = []


def install(services: Services) -> None:
    """Set the services of the process, replacing any before."""
    _installed[:] = [services]


def current() -> Services:
    """Return the services of the process; raises ServicesMissingError before `install`."""
    if not _installed:
        raise ServicesMissingError("broker.services.install was not called")
    return _installed[0]
