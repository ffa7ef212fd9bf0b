"""Middleware that numbers and counts requests, and logs each with its route, status, time and size.

The identifier stands in the log's lines of the request and on its error page.
"""

import logging
import re
import secrets
from collections.abc import Callable
from time import perf_counter

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from broker.log_format import REQUEST_ID
from broker.server.middleware.metrics import REQUEST_SECONDS, REQUESTS, SOCKETS

HEADER = "x-request-id"

METHODS = frozenset({"GET", "HEAD", "POST"})
"""Methods that are named; a client may send any word."""

_GIVEN = re.compile(r"[\w-]{8,64}", re.ASCII)

log = logging.getLogger("broker.access")


class RequestLog:
    """Middleware around the edge.

    `route` names the page or the handler of a request, never its address, which may hold a token. An identifier of our
    own proxy is taken over where the server is behind one (`is_proxied`).
    """

    def __init__(self, app: ASGIApp, route: Callable[[Scope], str], *, is_proxied: bool, is_logged: bool) -> None:
        self._app, self._route = app, route
        self._is_proxied, self._is_logged = is_proxied, is_logged

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on under an identifier; sockets and the lifespan have none."""
        if scope["type"] == "websocket":
            with SOCKETS.track_inprogress():
                await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        method, route = scope["method"] if scope["method"] in METHODS else "other", self._route(scope)
        token = REQUEST_ID.set(self._identifier(scope))
        began, status, sent = perf_counter(), 0, 0

        async def watched(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                sent += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            self._count(method, route, status=status, seconds=perf_counter() - began, sent=sent)
            REQUEST_ID.reset(token)

    def _identifier(self, scope: Scope) -> str:
        given = Headers(scope=scope).get(HEADER, "") if self._is_proxied else ""
        return given if _GIVEN.fullmatch(given) else secrets.token_hex(8)

    def _count(self, method: str, route: str, *, status: int, seconds: float, sent: int) -> None:
        REQUESTS.labels(route, method, status).inc()
        REQUEST_SECONDS.labels(route).observe(seconds)
        if self._is_logged:
            figures = {"status": status, "milliseconds": round(seconds * 1_000, 1), "bytes": sent}
            log.info("request", extra={"method": method, "route": route, **figures})
