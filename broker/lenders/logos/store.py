"""Versioned logos of lenders in the database, with optimistic concurrency.

The last few versions can be restored; older ones are deleted, with images that no version uses.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Select, delete, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.lenders.logos.logo import MAX_VERSIONS, CleanPicture, LogoKind, LogoSource, LogoVersion, picture_name
from broker.lenders.logos.reports import CHANGES, LogoResult
from broker.staff.audit import AuditEntry
from broker.staff.audit_log import add_entry
from broker.storage.database import Database, all_rows, first_value
from broker.storage.errors import StorageError
from broker.storage.tables import LogoPictureRow, LogoVersionRow


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoChange:
    """A new version of a lender's logo: an image, an earlier version again, or a kind without an image.

    `made_to` is the number of the version that was seen, 0 for none, None to replace any version.
    """

    lender_id: int
    source: LogoSource = LogoSource.STAFF
    made_to: int | None
    kind: LogoKind = LogoKind.PICTURE
    picture: CleanPicture | None = None
    restores: int | None = None
    who: str
    at: datetime
    file_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoOutcome:
    """The result of a change; `newest` is the version after it, or the one in conflict with it, None where expired."""

    result: LogoResult
    newest: LogoVersion | None = None

    @property
    def is_stored(self) -> bool:
        return self.result in CHANGES


_AuditEntriesOf: TypeAlias = Callable[[Sequence[LogoOutcome]], Iterable[AuditEntry]]
"""A function that returns the audit entries of changes, stored in their transaction."""

_MAX_ATTEMPTS = 5
"""Attempts to store changes that collide with others."""


class LogoStore:
    """Methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def change(self, changes: Sequence[LogoChange], *, entries: _AuditEntriesOf) -> tuple[LogoOutcome, ...]:
        """Make changes in one transaction; raises StorageError.

        The outcome of one change (conflict, unchanged, expired) does not affect the others.
        """
        # always in the same order, so that transactions cannot deadlock
        order = sorted(range(len(changes)), key=lambda place: changes[place].lender_id)

        async def work(connection: AsyncConnection) -> tuple[LogoOutcome, ...]:
            made = {place: await _apply(connection, changes[place]) for place in order}
            outcomes = tuple(made[place] for place in range(len(changes)))
            for entry in entries(outcomes):
                await add_entry(connection, entry)
            return outcomes

        for _ in range(_MAX_ATTEMPTS):
            try:
                return await self._database.write(work)
            except IntegrityError:
                continue
        raise StorageError("the database refuses a logo version that exists")

    async def stamp(self) -> int:
        """Return a number that increases with every change of a logo; raises StorageError."""
        newest = _newest_numbers().subquery()
        return int(await self._database.read(first_value(select(func.coalesce(func.sum(newest.c.number), 0)))))

    async def newest(self) -> tuple[LogoVersion, ...]:
        newest = _newest_numbers().subquery()
        wanted = _versions().join(
            newest,
            (col(LogoVersionRow.lender_id) == newest.c.lender_id)
            & (col(LogoVersionRow.source) == newest.c.source)
            & (col(LogoVersionRow.number) == newest.c.number),
        )
        return await self._read(wanted)

    async def versions(self, lender_id: int) -> tuple[LogoVersion, ...]:
        wanted = (
            _versions().where(*_is_version_of(lender_id, LogoSource.STAFF)).order_by(col(LogoVersionRow.number).desc())
        )
        return await self._read(wanted)

    async def png(self, name: str) -> bytes | None:
        """Return an image by its file name, or None; raises StorageError."""

        async def work(connection: AsyncConnection) -> bytes | None:
            wanted = select(col(LogoPictureRow.png)).where(col(LogoPictureRow.name) == name)
            return (await connection.execute(wanted)).scalar()

        return await self._database.read(work)

    async def _read(self, wanted: Select[LogoVersionRow, int]) -> tuple[LogoVersion, ...]:
        return tuple(_version(row) for row in await self._database.read(all_rows(wanted)))


async def _apply(connection: AsyncConnection, change: LogoChange) -> LogoOutcome:
    """Make a change in the transaction of a connection; raises IntegrityError if another was faster."""
    before = await _newest(connection, change.lender_id, change.source)
    number = before.number if before else 0
    if change.made_to is not None and change.made_to != number:
        return LogoOutcome(result=LogoResult.CONFLICT, newest=before)
    kind, name = change.kind, ""
    if change.picture:
        name = picture_name(change.lender_id, change.picture.digest)
    elif change.restores is not None:
        earlier = await _restored(connection, change)
        if earlier is None:
            return LogoOutcome(result=LogoResult.TOO_OLD)
        kind, name = earlier
    if (kind, name) == ((before.kind, before.picture) if before else (LogoKind.UNTOUCHED, "")):
        return LogoOutcome(result=LogoResult.SAME, newest=before)
    if change.picture:
        await _store_picture(connection, change, change.picture)
    version = await _add(connection, change, (number + 1, kind, name))
    await _prune(connection, change.lender_id, change.source, number + 1)
    return LogoOutcome(result=_result(change, before), newest=version)


def _result(change: LogoChange, before: LogoVersion | None) -> LogoResult:
    if change.restores is not None:
        return LogoResult.RESTORED
    if change.kind is LogoKind.HIDDEN:
        return LogoResult.REMOVED
    return LogoResult.REPLACED if before and before.picture else LogoResult.ADDED


async def _restored(connection: AsyncConnection, change: LogoChange) -> tuple[LogoKind, str] | None:
    """Return kind and image of an earlier version; 0 is the state before the first."""
    if change.restores == 0:
        return LogoKind.UNTOUCHED, ""
    wanted = select(LogoVersionRow).where(
        *_is_version_of(change.lender_id, change.source), col(LogoVersionRow.number) == change.restores
    )
    row = (await connection.execute(wanted)).one_or_none()
    return (LogoKind(row.kind), row.picture or "") if row else None


async def _store_picture(connection: AsyncConnection, change: LogoChange, picture: CleanPicture) -> None:
    name = picture_name(change.lender_id, picture.digest)
    known = select(col(LogoPictureRow.name)).where(col(LogoPictureRow.name) == name)
    if (await connection.execute(known)).scalar() is None:
        row = {
            "name": name,
            "lender_id": change.lender_id,
            "digest": picture.digest,
            "width": picture.width,
            "height": picture.height,
            "png": picture.png,
            "added": change.at,
        }
        await connection.execute(insert(LogoPictureRow).values(row))


async def _add(connection: AsyncConnection, change: LogoChange, values: tuple[int, LogoKind, str]) -> LogoVersion:
    number, kind, name = values
    row = {
        "lender_id": change.lender_id,
        "source": change.source.value,
        "number": number,
        "kind": kind.value,
        "picture": name or None,
        "who": change.who,
        "at": change.at,
        "file_name": change.file_name,
    }
    await connection.execute(insert(LogoVersionRow).values(row))
    added = await _newest(connection, change.lender_id, change.source)
    assert added
    return added


async def _prune(connection: AsyncConnection, lender_id: int, source: LogoSource, newest: int) -> None:
    """Delete versions beyond the last `MAX_VERSIONS`, and images without a version."""
    old = (*_is_version_of(lender_id, source), col(LogoVersionRow.number) <= newest - MAX_VERSIONS)
    if (await connection.execute(delete(LogoVersionRow).where(*old))).rowcount:
        shown = select(col(LogoVersionRow.picture)).where(
            col(LogoVersionRow.lender_id) == lender_id, col(LogoVersionRow.picture).is_not(None)
        )
        unseen = (col(LogoPictureRow.lender_id) == lender_id, col(LogoPictureRow.name).not_in(shown))
        await connection.execute(delete(LogoPictureRow).where(*unseen))


async def _newest(connection: AsyncConnection, lender_id: int, source: LogoSource) -> LogoVersion | None:
    wanted = _versions().where(*_is_version_of(lender_id, source)).order_by(col(LogoVersionRow.number).desc()).limit(1)
    row = (await connection.execute(wanted)).one_or_none()
    return _version(row) if row else None


def _is_version_of(lender_id: int, source: LogoSource) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return col(LogoVersionRow.lender_id) == lender_id, col(LogoVersionRow.source) == source.value


def _versions() -> Select[LogoVersionRow, int]:
    """Return the query of versions with the width of their pictures."""
    is_shown = col(LogoPictureRow.name) == col(LogoVersionRow.picture)
    return select(LogoVersionRow, col(LogoPictureRow.width)).outerjoin(LogoPictureRow, is_shown)


def _version(row: Any) -> LogoVersion:
    return LogoVersion(
        lender_id=row.lender_id,
        source=LogoSource(row.source),
        number=row.number,
        kind=LogoKind(row.kind),
        picture=row.picture or "",
        who=row.who,
        at=row.at,
        file_name=row.file_name,
        width=row.width or 0,
    )


def _newest_numbers() -> Select[int, str, int]:
    number = func.max(col(LogoVersionRow.number)).label("number")
    of = (col(LogoVersionRow.lender_id), col(LogoVersionRow.source))
    return select(*of, number).group_by(*of)
