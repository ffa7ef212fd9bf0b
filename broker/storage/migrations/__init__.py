"""Database migrations, run by Alembic when the server starts, by one process at a time."""

import asyncio
import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.storage.database import WAIT_SECONDS, Database
from broker.storage.errors import StorageError

_VERSIONS = Path(__file__).parent / "versions"
"""The migrations, each a module whose name begins with m and its revision."""

REVISIONS = sorted(file.stem[1:5] for file in _VERSIONS.glob("m*.py"))

NEWEST = REVISIONS[-1]

_LOCK = 0x4847_4442
"""Key of PostgreSQL's advisory lock for migrations."""


async def migrate(database: Database, revision: str = NEWEST) -> None:
    """Upgrade the tables to a revision while other processes wait; raises StorageError, also for newer tables."""

    async def upgrade(connection: AsyncConnection) -> None:
        if not database.is_file:
            await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        await connection.run_sync(_upgrade, revision)

    if database.is_file:
        try:
            await asyncio.to_thread(_enable_wal, Path(database.url.database or ""))
        except (OSError, sqlite3.Error) as error:
            raise StorageError(f"the database cannot be opened: {type(error).__name__}") from error
    await database.write(upgrade, prepares=True)


async def downgrade(database: Database, revision: str) -> None:
    """Downgrade the tables to a revision, without what later ones added; the server must not run.

    Raises StorageError, also for a revision that is later than that of the tables, or not of this release.
    """
    held = await held_revision(database)
    if revision not in REVISIONS or held not in REVISIONS or revision > held:
        raise StorageError(f"The tables are {held}: this release cannot take them back to {revision}")
    await database.write(lambda connection: connection.run_sync(_change, "downgrade", revision))


async def held_revision(database: Database) -> str | None:
    """Return the revision of the tables, None for a new database; raises StorageError."""

    async def work(connection: AsyncConnection) -> str | None:
        return await connection.run_sync(_held_revision)

    return await database.read(work)


def _upgrade(connection: Connection, revision: str) -> None:
    held = _held_revision(connection)
    if held == revision:
        return
    if held is not None and held not in REVISIONS:
        raise StorageError(
            f"its tables are of a newer release ({held}, this one knows {NEWEST}): install that release, or restore a "
            "backup that was made before it"
        )
    _change(connection, "upgrade", revision)


def _change(connection: Connection, name: str, revision: str) -> None:
    """Run a command of Alembic, `upgrade` or `downgrade`."""
    config = Config()
    config.set_main_option("script_location", str(_VERSIONS.parent))
    config.attributes["connection"] = connection
    getattr(command, name)(config, revision)


def _held_revision(connection: Connection) -> str | None:
    is_made = inspect(connection).has_table("alembic_version")
    return connection.scalar(text("SELECT version_num FROM alembic_version")) if is_made else None


def _enable_wal(file: Path) -> None:
    """Set an SQLite file to write-ahead logging, permanently and while no other process opens it."""
    with _locked(file), closing(sqlite3.connect(file, timeout=WAIT_SECONDS)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    with file.with_name(f"{file.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
