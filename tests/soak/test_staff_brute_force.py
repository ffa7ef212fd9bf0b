"""Guesses at the door of the staff area, as many as come, for a minute: none gets in, and the site goes on."""

import itertools
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from broker import routes
from broker.staff.accounts import MAX_FAILURES
from tests.integration.hostile import memory
from tests.integration.staff_accounts import on_the_command_line
from tests.integration.test_staff_http import NAME
from tests.integration.visitors import visitors
from tools.project import Project
from tools.server import Server, free_port, start

GUESSERS, SECONDS = 12, 60
MAX_MEMORY = 400
"""MiB that the guesses may add to what the server holds: two hashes at once, of 46 MiB each, and room."""

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def password(project: Project, state: Path) -> str:
    return on_the_command_line(project, state, "add", NAME, "--generate").split()[-1]


@pytest.fixture(scope="module")
def server(site: Path, project: Project, state: Path, password: str) -> Iterator[Server]:
    assert site.is_dir()
    assert password
    settings = {"BROKER_STATE_DIR": str(state), "BROKER_TRUSTED_PROXIES": "1"}
    server = start(project, free_port(), log=state / "log", settings=settings)
    yield server
    server.stop()


def guess(server: Server, numbers: Iterator[int], over: threading.Event, answers: Counter[int]) -> None:
    with httpx.Client(base_url=server.url, timeout=120) as client:
        while not over.is_set():
            number = next(numbers)
            headers = {
                "origin": server.url,
                "x-forwarded-for": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}",
            }
            data = {"name": NAME, "password": f"the guess of number {number}"}
            answers[client.post(routes.STAFF_FORMS["sign-in"], data=data, headers=headers).status_code] += 1


def test_guesses_from_everywhere_open_nothing_and_stop_nobody(
    server: Server, password: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before, answers, over = memory(server.process.pid), Counter[int](), threading.Event()
    numbers = itertools.count(1)
    guessers = [threading.Thread(target=guess, args=(server, numbers, over, answers)) for _ in range(GUESSERS)]
    with visitors(server.url, (routes.HOME, routes.RATES)) as visits:
        for thread in guessers:
            thread.start()
        over.wait(SECONDS)
        over.set()
        for thread in guessers:
            thread.join()
    with capsys.disabled():
        sys.stdout.write(
            f"\n{dict(answers)} guesses answered, {visits.total():,} pages read meanwhile, "
            f"{memory(server.process.pid) - before} MiB more held\n"
        )
    assert set(answers) <= {403, 503}
    assert answers[403] > MAX_FAILURES
    assert {status for _, status in visits} == {200}
    assert memory(server.process.pid) - before < MAX_MEMORY
    assert sign_in(server, password) == 303


def sign_in(server: Server, password: str) -> int:
    headers = {"origin": server.url, "x-forwarded-for": "192.0.2.7"}
    data = {"name": NAME, "password": password}
    return httpx.post(server.url + routes.STAFF_FORMS["sign-in"], data=data, headers=headers).status_code


def test_one_address_has_its_tries_and_no_more(server: Server) -> None:
    headers = {"origin": server.url, "x-forwarded-for": "198.51.100.1"}
    answers: Counter[int] = Counter()
    with httpx.Client(base_url=server.url, timeout=30) as client:
        for number in range(200):
            data = {"name": f"nobody{number}", "password": "a guess of somebody's"}
            answers[client.post(routes.STAFF_FORMS["sign-in"], data=data, headers=headers).status_code] += 1
    assert answers == {403: 40, 429: 160}
