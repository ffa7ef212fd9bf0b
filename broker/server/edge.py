"""The HTTP edge: ASGI middleware around Reflex's application that serves the exported site.

Sockets of Reflex's events pass through; every request is answered here, since Reflex would serve files and redirect by
the Host header.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Any, Protocol

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from broker import routes
from broker.log_format import JSON
from broker.questionnaire.forms import JOURNEY_COOKIE
from broker.server.exported_site import ExportedFile, is_notice_closed, notice_cookie
from broker.server.forms.posts import MessagePost, Post, answer_post, client_address
from broker.server.middleware import KnownHosts, LastResort, RequestLog
from broker.server.paths import local_address, redirect_of, referring_page, unescaped_query, with_slash
from broker.server.releases import LiveExport
from broker.server.rendered_pages import file_answer
from broker.server.response import SAFE_METHODS, Answer, Handler, is_https, security_headers, send_answer
from broker.server.socket_events import PACKET_ERRORS, log_broken_packet, shorten
from broker.settings import Settings
from broker.staff.sessions import StaffCookies
from broker.storage.rate_limit import RateLimits, client_networks

MAX_SOCKETS = 300
"""Open sockets of one network: each is a tab, and an office or a mobile network shares an address."""

MAX_NEW_SOCKETS = (1_500, timedelta(minutes=5))
"""Sockets opened by one network in a window; a tab is kept for three times as long (`rxconfig.py`)."""

MAX_MESSAGES = 500
"""Messages of all sockets of one network in a second; each further one waits for PAUSE_SECONDS."""

PAUSE_SECONDS = 1.0

PROXY_SECONDS = "5"
"""Time for which a proxy of ours may cache a page."""

NO_HANDLERS: Mapping[str, Handler] = MappingProxyType({})
NO_POSTS: Mapping[str, Post | MessagePost] = MappingProxyType({})


class History(Protocol):
    """Former paths of pages: `moved` has the current path of each, `removed` are those of deleted pages."""

    @property
    def moved(self) -> Mapping[str, str]: ...

    @property
    def removed(self) -> Container[str]: ...


class NoHistory:
    moved: Mapping[str, str] = MappingProxyType({})
    removed: Container[str] = ()


def _is_at(path: str, name: str) -> bool:
    """Return whether a path matches a handler's name, which may have `*` for any part."""
    return fnmatchcase(path, name) if "*" in name else path == name


@dataclass(frozen=True, slots=True, kw_only=True)
class _EitherOf:
    first: Container[str]
    second: Container[str]

    def __contains__(self, path: Any) -> bool:
        return path in self.first or path in self.second


def _moved(location: str, status: int = 301) -> Answer:
    return Answer(status=status, headers={"location": location, "cache-control": "no-cache"})


class Edge:
    """Middleware that answers with exported files, handlers by path or folder (`/logos/*`), posts, and redirects.

    Every answer has the security headers.
    """

    def __init__(
        self,
        app: ASGIApp,
        live: LiveExport,
        settings: Settings,
        *,
        handlers: Mapping[str, Handler] = NO_HANDLERS,
        posts: Mapping[str, Post | MessagePost] = NO_POSTS,
        data_pages: Container[str] = (),
        history: Callable[[], History] = NoHistory,
        is_full: Callable[[], bool] = lambda: False,
    ) -> None:
        """`data_pages` are the paths of pages that handlers answer; `is_full` returns whether no tab can be opened."""
        self._app = app
        self._live = live
        self._settings = settings
        self._site_url = settings.site_url
        self._handlers = handlers
        self._posts = posts
        self._data_pages = data_pages
        self._history = history
        self._security = security_headers(settings.site_url)
        self._sockets = Counter[str]()
        limits, (most, window) = RateLimits(), MAX_NEW_SOCKETS
        self._new_sockets = limits.limit("new sockets", most=most, window=window)
        self._messages = limits.limit("messages of sockets", most=MAX_MESSAGES, window=timedelta(seconds=1))
        staff = StaffCookies(site_url=settings.site_url)
        self._cookies = frozenset({JOURNEY_COOKIE, staff.session})
        self._is_full = is_full

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._pass_socket(scope, receive, send)
        elif scope["type"] != "http":
            await self._app(scope, receive, send)
        else:
            await self._answer_request(scope, receive, send)

    def route(self, scope: Scope) -> str:
        """Return the name of a request's route: the path of a page, of a handler, `files` or `unknown`."""
        path = scope["path"]
        handler = next((each for each in (*self._posts, *self._handlers) if _is_at(path, each)), "")
        file = self._live.export.files.get(path)
        named = "unknown" if file is None else path if file.is_page else "files"
        return handler or named

    async def _answer_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "POST" and (post := self._posts.get(scope["path"])):
            settings = self._settings
            answer = await answer_post(
                scope, receive, post=post, origins=settings.origins, proxies=settings.trusted_proxies
            )
            await self._send(answer, scope, send)
        else:
            handled = await self._answer_of_handler(scope)
            await self._send(handled or self.answer(scope), scope, send)

    async def _answer_of_handler(self, scope: Scope) -> Answer | None:
        """Return the answer of the handler of a path, None for none; an exported file needs one of exactly its path."""
        path, export, query = scope["path"], self._live.export, scope.get("query_string", b"").decode("latin-1")
        if scope["method"] in SAFE_METHODS and query != unescaped_query(query):
            return _moved(local_address(path, unescaped_query(query)))
        if scope["method"] not in SAFE_METHODS or (path in export.files and path not in self._handlers):
            return None
        history = self._history()
        if with_slash(path) in history.moved or with_slash(path) in history.removed:
            return None
        handler = next((each for name, each in self._handlers.items() if _is_at(path, name)), None)
        answer = await handler(scope) if handler else None
        is_page = answer and answer.status in (200, 304) and path in self._data_pages
        return self._for_proxy(answer) if answer and is_page else answer

    def answer(self, scope: Scope) -> Answer:
        """Return the answer to a request for a page, a file, or the cookie notice's form."""
        path, request = scope["path"] or "/", Headers(scope=scope)
        if path == routes.COOKIE_NOTICE and scope["method"] == "POST":
            return self._close_notice(request)
        export, history = self._live.export, self._history()
        file = export.files.get(path)
        if scope["method"] not in SAFE_METHODS:
            return self._not_found(request) if file is None else Answer(status=405, headers={"allow": "GET, HEAD"})
        if file is not None:
            answer = file_answer(self._without_closed_notice(file, request), request)
            return self._for_proxy(answer) if file.is_page else answer
        if redirect := redirect_of(path, _EitherOf(first=export.files, second=self._data_pages), moved=history.moved):
            status, target = redirect
            location = local_address(target, scope.get("query_string", b"").decode("latin-1"))
            return _moved(location, status)
        return self._not_found(request, status=410 if with_slash(path) in history.removed else 404)

    def _for_proxy(self, page: Answer) -> Answer:
        """Let nginx cache a page for PROXY_SECONDS; it removes this header.

        The header comes first: nginx before 1.23 obeys the first of it and Cache-Control.
        """
        if not self._settings.trusted_proxies:
            return page
        return replace(page, headers={"x-accel-expires": PROXY_SECONDS, **page.headers})

    def _without_closed_notice(self, file: ExportedFile, request: Headers) -> ExportedFile:
        """Return a file, without the cookie notice for a visitor who closed it."""
        if not file.is_page or not is_notice_closed(";".join(request.getlist("cookie"))):
            return file
        return self._live.export.closed(file)

    def _not_found(self, request: Headers, *, status: int = 404) -> Answer:
        """Return the error page: 404, or 410 for a page that was removed."""
        return file_answer(self._without_closed_notice(self._live.export.not_found, request), request, status=status)

    def _close_notice(self, request: Headers) -> Answer:
        """Close the cookie notice for a visitor without scripts, and redirect to the page of the form."""
        hosts = {request.get("host", ""), self._site_url.partition("://")[2]} - {""}
        headers = {
            "location": referring_page(request.get("referer", ""), hosts),
            "set-cookie": notice_cookie(secure=is_https(self._site_url)),
            "cache-control": "no-store",
        }
        return Answer(status=303, headers=headers)

    async def _send(self, answer: Answer, scope: Scope, send: Send) -> None:
        await send_answer(answer, self._security, scope=scope, send=send)

    async def _pass_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a socket to the application; a malformed packet closes it, and is logged.

        One at another path, of a network with too many, or with a full server is refused.
        """
        if scope["path"] not in routes.EVENTS:
            await send({"type": "websocket.close", "code": 1008})
            return
        address = client_address(scope, proxies=self._settings.trusted_proxies)
        networks = client_networks(address)
        is_held = any(self._sockets[network] >= times * MAX_SOCKETS for network, times in networks.items())
        if is_held or not await self._new_sockets.take(address) or self._is_full():
            await send({"type": "websocket.close", "code": 1013})
            return
        if not shorten(scope, self._cookies):
            await send({"type": "websocket.close", "code": 1009})
            return
        self._sockets.update(networks.keys())

        async def receive_limited() -> Message:
            message = await receive()
            if not await self._messages.take(address):
                await asyncio.sleep(PAUSE_SECONDS)
            return message

        try:
            await self._app(scope, receive_limited, send)
        except PACKET_ERRORS as error:
            log_broken_packet(error)
        finally:
            self._sockets.subtract(networks.keys())
            self._sockets = +self._sockets  # without those at zero


def api_transformer(
    settings: Settings,
    live: LiveExport,
    *,
    handlers: Mapping[str, Handler] = NO_HANDLERS,
    posts: Mapping[str, Post | MessagePost] = NO_POSTS,
    data_pages: Container[str] = (),
    history: Callable[[], History] = NoHistory,
    is_full: Callable[[], bool] = lambda: False,
    observe: Callable[[Scope, int], None] = lambda *_: None,
) -> Callable[[ASGIApp], ASGIApp]:
    """Return the function that wraps Reflex's application in the edge, for `rx.App(api_transformer=...)`.

    The function reads the export: Reflex calls it when a server starts, not in a build. `observe` is called with each
    request and its status.
    """

    def wrap(app: ASGIApp) -> ASGIApp:
        live.open()
        edge = Edge(
            app, live, settings, handlers=handlers, posts=posts, data_pages=data_pages, history=history, is_full=is_full
        )
        security = security_headers(settings.site_url)
        answered = LastResort(KnownHosts(edge, settings.hosts, security=security), security)
        is_proxied, is_logged = settings.trusted_proxies > 0, settings.log_format == JSON
        return RequestLog(answered, edge.route, is_proxied=is_proxied, is_logged=is_logged, observe=observe)

    return wrap
