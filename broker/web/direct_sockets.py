"""Sockets on a short path, and light ones: an idle tab takes 20 kB less of the server's memory.

Reflex puts two applications of Starlette round its socket library, one on each side of our edge. Their layers do
nothing for a socket, but stay on the stack of its coroutine for as long as it is open.

Sockets are closed when Redis goes, and refused until it is back. What it held of the tabs is lost by then, and their
events would fail without a word: a page whose socket is closed tells its visitor, connects again until it succeeds, and
brings the cookie from which its tab is filled anew.
"""

import logging
from collections.abc import Callable
from typing import Any

import reflex as rx
from socketio import ASGIApp as SocketEngine
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from broker import routes
from broker.web.small_queue import SmallQueue

log = logging.getLogger(__name__)


class DirectSockets:
    """Passes sockets from the server to our edge, and from there to the socket library, past Starlette.

    `inner` and `outer` are the first and the last of `rx.App(api_transformer=...)`; `application` is what is served.
    """

    def __init__(self, app: Callable[[], rx.App]) -> None:
        self._app = app
        self._is_redis_away = False

    def inner(self, backend: ASGIApp) -> ASGIApp:
        """Return the backend with its sockets in front of it."""
        app = self._app()
        assert app.sio
        app.sio.eio.create_queue = SmallQueue
        _let_go_of_requests(app)
        engine = SocketEngine(app.sio, socketio_path="")

        async def backend_or_engine(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "websocket" or scope["path"] not in routes.EVENTS:
                await backend(scope, receive, send)
                return
            if self._is_redis_away:
                await send({"type": "websocket.close", "code": 1013})
                return

            async def with_subprotocol(message: Message) -> None:
                if message["type"] == "websocket.accept" and scope["subprotocols"]:
                    message["subprotocol"] = scope["subprotocols"][0]
                await send(message)

            await engine(scope, receive, with_subprotocol)

        return backend_or_engine

    def outer(self, edge: ASGIApp) -> ASGIApp:
        self._edge = edge
        return edge

    async def take_redis(self, answers: bool) -> None:
        """Close all sockets when Redis does not answer any longer, and take none until it is back."""
        was_away, self._is_redis_away = self._is_redis_away, not answers
        if answers and was_away:
            log.warning("Redis is back: sockets are taken again")
        if answers or was_away:
            return
        log.error("Redis is away: sockets are refused until it is back")
        engine = self._app().sio
        assert engine
        for socket in list(engine.eio.sockets.values()):
            await socket.close(wait=False, abort=True)
            await socket.queue.put(None)  # ends what writes to it, which closes the connection

    def application(self) -> ASGIApp:
        """Return the application: sockets go straight to the edge."""
        app = self._app()
        everything = app()

        async def edge_or_everything(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "websocket":
                app.set_contexts()  # as Reflex does for each request; the context is that of the socket's own task
                await self._edge(scope, receive, send)
            else:
                await everything(scope, receive, send)

        return edge_or_everything


def _let_go_of_requests(app: rx.App) -> None:
    """Empty the request that the socket library keeps of each socket, with a class made for it, once Reflex read it."""
    sockets = app.event_namespace
    assert sockets
    on_connect = sockets.on_connect

    async def on_connect_and_let_go(sid: str, environ: dict[str, Any], *auth: Any) -> None:
        scope = environ.get("asgi.scope", {})
        await on_connect(sid, environ, *auth)
        scope["headers"] = []
        environ.clear()

    sockets.on_connect = on_connect_and_let_go  # pyright: ignore[reportAttributeAccessIssue] - called by place
