"""A temporary PostgreSQL cluster, reached by a Unix socket in its own directory and shared by all test workers."""

import asyncio
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg

from tools.environment import find_postgresql

OPTIONS = "-c listen_addresses= -c fsync=off -c full_page_writes=off -c max_connections=200 -c shared_buffers=32MB"
"""No network, and no durability: the data is thrown away after the tests."""

OWNER = "postgres"
MEMORY = Path("/dev/shm")


class Cluster:
    """A running cluster; `folder` holds its data and its socket."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._data = str(folder / "data")

    def start(self) -> None:
        options = f"{OPTIONS} -c unix_socket_directories={self.folder}"
        _run(self.folder, "pg_ctl", "start", "-w", "-D", self._data, "-l", str(self.folder / "log"), "-o", options)

    def stop(self) -> None:
        """Stop it at once, as a power cut of its machine would; what was committed is there when it starts again."""
        _run(self.folder, "pg_ctl", "stop", "-m", "immediate", "-D", self._data)

    def url(self, name: str) -> str:
        return f"postgresql://{OWNER}@/{name}?host={self.folder}"

    def create(self, name: str, *, template: str = "template0") -> str:
        self.run(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY file_copy')
        return self.url(name)

    def drop(self, name: str) -> None:
        self.run(f'DROP DATABASE "{name}" WITH (FORCE)')

    def files(self, url: str) -> dict[Path, bytes]:
        name = url.rpartition("@/")[2].partition("?")[0]
        self.run("CHECKPOINT")
        found = self.run(f"SELECT oid FROM pg_database WHERE datname = '{name}'")
        folders = (self.folder / "data" / "base" / str(found), self.folder / "data" / "pg_wal")
        paths = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
        return {path: path.read_bytes() for path in (*paths, self.folder / "log")}

    def run(self, statement: str) -> object:
        """Run a statement in a thread of its own: Playwright keeps an event loop in the one of a browser test."""
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, self._execute(statement)).result()

    async def _execute(self, statement: str) -> object:
        connection = await asyncpg.connect(host=str(self.folder), user=OWNER, database=OWNER)
        try:
            return await connection.fetchval(statement)
        finally:
            await connection.close()


@contextmanager
def shared(registry: Path, *, prepare: Callable[[Cluster], None]) -> Iterator[Cluster]:
    """Yield the cluster of all workers of a test run; the first prepares it, the last removes it.

    `registry` is a file in a directory of the run: it holds the cluster's directory and how many workers use it.
    """
    with _locked(registry) as entry:
        cluster = Cluster(Path(entry["folder"])) if entry else _start()
        if not entry:
            prepare(cluster)
        entry |= {"folder": str(cluster.folder), "users": entry.get("users", 0) + 1}
    try:
        yield cluster
    finally:
        with _locked(registry) as entry:
            entry["users"] -= 1
            if not entry["users"]:
                _stop(cluster)
                entry.clear()


@contextmanager
def own_cluster() -> Iterator[Cluster]:
    """Yield a cluster that a test may stop and start again."""
    cluster = _start()
    try:
        yield cluster
    finally:
        _stop(cluster)


@contextmanager
def _locked(registry: Path) -> Iterator[dict[str, Any]]:
    with registry.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        entry = json.loads(file.read() or "{}")
        yield entry
        file.truncate(0)
        file.write(json.dumps(entry))


def _start() -> Cluster:
    """Start a cluster, in memory where the system allows; its user is `postgres`, since PostgreSQL refuses root."""
    folder = Path(tempfile.mkdtemp(prefix="pg", dir=MEMORY if MEMORY.is_dir() else None))
    if os.geteuid() == 0:
        shutil.chown(folder, OWNER, OWNER)
    _run(folder, "initdb", "-D", str(folder / "data"), "-U", OWNER, "-A", "trust", "-E", "UTF8", "--no-sync")
    cluster = Cluster(folder)
    cluster.start()
    return cluster


def _stop(cluster: Cluster) -> None:
    cluster.stop()
    shutil.rmtree(cluster.folder)


def _run(folder: Path, program: str, *arguments: str) -> None:
    programs = find_postgresql()
    assert programs, "PostgreSQL is missing: run `python -m tools.environment --tests`"
    user = ["runuser", "-u", OWNER, "--"] if os.geteuid() == 0 else []
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    command = [*user, str(programs / program), *arguments]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, stdin=subprocess.DEVNULL)
