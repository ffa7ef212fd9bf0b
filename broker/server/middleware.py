"""Middleware that numbers and counts requests, and logs each with its route, status, time and size.

The identifier stands in the log's lines of the request and on its error page.
"""

import logging
import re
import secrets
import traceback
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from time import perf_counter

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from broker import routes
from broker.log_format import REQUEST_ID
from broker.server import health
from broker.server.metrics import REQUEST_SECONDS, REQUESTS, SOCKETS
from broker.server.response import plain_text, send_answer

# The server has decoded the path once. Where it has a dot segment, an empty segment, a backslash or a control
# character, a proxy, a file server or a router may take it for another path than the access control does. No page has
# such a path. A request with both a length and chunks may end elsewhere for a proxy than here, so that what follows
# is another's (RFC 9112, 6.1): it is refused, and the connection is closed.

_AMBIGUOUS_PATH = re.compile(r"\A(?!/)|//|/\.\.?(?:/|\Z)|[\\\x00-\x1f\x7f]")

TWO_LENGTHS = plain_text(400, "This request says in two ways where it ends.")


class AmbiguousRequests:
    """ASGI middleware in front of everything: an ambiguous path becomes that of the error page."""

    def __init__(self, app: ASGIApp, security: Mapping[str, str]) -> None:
        self._app, self._security = app, security

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or a socket on, or refuse it."""
        if "path" in scope and _AMBIGUOUS_PATH.search(scope["path"]):
            scope = {**scope, "path": routes.NOT_FOUND}
        if scope["type"] == "http" and {"content-length", "transfer-encoding"} <= set(Headers(scope=scope)):
            closing = replace(TWO_LENGTHS, headers={**TWO_LENGTHS.headers, "connection": "close"})
            await send_answer(closing, self._security, scope=scope, send=send)
        else:
            await self._app(scope, receive, send)


UNKNOWN = plain_text(421, "This host is not served here.")


class KnownHosts:
    """ASGI middleware that answers 421 to a request for an unknown host, and closes its socket.

    The addresses of `/health` are answered under any name: a load balancer asks by address. Without `hosts` every
    request is passed on.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], *, security: Mapping[str, str]) -> None:
        self._app, self._hosts, self._security = app, hosts, security

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if not self._hosts or scope["type"] not in ("http", "websocket") or self._is_known(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await send_answer(UNKNOWN, self._security, scope=scope, send=send)

    def _is_known(self, scope: Scope) -> bool:
        host = Headers(scope=scope).get("host", "").lower()
        return host in self._hosts or host.rpartition(":")[0] in self._hosts or scope["path"] in health.PATHS


FAILED = "Something went wrong on our side. Please try again in a minute, or call us and quote {}."
"""What a visitor reads; the identifier leads to the line in the log."""

logger = logging.getLogger(__name__)


def log_error(error: BaseException) -> None:
    """Log the type and the traceback of an error; its message may hold what a visitor sent, and is left out."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    logger.error("A request failed: %s\n%s", type(error).__name__, frames.rstrip())


class LastResort:
    """Middleware around the edge; `security` are the headers that every answer has."""

    def __init__(self, app: ASGIApp, security: Mapping[str, str]) -> None:
        self._app, self._security = app, security

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; where it fails after its answer has begun, the error goes on to the server.

        The server then closes the connection, so that nobody takes half an answer for a whole one.
        """
        has_begun = False

        async def watched(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:  # whatever nobody expected: the visitor gets an answer, and the log its place
            log_error(error)
            if has_begun or scope["type"] != "http":
                raise
            failed = plain_text(500, FAILED.format(REQUEST_ID.get()))
            await send_answer(failed, self._security, scope=scope, send=send)


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
