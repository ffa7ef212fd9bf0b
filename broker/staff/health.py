"""Report the health of the site's sources to staff, and refresh them."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from shutil import disk_usage
from typing import Protocol

from broker.cases.case import Refused
from broker.clock import UK, utc_now
from broker.content.publish_requests import PublishingFiles
from broker.content.publishing import PublishingReport
from broker.content.snapshot.snapshot_folder import read_report, snapshot_file, snapshot_folder
from broker.enquiries.contact_details import parse_word
from broker.lenders.logos.admin import LogoAdmin
from broker.mail.outbox_store import OutboxStore
from broker.questionnaire.flow import Fault
from broker.questionnaire.flows import QuestionnaireFlows
from broker.rates.live_feed import LiveFeed
from broker.rates.product import RatesError
from broker.rates.search import RatesService
from broker.settings import Settings
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import AuditStore
from broker.staff.source_health import (
    LENDERS_INTERVAL,
    REFRESHED,
    SOURCE_NAMES,
    ContentFault,
    HealthReport,
    LastRead,
    MachineHealth,
    Refreshed,
    ServedRelease,
    Source,
    SourceHealth,
)
from broker.storage.backup import last_backup
from broker.storage.errors import StorageError

CONTENT_CHECK_INTERVAL = timedelta(days=7)
"""Maximum time between two copies of the content; a copy of twice that age is stale."""

SAMPLES = "The embedded sample market answers: set BROKER_API_URL for a live feed"
EMBEDDED = "The content that comes with this site: there is nothing to be read"
NO_COPY = "No copy has been made, so the site’s own content is shown: run python -m broker.content.sync"
AT_BUILD = "Read when the site is built, and copied with the content"
OWN_FLOW = "The questionnaire that comes with this site is in use"
LIVE_FLOW = "The questionnaire of the content service is in use"
NOT_YET = "Not read yet since the server started"
ON_DEMAND = "Read when somebody asks for it"
NOTHING_TO_READ = "There is nothing to refresh here"

log = logging.getLogger(__name__)


class StoredHealth(Protocol):
    @property
    def audit(self) -> AuditStore: ...

    @property
    def outbox(self) -> OutboxStore: ...


class Health:
    """Health of the sources: last read, last failure and staleness, since this process started.

    A source is stale if its last read failed, or was longer ago than twice its period.
    """

    def __init__(
        self,
        settings: Settings,
        stores: Callable[[], StoredHealth],
        *,
        rates: RatesService,
        logos: LogoAdmin,
        flows: QuestionnaireFlows,
        live: LiveFeed | None = None,
        release: Callable[[], ServedRelease | None] = lambda: None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """Without a `live` feed the sample market is reported; `release` returns the served release."""
        self._settings, self._stores, self._rates, self._logos = settings, stores, rates, logos
        self._flows, self._live, self._release, self._clock = flows, live, release, clock

    async def report(self) -> HealthReport:
        try:
            outbox = await self._stores().outbox.status()
        except StorageError as error:
            log.warning("the outbox cannot be read: %s", error)
            outbox = None
        return HealthReport(
            at=self._clock(),
            live=self._live is not None,
            sources=tuple(self.of(source) for source in Source),
            outbox=outbox,
            has_mail_server=bool(self._settings.smtp_url),
            content=read_report(snapshot_folder(self._settings)) if self._settings.api_url else None,
            content_url=self._settings.api_url,
            question_faults=tuple(map(_question_fault, self._flows.faults)),
            release=self._release(),
            publishing=self._publishing(),
            machine=self._machine(),
        )

    async def refresh(self, source: object, *, who: str) -> Refreshed | Refused:
        """Refresh a source and record the outcome; Refused if it cannot be refreshed."""
        wanted = parse_word(source, Source)
        if wanted is None or wanted not in REFRESHED or self._live is None:
            return Refused(words=NOTHING_TO_READ if self._live or wanted not in REFRESHED else SAMPLES)
        if wanted is Source.LENDERS:
            await self._logos.refresh_lenders(who=who)
        elif wanted is Source.LOGOS:
            await self._logos.refresh_logos(who=who)
        else:
            await self._refresh_rates(self._live, wanted, who)
        return Refreshed(health=self.of(wanted))

    def of(self, source: Source) -> SourceHealth:
        if source in REFRESHED:
            return self._of_feed(source)
        return self._of_content(source, snapshot_file(self._settings))

    def _publishing(self) -> PublishingReport:
        files, is_on = PublishingFiles(self._settings), bool(self._settings.content_hook_secrets)
        return PublishingReport(is_on=is_on, change=files.change(), run=files.run())

    def _machine(self) -> MachineHealth | None:
        try:
            free = disk_usage(self._settings.state_dir).free
        except OSError:
            return None
        return MachineHealth(free_bytes=free, last_backup=last_backup(self._settings))

    async def _refresh_rates(self, live: LiveFeed, source: Source, who: str) -> None:
        reads = {
            Source.BY_CUSTOMER: live.by_customer.now,
            Source.BY_LENDER: live.by_lender.now,
            Source.QUESTIONNAIRE: self._flows.refreshing.now,
        }
        detail = SOURCE_NAMES[source]
        try:
            await reads.get(source, self._rates.refresh)()
        except RatesError as error:
            log.warning("%s not refreshed: %s", SOURCE_NAMES[source], error)
            detail = f"{SOURCE_NAMES[source]}, failed: {error}"
        what = Act.QUESTIONNAIRE_REFRESHED if source is Source.QUESTIONNAIRE else Act.RATES_REFRESHED
        entry = AuditEntry(at=self._clock(), who=who, what=what, about=source.value, detail=detail)
        try:
            await self._stores().audit.add(entry)
        except StorageError as error:
            log.warning("the refresh of rates is not in the audit record: %s", error)

    def _of_feed(self, source: Source) -> SourceHealth:
        live = self._live
        if live is None:
            words = self._flow_words() if source is Source.QUESTIONNAIRE else SAMPLES
            return self._health(source, LastRead(), live=False, words=words)
        if source is Source.RATES:
            reading = self._rates.source_status.last
            return self._health(source, reading, words=f"{ON_DEMAND}{_left_out(reading)}")
        if source is Source.QUESTIONNAIRE:
            reading = self._flows.refreshing.source_status.last
            return self._health(source, reading, every=live.every, words=self._flow_words())
        if source in (Source.LENDERS, Source.LOGOS):
            done, of_lenders = self._logos.refreshed, source is Source.LENDERS
            reading = (done.lenders_status if of_lenders else done.logos_status).last
            words = (done.lenders if of_lenders else done.logos).sentence or NOT_YET
            if of_lenders and (clashes := self._logos.logo_cache.directory.clashes):
                words = f"{words} Pages without rates until the site is built again: {'; '.join(clashes.values())}."
            return self._health(source, reading, every=LENDERS_INTERVAL, words=words)
        of = live.by_customer if source is Source.BY_CUSTOMER else live.by_lender
        reading = of.source_status.last
        return self._health(source, reading, every=live.every, words=f"{_lists(live)}{_left_out(reading)}")

    def _flow_words(self) -> str:
        return OWN_FLOW if self._flows.current is self._flows.built else LIVE_FLOW

    def _of_content(self, source: Source, file: Path | None) -> SourceHealth:
        if not self._settings.api_url:
            return self._health(source, LastRead(), live=False, words=EMBEDDED)
        if file is None:
            return self._health(
                source,
                LastRead(),
                live=source is Source.QUESTIONS,
                words=AT_BUILD if source is Source.QUESTIONS else NO_COPY,
            )
        copied = datetime.fromtimestamp(file.stat().st_mtime, self._clock().tzinfo)
        words = AT_BUILD if source is Source.QUESTIONS else f"A copy of {self._settings.api_url}"
        return self._health(source, LastRead(read_at=copied), every=CONTENT_CHECK_INTERVAL, words=words)

    def _health(
        self, source: Source, reading: LastRead, *, live: bool = True, every: timedelta | None = None, words: str
    ) -> SourceHealth:
        late = every is not None and reading.read_at is not None and self._clock() - reading.read_at > 2 * every
        return SourceHealth(
            source=source,
            name=SOURCE_NAMES[source],
            live=live,
            reading=reading,
            stale=reading.is_failing or late,
            words=words,
            can_refresh=live and source in REFRESHED,
        )


def _question_fault(fault: Fault) -> ContentFault:
    """Return a fault of the questionnaire as a fault of the content."""
    place = f" in {fault.field}" if fault.field else ""
    return ContentFault(item=f"questionnaire {fault.step or 'as a whole'}{place}", words=fault.words)


def _lists(live: LiveFeed) -> str:
    held, stale = live.saved.held
    return f"{held} lists are held of both kinds, {stale} of them from before a failure or a restart"


def _left_out(reading: LastRead) -> str:
    """Return how many unusable products the last read with any left out; empty for none so far."""
    if reading.left_out_at is None:
        return ""
    products = "1 product was" if reading.left_out == 1 else f"{reading.left_out:,} products were"
    at = reading.left_out_at.astimezone(UK)
    return (
        f". At {at:%H:%M} on {at.day} {at:%B %Y} {products} left out: "
        "a figure is missing, or the payment or cost cannot be right for the rate and term"
    )
