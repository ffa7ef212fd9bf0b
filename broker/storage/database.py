"""The database: an SQLite file by default, or PostgreSQL; writes are transactions.

`StorageError` means that the database is unavailable; its text holds no data.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, event, make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from broker.domain.enquiries.stored_records import StorageError
from broker.settings import Settings, SettingsError

FILE = "enquiries.db"
"""File name of the default database, in `BROKER_STATE_DIR`."""

POOL_SIZE = 8
"""Connections of each process."""

BUSY_TIMEOUT_SECONDS = 20
"""Longest wait for a connection, and on SQLite for another process's transaction."""

Found = TypeVar("Found")
Work = Callable[[AsyncConnection], Awaitable[Found]]

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg"}
_PRAGMAS = (
    f"busy_timeout={BUSY_TIMEOUT_SECONDS * 1_000}",
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
        self._write_lock = asyncio.Lock() if self.is_file else nullcontext()
        self._tasks: set[asyncio.Future[Any]] = set()

    async def read(self, work: Work[Found]) -> Found:
        """Return the result of a single SELECT; raises StorageError.

        It is shielded from cancellation: a cancelled connection would leave its thread without an event loop.
        """
        return await self._run_shielded(self._read(work))

    async def write(self, work: Work[Found]) -> Found:
        """Run work in a transaction and return after the commit; raises StorageError, IntegrityError.

        It is shielded from cancellation. IntegrityError means that a value that must be unique exists.
        """
        return await self._run_shielded(self._write(work))

    async def close(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.engine.dispose()

    async def _run_shielded(self, work: Coroutine[Any, Any, Found]) -> Found:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _read(self, work: Work[Found]) -> Found:
        async with _typed_errors(), self.engine.connect() as connection:
            return await work(connection)

    async def _write(self, work: Work[Found]) -> Found:
        async with self._write_lock, _typed_errors(), self.engine.connect() as connection:
            await connection.execution_options(writes=True)
            async with connection.begin():
                return await work(connection)


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
    waiting: dict[str, Any] = {"pool_timeout": BUSY_TIMEOUT_SECONDS, "pool_size": POOL_SIZE, "max_overflow": 0}
    if url.get_backend_name() == "sqlite":
        if url.database:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        engine = create_async_engine(url, hide_parameters=True, **waiting)
        event.listen(engine.sync_engine, "connect", _prepare)
        event.listen(engine.sync_engine, "begin", _begin)
        return engine
    return create_async_engine(url, hide_parameters=True, pool_pre_ping=True, **waiting)


def _prepare(connection: Any, _record: object) -> None:
    """Configure an SQLite connection; only `_begin` starts transactions."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Any) -> None:
    """Begin a write transaction with the write lock; a single SELECT needs no transaction."""
    if connection.get_execution_options().get("writes"):
        connection.exec_driver_sql("BEGIN IMMEDIATE")


@asynccontextmanager
async def _typed_errors() -> AsyncIterator[None]:
    """Raise StorageError for an unavailable database."""
    try:
        yield
    except IntegrityError:
        raise
    except (SQLAlchemyError, OSError, TimeoutError) as error:
        raise StorageError(f"the database cannot be used: {type(error).__name__}") from error
