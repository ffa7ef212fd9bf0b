"""The staff area of a running site over real HTTP: an account made on the command line, cookies, origins, the log."""

import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from broker import routes
from broker.services.staff.sessions import CACHE_LIFETIME
from broker.staff import main
from tests.integration.staff_accounts import on_the_command_line
from tools.project import Project
from tools.server import Server, free_port, start

NAME = "ada"


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def password(project: Project, state: Path) -> str:
    return on_the_command_line(project, state, "add", NAME, "--generate").split()[-1]


@pytest.fixture(scope="module")
def server(site: Path, project: Project, state: Path, password: str) -> Iterator[Server]:
    del site, password
    server = start(project, free_port(), log=state / "log", settings={"BROKER_STATE_DIR": str(state)})
    yield server
    server.stop()


def sign_in(client: httpx.Client, password: str, *, origin: str = "") -> httpx.Response:
    headers = {"origin": origin or str(client.base_url).rstrip("/")}
    data = {"name": NAME, "password": password, "to": routes.UPDATE_LENDERS}
    return client.post(routes.STAFF_FORMS["sign-in"], data=data, headers=headers)


def test_staff_sign_in_work_and_sign_out(server: Server, password: str) -> None:
    with httpx.Client(base_url=server.url) as client:
        shut = client.get(routes.UPDATE_LENDERS)
        done = sign_in(client, password)
        inside = client.get(routes.UPDATE_LENDERS)
        out = client.post(routes.STAFF_FORMS["sign-out"], headers={"origin": server.url})
        after = client.get(routes.UPDATE_LENDERS)
    assert [answer.status_code for answer in (shut, done, inside, out, after)] == [303, 303, 200, 303, 303]
    cookie = done.headers.get_list("set-cookie")[0]
    assert cookie.startswith("staff=")
    assert cookie.endswith("; Path=/; HttpOnly; SameSite=Strict")
    assert inside.headers["cache-control"] == "no-store"


def test_other_origins_sign_nobody_in(server: Server, password: str) -> None:
    with httpx.Client(base_url=server.url) as client:
        answers = [sign_in(client, password, origin=origin) for origin in ("https://evil.example", "null")]
    assert [(answer.status_code, "set-cookie" in answer.headers) for answer in answers] == [(403, False)] * 2


def test_disabled_account_is_out_of_a_running_site(
    server: Server, password: str, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROKER_STATE_DIR", str(state))
    deadline = time.monotonic() + 3 * CACHE_LIFETIME.total_seconds()
    with httpx.Client(base_url=server.url) as client:
        sign_in(client, password)
        assert main(["disable", NAME]) == 0
        while (inside := client.get(routes.UPDATE_LENDERS)).status_code == 200 and time.monotonic() < deadline:
            time.sleep(0.1)
        again = sign_in(client, password)
        assert main(["enable", NAME]) == 0
        enabled = sign_in(client, password)
    assert [answer.status_code for answer in (inside, again, enabled)] == [303, 403, 303]


def test_log_holds_no_password_and_no_token(server: Server, password: str) -> None:
    with httpx.Client(base_url=server.url) as client:
        sign_in(client, password)
        sign_in(client, "a guess of somebody's")
        token = client.cookies["staff"]
    said = server.said()
    assert [word for word in (password, token, "a guess") if word in said] == []
