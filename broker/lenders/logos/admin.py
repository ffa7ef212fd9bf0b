"""Administration of lenders' logos: list, upload (one or a zip file), removal and undo.

A change that cannot be made is a report with a sentence, not an error. The caller has checked that `who` is a member of
staff. `made_to` is the number of the version that they saw (`LenderRow.number`): if another change came between, the
report is a conflict, and nothing is stored. A zip file is one transaction.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from io import BytesIO
from zipfile import ZipFile

from broker.background import in_background
from broker.clock import utc_now
from broker.documents.document import shown_name
from broker.lenders.directory import LenderDirectory
from broker.lenders.logos.logo import CleanPicture, LogoKind, LogoVersion
from broker.lenders.logos.logo_cache import LogoCache
from broker.lenders.logos.outcomes import logo_report
from broker.lenders.logos.refresh import Fetch, LogoRefresh
from broker.lenders.logos.reports import LenderRow, LogoReport, LogoResult
from broker.lenders.logos.store import LogoChange, LogoOutcome, LogoStore
from broker.lenders.logos.upload import FileFault, ImageWorker, LogoZip, RefusedFile, lender_named, open_zip, refused
from broker.rates.feed.client import FeedClient
from broker.staff.audit import MAX_ACTOR_LENGTH, Act, AuditEntry
from broker.storage.database import Database
from broker.storage.errors import StorageError

_MAX_ZIP_PICTURES = 16 * 1024 * 1024
"""Bytes of a zip file's sanitised pictures, which are in memory until all of them are stored."""

_SENTENCES = {
    LogoResult.ADDED: "{lender} has its logo now.",
    LogoResult.REPLACED: "The logo of {lender} is replaced.",
    LogoResult.REMOVED: "The logo of {lender} is removed. Pages show its monogram instead.",
    LogoResult.RESTORED: "{lender} is shown as it was before.",
    LogoResult.SAME: "{lender} has that already. Nothing was changed.",
    LogoResult.NO_LENDER: "There is no lender {number}. Choose one of the list, or fetch the list of lenders again.",
    LogoResult.CONFLICT: "{who} changed the logo of {lender} meanwhile. Nothing was stored. Look at the logo "
    "that it has now, and try again.",
    LogoResult.TOO_OLD: "That version of the logo of {lender} is no longer kept. Choose another one.",
    LogoResult.AWAY: "The logos cannot be stored just now, and nothing was changed. Please try again in a minute.",
}
_ACTS = {
    LogoResult.ADDED: Act.LOGO_UPLOADED,
    LogoResult.REPLACED: Act.LOGO_REPLACED,
    LogoResult.REMOVED: Act.LOGO_REMOVED,
    LogoResult.RESTORED: Act.LOGO_RESTORED,
}

log = logging.getLogger(__name__)


class LogosClosedError(RuntimeError):
    """A method was called before the server had started, by a mistake of ours."""


class LogoAdmin:
    """The logos of all lenders, for staff; `logo_cache` has those of the public site, `refreshed` those of the feed.

    `products` counts the sample market's by lender id; None with a live feed (`client`).
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
        """Use the logos of a database within the block; none while the database is unavailable."""
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

    async def rows(self) -> tuple[LenderRow, ...]:
        """Return all lenders by name; as last known while the database is unavailable."""
        await self._learn()
        rows = map(self._row, self.logo_cache.known_ids)
        return tuple(sorted(rows, key=lambda row: (row.name.casefold(), row.lender_id)))

    async def versions(self, lender_id: int) -> tuple[LogoVersion, ...]:
        """Return staff's stored versions, newest first; none while the database is unavailable."""
        try:
            return await self._open_store().versions(lender_id)
        except StorageError:
            return ()

    async def archive(self) -> bytes:
        """Return the current pictures as a zip file, named as `upload_zip` takes them; raises StorageError."""
        store, file = self._open_store(), BytesIO()
        await self.logo_cache.learn()
        with ZipFile(file, "w") as archive:
            for lender_id in sorted(self.logo_cache.known_ids):
                current = self.logo_cache.logo(lender_id).current
                png = await store.png(current.picture) if current else None
                if png:
                    archive.writestr(f"{lender_id}.png", png)
        return file.getvalue()

    async def upload(self, lender_id: int, data: bytes, *, file_name: str, who: str, made_to: int) -> LogoReport:
        if lender_id not in self.logo_cache.known_ids:
            return _report(LogoResult.NO_LENDER, lender_id=lender_id, file_name=shown_name(file_name))
        picture = await self._worker.clean(data, file_name)
        if isinstance(picture, RefusedFile):
            return _refusal(picture, lender_id=lender_id, lender=self.logo_cache.lender_name(lender_id))
        change = self._upload(lender_id, picture, file_name=file_name, who=who, made_to=made_to)
        return (await self._change([change]))[0]

    async def remove(self, lender_id: int, *, who: str, made_to: int) -> LogoReport:
        """Show a lender's monogram instead of any logo from staff or the feed; `undo` restores the logo."""
        await self._learn()
        if lender_id not in self.logo_cache.known_ids:
            return _report(LogoResult.NO_LENDER, lender_id=lender_id)
        if self.logo_cache.logo(lender_id).current is None:
            return _report(LogoResult.SAME, lender_id=lender_id, lender=self.logo_cache.lender_name(lender_id))
        change = LogoChange(
            lender_id=lender_id, made_to=made_to, kind=LogoKind.HIDDEN, who=who[:MAX_ACTOR_LENGTH], at=self._clock()
        )
        return (await self._change([change]))[0]

    async def undo(self, lender_id: int, *, to: int, who: str, made_to: int) -> LogoReport:
        """Restore an earlier version by its number; 0 is the feed's logo or the monogram, as before staff's first."""
        if lender_id not in self.logo_cache.known_ids:
            return _report(LogoResult.NO_LENDER, lender_id=lender_id)
        change = LogoChange(
            lender_id=lender_id, made_to=made_to, restores=to, who=who[:MAX_ACTOR_LENGTH], at=self._clock()
        )
        return (await self._change([change]))[0]

    async def upload_named(self, data: bytes, *, file_name: str, who: str) -> tuple[LogoReport, ...]:
        """Store a picture named by its lender's number or name, or a zip file of such."""
        if file_name.lower().endswith(".zip") or data.startswith(b"PK"):
            return await self.upload_zip(data, file_name=file_name, who=who)
        await self._learn()
        if lender_id := self._find(file_name):
            made_to = self.logo_cache.logo(lender_id).number
            return (await self.upload(lender_id, data, file_name=file_name, who=who, made_to=made_to),)
        picture = await self._worker.clean(data, file_name)
        nameless = refused(shown_name(file_name), FileFault.NAME)
        return (_refusal(picture if isinstance(picture, RefusedFile) else nameless),)

    async def upload_zip(self, data: bytes, *, file_name: str, who: str) -> tuple[LogoReport, ...]:
        """Store the logos of a zip file, each named by its lender's number or name, and report on every file in it."""
        await self._learn()
        shown = shown_name(file_name)
        numbers = {lender_id: self.logo_cache.logo(lender_id).number for lender_id in self.logo_cache.known_ids}
        opened = await self._worker.run(lambda: open_zip(data, file_name, find=self._find))
        if isinstance(opened, RefusedFile):
            return (_refusal(opened),)
        changes, reports = await self._unpacked(opened, numbers, who)
        if _size(changes) > _MAX_ZIP_PICTURES:
            return (_refusal(refused(shown, FileFault.UNPACKS_TOO_LARGE)),)
        made = await self._change(changes, bulk=shown)
        return tuple(sorted((*made, *reports), key=lambda one: one.file_name))

    async def refresh_lenders(self, *, who: str) -> tuple[Fetch, tuple[LenderRow, ...]]:
        """Fetch the list of lenders again, and return all rows; none if it failed, as the specification has it."""
        fetch = await self.refreshed.fetch_lenders(self._open_store(), who=who)
        return fetch, () if fetch.problem else await self.rows()

    async def refresh_logos(self, *, who: str) -> Fetch:
        return await self.refreshed.fetch_logos(self._open_store(), who=who)

    async def refresh(self) -> None:
        """Fetch lenders and logos for the server itself, once `running` has begun; raises FeedError."""
        await self._opened.wait()
        await self.refreshed.fetch_both(self._open_store())

    def _find(self, file_name: str) -> int:
        """Return the lender that a file's name says by number or name, 0 for none."""
        names = {lender_id: self.logo_cache.lender_name(lender_id) for lender_id in self.logo_cache.known_ids}
        return lender_named(file_name, names)

    def _row(self, lender_id: int) -> LenderRow:
        directory, logo = self.logo_cache.directory, self.logo_cache.logo(lender_id)
        lender = next((each for each in directory.lenders if each.lender_id == lender_id), None)
        staff = logo.staff
        return LenderRow(
            lender_id=lender_id,
            name=self.logo_cache.lender_name(lender_id),
            slug=lender.slug if lender else "",
            residential=bool(lender and lender.residential),
            buy_to_let=bool(lender and lender.buy_to_let),
            in_feed=lender_id in directory.in_feed,
            products=None if self._products is None else self._products.get(lender_id, 0),
            logo=self.logo_cache.address(lender_id),
            mark=directory.marks.get(lender_id, ""),
            source=logo.source,
            is_hidden=bool(staff and staff.kind is LogoKind.HIDDEN),
            number=logo.number,
            width=logo.current.width if logo.current else 0,
            who=staff.who if staff else "",
            at=staff.at if staff else None,
            file_name=staff.file_name if staff else "",
        )

    def _open_store(self) -> LogoStore:
        if self._store is None:
            raise LogosClosedError("the logos are not open")
        return self._store

    async def _learn(self) -> None:
        """Read what other servers changed; keep the cached logos while the database is unavailable."""
        with suppress(StorageError):
            await self.logo_cache.learn()

    async def _unpacked(
        self, opened: LogoZip, numbers: Mapping[int, int], who: str
    ) -> tuple[list[LogoChange], list[LogoReport]]:
        """Unpack the pictures of known lenders, one at a time; `numbers` are the versions by lender before."""
        changes: list[LogoChange] = []
        reports = [_refusal(file) for file in opened.refused]
        for entry in opened.pictures:
            id_ = entry.lender_id
            if id_ not in numbers:
                reports.append(_report(LogoResult.NO_LENDER, lender_id=id_, file_name=entry.name))
                continue
            picture = await self._worker.run(entry.read)
            if isinstance(picture, RefusedFile):
                reports.append(_refusal(picture, lender_id=id_, lender=self.logo_cache.lender_name(id_)))
                continue
            changes.append(self._upload(id_, picture, file_name=entry.name, who=who, made_to=numbers[id_]))
            if _size(changes) > _MAX_ZIP_PICTURES:
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
        """Make changes in one transaction with their audit entries; `bulk` is the name of their zip file."""

        def entries(outcomes: Sequence[LogoOutcome]) -> Iterable[AuditEntry]:
            return _audit_entries(changes, self._reports(changes, outcomes), bulk=bulk)

        try:
            made = await self._open_store().change(changes, entries=entries)
        except StorageError as error:
            log.warning("logos not stored: %s", error)
            return [_report(LogoResult.AWAY, lender_id=one.lender_id, file_name=one.file_name) for one in changes]
        await self._learn()
        return self._reports(changes, made)

    def _reports(self, changes: Sequence[LogoChange], outcomes: Sequence[LogoOutcome]) -> list[LogoReport]:
        pairs = zip(changes, outcomes, strict=True)
        return [
            _outcome_report(change, made, lender=self.logo_cache.lender_name(change.lender_id))
            for change, made in pairs
        ]


def _size(changes: Sequence[LogoChange]) -> int:
    return sum(len(change.picture.png) for change in changes if change.picture)


def _report(
    result: LogoResult, *, lender_id: int, lender: str = "", file_name: str = "", newest: LogoVersion | None = None
) -> LogoReport:
    """Return the report of a change; `newest` is the version after it, or the one in conflict with it."""
    values = {"{number}": str(lender_id), "{who}": newest.who if newest else "Somebody", "{lender}": lender}
    sentence = _SENTENCES[result]
    for name, value in values.items():
        sentence = sentence.replace(name, value)
    words = f"{file_name}: {sentence}" if file_name else sentence
    return logo_report(result, words, lender_id=lender_id, lender=lender, file_name=file_name, newest=newest)


def _refusal(file: RefusedFile, *, lender_id: int = 0, lender: str = "") -> LogoReport:
    return logo_report(LogoResult.REFUSED, file.sentence, lender_id=lender_id, lender=lender, file_name=file.name)


def _outcome_report(change: LogoChange, outcome: LogoOutcome, *, lender: str) -> LogoReport:
    return _report(
        outcome.result, lender_id=change.lender_id, lender=lender, file_name=change.file_name, newest=outcome.newest
    )


def _audit_entries(changes: Sequence[LogoChange], reports: Sequence[LogoReport], *, bulk: str) -> Iterator[AuditEntry]:
    """Yield an audit entry for each change that was made, and one for their zip file."""
    done = [(change, one) for change, one in zip(changes, reports, strict=True) if one.is_changed]
    for change, one in done:
        detail = ", ".join(filter(None, (one.lender, change.file_name)))
        yield AuditEntry(
            at=change.at, who=change.who, what=_ACTS[one.result], about=f"lender {change.lender_id}", detail=detail
        )
    if bulk and changes:
        first = changes[0]
        yield AuditEntry(at=first.at, who=first.who, what=Act.LOGOS_BULK, detail=f"{bulk}, {len(done)} stored")
