"""The database: an SQLite file by default, or PostgreSQL; writes are transactions.

`StorageError` means that the database is unavailable; its text holds no data.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from sqlalchemy import URL, Engine, Row, Select, UpdateBase, create_engine, event, func, make_url, select, table, text
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from broker.settings import Settings, SettingsError
from broker.storage.errors import StorageError

FILE = "enquiries.db"
"""The default database, in `BROKER_STATE_DIR`."""

_POOL_SIZE = 8
"""Connections of each process."""

WAIT_SECONDS = 5
"""Longest wait of a write for others: on SQLite in all, on PostgreSQL for its turn, a connection and a lock, each."""

BEGINNING = datetime.min.replace(tzinfo=UTC)
"""A moment before every row."""

_TABLES = select(func.count()).select_from(table("sqlite_master"))
"""How many tables and indexes an SQLite file has."""

Found = TypeVar("Found")
log = logging.getLogger(__name__)
Work = Callable[[AsyncConnection], Awaitable[Found]]

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg"}
_PRAGMAS = (
    f"busy_timeout={WAIT_SECONDS * 1_000}",
    "foreign_keys=ON",
    # a committed answer survives a power failure
    "synchronous=FULL",
    # overwrite deleted data
    "secure_delete=ON",
)


class Database:
    """Connections to one database; work is a function of a connection."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.is_file = url.get_backend_name() == "sqlite"
        self.engine = _engine(url)
        # SQLite allows one writer: writers of this process queue here instead of polling
        self._write_lock = asyncio.Semaphore(1 if self.is_file else _POOL_SIZE)
        self._tasks: set[asyncio.Future[Any]] = set()
        self._file = Path(url.database) if self.is_file and url.database else None
        self._opened_file = _identity(self._file)
        # new connections, which see only what is in the file and its log
        self._fresh_engine = _fresh_engine(url) if self.is_file else None
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
        await self.engine.dispose()

    def _check_usable(self) -> None:
        if self.problem:
            raise StorageError("the database is not in use yet")  # the problem itself is logged once

    async def _run_shielded(self, work: Coroutine[Any, Any, Found]) -> Found:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _read(self, work: Work[Found]) -> Found:
        async with _typed_errors(), self.engine.connect() as connection:
            found = await work(connection)
        await self._check_file()
        return found

    async def _write(self, work: Work[Found], read_back: Select[Any]) -> Found:
        deadline = monotonic() + WAIT_SECONDS
        try:
            async with _typed_errors(), self._turn(deadline), self.engine.connect() as connection:
                await connection.execution_options(deadline=deadline)
                async with connection.begin():
                    done = await work(connection)
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
            await self.engine.dispose()
        raise StorageError("the database's file is not the one that was opened")

    async def _check_content(self, read_back: Select[Any]) -> None:
        """Raise StorageError if a new connection does not read what was written, and reconnect."""
        if not self._fresh_engine:
            return
        # in a thread, which is cheaper than a new connection of the async driver
        is_readable = await asyncio.to_thread(_is_readable, self._fresh_engine, read_back, Path(f"{self._file}-wal"))
        if not is_readable:
            log.error("the database's file was overwritten while it was open: what was written cannot be read")
            await self.engine.dispose()
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
        async with self.engine.connect() as connection:
            done = await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            is_busy, *_ = done.one()
        if is_busy:
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


def _engine(url: URL) -> AsyncEngine:
    """Return the engine of a URL; its errors hide the parameters of statements, which are personal data."""
    waiting: dict[str, Any] = {"pool_timeout": WAIT_SECONDS, "pool_size": _POOL_SIZE, "max_overflow": 0}
    if url.get_backend_name() == "sqlite":
        if url.database:
            _create_private_file(Path(url.database))
        engine = create_async_engine(url, hide_parameters=True, **waiting)
        event.listen(engine.sync_engine, "connect", _prepare)
        event.listen(engine.sync_engine, "begin", _begin)
        return engine
    waiting["connect_args"] = {"timeout": WAIT_SECONDS, "server_settings": {"lock_timeout": f"{WAIT_SECONDS}s"}}
    return create_async_engine(url, hide_parameters=True, pool_pre_ping=True, **waiting)


def _fresh_engine(url: URL) -> Engine:
    return create_engine(url.set(drivername="sqlite"), hide_parameters=True, poolclass=NullPool)


def _is_readable(fresh: Engine, wanted: Select[Any], log_file: Path) -> bool:
    """Return whether a new connection to SQLite's file reads a value that is not 0, with the log where one is used."""
    is_logged = log_file.exists()
    with suppress(SQLAlchemyError, OSError), fresh.connect() as connection:
        is_log_missing = not is_logged and connection.scalar(text("PRAGMA journal_mode")) == "wal"
        return not is_log_missing and bool(connection.scalar(wanted))
    return False


def _identity(file: Path | None) -> tuple[int, int] | None:
    """Return device and inode of a file; None if it does not exist."""
    try:
        found = file.stat() if file else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found else None


def _create_private_file(file: Path) -> None:
    """Create the database's file and folder for their owner alone; SQLite gives its log the file's mode.

    A failure is left to the connection to report.
    """
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.chmod(0o600)


def _prepare(connection: Any, _record: object) -> None:
    """Configure an SQLite connection; only `_begin` starts transactions."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Any) -> None:
    """Begin a write transaction with the write lock; a single SELECT needs no transaction."""
    if deadline := connection.get_execution_options().get("deadline"):
        left = max(0, deadline - monotonic())
        connection.exec_driver_sql(f"PRAGMA busy_timeout={int(left * 1_000)}")
        connection.exec_driver_sql("BEGIN IMMEDIATE")


@asynccontextmanager
async def _typed_errors() -> AsyncIterator[None]:
    try:
        yield
    except IntegrityError:
        raise
    except (SQLAlchemyError, OSError, TimeoutError) as error:
        raise StorageError(f"the database cannot be used: {type(error).__name__}") from error
