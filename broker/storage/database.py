"""The database: an SQLite file by default, or PostgreSQL; writes are transactions.

`StorageError` means that the database is unavailable; its text holds no data.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

from sqlalchemy import URL, Row, Select, UpdateBase, func, make_url, select, table
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.settings import Settings, SettingsError
from broker.storage.connections import POOL_SIZE, WAIT_SECONDS, FileConnections, Found, ServerConnections, Work
from broker.storage.errors import StorageError

FILE = "enquiries.db"
"""The default database, in `BROKER_STATE_DIR`."""

BEGINNING = datetime.min.replace(tzinfo=UTC)
"""A moment before every row."""

_TABLES = select(func.count()).select_from(table("sqlite_master"))
"""How many tables and indexes an SQLite file has."""

log = logging.getLogger(__name__)

_DRIVERS = {"sqlite": "sqlite", "postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg"}


class Database:
    """One database. Work is a function of a connection, which may await nothing else (`connections.in_thread`)."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.is_file = url.get_backend_name() == "sqlite"
        self._connections = FileConnections(url) if self.is_file else ServerConnections(url)
        # SQLite allows one writer: writers of this process queue here instead of polling
        self._write_lock = asyncio.Semaphore(1 if self.is_file else POOL_SIZE)
        self._tasks: set[asyncio.Future[Any]] = set()
        self._file = Path(url.database) if self.is_file and url.database else None
        self._opened_file = _identity(self._file)
        self.problem = ""
        """Why the tables are not those of this release, so that nothing may be read or written; else empty."""

    async def read(self, work: Work[Found]) -> Found:
        """Return the result of a single SELECT; raises StorageError, also where SQLite's file was removed or replaced.

        It is shielded from cancellation: a cancelled connection would leave its thread without an event loop.
        """
        self._check_usable()
        return await self._run_shielded(self._read(work))

    async def write(self, work: Work[Found], *, read_back: Select[Any] = _TABLES, prepares: bool = False) -> Found:
        """Run work in a transaction and return after the commit; raises StorageError, IntegrityError.

        `read_back` selects a value that is neither empty nor 0 if the result can be read, by default the count of
        tables. It runs after the commit on a new connection to SQLite's file, which may have been overwritten while the
        others were open. Work that `prepares` the tables runs whatever `problem` says.

        It is shielded from cancellation. IntegrityError means that a value that must be unique exists.
        """
        if not prepares:
            self._check_usable()
        return await self._run_shielded(self._write(work, read_back))

    async def write_new(self, work: Work[None]) -> bool:
        """Run work as `write`; return False, with nothing written, where a value that must be unique exists."""
        try:
            await self.write(work)
        except IntegrityError:
            return False
        return True

    async def erase(self, work: Work[Found]) -> Found:
        """Run work that deletes personal data, as `write`, and empty SQLite's write-ahead log, which would keep it."""
        found = await self.write(work)
        await self.empty_log()
        return found

    async def empty_log(self) -> None:
        """Empty SQLite's write-ahead log, which still holds what was deleted or replaced; raises StorageError."""
        if self.is_file:
            async with _typed_errors():
                await self._run_shielded(self._truncate_log())

    async def close(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._connections.close()

    def _check_usable(self) -> None:
        if self.problem:
            raise StorageError("the database is not in use yet")  # the problem itself is logged once

    async def _run_shielded(self, work: Coroutine[Any, Any, Found]) -> Found:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _read(self, work: Work[Found]) -> Found:
        async with _typed_errors():
            found = await self._connections.run(work)
        await self._check_file()
        return found

    async def _write(self, work: Work[Found], read_back: Select[Any]) -> Found:
        deadline = monotonic() + WAIT_SECONDS
        try:
            async with _typed_errors(), self._turn(deadline):
                done = await self._connections.run(work, deadline=deadline)
        except IntegrityError:
            await self._check_file()
            raise
        await self._check_file()
        await self._check_content(read_back)
        return done

    async def check_writable(self) -> None:
        """Write a row unchanged; raises StorageError."""

        async def work(connection: AsyncConnection) -> None:
            await connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")

        await self.write(work)

    async def _check_file(self) -> None:
        """Raise StorageError if the open file is no longer the one at its path, and reconnect to that one."""
        found = _identity(self._file)
        if found == self._opened_file:
            return
        is_first, self._opened_file = self._opened_file is None, found or self._opened_file
        if is_first:
            return
        log.error("the database's file was %s while it was open", "replaced" if found else "removed")
        if found:
            await self._connections.close_idle()
        raise StorageError("the database's file is not the one that was opened")

    async def _check_content(self, read_back: Select[Any]) -> None:
        """Raise StorageError if a new connection does not read what was written, and reconnect."""
        if isinstance(self._connections, FileConnections) and not await self._connections.is_readable(read_back):
            log.error("the database's file was overwritten while it was open: what was written cannot be read")
            await self._connections.close_idle()
            raise StorageError("what was written to the database cannot be read")

    @asynccontextmanager
    async def _turn(self, deadline: float) -> AsyncIterator[None]:
        """Wait until the writers before this one are done; raises TimeoutError."""
        async with asyncio.timeout(deadline - monotonic()):
            await self._write_lock.acquire()
        try:
            yield
        finally:
            self._write_lock.release()

    async def _truncate_log(self) -> None:
        async def work(connection: AsyncConnection) -> bool:
            is_busy, *_ = (await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")).one()
            return bool(is_busy)

        if await self._connections.run(work):
            log.warning("the write-ahead log is read by others, and is emptied at the next deletion")


def all_rows(wanted: Select[*tuple[Any, ...]]) -> Work[Sequence[Row[Any]]]:
    """Return the work that reads all rows of a SELECT."""

    async def work(connection: AsyncConnection) -> Sequence[Row[Any]]:
        return (await connection.execute(wanted)).all()

    return work


def first_row(wanted: Select[*tuple[Any, ...]]) -> Work[Row[Any] | None]:
    """Return the work that reads the first row of a SELECT, None for none."""

    async def work(connection: AsyncConnection) -> Row[Any] | None:
        return (await connection.execute(wanted)).first()

    return work


def first_value(wanted: Select[*tuple[Any, ...]]) -> Work[Any]:
    """Return the work that reads the first column of the first row of a SELECT, None for none."""

    async def work(connection: AsyncConnection) -> Any:
        return await connection.scalar(wanted)

    return work


def rows_changed(statement: UpdateBase) -> Work[int]:
    """Return the work that runs an INSERT, UPDATE or DELETE, and returns how many rows it changed."""

    async def work(connection: AsyncConnection) -> int:
        return (await connection.execute(statement)).rowcount

    return work


def database_for(settings: Settings) -> Database:
    """Return the database of the settings, by default a file in the state folder; raises SettingsError."""
    if not settings.database_url:
        return Database(URL.create(_DRIVERS["sqlite"], database=str(settings.state_dir / FILE)))
    return Database(database_address(settings.database_url))


def database_address(text: str) -> URL:
    """Return a database URL with the async driver; raises SettingsError.

    PostgreSQL's `sslmode` becomes the driver's `ssl`.
    """
    try:
        url = make_url(text)
        driver = _DRIVERS[url.get_backend_name()]
    except (ArgumentError, KeyError, ValueError) as error:
        raise SettingsError("BROKER_DATABASE_URL takes postgresql://user:password@host/name") from error
    if "sslmode" in url.query:
        url = url.set(query={**{k: v for k, v in url.query.items() if k != "sslmode"}, "ssl": url.query["sslmode"]})
    return url.set(drivername=driver)


def _identity(file: Path | None) -> tuple[int, int] | None:
    """Return device and inode of a file; None if it does not exist."""
    try:
        found = file.stat() if file else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found else None


@asynccontextmanager
async def _typed_errors() -> AsyncIterator[None]:
    try:
        yield
    except IntegrityError:
        raise
    except (SQLAlchemyError, OSError, TimeoutError) as error:
        raise StorageError(f"the database cannot be used: {type(error).__name__}") from error
