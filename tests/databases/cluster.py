"""A PostgreSQL cluster of its own, in a folder of its own, behind a socket that nobody else knows."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import asyncpg

from tools.environment import find_postgresql

OPTIONS = "-c listen_addresses= -c fsync=off -c full_page_writes=off -c max_connections=200 -c shared_buffers=32MB"
"""No network; and nothing has to outlive the machine, only the processes that use it."""

OWNER = "postgres"


class Cluster:
    """A running cluster."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def url(self, name: str) -> str:
        """Return the address of a database, as a setting takes it."""
        return f"postgresql://{OWNER}@/{name}?host={self._folder}"

    def create(self, name: str, *, template: str = "template0") -> str:
        """Make a database like another, and return its address."""
        asyncio.run(self._do(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'))
        return self.url(name)

    def drop(self, name: str) -> None:
        """Remove a database, whoever uses it."""
        asyncio.run(self._do(f'DROP DATABASE "{name}" WITH (FORCE)'))

    def files(self, url: str) -> dict[Path, bytes]:
        """Return what a database's files hold, and the log of all that was written."""
        name = url.rpartition("@/")[2].partition("?")[0]
        asyncio.run(self._do("CHECKPOINT"))
        found = asyncio.run(self._do(f"SELECT oid FROM pg_database WHERE datname = '{name}'"))
        folders = (self._folder / "data" / "base" / str(found), self._folder / "data" / "pg_wal")
        paths = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
        return {path: path.read_bytes() for path in (*paths, self._folder / "log")}

    async def _do(self, statement: str) -> object:
        connection = await asyncpg.connect(host=str(self._folder), user=OWNER, database=OWNER)
        try:
            return await connection.fetchval(statement)
        finally:
            await connection.close()


@contextmanager
def running() -> Iterator[Cluster]:
    """Yield a cluster, and remove it; it is the user `postgres`'s where we are root, whom PostgreSQL refuses."""
    programs = find_postgresql()
    assert programs, "PostgreSQL is missing: run `python -m tools.environment --tests`"
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    if os.geteuid() == 0:
        shutil.chown(folder, OWNER, OWNER)
    data = str(folder / "data")
    try:
        _run([str(programs / "initdb"), "-D", data, "-U", OWNER, "-A", "trust", "-E", "UTF8", "--no-sync"], folder)
        options = f"{OPTIONS} -c unix_socket_directories={folder}"
        control = str(programs / "pg_ctl")
        _run([control, "start", "-w", "-D", data, "-l", str(folder / "log"), "-o", options], folder)
        try:
            yield Cluster(folder)
        finally:
            _run([control, "stop", "-m", "immediate", "-D", data], folder)
    finally:
        shutil.rmtree(folder)


def _run(command: Sequence[str], folder: Path) -> None:
    user = ["runuser", "-u", OWNER, "--"] if os.geteuid() == 0 else []
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    command = [*user, *command]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, stdin=subprocess.DEVNULL)
