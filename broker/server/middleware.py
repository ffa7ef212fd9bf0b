"""ASGI middleware around the edge: ambiguous requests, unknown hosts, unexpected errors, and the request log."""

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

_AMBIGUOUS_PATH = re.compile(r"\A(?!/)|//|/\.\.?(?:/|\Z)|[\\\x00-\x1f\x7f]")

_TWO_LENGTHS = plain_text(400, "This request says in two ways where it ends.")


class AmbiguousRequests:
    """Answers requests that a proxy and this server may understand differently.

    A path, decoded once by the server, with a dot segment, an empty segment, a backslash or a control character gets
    the error page; no page has one. A request with both a length and chunks may end elsewhere for a proxy (RFC 9112,
    6.1): it is refused, and the connection is closed.
    """

    def __init__(self, app: ASGIApp, security: Mapping[str, str]) -> None:
        self._app, self._security = app, security

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if "path" in scope and _AMBIGUOUS_PATH.search(scope["path"]):
            scope = {**scope, "path": routes.NOT_FOUND}
        if scope["type"] == "http" and {"content-length", "transfer-encoding"} <= set(Headers(scope=scope)):
            closing = replace(_TWO_LENGTHS, headers={**_TWO_LENGTHS.headers, "connection": "close"})
            await send_answer(closing, self._security, scope=scope, send=send)
        else:
            await self._app(scope, receive, send)


_UNKNOWN_HOST = plain_text(421, "This host is not served here.")


class KnownHosts:
    """Answers 421 to a request for an unknown host, and closes a socket to one.

    `/health` is served for any host: load balancers request it by IP address. Without `hosts` every host is known.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], *, security: Mapping[str, str]) -> None:
        self._app, self._hosts, self._security = app, hosts, security

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._hosts or scope["type"] not in ("http", "websocket") or self._is_known(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await send_answer(_UNKNOWN_HOST, self._security, scope=scope, send=send)

    def _is_known(self, scope: Scope) -> bool:
        host = Headers(scope=scope).get("host", "").lower()
        return host in self._hosts or host.rpartition(":")[0] in self._hosts or scope["path"] in health.PATHS


FAILED = "Something went wrong on our side. Please try again in a minute, or call us and quote {}."
"""Text for the visitor; the identifier is that of the request in the log."""

logger = logging.getLogger(__name__)


def _log_error(error: BaseException) -> None:
    """Log the type and the traceback of an error without its message, which may quote a visitor."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    logger.error("A request failed: %s\n%s", type(error).__name__, frames.rstrip())


class LastResort:
    """Logs unexpected errors and answers them with 500; `security` are the headers of every answer."""

    def __init__(self, app: ASGIApp, security: Mapping[str, str]) -> None:
        self._app, self._security = app, security

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; an error after the start of its answer is raised, and the server closes the connection."""
        has_begun = False

        async def watched(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:  # any: the visitor gets an answer
            _log_error(error)
            if has_begun or scope["type"] != "http":
                raise
            failed = plain_text(500, FAILED.format(REQUEST_ID.get()))
            await send_answer(failed, self._security, scope=scope, send=send)


_REQUEST_ID_HEADER = "x-request-id"

_METHODS = frozenset({"GET", "HEAD", "POST"})
"""Methods in the log and the metrics; a client may send any word."""

_GIVEN = re.compile(r"[\w-]{8,64}", re.ASCII)

log = logging.getLogger("broker.access")


class RequestLog:
    """Gives each request an identifier, and logs and counts its route, status, time and size.

    `route` returns the page or the handler of a request, never its address, which may hold a token. Behind a proxy of
    ours (`is_proxied`) its identifier is used. `observe` is called with each request and its status, 0 for no answer.
    """

    def __init__(
        self,
        app: ASGIApp,
        route: Callable[[Scope], str],
        *,
        is_proxied: bool,
        is_logged: bool,
        observe: Callable[[Scope, int], None] = lambda *_: None,
    ) -> None:
        self._app, self._route, self._observe = app, route, observe
        self._is_proxied, self._is_logged = is_proxied, is_logged

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            with SOCKETS.track_inprogress():
                await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        method, route = scope["method"] if scope["method"] in _METHODS else "other", self._route(scope)
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
            self._observe(scope, status)
            REQUEST_ID.reset(token)

    def _identifier(self, scope: Scope) -> str:
        given = Headers(scope=scope).get(_REQUEST_ID_HEADER, "") if self._is_proxied else ""
        return given if _GIVEN.fullmatch(given) else secrets.token_hex(8)

    def _count(self, method: str, route: str, *, status: int, seconds: float, sent: int) -> None:
        REQUESTS.labels(route, method, status).inc()
        REQUEST_SECONDS.labels(route).observe(seconds)
        if self._is_logged:
            figures = {"status": status, "milliseconds": round(seconds * 1_000, 1), "bytes": sent}
            log.info("request", extra={"method": method, "route": route, **figures})
