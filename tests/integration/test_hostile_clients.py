"""The real server under clients that never come to an end: pages go on being answered, and memory stays bounded."""

import asyncio
import multiprocessing
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles

import httpx
import pytest

from broker import routes
from broker.questionnaire.forms import JOURNEY_COOKIE
from tests.integration.hostile import ATTACKS, attack, memory
from tests.integration.tabs import Tab
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.domain.questionnaire.journeys import JOURNEYS
from tools.project import Project
from tools.server import Server, free_port, start

MAX_MEMORY = 600
"""MiB that a server may hold under attack."""

MAX_HELD = 120
"""MiB that a short attack may take: two hashes of passwords at once, of 46 MiB each, and room."""

MAX_LOGGED = 20_000
"""Bytes that a short attack may add to the log."""

RECOVERY = 10
"""Seconds after which all is well again."""

FULL = {"unfinished messages": 60, "slow bodies": 3_000, "slow headers": 3_000, "idle sockets": 5_000}
"""Clients of each attack in the long run; the others run in `tests/soak/test_attacks.py`."""

SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture(scope="module")
def server(site: Path, project: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert site.is_dir()
    folder = tmp_path_factory.mktemp("hostile")
    server = start(project, free_port(), log=folder / "log", settings={"BROKER_STATE_DIR": str(folder / "state")})
    yield server
    server.stop()


@pytest.mark.parametrize("name", ATTACKS)
def test_pages_are_answered_while_clients_hold_connections(server: Server, name: str) -> None:
    assert server.log
    before, logged = memory(server.process.pid), server.log.stat().st_size
    assert_answered_under(server, name, clients=30, addresses=2, seconds=2)
    assert memory(server.process.pid) < before + MAX_HELD
    assert server.log.stat().st_size < logged + MAX_LOGGED


@pytest.mark.soak
@pytest.mark.parametrize("addresses", [1, 50])
@pytest.mark.parametrize("name", FULL)
def test_pages_are_answered_under_a_long_attack(
    server: Server, name: str, addresses: int, capsys: pytest.CaptureFixture[str]
) -> None:
    took = assert_answered_under(server, name, clients=FULL[name], addresses=addresses, seconds=30)
    time.sleep(RECOVERY)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{name}, {FULL[name]:,} clients from {addresses}: {len(took):,} pages, "
            f"95 of 100 within {quantiles(took, n=20)[-1] * 1000:.0f} ms, {memory(server.process.pid)} MiB at most\n"
        )
    assert httpx.get(server.url, timeout=ANSWER_TIMEOUT).status_code == 200
    assert memory(server.process.pid) < MAX_MEMORY


def assert_answered_under(server: Server, name: str, *, clients: int, addresses: int, seconds: float) -> list[float]:
    """Read pages as long as an attack goes on, and return the seconds that each took."""
    numbers = {"clients": clients, "addresses": addresses, "seconds": seconds}
    attacking = SPAWN.Process(target=attack, args=(name, int(server.url.rpartition(":")[2])), kwargs=numbers)
    attacking.start()
    took = []
    with httpx.Client(base_url=server.url, headers={"connection": "close"}, timeout=ANSWER_TIMEOUT) as client:
        while attacking.is_alive():
            for path in (routes.HOME, routes.RATES, routes.CONTACT):
                began = time.monotonic()
                assert client.get(path).status_code == 200
                took.append(time.monotonic() - began)
    assert attacking.exitcode == 0
    return took


def test_token_of_a_tab_opens_its_answers_with_their_cookie_alone(server: Server) -> None:
    step, words = JOURNEYS["home mover, still looking, a loan"].replies[0]

    async def taken_over() -> tuple[str, str]:
        own = await Tab.connected(server.url, "a-tab")
        await own.open(step)
        await own.answer(step, words)
        await own.leave()
        same = await Tab.connected(server.url, "a-tab", cookie=f"{JOURNEY_COOKIE}={own.token}")
        with_cookie = await same.hydrate()
        await same.leave()
        thief = await Tab.connected(server.url, "a-tab", cookie=f"{JOURNEY_COOKIE}={'A' * 43}")
        without = await thief.hydrate()
        await thief.leave()
        assert own.token
        return with_cookie.replace(own.token, "TOKEN"), without.replace(own.token, "TOKEN")

    with_cookie, without = asyncio.run(taken_over())
    shown = (f'"path_rx_state_":"{routes.question(step)}"', '"version_rx_state_":2')
    assert [part in with_cookie for part in shown] == [True, True]
    assert [part in without for part in (*shown, "TOKEN", "Question ")] == [False] * 4
