import asyncio
from typing import Any

import pytest
from reflex_base.registry import RegistrationContext
from starlette.types import Message, Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from broker import broker
from broker.server import socket_events
from broker.server.socket_events import (
    MAX_ADDRESS,
    OF_REFLEX,
    ROOT,
    RedisSockets,
    SocketEvents,
    is_sent_by_pages,
    log_failed_handler,
    log_page_error,
    shorten,
)
from broker.state.rates.search import RatesState
from broker.storage.rate_limit import RateLimits
from tests.unit.enquiries.enquiring import Calendar

FIND = f"{RatesState.get_full_name()}.find"
COOKIES = frozenset({"journey", "staff"})


def test_events_of_pages_are_those_of_our_states_and_three_of_reflexs() -> None:
    assert broker.app
    handlers = RegistrationContext.get().event_handlers
    ours = {name for name, each in handlers.items() if each.handler.fn.__module__.startswith("broker.")}
    of_tests = {name for name in handlers if ".tests___" in name}  # states that other tests of the process made
    assert {name for name in handlers if is_sent_by_pages(name)} - of_tests == ours | OF_REFLEX
    assert f"{ROOT}.set_is_hydrated" in handlers


@pytest.mark.parametrize(
    "data",
    [
        {"name": f"{ROOT}.set_is_hydrated", "payload": {"value": "A" * 60_000}},
        {"name": f"{RatesState.get_full_name()}.setvar", "payload": {"var_name": "Ann Smith", "value": 1}},
        {"name": "Ann Smith"},
        {"payload": {}},
        "Ann Smith",
        ["Ann Smith"],
        None,
    ],
)
async def test_event_that_no_page_sends_is_refused_in_one_line(data: Any, caplog: pytest.LogCaptureFixture) -> None:
    assert await SocketEvents().accepted("a socket", data) is None
    assert caplog.messages == ["An event that no page sends was refused"]


async def test_events_of_a_socket_are_dropped_beyond_thirty_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    calendar = Calendar()
    monkeypatch.setattr(socket_events, "RateLimits", lambda: RateLimits(clock=calendar))
    events = SocketEvents()

    async def taken(sid: str, times: int) -> int:
        return sum([await events.accepted(sid, {"name": FIND}) is not None for _ in range(times)])

    assert (await taken("one", 100), await taken("two", 10)) == (30, 10)
    calendar.forward(seconds=0.9)
    assert await taken("one", 5) == 0
    calendar.forward(seconds=0.2)
    assert await taken("one", 5) == 5


ADDRESSES: dict[str, tuple[Any, Any]] = {
    "of a page": (
        {"pathname": "/a/", "asPath": "/a/?b=1", "query": {"b": "1"}},
        {"pathname": "/a/", "asPath": "/a/?b=1", "query": {"b": "1"}},
    ),
    "with more": ({"pathname": "/", "more": "A" * 60_000, "headers": {"cookie": "A"}}, {"pathname": "/"}),
    "too long": (
        {"pathname": "/" + "a" * 60_000, "asPath": "/?" + "a" * 60_000, "query": {"a": "A" * 60_000}},
        {"pathname": "/" + "a" * (MAX_ADDRESS - 1), "asPath": "/?" + "a" * (MAX_ADDRESS - 2)},
    ),
    "with a long query": ({"asPath": "/", "query": {"a": ["A" * 60_000]}}, {"asPath": "/"}),
    "of other types": ({"pathname": ["/"], "asPath": 7, "query": "A"}, {}),
    "that is none": (None, {}),
}


@pytest.mark.parametrize(("given", "kept"), ADDRESSES.values(), ids=ADDRESSES)
async def test_address_is_kept_as_long_as_one_of_a_page(given: Any, kept: Any) -> None:
    event = {"name": FIND, "payload": {"a": 1}, "router_data": given}
    assert await SocketEvents().accepted("a socket", event) == {**event, "router_data": kept}


def test_headers_and_cookies_that_nothing_reads_are_not_kept() -> None:
    cookie = b"a=" + b"b" * 30_000 + b"; journey=abc; _ga=GA1; staff=def; journey-not=1; staff=" + b"c" * 600
    scope: Any = {
        "query_string": b"token=1&EIO=4&transport=websocket",
        "headers": [
            *((b"host", b"a"), (b"origin", b"http://a"), (b"user-agent", b"b" * 30_000), (b"cookie", cookie)),
            (b"x-forwarded-for", b"c" * 30_000 + b", 192.0.2.1"),
        ],
    }
    assert shorten(scope, COOKIES)
    kept = dict(scope["headers"])
    assert (kept[b"cookie"], kept[b"x-forwarded-for"][-11:]) == (b"journey=abc; staff=def", b", 192.0.2.1")
    assert (list(kept), len(kept[b"x-forwarded-for"])) == ([b"host", b"origin", b"cookie", b"x-forwarded-for"], 500)


@pytest.mark.parametrize(
    "scope",
    [
        {"query_string": b"token=" + b"a" * 30_000},
        {"headers": [(b"origin", b"http://" + b"a" * 30_000)]},
        {"headers": [(b"cookie", b"journey=" + b"a" * 490)] * 10},
    ],
)
def test_socket_with_a_long_address_or_origin_is_refused(scope: Any) -> None:
    assert not shorten(scope, COOKIES)


def test_failed_handler_is_logged_by_its_place_and_the_visitor_has_a_notice(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise KeyError("Ann" + " Smith")
    except KeyError as error:
        told = log_failed_handler(error)
    assert "or call us" in str(told)
    assert caplog.messages[0].startswith("A state handler failed: KeyError at test_socket_events.py:")
    assert "Ann Smith" not in caplog.text


def test_page_error_is_logged_by_its_type(caplog: pytest.LogCaptureFixture) -> None:
    log_page_error(Exception("[SID: 1] x: TypeError: Ann Smith" + "A" * 60_000))
    log_page_error(Exception("Ann Smith"))
    assert caplog.messages == ["A page reported an error (TypeError)", "A page reported an error"]


async def test_client_that_left_at_the_moment_keeps_no_other_socket_open_and_none_refused() -> None:
    sockets, sent = RedisSockets(), list[Message]()
    left = asyncio.Event()

    async def backend(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001 - as ASGI calls it
        await left.wait()

    async def gone(_: Message) -> None:
        raise ClientDisconnected  # as uvicorn does

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "websocket.disconnect"}

    app = sockets.refuse_without_redis(backend)

    async def connect(send: Send) -> None:
        await app({"type": "websocket", "path": "/"}, receive, send)

    async with asyncio.TaskGroup() as group:
        for each in (gone, send):
            group.create_task(connect(each))
        await asyncio.sleep(0)
        await sockets.handle_redis(False)
        left.set()
    assert sent == [{"type": "websocket.close", "code": 1013}]


async def test_sockets_are_closed_when_redis_is_away_and_refused_until_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket_events, "CLOSE_TIMEOUT", 0.01)
    passed = list[str]()
    sent = list[Message]()

    async def backend(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001 - as ASGI calls it
        passed.append(scope["path"])
        await receive()

    sockets = RedisSockets()
    app = sockets.refuse_without_redis(backend)

    async def connect(path: str, *, kind: str = "websocket", is_read: bool = True) -> None:
        closed = asyncio.Event()

        async def receive() -> Message:
            if kind == "websocket":
                await closed.wait()
            return {"type": "websocket.disconnect"}

        async def send(message: Message) -> None:
            closed.set()
            if is_read:
                sent.append(message)
            else:
                await asyncio.Event().wait()

        await app({"type": kind, "path": path}, receive, send)

    async with asyncio.TaskGroup() as group:
        group.create_task(connect("/open"))
        group.create_task(connect("/not-read", is_read=False))
        await asyncio.sleep(0)
        await sockets.handle_redis(False)
    await connect("/refused")
    await connect("/page", kind="http")
    assert passed == ["/open", "/not-read", "/page"]
    assert sent == 2 * [{"type": "websocket.close", "code": 1013}]
    await sockets.handle_redis(True)
    async with asyncio.TaskGroup() as group:
        group.create_task(connect("/back"))
        await asyncio.sleep(0)
        assert passed[-1] == "/back"
        await sockets.handle_redis(False)
