"""The steps from one shape of the tables to the next, taken when the server starts, by one process at a time."""

from __future__ import annotations

import asyncio
import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.storage.database import WAIT, Database

NEWEST = "head"

_LOCK = 0x4847_4442
"""The number under which PostgreSQL lets one of our processes at a time change the tables."""


async def migrate(database: Database, revision: str = NEWEST) -> None:
    """Bring the tables to a revision, the newest by default; others that start meanwhile wait; raises StorageError."""

    async def upgrade(connection: AsyncConnection) -> None:
        if not database.is_file:
            await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        await connection.run_sync(_upgrade, revision)

    if database.is_file:
        await asyncio.to_thread(_write_ahead, Path(database.url.database or ""))
    await database.write(upgrade)


def _upgrade(connection: Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _write_ahead(file: Path) -> None:
    """Have SQLite write ahead, which the file remembers; while that changes no other process may look at it."""
    with _alone(file), closing(sqlite3.connect(file, timeout=WAIT)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    with file.with_name(f"{file.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
