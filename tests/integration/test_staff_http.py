"""The staff area of a running site over real HTTP: an account made on the command line, cookies, origins, the log."""

import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from broker import routes
from broker.staff.__main__ import main
from tests.integration.staff_accounts import on_the_command_line
from tests.timeouts import ANSWER_TIMEOUT
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
    with httpx.Client(base_url=server.url, timeout=ANSWER_TIMEOUT) as client:
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
    with httpx.Client(base_url=server.url, timeout=ANSWER_TIMEOUT) as client:
        answers = [sign_in(client, password, origin=origin) for origin in ("https://evil.example", "null")]
    assert [(answer.status_code, "set-cookie" in answer.headers) for answer in answers] == [(403, False)] * 2


def test_disabled_account_is_out_of_a_running_site(
    server: Server, password: str, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROKER_STATE_DIR", str(state))
    with httpx.Client(base_url=server.url, timeout=ANSWER_TIMEOUT) as client:
        sign_in(client, password)
        assert main(["disable", NAME]) == 0
        deadline = time.monotonic() + ANSWER_TIMEOUT  # the server's cache of sessions ends long before
        while (inside := client.get(routes.UPDATE_LENDERS)).status_code == 200 and time.monotonic() < deadline:
            time.sleep(0.1)
        again = sign_in(client, password)
        assert main(["enable", NAME]) == 0
        enabled = sign_in(client, password)
    assert [answer.status_code for answer in (inside, again, enabled)] == [303, 403, 303]


ROUNDABOUT = (
    *("/ping/..%2fstaff%2f", "/ping%2f..%2fstaff%2f", "/ping/../staff/", "/_event/..%2fstaff%2f", "/./staff/"),
    *(
        "/ping/..%5cstaff%5c",
        "/ping/%2e%2e/staff/",
        "//staff/",
        "/staff/%2e",
        "/contact%00/../../staff/",
        "/a%0a/staff/",
    ),
    *(
        "/ping/..%2fcontact",
        "/ping/..%2fassets",
        "/ping/..%2f__staff.html",
        "/_upload/..%2fstaff",
        "/_upload",
        "/_event",
    ),
    *("/ping/", "?", "?a=b", "*", "http://evil.example/staff/", "/health/..%2fstaff/", "/logos/..%2f..%2fstaff%2f"),
)
"""Request targets that end at a page of staff, or in a redirect, where a path is read differently by two readers."""


@pytest.mark.parametrize("target", ROUNDABOUT)
def test_ambiguous_path_leads_to_no_staff_page_and_no_other_host(server: Server, target: str) -> None:
    with socket.create_connection(
        ("127.0.0.1", int(server.url.rpartition(":")[2])), timeout=ANSWER_TIMEOUT
    ) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".encode())
        head, _, body = b"".join(iter(lambda: connection.recv(65_536), b"")).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 404 ")
    assert (b"location:" in head.lower(), b"x-content-type-options: nosniff" in head.lower()) == (False, True)
    assert b"Page not found" in body


def test_link_of_the_firm_has_a_name_where_its_words_are_hidden(server: Server, password: str) -> None:
    with httpx.Client(base_url=server.url, timeout=ANSWER_TIMEOUT) as client:
        names = {path: client.get(path).text for path in (routes.STAFF_SIGN_IN,)}
        sign_in(client, password)
        names |= {path: client.get(path).text for path in (routes.STAFF_DIARY, routes.STAFF_MAIL)}
    for path, page in names.items():
        (name,) = re.findall(r'class="desk-brand"[^>]* aria-label="[^"]*, ([^",]+)"', page)
        assert (path, name) == (path, "home page" if path == routes.STAFF_SIGN_IN else "today for staff")


def test_log_holds_no_password_and_no_token(server: Server, password: str) -> None:
    with httpx.Client(base_url=server.url, timeout=ANSWER_TIMEOUT) as client:
        sign_in(client, password)
        sign_in(client, "a guess of somebody's")
        token = client.cookies["staff"]
    said = server.said()
    assert [word for word in (password, token, "a guess") if word in said] == []
