"""Connections to a database, over which work runs: a function of a connection that awaits only that and `in_thread`."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar, cast

from sqlalchemy import URL, Connection, CursorResult, Engine, Select, create_engine, event, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

POOL_SIZE = 8
"""Connections of each process."""

WAIT_SECONDS = 5
"""Longest wait of a write for others: on SQLite in all, on PostgreSQL for its turn, a connection and a lock, each."""

_POOL: dict[str, Any] = {"pool_timeout": WAIT_SECONDS, "pool_size": POOL_SIZE, "max_overflow": 0}
_PRAGMAS = (
    f"busy_timeout={WAIT_SECONDS * 1_000}",
    "foreign_keys=ON",
    # a committed answer survives a power failure
    "synchronous=FULL",
    # overwrite deleted data
    "secure_delete=ON",
)

Found = TypeVar("Found")
Work = Callable[[AsyncConnection], Awaitable[Found]]


class ServerConnections:
    """Connections to PostgreSQL. Their errors hide the parameters of statements, which are personal data."""

    def __init__(self, url: URL) -> None:
        settings = {"timeout": WAIT_SECONDS, "server_settings": {"lock_timeout": f"{WAIT_SECONDS}s"}}
        self._engine = create_async_engine(
            url, hide_parameters=True, pool_pre_ping=True, connect_args=settings, **_POOL
        )

    async def run(self, work: Work[Found], *, deadline: float | None = None) -> Found:
        """Run a single SELECT, or with a `deadline` a transaction, which begins before that (`time.monotonic`)."""
        async with self._engine.connect() as connection:
            if deadline is None:
                return await work(connection)
            async with connection.begin():
                return await work(connection)

    async def close_idle(self) -> None:
        """Close the connections that are not in use; the next work opens others."""
        await self._engine.dispose()

    async def close(self) -> None:
        await self._engine.dispose()


class FileConnections:
    """Connections to SQLite's file, as ServerConnections.

    Work runs whole in a thread: to go there and back for each step of a statement takes longer than the statement.
    """

    def __init__(self, url: URL) -> None:
        file = Path(url.database or "")
        if url.database:
            _create_private_file(file)
        self._log_file = Path(f"{file}-wal")
        self._engine = create_engine(url, hide_parameters=True, **_POOL)
        event.listen(self._engine, "connect", _prepare)
        event.listen(self._engine, "begin", _begin)
        # new connections, which see only what is in the file and its log
        self._fresh_engine = create_engine(url, hide_parameters=True, poolclass=NullPool)
        self._threads = ThreadPoolExecutor(POOL_SIZE, thread_name_prefix="database")

    async def run(self, work: Work[Found], *, deadline: float | None = None) -> Found:
        return await self._in_thread(partial(_run, self._engine, work, deadline))

    async def is_readable(self, wanted: Select[Any]) -> bool:
        """Return whether a new connection reads a value that is not 0, with the write-ahead log where one is used."""
        return await self._in_thread(partial(_is_readable, self._fresh_engine, wanted, self._log_file))

    async def close_idle(self) -> None:
        self._engine.dispose()

    async def close(self) -> None:
        self._engine.dispose()
        self._threads.shutdown()

    async def _in_thread(self, work: Callable[[], Found]) -> Found:
        # with the request's number for lines of the log
        return await asyncio.get_running_loop().run_in_executor(self._threads, copy_context().run, work)


async def in_thread(connection: AsyncConnection, work: Callable[..., Found], *given: Any) -> Found:
    """Run what keeps the processor busy for long, in the midst of work on a connection."""
    if isinstance(connection, _ThreadConnection):
        return work(*given)
    return await asyncio.to_thread(work, *given)


class _ThreadConnection:
    """The methods of AsyncConnection that work uses, over a connection of this thread."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def execute(self, *given: Any) -> CursorResult[Any]:
        return self._connection.execute(*given)

    async def scalar(self, *given: Any) -> Any:
        return self._connection.scalar(*given)

    async def exec_driver_sql(self, statement: str) -> CursorResult[Any]:
        return self._connection.exec_driver_sql(statement)

    async def run_sync(self, work: Callable[..., Found], *given: Any) -> Found:
        return work(self._connection, *given)


def _run(engine: Engine, work: Work[Found], deadline: float | None) -> Found:
    with engine.connect() as connection:
        if deadline is None:
            return _result(work, connection)
        connection.execution_options(deadline=deadline)
        with connection.begin():
            return _result(work, connection)


def _result(work: Work[Found], connection: Connection) -> Found:
    """Return the result of work on a connection, which never waits."""
    steps = work(cast("AsyncConnection", _ThreadConnection(connection))).__await__()
    try:
        next(steps)
    except StopIteration as ended:
        return ended.value
    steps.close()
    raise RuntimeError("work on a connection may await nothing else")


def _is_readable(fresh: Engine, wanted: Select[Any], log_file: Path) -> bool:
    is_logged = log_file.exists()
    with suppress(SQLAlchemyError, OSError), fresh.connect() as connection:
        is_log_missing = not is_logged and connection.scalar(text("PRAGMA journal_mode")) == "wal"
        return not is_log_missing and bool(connection.scalar(wanted))
    return False


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


def _begin(connection: Connection) -> None:
    """Begin a write transaction with the write lock; a single SELECT needs no transaction."""
    if deadline := connection.get_execution_options().get("deadline"):
        left = max(0, deadline - monotonic())
        connection.exec_driver_sql(f"PRAGMA busy_timeout={int(left * 1_000)}")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
