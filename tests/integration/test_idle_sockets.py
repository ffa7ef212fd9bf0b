"""Tabs that are open and idle: thousands take little memory of a process, and are answered when all ask at once.

The database is up to date, as that of a server that was started before; a first start holds what it migrated with.
"""

import multiprocessing
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from tests.integration.hostile import MEGABYTE, attack, connections, hydrate, resident
from tests.timeouts import ANSWER_TIMEOUT
from tools.project import Project
from tools.server import Server, free_port, start

MAX_START = 290_000_000
"""Bytes of a process without clients."""

MAX_SOCKET = 104_000
"""Bytes that an idle socket may take of it."""

MAX_MEMORY = 750_000_000
"""Bytes of a process with 5,000 idle sockets."""

MANY = 5_000
ADDRESSES = 50
HYDRATED = 20.0
"""Seconds in which all tabs are answered that are hydrated at once; on a quiet machine they take 4, and 5 are asked."""

SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture
def server(site: Path, project: Project, sqlite_url: str, tmp_path: Path) -> Iterator[Server]:
    assert site.is_dir()
    settings = {"BROKER_STATE_DIR": str(tmp_path / "state"), "BROKER_DATABASE_URL": sqlite_url}
    server = start(project, free_port(), log=tmp_path / "log", settings=settings)
    yield server
    server.stop()


@pytest.mark.parametrize("clients", [500, pytest.param(MANY, marks=pytest.mark.soak)])
def test_idle_sockets_take_little_memory(server: Server, clients: int, capsys: pytest.CaptureFixture[str]) -> None:
    process = server.process.pid
    before = steady(process)
    numbers = {"clients": clients, "addresses": ADDRESSES, "seconds": ANSWER_TIMEOUT + clients / 150}
    attacking = SPAWN.Process(target=attack, args=("idle sockets", port(server)), kwargs=numbers)
    attacking.start()
    while connections(process) < clients and attacking.is_alive():
        time.sleep(0.1)
    held, opened = steady(process), connections(process)
    attacking.terminate()
    attacking.join()
    each = (held - before) / clients
    tell(capsys, f"{clients:,} idle sockets: {before / 1e6:.0f} to {held / 1e6:.0f} MB, {each / 1000:.1f} kB each")
    assert opened > clients
    assert before < MAX_START
    assert each < MAX_SOCKET
    assert held < MAX_MEMORY


@pytest.mark.soak
def test_tabs_hydrated_at_once_are_answered(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    process = server.process.pid
    before = resident(process)
    with ProcessPoolExecutor(1, mp_context=SPAWN) as pool:
        took = pool.submit(hydrate, port(server), clients=MANY, addresses=ADDRESSES).result()
    each = (resident(process) - before) / MANY
    tell(capsys, f"{MANY:,} tabs hydrated at once: the last after {took:.1f} s, {each / 1000:.1f} kB each")
    assert took < HYDRATED


def steady(process: int) -> int:
    """Return the bytes of a process once they have not changed for two seconds.

    The first hash of a password takes 46 MiB for a moment, and sockets are open before their tabs are known.
    """
    held = 0
    while abs((now := resident(process)) - held) > MEGABYTE:
        held = now
        time.sleep(2)
    return now


def port(server: Server) -> int:
    return int(server.url.rpartition(":")[2])


def tell(capsys: pytest.CaptureFixture[str], line: str) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{line}\n")
