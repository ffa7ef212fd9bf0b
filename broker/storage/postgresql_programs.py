"""PostgreSQL's programs `pg_dump`, `pg_restore` and `psql`; they get the address and the password as variables."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from sqlalchemy import URL

from broker.domain.enquiries.stored_records import StorageError
from broker.storage.database import WAIT_SECONDS

_DROP_TABLES = """DO $$ DECLARE name text; BEGIN
FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public'
LOOP EXECUTE format('DROP TABLE public.%I CASCADE', name); END LOOP; END $$"""
"""Drops the tables of a newer release too, which a backup does not know."""


class BackupError(StorageError):
    """A backup that cannot be written or restored; the text says why and what to do."""


class DamagedBackupError(BackupError):
    """A backup that cannot be read to its end."""

    def __init__(self, file: Path) -> None:
        super().__init__(f"{file} is damaged or not whole, and the database is as before: take another backup")


def dump(address: URL, file: Path) -> None:
    """Write a database of one moment into a file, in PostgreSQL's custom format; raises BackupError."""
    command = ["--format=custom", "--no-owner", "--no-privileges", f"--file={file}"]
    done = _run("pg_dump", command, variables_of(address))
    if done.returncode:
        raise BackupError(f"The backup could not be written: {_problem(done)}")


def dumped_revision(file: Path) -> str:
    """Return the revision of the tables in a backup; raises BackupError for a file that has none."""
    done = _run("pg_restore", ["--data-only", "--table=alembic_version", "--file=-", str(file)])
    _, _, rows = done.stdout.partition("FROM stdin;\n")
    if done.returncode or not rows:
        raise DamagedBackupError(file)
    return rows.partition("\n")[0]


def load(address: URL, file: Path) -> None:
    """Replace all tables by those of a backup, in one transaction; raises BackupError.

    The backup is read to its end before the database is touched.
    """
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.sql"
        reading = ["--clean", "--if-exists", "--no-owner", "--no-privileges", f"--file={script}", str(file)]
        if _run("pg_restore", reading).returncode:
            raise DamagedBackupError(file)
        writing = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--set=VERBOSITY=terse"]
        waiting = {"PGOPTIONS": f"-c lock_timeout={WAIT_SECONDS}s -c client_min_messages=warning"}
        command = [*writing, f"--command={_DROP_TABLES}", f"--file={script}"]
        done = _run("psql", command, {**variables_of(address), **waiting})
    if done.returncode:
        raise BackupError(f"The database could not be replaced, and is as before: {_problem(done)}")


def variables_of(address: URL) -> Mapping[str, str]:
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
