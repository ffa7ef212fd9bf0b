"""Backups of the database, each one file: a copy of an SQLite file, or what PostgreSQL's own `pg_dump` writes.

A backup is of one moment, and is made while the server writes. It holds personal data as the database does, encrypted;
no key is in it.
"""

import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import URL, inspect, literal, select, table
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.settings import Settings
from broker.storage.database import WAIT_SECONDS, Database
from broker.storage.errors import StorageError
from broker.storage.migrations import NEWEST, REVISIONS, held_revision

_LAST_BACKUP = "last-backup"

_SIGNATURES = {"SQLite": b"SQLite format 3\0", "PostgreSQL": b"PGDMP"}
"""First bytes of a backup of each kind of database."""

_DROP_TABLES = """DO $$ DECLARE name text; BEGIN
FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public'
LOOP EXECUTE format('DROP TABLE public.%I CASCADE', name); END LOOP; END $$"""
"""Drops every table: `pg_restore --clean` leaves those that the backup does not have."""


class BackupError(StorageError):
    """A backup cannot be written or restored; the message says why and what to do."""


class _DamagedBackupError(BackupError):
    def __init__(self, file: Path) -> None:
        super().__init__(f"{file} is damaged or not whole, and the database is as before: take another backup")


async def write_backup(database: Database, file: Path) -> str:
    """Write a backup to a new file that only its owner can read, and return the revision of its tables.

    A file that was begun is removed. Raises StorageError, also where the file exists.
    """
    revision = await held_revision(database)
    if revision is None:
        raise BackupError("The database has no tables yet: there is nothing to back up")
    with _new_file(file):
        if database.is_file:
            _copy_sqlite(Path(database.url.database or ""), file)
        else:
            _dump_postgres(database.url, file)
    return revision


async def restore_backup(database: Database, file: Path, *, replace: bool) -> None:
    """Make the database what it was at the time of a backup, in one transaction; the server must not run.

    A database with rows is replaced only with `replace`. Raises StorageError and leaves the database as it was.
    """
    _check_kind(file, "SQLite" if database.is_file else "PostgreSQL")
    revision = _sqlite_revision(file) if database.is_file else _postgres_revision(file)
    if revision not in REVISIONS:
        raise BackupError(f"{file} is of a newer release (its tables are {revision}, here {NEWEST}): install that one")
    if not replace and await has_rows(database):
        raise BackupError("The database has rows, and a restore would replace them all: --replace says that it may")
    if database.is_file:
        _restore_sqlite(file, Path(database.url.database or ""))
    else:
        _restore_postgres(database.url, file)


async def has_rows(database: Database) -> bool:
    """Return whether any of the tables has a row; raises StorageError."""

    async def work(connection: AsyncConnection) -> bool:
        names = await connection.run_sync(lambda opened: inspect(opened).get_table_names())
        wanted = (select(literal(1)).select_from(table(name)).limit(1) for name in names if name != "alembic_version")
        return any([await connection.scalar(each) for each in wanted])

    return await database.read(work)


def note_backup(settings: Settings) -> None:
    """Record that a backup was written now, as the time of a file in `BROKER_STATE_DIR`; raises OSError."""
    (settings.state_dir / _LAST_BACKUP).touch()


def last_backup(settings: Settings) -> datetime | None:
    """Return the time of the last backup, None before the first."""
    with suppress(OSError):
        return datetime.fromtimestamp((settings.state_dir / _LAST_BACKUP).stat().st_mtime, UTC)
    return None


@contextmanager
def _new_file(file: Path) -> Iterator[None]:
    """Create a file for its owner alone, and remove it where what follows fails."""
    try:
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError as error:
        raise BackupError(f"{file} is there already, and a backup overwrites nothing: name another file") from error
    except OSError as error:
        raise BackupError(f"{file} cannot be written: {error.strerror}") from error
    with ExitStack() as undoing:
        undoing.callback(file.unlink, missing_ok=True)
        yield
        undoing.pop_all()


def _check_kind(file: Path, kind: str) -> None:
    try:
        with file.open("rb") as opened:
            first = opened.read(16)
    except OSError as error:
        raise BackupError(f"{file} cannot be read: {error.strerror}") from error
    if not first.startswith(_SIGNATURES[kind]):
        raise BackupError(f"{file} is not a backup of {kind}, which BROKER_DATABASE_URL says the database is")


def _copy_sqlite(database: Path, file: Path) -> None:
    try:
        with closing(_opened(database)) as source, closing(sqlite3.connect(file)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, with no log beside it
    except sqlite3.Error as error:
        raise BackupError(f"The backup could not be written: {error}") from error


def _sqlite_revision(file: Path) -> str:
    """Return the revision of the tables; raises BackupError for a copy that is cut short or damaged."""
    try:
        with closing(_opened(file)) as copy:
            size = copy.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").fetchone()
            is_whole = size == (file.stat().st_size,) and copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            (revision,) = copy.execute("SELECT version_num FROM alembic_version").fetchone()
    except (sqlite3.Error, TypeError) as error:
        raise _DamagedBackupError(file) from error
    if not is_whole:
        raise _DamagedBackupError(file)
    return revision


def _restore_sqlite(file: Path, database: Path) -> None:
    try:
        with closing(_opened(file)) as copy, closing(sqlite3.connect(database, timeout=WAIT_SECONDS)) as target:
            copy.backup(target)
            target.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the log still holds what was replaced
    except sqlite3.Error as error:
        advice = f"where {database} is damaged, move it away and restore again"
        raise BackupError(f"The database could not be replaced, and is as before ({error}): {advice}") from error


def _opened(file: Path) -> sqlite3.Connection:
    """Open a file read-only."""
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=WAIT_SECONDS)


def _dump_postgres(address: URL, file: Path) -> None:
    """Write a database of one moment into a file, in PostgreSQL's custom format; raises BackupError."""
    command = ["--format=custom", "--no-owner", "--no-privileges", f"--file={file}"]
    done = _run("pg_dump", command, libpq_variables(address))
    if done.returncode:
        raise BackupError(f"The backup could not be written: {_problem(done)}")


def _postgres_revision(file: Path) -> str:
    """Return the revision of the tables in a backup; raises BackupError for a file that has none."""
    done = _run("pg_restore", ["--data-only", "--table=alembic_version", "--file=-", str(file)])
    _, _, rows = done.stdout.partition("FROM stdin;\n")
    if done.returncode or not rows:
        raise _DamagedBackupError(file)
    return rows.partition("\n")[0]


def _restore_postgres(address: URL, file: Path) -> None:
    """Replace all tables in one transaction, once the backup has been read to its end; raises BackupError."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.sql"
        reading = ["--clean", "--if-exists", "--no-owner", "--no-privileges", f"--file={script}", str(file)]
        if _run("pg_restore", reading).returncode:
            raise _DamagedBackupError(file)
        writing = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--set=VERBOSITY=terse"]
        waiting = {"PGOPTIONS": f"-c lock_timeout={WAIT_SECONDS}s -c client_min_messages=warning"}
        command = [*writing, f"--command={_DROP_TABLES}", f"--file={script}"]
        done = _run("psql", command, {**libpq_variables(address), **waiting})
    if done.returncode:
        raise BackupError(f"The database could not be replaced, and is as before: {_problem(done)}")


def libpq_variables(address: URL) -> Mapping[str, str]:
    """Return libpq's variables for a database's address."""
    query = {name: value if isinstance(value, str) else ",".join(value) for name, value in address.query.items()}
    found = {
        "PGHOST": address.host or query.get("host"),
        "PGPORT": address.port or query.get("port"),
        "PGUSER": address.username,
        "PGPASSWORD": address.password,
        "PGDATABASE": address.database,
        "PGSSLMODE": query.get("ssl"),
        "PGCONNECT_TIMEOUT": WAIT_SECONDS,
    }
    return {name: str(value) for name, value in found.items() if value}


def _run(
    program: str, arguments: Sequence[str], variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program with these variables alone; raises BackupError where it is not installed."""
    path = shutil.which(program)
    if path is None:
        raise BackupError(f"{program} is not installed: apt-get install postgresql-client, of the server's version")
    environment = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", **(variables or {})}
    return subprocess.run(
        [path, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def _problem(done: subprocess.CompletedProcess[str]) -> str:
    return next(iter(done.stderr.strip().splitlines()), f"exit code {done.returncode}")
