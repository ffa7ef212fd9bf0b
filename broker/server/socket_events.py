"""Filter what Reflex receives from a socket: it would keep all headers and addresses, and accept any event."""

import asyncio
import logging
import re
from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import timedelta
from typing import Any

import reflex as rx
from reflex.event import EventSpec
from starlette.types import ASGIApp, Receive, Scope, Send

from broker.log_format import place_of
from broker.server.metrics import EVENTS
from broker.storage.rate_limit import RateLimits

log = logging.getLogger(__name__)


CLOSE = {"type": "websocket.close", "code": 1013}
"""Try again later (RFC 6455 and its registry)."""

CLOSE_TIMEOUT = 1
"""Seconds to wait for a client that does not read."""


class RedisSockets:
    """Refuses sockets of an application while Redis is away, and closes those that are open.

    Redis has lost the tabs' states, so events would fail silently. A page without a socket informs its visitor, and
    reconnects with the cookie that restores its state.
    """

    def __init__(self) -> None:
        self._open = set[Send]()
        self._is_redis_away = False

    def refuse_without_redis(self, backend: ASGIApp) -> ASGIApp:
        """Wrap a backend for `rx.App(api_transformer=...)`."""

        async def refuse_or_pass(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "websocket":
                return await backend(scope, receive, send)
            if self._is_redis_away:
                return await send(CLOSE)
            self._open.add(send)
            try:
                return await backend(scope, receive, send)
            finally:
                self._open.discard(send)

        return refuse_or_pass

    async def handle_redis(self, answers: bool) -> None:
        """Close all sockets when Redis stops responding, and accept none until it is back."""
        was_away, self._is_redis_away = self._is_redis_away, not answers
        if answers and was_away:
            log.warning("Redis is back: sockets are accepted again")
        if answers or was_away:
            return
        log.error("Redis is away: sockets are refused until it is back")
        await asyncio.gather(*map(_close, self._open))


async def _close(send: Send) -> None:
    with suppress(RuntimeError, OSError):  # it is closed already, its client has left, or does not read (TimeoutError)
        async with asyncio.timeout(CLOSE_TIMEOUT):
            await send(CLOSE)


FORWARDED = b"x-forwarded-for"

HEADERS = frozenset(
    {
        *(b"host", b"origin", b"connection", b"upgrade", b"cookie", b"sec-websocket-protocol"),
        *(FORWARDED, b"x-forwarded-host", b"x-forwarded-proto"),
    }
)
"""Headers that the socket library, Reflex or a state reads."""

MAX_HEADERS = 4_000
"""Bytes of these headers in all; a browser sends about 300."""

MAX_VALUE = 500
"""Bytes kept of the end of X-Forwarded-For, and the maximum of a cookie."""

MAX_QUERY = 500
"""Bytes of the query of a socket's address; ours have 80."""

MAX_ADDRESS = 2_000
"""Characters of a page's address; the longest have about 700."""

MAX_PER_SECOND = 30
"""Events of one tab in a second; a drag or a held key sends far fewer."""

PACKET_ERRORS = (ValueError, TypeError, LookupError)
"""Errors that the socket library raises for a malformed packet; no others reach the edge."""

ROOT = rx.State.get_full_name()

SOCKET_OPENED = f"{ROOT}.hydrate_and_load"

OF_REFLEX = frozenset(
    {
        SOCKET_OPENED,
        f"{ROOT}.reflex___state____on_load_internal_state.on_load_internal",
        f"{ROOT}.reflex___state____frontend_event_exception_state.handle_frontend_exception",
    }
)
"""Events of Reflex's own states: socket opened, page entered, page failed."""

FAILED = "Something went wrong on our side. Please try again in a minute, or call us."
"""Text for the visitor when a handler failed."""

_ERROR = re.compile(r"\b[A-Z]\w{0,30}Error\b")


def shorten(scope: Scope, cookies: Collection[str]) -> bool:
    """Remove unused headers and cookies from a socket's scope; return False if the rest is too long."""
    kept = list[tuple[bytes, bytes]]()
    for name, value in scope.get("headers", ()):
        if name == b"cookie":
            kept.append((name, _own_cookies(value, cookies)))
        elif name in HEADERS:
            kept.append((name, value[-MAX_VALUE:] if name == FORWARDED else value))
    scope["headers"] = kept
    return len(scope.get("query_string", b"")) <= MAX_QUERY and sum(len(value) for _, value in kept) <= MAX_HEADERS


def _own_cookies(header: bytes, cookies: Collection[str]) -> bytes:
    pairs = (pair.strip() for pair in header.split(b";") if len(pair) <= MAX_VALUE)
    return b"; ".join(pair for pair in pairs if pair.partition(b"=")[0].decode("latin-1") in cookies)


def is_sent_by_pages(name: str) -> bool:
    """Return whether an event is of our own states, or in OF_REFLEX."""
    return name in OF_REFLEX or (name.startswith(f"{ROOT}.broker___") and not name.endswith(".setvar"))


class SocketEvents:
    """Filter of events before Reflex; `filter_events_of` installs it.

    `observe` is called with the socket and the data of each event that is passed on.
    """

    def __init__(self, observe: Callable[[str, dict[str, Any]], None] = lambda *_: None) -> None:
        self._observe = observe
        self._limit = RateLimits().limit("events of a tab", most=MAX_PER_SECOND, window=timedelta(seconds=1))

    def filter_events_of(self, app: rx.App) -> None:
        """Pass on only accepted events of an application's sockets."""
        sockets = app.event_namespace
        assert sockets
        on_event = sockets.on_event

        async def on_accepted_event(sid: str, data: Any) -> None:
            if (event := await self.accepted(sid, data)) is not None:
                self._observe(sid, event)
                await on_event(sid, event)

        sockets.on_event = on_accepted_event  # pyright: ignore[reportAttributeAccessIssue] - called by name

    async def accepted(self, sid: str, data: Any) -> dict[str, Any] | None:
        """Return an event with a shortened address; log a refused one, and return None."""
        if not isinstance(data, dict) or not is_sent_by_pages(str(data.get("name"))):
            log.warning("An event that no page sends was refused")
            EVENTS.labels("refused").inc()
            return None
        if not await self._limit.take(sid):
            log.warning("A tab sent more than %d events in a second; the rest were dropped", MAX_PER_SECOND)
            EVENTS.labels("dropped").inc()
            return None
        EVENTS.labels("taken").inc()
        return {**data, "router_data": _short(data.get("router_data"))}


def _short(router_data: Any) -> dict[str, Any]:
    """Return only the address of a page from Reflex's router data."""
    given = router_data if isinstance(router_data, dict) else {}
    short: dict[str, Any] = {
        name: value[:MAX_ADDRESS] for name in ("pathname", "asPath") if isinstance(value := given.get(name), str)
    }
    query = given.get("query")
    if isinstance(query, dict) and len(str(given.get("asPath"))) <= MAX_ADDRESS and len(str(query)) <= 2 * MAX_ADDRESS:
        short["query"] = query
    return short


def log_failed_handler(exception: Exception) -> EventSpec:
    """Log where a state's handler failed, without the error's message, and show FAILED."""
    log.error("A state handler failed: %s", place_of(exception))
    return rx.window_alert(FAILED)


def log_broken_packet(error: Exception) -> None:
    """Log that a malformed packet closed a socket, without the packet."""
    log.warning("A socket was closed over a broken packet: %s", type(error).__name__)


def log_page_error(exception: Exception) -> None:
    """Log the type of an error that a page reports, which anybody may write."""
    named = _ERROR.search(str(exception))
    log.error("A page reported an error%s", f" ({named[0]})" if named else "")
