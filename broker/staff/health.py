"""Health of the site's sources, for staff: last read, last failure, staleness.

A source is stale where its last try failed, or where it has not been read for twice the time after which it should have
been. What this process knows of a feed it has learnt since it started.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from shutil import disk_usage
from typing import Protocol

from broker.content.publish_requests import PublishingFiles
from broker.content.publishing import PublishingReport
from broker.content.snapshot.snapshot_folder import read_report, snapshot_file, snapshot_folder
from broker.enquiries.contact_details import parse_word
from broker.enquiries.outbox_store import OutboxStore
from broker.enquiries.working_time import UK
from broker.lenders.logos.admin import LogoAdmin
from broker.questionnaire.flow import Fault, Flow
from broker.rates.product import RatesError
from broker.settings import Settings
from broker.source_status import Refresh, SourceStatus
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import AuditStore
from broker.staff.content_report import ContentFault
from broker.staff.enquiry_workflow import Refused
from broker.staff.source_health import (
    LENDERS_INTERVAL,
    REFRESHED,
    SOURCE_NAMES,
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
from broker.storage.signed_tokens import utc_now

CONTENT_CHECK_INTERVAL = timedelta(days=7)
"""How often the content is copied at least; a copy of twice that age is stale."""

SAMPLES = "The embedded sample market answers: set BROKER_API_URL for a live feed"
EMBEDDED = "The content that comes with the program: there is nothing to be read"
NO_COPY = "No copy has been made, so the content that comes with the program stands: run python -m broker.content.sync"
AT_BUILD = "Read when the site is built, and copied with the content"
OWN_FLOW = "The questionnaire that comes with the program is in use"
LIVE_FLOW = "The questionnaire of the content service is in use"
NOT_YET = "Not read yet since the server started"
ON_DEMAND = "Read when somebody asks for it"
NOTHING_TO_READ = "There is nothing to refresh here"

log = logging.getLogger(__name__)


class StoredHealth(Protocol):
    """The stores that the report reads and writes."""

    @property
    def audit(self) -> AuditStore: ...

    @property
    def outbox(self) -> OutboxStore: ...


class RatesSource(Protocol):
    """The rates search, which staff may have read its answers again."""

    source_status: SourceStatus

    async def refresh(self) -> None: ...


class SavedSource(Protocol):
    """The saved lists: how many there are, and how many of them are stale."""

    @property
    def held(self) -> tuple[int, int]: ...


class FlowSource(Protocol):
    """The flows of the questionnaire: the program's own and the current one, and how they are read."""

    built: Flow
    current: Flow
    faults: tuple[Fault, ...]
    refreshing: Refresh


class LiveSource(Protocol):
    """A live feed: its saved rates in both orders, read `every` so often."""

    every: timedelta
    by_customer: Refresh
    by_lender: Refresh

    @property
    def saved(self) -> SavedSource: ...


class Health:
    """Reports the health of the sources, and refreshes them."""

    def __init__(
        self,
        settings: Settings,
        stores: Callable[[], StoredHealth],
        *,
        rates: RatesSource,
        logos: LogoAdmin,
        flows: FlowSource,
        live: LiveSource | None = None,
        release: Callable[[], ServedRelease | None] = lambda: None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """Without a `live` feed the sample market is reported; `release` returns what visitors are served."""
        self._settings, self._stores, self._rates, self._logos = settings, stores, rates, logos
        self._flows, self._live, self._release, self._clock = flows, live, release, clock

    async def report(self) -> HealthReport:
        """Return the health of all sources, the outbox and the release."""
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
        """Refresh a source and record the outcome; or say why it cannot be refreshed."""
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
        """Return the health of one source."""
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

    async def _refresh_rates(self, live: LiveSource, source: Source, who: str) -> None:
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
            log.warning("not in the audit record that rates were refreshed: %s", error)

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
    """Return a fault of the questionnaire as one of the content, with its step and the field in it."""
    place = f" in {fault.field}" if fault.field else ""
    return ContentFault(item=f"questionnaire {fault.step or 'as a whole'}{place}", words=fault.words)


def _lists(live: LiveSource) -> str:
    held, stale = live.saved.held
    return f"{held} lists are held of both kinds, {stale} of them from before a failure or a restart"


def _left_out(reading: LastRead) -> str:
    """Return how many products the last read that had unusable ones left out; empty before the first."""
    if reading.left_out_at is None:
        return ""
    products = "1 product was" if reading.left_out == 1 else f"{reading.left_out:,} products were"
    at = reading.left_out_at.astimezone(UK)
    return (
        f". At {at:%H:%M} on {at.day} {at:%B %Y} {products} left out: "
        "a figure is missing, or the payment or cost cannot be right for the rate and term"
    )
