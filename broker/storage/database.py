"""The database: an SQLite file by default, PostgreSQL by its address; each piece of work is one transaction.

`StorageError` says that the database cannot be used now. It never holds what was to be stored.
"""

from __future__ import annotations

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
"""The file of the default database, in the folder of what must survive a restart."""

CONNECTIONS = 8
"""Connections to the database, of each process, that are kept open."""

WAIT = 20
"""Seconds to wait for a connection, and on SQLite for another process's transaction."""

Found = TypeVar("Found")
Work = Callable[[AsyncConnection], Awaitable[Found]]

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg"}
_PRAGMAS = (
    f"busy_timeout={WAIT * 1_000}",
    "foreign_keys=ON",
    # an answer that was acknowledged outlives the machine, not only the process
    "synchronous=FULL",
    # what is deleted is overwritten
    "secure_delete=ON",
)


class Database:
    """The connections to one database; work on it is a function of a connection."""

    def __init__(self, url: URL) -> None:
        """Keep the address; nothing is opened before it is used."""
        self.url = url
        self.is_file = url.get_backend_name() == "sqlite"
        self.engine = _engine(url)
        # SQLite takes one writer at a time: those of this process queue here, in order, instead of trying again
        self._one_writer = asyncio.Lock() if self.is_file else nullcontext()
        self._working: set[asyncio.Future[Any]] = set()

    async def read(self, work: Work[Found]) -> Found:
        """Return what some work finds, which is one statement and changes nothing; raises StorageError.

        Once begun it is done to its end: a connection that is given up half way leaves its thread without a loop.
        """
        return await self._to_its_end(self._read(work))

    async def write(self, work: Work[Found]) -> Found:
        """Do some work in one transaction, and return once it is on disk; raises StorageError.

        Once begun it is done to its end, even where nobody waits for it any longer. IntegrityError is for the work's
        owner: a value that must be unique was there before.
        """
        return await self._to_its_end(self._write(work))

    async def close(self) -> None:
        """Close the connections, once the work that was begun is done."""
        await asyncio.gather(*self._working, return_exceptions=True)
        await self.engine.dispose()

    async def _to_its_end(self, doing: Coroutine[Any, Any, Found]) -> Found:
        working = asyncio.ensure_future(doing)
        self._working.add(working)
        working.add_done_callback(self._working.discard)
        return await asyncio.shield(working)

    async def _read(self, work: Work[Found]) -> Found:
        async with _told(), self.engine.connect() as connection:
            return await work(connection)

    async def _write(self, work: Work[Found]) -> Found:
        async with self._one_writer, _told(), self.engine.connect() as connection:
            await connection.execution_options(writes=True)
            async with connection.begin():
                return await work(connection)


def database_for(settings: Settings) -> Database:
    """Return the database that the settings name, or the file in the state folder; raises SettingsError."""
    if not settings.database_url:
        return Database(URL.create(_DRIVERS["sqlite"], database=str(settings.state_dir / FILE)))
    return Database(database_address(settings.database_url))


def database_address(text: str) -> URL:
    """Return an address with the driver that we use: `postgresql://...` or `sqlite:///...`; raises SettingsError.

    `sslmode`, as PostgreSQL's own tools call it, is passed on as the driver calls it.
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
    """Return the engine of an address; its errors hide the values of a statement, which are somebody's."""
    waiting: dict[str, Any] = {"pool_timeout": WAIT, "pool_size": CONNECTIONS, "max_overflow": 0}
    if url.get_backend_name() == "sqlite":
        if url.database:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        engine = create_async_engine(url, hide_parameters=True, **waiting)
        event.listen(engine.sync_engine, "connect", _prepare)
        event.listen(engine.sync_engine, "begin", _begin)
        return engine
    return create_async_engine(url, hide_parameters=True, pool_pre_ping=True, **waiting)


def _prepare(connection: Any, _record: object) -> None:
    """Set up a connection to SQLite; transactions are begun by `_begin` alone."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Any) -> None:
    """Begin a transaction that writes, and take its turn at once; one statement that reads needs no transaction."""
    if connection.get_execution_options().get("writes"):
        connection.exec_driver_sql("BEGIN IMMEDIATE")


@asynccontextmanager
async def _told() -> AsyncIterator[None]:
    """Tell of a database that cannot be used in our own words."""
    try:
        yield
    except IntegrityError:
        raise
    except (SQLAlchemyError, OSError, TimeoutError) as error:
        raise StorageError(f"the database cannot be used: {type(error).__name__}") from error
