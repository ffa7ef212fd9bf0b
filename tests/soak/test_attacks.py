"""Each attack for half a minute, from 20 clients: pages are quick, and memory and the log stay bounded."""

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles

import pytest

from tests.integration.hostile import ADA, ATTACKS, memory
from tests.integration.staff_accounts import add_account, set_up_codes
from tests.integration.test_hostile_clients import FULL, MAX_MEMORY, assert_answered_under
from tools.project import Project
from tools.server import Server, free_port, start

CLIENTS, SECONDS = 20, 30

MAX_LOG = 5_000_000
"""Bytes that a server may log."""

MAX_PAGE = 0.2
"""Seconds in which 95 of 100 pages are answered, on a machine that does nothing else."""

pytestmark = pytest.mark.soak


@pytest.fixture
def server(site: Path, project: Project, tmp_path: Path) -> Iterator[Server]:
    """A server behind a proxy, which tells it the clients' addresses, with an account that has one-time codes."""
    assert site.is_dir()
    settings = {"BROKER_STATE_DIR": str(tmp_path / "state"), "BROKER_TRUSTED_PROXIES": "1"}
    server = start(project, free_port(), log=tmp_path / "log", settings=settings)
    add_account(tmp_path / "state", ADA)
    set_up_codes(server.url, ADA)
    yield server
    server.stop()


@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in FULL])
def test_attack_slows_no_page_and_fills_no_log(server: Server, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    took = assert_answered_under(server, name, clients=CLIENTS, addresses=1, seconds=SECONDS)
    assert server.log
    slowest, held, logged = quantiles(took, n=20)[-1], memory(server.process.pid), server.log.stat().st_size
    with capsys.disabled():
        sys.stdout.write(
            f"\n{name}: {len(took):,} pages, 95 of 100 within {slowest * 1000:.0f} ms, "
            f"{held} MiB at most, {logged:,} bytes logged\n"
        )
    assert held < MAX_MEMORY
    assert logged < MAX_LOG
    assert slowest < MAX_PAGE
