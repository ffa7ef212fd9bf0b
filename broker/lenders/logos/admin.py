"""Administration of lenders' logos: list, upload (one or a zip file), removal and undo.

Nothing is raised: what cannot be done is a report with a sentence. Who asks has been found to be staff before this is
called, and is named in each call. `made_to` is the number of the version that they saw (`LenderRow.number`): a change
of somebody else's in between is a conflict, and nothing is stored.

A zip file is one transaction: every good picture of it is stored, or none where the database fails.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime

from broker.background import in_background
from broker.documents.document import shown_name
from broker.lenders.directory import LenderDirectory
from broker.lenders.logos.logo import CleanPicture, LogoKind, LogoVersion
from broker.lenders.logos.logo_cache import LogoCache
from broker.lenders.logos.refresh import Fetch, LogoRefresh
from broker.lenders.logos.refusals import (
    LogoReport,
    LogoResult,
    ZipReport,
    entries_of,
    outcome_report,
    refusal,
    report,
    summary,
)
from broker.lenders.logos.rows import LenderRow, LogoFilter, known_ids, lender_name, rows
from broker.lenders.logos.store import LogoChange, LogoOutcome, LogoStore
from broker.lenders.logos.upload import FileFault, ImageWorker, LogoZip, RefusedFile, open_zip, refused
from broker.rates.feed.client import FeedClient
from broker.staff.audit import MAX_ACTOR_LENGTH, AuditEntry
from broker.storage.database import Database
from broker.storage.errors import StorageError
from broker.storage.signed_tokens import utc_now

MAX_IN_ZIP = 16 * 1024 * 1024
"""Bytes of pictures made safe that a zip file may come to: they are held until all of them are stored."""

ALL = LogoFilter()

log = logging.getLogger(__name__)


class LogosClosedError(RuntimeError):
    """Something was asked for before the server had started: a mistake of ours."""


class LogoAdmin:
    """The logos of all lenders, for staff; `logo_cache` is what the public site shows, `refreshed` what the feed sent.

    `products` counts the sample market's by lender id, None where a live feed (`client`) answers.
    """

    def __init__(
        self,
        directory: LenderDirectory,
        client: FeedClient | None = None,
        *,
        products: Mapping[int, int] | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self.logo_cache = LogoCache(directory)
        self._products = products
        self._clock = clock
        self._worker = ImageWorker()
        self.refreshed = LogoRefresh(self.logo_cache, client, worker=self._worker, clock=clock)
        self._store: LogoStore | None = None
        self._opened = asyncio.Event()

    @asynccontextmanager
    async def running(self, database: Database) -> AsyncIterator[None]:
        """Have the logos of a database stand for as long as the block lasts; none while the database is away."""
        self._store = LogoStore(database)
        self.logo_cache.open(self._store)
        try:
            await self._learn()
            self._opened.set()
            async with in_background(self.logo_cache.refresh_periodically()):
                yield
        finally:
            self._opened.clear()
            self.logo_cache.close()
            self._store = None

    async def rows(self, wanted: LogoFilter = ALL) -> tuple[LenderRow, ...]:
        """Return the lenders that a filter wants, by name; as last known where the database is away."""
        await self._learn()
        return rows(self.logo_cache, self._products, wanted=wanted)

    async def versions(self, lender_id: int) -> tuple[LogoVersion, ...]:
        """Return staff's versions that are kept of a lender, the newest first; none while the database is away."""
        try:
            return await self._open_store().versions(lender_id)
        except StorageError:
            return ()

    async def upload(self, lender_id: int, data: bytes, *, file_name: str, who: str, made_to: int) -> LogoReport:
        """Put a picture in place of a lender's logo, or where there was none."""
        if lender_id not in known_ids(self.logo_cache):
            return report(LogoResult.NO_LENDER, lender_id=lender_id, file_name=shown_name(file_name))
        picture = await self._worker.clean(data, file_name)
        if isinstance(picture, RefusedFile):
            return refusal(picture, lender_id=lender_id, lender=lender_name(self.logo_cache, lender_id))
        change = self._upload(lender_id, picture, file_name=file_name, who=who, made_to=made_to)
        return (await self._change([change]))[0]

    async def remove(self, lender_id: int, *, who: str, made_to: int) -> LogoReport:
        """Have a lender's monogram stand, whatever logo it has from staff or the feed; `undo` brings that back."""
        await self._learn()
        if lender_id not in known_ids(self.logo_cache):
            return report(LogoResult.NO_LENDER, lender_id=lender_id)
        if self.logo_cache.logo(lender_id).standing is None:
            return report(LogoResult.SAME, lender_id=lender_id, lender=lender_name(self.logo_cache, lender_id))
        change = LogoChange(
            lender_id=lender_id, made_to=made_to, kind=LogoKind.HIDDEN, who=who[:MAX_ACTOR_LENGTH], at=self._clock()
        )
        return (await self._change([change]))[0]

    async def undo(self, lender_id: int, *, to: int, who: str, made_to: int) -> LogoReport:
        """Put an earlier version back by its number; 0 is how it was before staff had any: the feed's, or monogram."""
        if lender_id not in known_ids(self.logo_cache):
            return report(LogoResult.NO_LENDER, lender_id=lender_id)
        change = LogoChange(
            lender_id=lender_id, made_to=made_to, restores=to, who=who[:MAX_ACTOR_LENGTH], at=self._clock()
        )
        return (await self._change([change]))[0]

    async def upload_zip(self, data: bytes, *, file_name: str, who: str) -> ZipReport:
        """Take the logos of a zip file, each named by its lender's number, and report on every file in it."""
        await self._learn()
        shown = shown_name(file_name)
        numbers = {lender_id: self.logo_cache.logo(lender_id).number for lender_id in known_ids(self.logo_cache)}
        opened = await self._worker.run(lambda: open_zip(data, file_name))
        if isinstance(opened, RefusedFile):
            return ZipReport(sentence=opened.sentence)
        changes, reports = await self._unpacked(opened, numbers, who)
        if _size(changes) > MAX_IN_ZIP:
            return ZipReport(sentence=refused(shown, FileFault.UNPACKS_TOO_LARGE).sentence)
        made = await self._change(changes, bulk=shown)
        return summary(shown, tuple(sorted((*made, *reports), key=lambda one: one.file_name)))

    async def refresh_lenders(self, *, who: str) -> tuple[Fetch, tuple[LenderRow, ...]]:
        """Fetch the list of lenders anew, and return all rows; none where it failed, as the specification has it."""
        fetch = await self.refreshed.fetch_lenders(self._open_store(), who=who)
        return fetch, () if fetch.problem else await self.rows()

    async def refresh_logos(self, *, who: str) -> Fetch:
        """Fetch the logos of all lenders anew; what comes back names each failure."""
        return await self.refreshed.fetch_logos(self._open_store(), who=who)

    async def refresh(self) -> None:
        """Fetch both for the server itself, as soon as `running` has begun; raises FeedError."""
        await self._opened.wait()
        await self.refreshed.fetch_both(self._open_store())

    def _open_store(self) -> LogoStore:
        if self._store is None:
            raise LogosClosedError("the logos are not open")
        return self._store

    async def _learn(self) -> None:
        """Know what other servers changed; what was known stands while the database is away."""
        with suppress(StorageError):
            await self.logo_cache.learn()

    async def _unpacked(
        self, opened: LogoZip, numbers: Mapping[int, int], who: str
    ) -> tuple[list[LogoChange], list[LogoReport]]:
        """Unpack the pictures of the lenders that there are, one at a time; `numbers` are the versions seen before."""
        changes: list[LogoChange] = []
        reports = [refusal(file) for file in opened.refused]
        for entry in opened.pictures:
            id_ = entry.lender_id
            if id_ not in numbers:
                reports.append(report(LogoResult.NO_LENDER, lender_id=id_, file_name=entry.name))
                continue
            picture = await self._worker.run(entry.read)
            if isinstance(picture, RefusedFile):
                reports.append(refusal(picture, lender_id=id_, lender=lender_name(self.logo_cache, id_)))
                continue
            changes.append(self._upload(id_, picture, file_name=entry.name, who=who, made_to=numbers[id_]))
            if _size(changes) > MAX_IN_ZIP:
                break
        return changes, reports

    def _upload(self, lender_id: int, picture: CleanPicture, *, file_name: str, who: str, made_to: int) -> LogoChange:
        return LogoChange(
            lender_id=lender_id,
            made_to=made_to,
            picture=picture,
            who=who[:MAX_ACTOR_LENGTH],
            at=self._clock(),
            file_name=shown_name(file_name),
        )

    async def _change(self, changes: Sequence[LogoChange], *, bulk: str = "") -> list[LogoReport]:
        """Make changes in one transaction with their lines in the audit record; `bulk` is the zip file they are of."""

        def entries(outcomes: Sequence[LogoOutcome]) -> Iterable[AuditEntry]:
            return entries_of(changes, self._reports(changes, outcomes), bulk=bulk)

        try:
            made = await self._open_store().change(changes, entries=entries)
        except StorageError as error:
            log.warning("logos not stored: %s", error)
            return [report(LogoResult.AWAY, lender_id=one.lender_id, file_name=one.file_name) for one in changes]
        await self._learn()
        return self._reports(changes, made)

    def _reports(self, changes: Sequence[LogoChange], outcomes: Sequence[LogoOutcome]) -> list[LogoReport]:
        pairs = zip(changes, outcomes, strict=True)
        return [
            outcome_report(change, made, lender=lender_name(self.logo_cache, change.lender_id))
            for change, made in pairs
        ]


def _size(changes: Sequence[LogoChange]) -> int:
    """Return how many bytes the pictures of some changes have."""
    return sum(len(change.picture.png) for change in changes if change.picture)
