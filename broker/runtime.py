"""Open the database services when the server starts, and run its background jobs. Part of the composition root."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from datetime import datetime, timedelta
from functools import partial

from broker.analytics.count_store import CountStore
from broker.appointments.calendar_file import Host
from broker.appointments.notices import appointment_links
from broker.appointments.service import AppointmentService
from broker.appointments.store import AppointmentStore
from broker.background import in_background
from broker.cases.case_changes import CaseChanges, OpenCases
from broker.cases.change_store import EnquiryChangeStore
from broker.cases.draft_store import NoteDraftStore
from broker.cases.drafts import NoteDrafts
from broker.cases.lists import CaseLists
from broker.cases.saved_filters import SavedFilterStore
from broker.cases.search_store import CaseSearch
from broker.cases.service import CaseService
from broker.cases.store import EnquiryListStore
from broker.cases.template_store import TemplateStore
from broker.cases.today_store import TodayStore
from broker.clock import utc_now
from broker.content.publish_requests import ContentChangeStore, Publishing
from broker.duties.complaint_store import ComplaintStore
from broker.duties.complaints import ComplaintService
from broker.duties.duties_retention import DutiesRetention
from broker.duties.needs import NeedsService
from broker.duties.needs_store import NeedsStore
from broker.duties.people import PersonService
from broker.duties.person_store import PersonStore
from broker.duties.promotion_store import PromotionStore
from broker.duties.promotions import PromotionService
from broker.duties.retention_rules import retention_rules
from broker.duties.service import Duties
from broker.enquiries.confirmation import mail_links
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.enquiries.retention import Retention, RetentionRunStore
from broker.enquiries.service import EnquiryService, Forms, Limits
from broker.enquiries.store import EnquiryStore
from broker.enquiries.working_time import OFFICE_WEEK, WorkingWeek
from broker.figures.figures_store import FiguresStore
from broker.figures.service import FigureService
from broker.lenders.window_admin import WindowAdmin
from broker.lenders.window_store import WindowStore
from broker.mail.admin import MailAdmin
from broker.mail.outbox import Mailer, Outbox
from broker.mail.outbox_store import OutboxStore
from broker.mail.rendering import Firm, host_of
from broker.mail.smtp import mailer_for
from broker.questionnaire.flows import QuestionnaireFlows
from broker.questionnaire.journey_store import JourneyStore
from broker.questionnaire.journeys import JourneyCookies, JourneyService
from broker.services import DatabaseServices, Services
from broker.settings import Settings
from broker.staff.account_store import StaffStore
from broker.staff.audit_log import AuditStore
from broker.staff.authentication import StaffAuthentication, staff_authentication
from broker.staff.credentials import Cost, PasswordHashes
from broker.staff.diary_admin import DiaryAdmin
from broker.storage.database import Database, database_for
from broker.storage.encryption import SecretKeys, find_unreadable, is_key_stored, secret_keys_for
from broker.storage.errors import StorageError
from broker.storage.migrations import migrate
from broker.storage.rate_limit import RateLimits
from broker.storage.redis_watch import watch_redis
from broker.storage.signed_tokens import TokenSigner
from broker.watches.checking import WatchChecks
from broker.watches.service import WatchService
from broker.watches.store import WatchStore

OPEN_SECONDS = 5.0
"""Time between attempts to open a database that could not be opened when the server started."""

WRONG_KEY = (
    "no key opens the oldest or the newest of %s: put back the key they were stored with, beside the one in "
    "BROKER_SECRET_KEY"
)

log = logging.getLogger(__name__)


def _send_nothing() -> None:
    """Leave mail in the outbox: there is no mail server."""


class Runtime:
    """Opens the database of `services`, and runs background jobs.

    Only `running` opens the database and needs a key, a build does not. `firm` is the sender as mails name it;
    `prepare` migrates the tables.
    """

    def __init__(
        self,
        services: Services,
        settings: Settings,
        flows: QuestionnaireFlows,
        *,
        firm: Callable[[], Firm],
        week: WorkingWeek = OFFICE_WEEK,
        limits: Limits | None = None,
        prepare: Callable[[Database], Awaitable[None]] = migrate,
        hash_cost: Cost | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._services = services
        self._settings = settings
        self._flows = flows
        self._firm = firm
        self._week = week
        self._limits = limits
        self._prepare = prepare
        self._hash_cost = hash_cost
        self._clock = clock

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Migrate the tables, send mail and delete expired data while the server runs.

        A database that cannot be opened is retried every few seconds; pages are served meanwhile, and forms say that
        nothing can be stored. Raises SettingsError for settings that contradict each other.
        """
        keys = secret_keys_for(self._settings)
        mailer = None if self._settings.is_demo else mailer_for(self._settings, self._firm)
        database = database_for(self._settings)
        try:
            is_ready = await self._is_prepared(database, keys)
            async with (
                aclosing(self._rate_limits(keys)) as rate_limits,
                self._opened(database, keys, mailer, rate_limits=rate_limits, is_ready=is_ready),
            ):
                yield
        finally:
            self._services.database.services = None
            await asyncio.to_thread(self._services.pdf.close)
            await database.close()

    async def watch_redis(self, *, notify: Callable[[bool], Awaitable[None]]) -> None:
        """Call `notify` with whether Redis responds, whenever that changes; return at once without Redis."""
        if self._settings.redis_url:
            await watch_redis(self._settings.redis_url, tell=notify)

    async def _is_prepared(self, database: Database, keys: SecretKeys) -> bool:
        """Prepare the database, and log wrong keys; False if it cannot be opened, logged once for each reason."""
        before = database.problem
        try:
            await self._prepare(database)
            database.problem = ""
            unreadable = await find_unreadable(database, keys)
            await EnquiryStore(database, keys).fill_in()
        except StorageError as error:
            database.problem = str(error)
            if database.problem != before:
                log.error("the database cannot be used, pages are served without it: %s", error)
            return False
        if unreadable:
            log.error(WRONG_KEY, ", ".join(unreadable))
        return True

    async def _has_right_key(self, database: Database, keys: SecretKeys) -> bool:
        return is_key_stored(self._settings, keys) and not await find_unreadable(database, keys)

    async def _prepare_later(self, database: Database, keys: SecretKeys) -> None:
        while not await self._is_prepared(database, keys):
            await asyncio.sleep(OPEN_SECONDS)
        log.warning("the database is open")

    @asynccontextmanager
    async def _opened(
        self, database: Database, keys: SecretKeys, mailer: Mailer | None, *, rate_limits: RateLimits, is_ready: bool
    ) -> AsyncIterator[None]:
        enquiries = EnquiryStore(database, keys, advice_years=self._settings.advice_years)
        journeys = JourneyStore(database, keys)
        stored_mail, watches = OutboxStore(database, keys, secrets.token_hex(8)), WatchStore(database, keys)
        retention = self._retention(database, keys, (enquiries, journeys, watches), stored_mail)
        jobs = [retention.delete_periodically(), *([] if is_ready else [self._prepare_later(database, keys)])]
        notify = _send_nothing
        if mailer:
            outbox = Outbox(stored_mail, mailer, clock=self._clock)
            jobs.append(outbox.send_periodically())
            notify = outbox.wake
        else:
            log.warning("no mail server: mail waits in the outbox until BROKER_SMTP_URL names one")
        with PasswordHashes(self._hash_cost) as hashes:
            opened = self._database_services(
                database,
                keys,
                stores=(enquiries, journeys, stored_mail, watches),
                retention=retention,
                hashes=hashes,
                rate_limits=rate_limits,
                notify=notify,
            )
            self._services.database.services = opened
            jobs.append(opened.publishing.pass_on_periodically())
            jobs.append(opened.windows.learn_periodically())
            jobs.append(opened.appointments.work_periodically())
            jobs.append(self._watch_checks(watches, notify).check_periodically())
            counts = CountStore(database)
            jobs.append(self._services.counts.store_periodically(counts))
            try:
                async with self._services.logos.running(database), in_background(*jobs):
                    yield
            finally:
                await self._services.counts.store(counts)

    def _database_services(
        self,
        database: Database,
        keys: SecretKeys,
        *,
        stores: tuple[EnquiryStore, JourneyStore, OutboxStore, WatchStore],
        retention: Retention,
        hashes: PasswordHashes,
        rate_limits: RateLimits,
        notify: Callable[[], None],
    ) -> DatabaseServices:
        enquiries, journeys, outbox, watches = stores
        audit = AuditStore(database)
        links, codes = (TokenSigner(keys.cipher_for(purpose)) for purpose in ("resume link", "journey cookie"))
        cookies = JourneyCookies(codes, clock=self._clock)
        journey_service = JourneyService(
            journeys,
            self._flows,
            links=links,
            cookies=cookies,
            rate_limits=rate_limits,
            observe=self._services.counts.add,
            clock=self._clock,
        )
        diary = AppointmentStore(database, keys)
        lists = EnquiryListStore(database, keys)

        def host() -> Host:
            return host_of(self._firm(), email=self._settings.mail_from)

        return DatabaseServices(
            enquiries=self._enquiries(
                enquiries, journey_service, diary, keys=keys, rate_limits=rate_limits, notify=notify
            ),
            appointments=AppointmentService(
                diary,
                links=appointment_links(keys),
                host=host,
                notify=notify,
                observe=self._services.counts.add,
                clock=self._clock,
            ),
            diary=DiaryAdmin(diary, EnquiryCipher(keys), host=host, notify=notify, clock=self._clock),
            journeys=journey_service,
            cases=CaseService(
                EnquiryChangeStore(database, keys, advice_years=self._settings.advice_years, clock=self._clock),
                lists,
                audit=audit,
                accounts=StaffStore(database),
                enquiries=enquiries,
                day=TodayStore(database, keys),
                changes=CaseChanges(database),
                opened=OpenCases(database, clock=self._clock),
                templates=TemplateStore(database),
                notify=notify,
                watches=watches.callable_watches,
                week=self._week,
                months=self._settings.enquiry_months,
                clock=self._clock,
            ),
            drafts=NoteDrafts(NoteDraftStore(database, keys), clock=self._clock),
            case_lists=CaseLists(
                lists, CaseSearch(database, keys), SavedFilterStore(database), audit, clock=self._clock
            ),
            audit=audit,
            staff=self._staff(database, keys, hashes, rate_limits, notify),
            outbox=outbox,
            mail=MailAdmin(outbox, audit, notify=notify, clock=self._clock),
            publishing=Publishing(self._settings, ContentChangeStore(database), audit, clock=self._clock),
            retention=retention,
            windows=WindowAdmin(WindowStore(database), self._services.lenders, clock=self._clock),
            watches=WatchService(
                watches,
                forms=self._forms(keys, "watch submission"),
                rate_limits=rate_limits,
                notify=notify,
                observe=self._services.counts.add,
                clock=self._clock,
            ),
            duties=self._duties(database, keys, audit),
            figures=FigureService(FiguresStore(database, diary), week=self._week, clock=self._clock),
            check_writable=database.check_writable,
            redis_answers=rate_limits.is_redis_available,
            has_right_key=partial(self._has_right_key, database, keys),
        )

    def _retention(
        self,
        database: Database,
        keys: SecretKeys,
        expiring: tuple[EnquiryStore, JourneyStore, WatchStore],
        outbox: OutboxStore,
    ) -> Retention:
        runs, audit = RetentionRunStore(database), AuditStore(database)
        complaints, people = self._complaint_store(database, keys), self._person_store(database, keys)
        duties = DutiesRetention(complaints, people, PromotionStore(database))
        return Retention(*expiring, outbox=outbox, runs=runs, audit=audit, duties=duties, clock=self._clock)

    def _duties(self, database: Database, keys: SecretKeys, audit: AuditStore) -> Duties:
        complaints, settings = self._complaint_store(database, keys), self._settings
        return Duties(
            complaints=ComplaintService(complaints, audit=audit, clock=self._clock),
            people=PersonService(self._person_store(database, keys), clock=self._clock),
            needs=NeedsService(NeedsStore(database, keys), clock=self._clock),
            rules=retention_rules(
                settings.enquiry_months, advice_years=settings.advice_years, complaint_years=settings.complaint_years
            ),
            promotions=PromotionService(
                PromotionStore(database),
                self._services.public_pages,
                due_days=settings.promotion_due_days,
                clock=self._clock,
            ),
        )

    def _complaint_store(self, database: Database, keys: SecretKeys) -> ComplaintStore:
        return ComplaintStore(database, keys, years=self._settings.complaint_years)

    def _person_store(self, database: Database, keys: SecretKeys) -> PersonStore:
        return PersonStore(database, keys, advice_years=self._settings.advice_years)

    def _forms(self, keys: SecretKeys, purpose: str) -> Forms:
        """Return the checks of the forms of a purpose; a token is one for all of them."""
        return Forms(TokenSigner(keys.cipher_for("form token")), keys.derive(purpose)[0], clock=self._clock)

    def _watch_checks(self, watches: WatchStore, notify: Callable[[], None]) -> WatchChecks:
        rates, lenders = self._services.rates, self._services.lenders
        return WatchChecks(
            watches,
            search=rates.search,
            is_live=rates.live,
            window=lenders.window,
            every=timedelta(minutes=self._settings.rates_minutes),
            notify=notify,
            clock=self._clock,
        )

    def _rate_limits(self, keys: SecretKeys) -> RateLimits:
        """Return the rate limits, shared by all processes with Redis."""
        return RateLimits(self._settings.redis_url, secret=keys.derive("rate limits")[0], clock=self._clock)

    def _staff(
        self,
        database: Database,
        keys: SecretKeys,
        hashes: PasswordHashes,
        rate_limits: RateLimits,
        notify: Callable[[], None],
    ) -> StaffAuthentication:
        return staff_authentication(
            database,
            keys,
            hashes=hashes,
            site_url=self._settings.site_url,
            origins=self._settings.origins,
            codes_required=self._settings.staff_codes_required,
            rate_limits=rate_limits,
            notify=notify,
            clock=self._clock,
        )

    def _enquiries(
        self,
        stored: EnquiryStore,
        journeys: JourneyService,
        diary: AppointmentStore,
        *,
        keys: SecretKeys,
        rate_limits: RateLimits,
        notify: Callable[[], None],
    ) -> EnquiryService:
        return EnquiryService(
            stored,
            journeys,
            diary,
            forms=self._forms(keys, "submission"),
            links=TokenSigner(keys.cipher_for("enquiry link")),
            mail_links=mail_links(keys),
            months=self._settings.enquiry_months,
            week=self._week,
            limits=self._limits,
            rate_limits=rate_limits,
            notify=notify,
            observe=self._services.counts.add,
            clock=self._clock,
        )
