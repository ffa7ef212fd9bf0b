"""Enquiries and journeys, put together: made when the server is, opened when it starts, closed when it ends."""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from broker.domain.enquiries.working_time import OFFICE_WEEK, WorkingWeek
from broker.domain.questionnaire.flow import Flow
from broker.services.background_tasks import in_background
from broker.services.enquiries.enquiries import EnquiryService, Limits
from broker.services.enquiries.mailer import Mailer, mailer_for
from broker.services.enquiries.outbox import Outbox
from broker.services.enquiries.retention import Retention
from broker.services.enquiries.submissions import Forms
from broker.services.journeys import JourneyService
from broker.services.rates.lenders import LenderDirectory
from broker.services.signed_tokens import TokenSigner, utc_now
from broker.services.staff.authentication import StaffAuthentication, staff_authentication
from broker.services.staff.enquiry_admin import EnquiryAdmin
from broker.services.staff.logos.admin import LogoAdmin
from broker.services.staff.password_hashing import PasswordHashes
from broker.settings import Settings
from broker.storage.database import Database, database_for
from broker.storage.encryption import SecretKeys, secret_keys_for
from broker.storage.enquiries.enquiries import EnquiryStore
from broker.storage.enquiries.journeys import JourneyStore
from broker.storage.enquiries.outbox import OutboxStore
from broker.storage.migrations import migrate
from broker.storage.staff.accounts import StaffStore
from broker.storage.staff.audit import AuditStore
from broker.storage.staff.enquiry_changes import EnquiryChangeStore
from broker.storage.staff.enquiry_list import EnquiryListStore

log = logging.getLogger(__name__)


class CaseworkClosedError(RuntimeError):
    """Something was asked for before the server had started: a mistake of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What there is while the database is open."""

    enquiries: EnquiryService
    journeys: JourneyService
    desk: EnquiryAdmin
    audit: AuditStore
    notes: OutboxStore
    staff: StaffAuthentication


class Casework:
    """The services over one database.

    Nothing is opened, and no key asked for, before `running`: a build needs neither.
    """

    def __init__(
        self,
        settings: Settings,
        flow: Flow,
        *,
        staff_url: str,
        week: WorkingWeek = OFFICE_WEEK,
        limits: Limits | None = None,
        logos: LogoAdmin | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """Keep the settings, the questions, the address at which staff read enquiries, and when the firm works.

        `logos` is the desk of the lenders' logos, None for one without lenders.
        """
        self._settings = settings
        self._flow = flow
        self._staff_url = staff_url
        self._week = week
        self._limits = limits
        self._logos = logos or LogoAdmin(LenderDirectory(()))
        self._clock = clock
        self._open: Opened | None = None

    @property
    def enquiries(self) -> EnquiryService:
        """Return the enquiries; raises CaseworkClosedError outside `running`."""
        return self._services().enquiries

    @property
    def journeys(self) -> JourneyService:
        """Return the journeys; raises CaseworkClosedError outside `running`."""
        return self._services().journeys

    @property
    def desk(self) -> EnquiryAdmin:
        """Return where staff work on enquiries; raises CaseworkClosedError outside `running`."""
        return self._services().desk

    @property
    def audit(self) -> AuditStore:
        """Return the record of what staff did; raises CaseworkClosedError outside `running`."""
        return self._services().audit

    @property
    def staff(self) -> StaffAuthentication:
        """Return who of staff is signed in, and how one comes to be; raises CaseworkClosedError outside `running`."""
        return self._services().staff

    @property
    def notes(self) -> OutboxStore:
        """Return the notes to staff, sent and waiting; raises CaseworkClosedError outside `running`."""
        return self._services().notes

    @property
    def logos(self) -> LogoAdmin:
        """Return where staff look after lenders' logos; raises CaseworkClosedError outside `running`."""
        self._services()
        return self._logos

    @property
    def has_mail_server(self) -> bool:
        """Tell whether the settings name a mail server; without one notes wait."""
        return bool(self._settings.smtp_url)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Bring the tables up to date, then send and delete beside the requests for as long as the server runs.

        Raises SettingsError for settings that do not fit, StorageError where the database is away: the server does not
        start without a place for enquiries.
        """
        keys = secret_keys_for(self._settings)
        mailer = mailer_for(self._settings, staff_url=self._staff_url)
        database = database_for(self._settings)
        try:
            await migrate(database)
            async with self._opened(database, keys, mailer):
                yield
        finally:
            self._open = None
            await database.close()

    @asynccontextmanager
    async def _opened(self, database: Database, keys: SecretKeys, mailer: Mailer | None) -> AsyncIterator[None]:
        stored, kept = EnquiryStore(database, keys), JourneyStore(database, keys)
        jobs = [Retention(stored, kept, clock=self._clock).keep_deleting()]
        audit, notes, outbox = AuditStore(database), OutboxStore(database, secrets.token_hex(8)), None
        if mailer:
            outbox = Outbox(notes, mailer, clock=self._clock)
            jobs.append(outbox.keep_sending())
        else:
            log.warning("no mail server: notes to staff wait in the outbox until BROKER_SMTP_URL names one")
        journeys = JourneyService(
            kept, self._flow, links=TokenSigner(keys.cipher_for("resume link")), clock=self._clock
        )
        enquiries = self._enquiries(stored, journeys, keys=keys, taken=outbox.wake if outbox else lambda: None)
        desk = self._desk(database, keys, audit)
        with PasswordHashes() as hashes:
            staff = staff_authentication(
                database, keys, hashes=hashes, site_url=self._settings.site_url, clock=self._clock
            )
            self._open = Opened(
                enquiries=enquiries, journeys=journeys, desk=desk, audit=audit, notes=notes, staff=staff
            )
            async with self._logos.running(database), in_background(*jobs):
                yield

    def _desk(self, database: Database, keys: SecretKeys, audit: AuditStore) -> EnquiryAdmin:
        cases, lists, accounts = (
            EnquiryChangeStore(database, keys),
            EnquiryListStore(database, keys),
            StaffStore(database),
        )
        return EnquiryAdmin(cases, lists, audit=audit, accounts=accounts, clock=self._clock)

    def _enquiries(
        self, stored: EnquiryStore, journeys: JourneyService, *, keys: SecretKeys, taken: Callable[[], None]
    ) -> EnquiryService:
        return EnquiryService(
            stored,
            journeys,
            forms=Forms(TokenSigner(keys.cipher_for("form ticket")), keys.derive("submission")[0], clock=self._clock),
            links=TokenSigner(keys.cipher_for("enquiry link")),
            months=self._settings.enquiry_months,
            week=self._week,
            limits=self._limits,
            taken=taken,
            clock=self._clock,
        )

    def _services(self) -> Opened:
        if self._open is None:
            raise CaseworkClosedError("the casework is not running")
        return self._open
