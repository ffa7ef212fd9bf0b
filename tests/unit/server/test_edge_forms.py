import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from reflex.constants import Endpoint
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from broker import routes
from broker.server import edge as edge_module
from broker.server.edge import Edge, api_transformer
from broker.server.exported_site import notice_cookie
from broker.server.releases import LiveExport
from broker.settings import Settings
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.server.site import SITE

PATHS = ("/about-us/", "/tools/rates/?price=2%2C000&x=1", "/caf%C3%A9/")
BACK = {
    **{f"{SITE}{path}": path for path in PATHS},
    **{f"{SITE}{path}": "/evil.example/" for path in ("//evil.example/", "/%5C%5Cevil.example/", "/%2F/evil.example/")},
    **dict.fromkeys(("http://evil.example/about-us/", f"{SITE}@evil.example/", f"{SITE}.evil.example/"), "/"),
    **dict.fromkeys((SITE, "javascript:alert(1)", "//evil.example/", "http://[bad/", ""), "/"),
}
"""Where the form leads back to, by the referrer."""


def test_the_cookie_form_sets_the_cookie_and_goes_back_to_its_page(web: TestClient, secure_web: TestClient) -> None:
    for referer, back in BACK.items():
        answer = web.post(routes.COOKIE_NOTICE, headers={"referer": referer})
        web.cookies.clear()
        assert (answer.status_code, answer.headers["location"]) == (303, back), referer
        assert answer.headers["set-cookie"] == "cookie_notice=accepted; Max-Age=8640000; Path=/; SameSite=Lax"
    answer = secure_web.post(routes.COOKIE_NOTICE)
    secure_web.cookies.clear()
    assert answer.headers["set-cookie"] == notice_cookie(secure=True) == f"{notice_cookie(secure=False)}; Secure"


def test_a_closed_notice_is_hidden_without_scripts(web: TestClient) -> None:
    for address in ("/about-us/", "/nope/"):
        seen, closed = web.get(address), web.get(address, headers={"cookie": "a=b; cookie_notice=accepted"})
        assert closed.text == seen.text.replace("<html ", '<html data-cookie-notice="accepted" ')
        assert closed.headers["content-security-policy"] == seen.headers["content-security-policy"]
        assert closed.headers.get("etag", "") != seen.headers.get("etag")
    assert "data-cookie-notice=" not in web.get("/", headers={"cookie": "cookie_notice=accepted-not"}).text[:100]


def test_a_handler_answers_for_its_own_addresses_only(web: TestClient, secure_web: TestClient) -> None:
    assert web.get("/lists/a.csv").status_code == 404
    taken = secure_web.get("/lists/a.csv")
    assert (taken.status_code, taken.text, taken.headers["content-security-policy"]) == (200, "a,b", "sandbox")
    assert "x-content-type-options" in taken.headers
    unknown = secure_web.get("/lists/b.csv")
    assert (unknown.status_code, unknown.text) == (404, secure_web.get("/nothing/").text)
    assert secure_web.post("/lists/a.csv").status_code == 404


async def test_a_socket_that_sends_no_packets_ends_with_one_line(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise ValueError(f"garbage of {scope['type']} {receive} {send}")

    edge = cast(Edge, api_transformer(Settings(), LiveExport(tmp_path, ""))(broken))
    await edge({"type": "websocket", "path": "/_event/"}, cast(Any, None), cast(Any, None))
    assert caplog.messages == ["A socket was closed over a broken packet: ValueError"]


async def test_network_may_hold_and_open_so_many_sockets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge_module, "MAX_SOCKETS", 2)
    monkeypatch.setattr(edge_module, "MAX_NEW_SOCKETS", (4, timedelta(minutes=1)))
    closing, refused, is_full = asyncio.Event(), list[str](), [False]

    async def tab(_scope: Scope, _receive: Receive, _send: Send) -> None:
        await closing.wait()

    async def send(message: Message) -> None:
        refused.append(message["type"])

    edge = api_transformer(Settings(), LiveExport(tmp_path, ""), is_full=lambda: is_full[0])(tab)

    async def connect(address: str) -> None:
        await edge({"type": "websocket", "path": "/_event/", "client": (address, 1)}, cast(Any, None), send)

    async with asyncio.timeout(ANSWER_TIMEOUT), asyncio.TaskGroup() as sockets:
        for address in ("2001:db8::1", "2001:db8::2", "192.0.2.1"):
            sockets.create_task(connect(address))
        await asyncio.sleep(0)
        await connect("2001:db8::3")
        is_full[0] = True
        await connect("192.0.2.2")
        is_full[0] = False
        assert refused == ["websocket.close"] * 2
        closing.set()
    for _ in range(3):
        await connect("2001:db8::1")
    assert len(refused) == 3


async def test_site_may_hold_four_times_the_sockets_of_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge_module, "MAX_SOCKETS", 1)
    closing, held, refused = asyncio.Event(), list[str](), list[str]()

    async def tab(scope: Scope, _receive: Receive, _send: Send) -> None:
        held.append(scope["client"][0])
        await closing.wait()

    async def connect(address: str) -> None:
        async def send(_message: Message) -> None:
            refused.append(address)

        await edge({"type": "websocket", "path": "/_event/", "client": (address, 1)}, cast(Any, None), send)

    edge = api_transformer(Settings(), LiveExport(tmp_path, ""))(tab)
    networks = [f"2001:db8:0:{number}::1" for number in range(5)]
    async with asyncio.timeout(ANSWER_TIMEOUT), asyncio.TaskGroup() as sockets:
        for address in (*networks, "2001:db8:1::1"):
            sockets.create_task(connect(address))
        await asyncio.sleep(0)
        closing.set()
    assert (held, refused) == ([*networks[:4], "2001:db8:1::1"], networks[4:])


async def test_messages_of_a_network_wait_beyond_so_many_in_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge_module, "MAX_MESSAGES", 4)
    paused, taken = list[float](), list[str]()

    async def sleep(seconds: float) -> None:
        paused.append(seconds)

    async def tab(scope: Scope, receive: Receive, _send: Send) -> None:
        for _ in range(3):
            taken.append(f"{scope['client'][0]} {(await receive())['type']}")

    async def message() -> Message:
        return {"type": "websocket.receive"}

    edge = api_transformer(Settings(), LiveExport(tmp_path, ""))(tab)
    monkeypatch.setattr(edge_module.asyncio, "sleep", sleep)
    for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2"):
        await edge({"type": "websocket", "path": "/_event/", "client": (address, 1)}, message, cast(Any, None))
    assert (paused, len(taken)) == ([edge_module.PAUSE_SECONDS] * 2, 9)


def test_no_request_passes_to_reflex(web: TestClient) -> None:
    for endpoint in Endpoint:
        for path in (f"/{endpoint.value}", f"/{endpoint.value}/", f"/{endpoint.value}/../staff/"):
            assert web.get(path).status_code == 404, path


async def test_socket_at_another_path_is_refused(tmp_path: Path) -> None:
    passed, sent = list[str](), list[Message]()

    async def reflex(scope: Scope, _receive: Receive, _send: Send) -> None:
        passed.append(scope["path"])

    async def send(message: Message) -> None:
        sent.append(message)

    edge = api_transformer(Settings(), LiveExport(tmp_path, ""))(reflex)
    for path in (*routes.EVENTS, "/_event//", "/_event/x", "/_event/../staff/", "/ping", "/"):
        await edge({"type": "websocket", "path": path}, cast(Any, None), send)
    assert passed == ["/_event", "/_event/"]
    assert sent == [{"type": "websocket.close", "code": 1008}] * 5
