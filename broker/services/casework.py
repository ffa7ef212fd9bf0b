"""Enquiries and journeys, put together: made when the server is, opened when it starts, closed when it ends."""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime

from broker.domain.questionnaire.model import Flow
from broker.services.background import in_background
from broker.services.enquiries import EnquiryService, Limits
from broker.services.journeys import JourneyService
from broker.services.mailer import Mailer, mailer_for
from broker.services.outbox import Outbox
from broker.services.retention import Retention
from broker.services.submissions import Forms
from broker.services.tickets import Tickets, utc_now
from broker.settings import Settings
from broker.storage.database import Database, database_for
from broker.storage.enquiries import EnquiryStore
from broker.storage.journeys import JourneyStore
from broker.storage.migrations import migrate
from broker.storage.outbox import OutboxStore
from broker.storage.sealing import Keys, keys_for

log = logging.getLogger(__name__)


class CaseworkClosedError(RuntimeError):
    """Something was asked for before the server had started: a mistake of ours."""


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
        limits: Limits | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """Keep the settings, the questions, and the address at which staff read enquiries."""
        self._settings = settings
        self._flow = flow
        self._staff_url = staff_url
        self._limits = limits
        self._clock = clock
        self._open: tuple[EnquiryService, JourneyService] | None = None

    @property
    def enquiries(self) -> EnquiryService:
        """Return the enquiries; raises CaseworkClosedError outside `running`."""
        return self._services()[0]

    @property
    def journeys(self) -> JourneyService:
        """Return the journeys; raises CaseworkClosedError outside `running`."""
        return self._services()[1]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Bring the tables up to date, then send and delete beside the requests for as long as the server runs.

        Raises SettingsError for settings that do not fit, StorageError where the database is away: the server does not
        start without a place for enquiries.
        """
        keys = keys_for(self._settings)
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
    async def _opened(self, database: Database, keys: Keys, mailer: Mailer | None) -> AsyncIterator[None]:
        stored, kept = EnquiryStore(database, keys), JourneyStore(database, keys)
        jobs = [Retention(stored, kept, clock=self._clock).keep_deleting()]
        outbox = None
        if mailer:
            outbox = Outbox(OutboxStore(database, secrets.token_hex(8)), mailer, clock=self._clock)
            jobs.append(outbox.keep_sending())
        else:
            log.warning("no mail server: notes to staff wait in the outbox until BROKER_SMTP_URL names one")
        journeys = JourneyService(kept, self._flow, links=Tickets(keys.sealer("resume link")), clock=self._clock)
        enquiries = EnquiryService(
            stored,
            journeys,
            forms=Forms(Tickets(keys.sealer("form ticket")), keys.derived("submission")[0], clock=self._clock),
            links=Tickets(keys.sealer("enquiry link")),
            months=self._settings.enquiry_months,
            limits=self._limits,
            taken=outbox.wake if outbox else lambda: None,
            clock=self._clock,
        )
        self._open = (enquiries, journeys)
        async with in_background(*jobs):
            yield

    def _services(self) -> tuple[EnquiryService, JourneyService]:
        if self._open is None:
            raise CaseworkClosedError("the casework is not running")
        return self._open
