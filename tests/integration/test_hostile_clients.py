"""The real server under clients that never come to an end: pages go on being answered, and memory stays bounded."""

import asyncio
import multiprocessing
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles

import httpx
import pytest

from broker import routes
from broker.questionnaire.forms import JOURNEY_COOKIE
from tests.integration.hostile import ADA, ATTACKS, attack, memory
from tests.integration.staff_accounts import add_account, set_up_codes
from tests.integration.tabs import Tab
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.questionnaire.journeys import JOURNEYS
from tools.project import Project
from tools.server import Server, free_port, start

MAX_MEMORY = 600
"""MiB that a server may hold under attack."""

MAX_HELD = 120
"""MiB that a short attack may take: two hashes of passwords at once, of 46 MiB each, and room."""

MAX_LOGGED, MAX_LONG_LOG = 20_000, 5_000_000
"""Bytes that a short attack, and one of half a minute, may add to the log."""

RECOVERY = 10
"""Seconds after which all is well again."""

MANY = {"unfinished messages": 60, "slow bodies": 3_000, "slow headers": 3_000, "idle sockets": 5_000}
LONG = [*((name, MANY.get(name, 20), 1) for name in ATTACKS), *((name, clients, 50) for name, clients in MANY.items())]
"""Attacks of half a minute: name, clients and addresses."""

SPAWN = multiprocessing.get_context("spawn")


@contextmanager
def attacked(project: Project, folder: Path) -> Iterator[Server]:
    """Start a server behind a proxy, with an account that has one-time codes."""
    settings = {"BROKER_STATE_DIR": str(folder / "state"), "BROKER_TRUSTED_PROXIES": "1"}
    server = start(project, free_port(), log=folder / "log", settings=settings)
    try:
        add_account(folder / "state", ADA)
        set_up_codes(server.url, ADA)
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def server(site: Path, project: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    del site
    with attacked(project, tmp_path_factory.mktemp("hostile")) as server:
        yield server


@pytest.mark.parametrize("name", ATTACKS)
def test_pages_are_answered_while_clients_attack(server: Server, name: str) -> None:
    before, logged = memory(server.process.pid), len(server.said())
    assert_answered_under(server, name, clients=30, addresses=2, seconds=2)
    assert memory(server.process.pid) < before + MAX_HELD
    assert len(server.said()) < logged + MAX_LOGGED


@pytest.mark.soak
@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("attacks", LONG, ids=str)
def test_pages_are_answered_under_a_long_attack(
    project: Project, attacks: tuple[str, int, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, clients, addresses = attacks
    with attacked(project, tmp_path) as server:
        took = assert_answered_under(server, name, clients=clients, addresses=addresses, seconds=30)
        time.sleep(RECOVERY)
        held, logged = memory(server.process.pid), len(server.said())
        with capsys.disabled():
            sys.stdout.write(
                f"\n{name}, {clients:,} clients from {addresses}: {len(took):,} pages, 95 of 100 within "
                f"{quantiles(took, n=20)[-1] * 1000:.0f} ms, {held} MiB at most, {logged:,} bytes logged\n"
            )
        assert httpx.get(server.url, timeout=ANSWER_TIMEOUT).status_code == 200
    assert (held < MAX_MEMORY, logged < MAX_LONG_LOG) == (True, True)


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
