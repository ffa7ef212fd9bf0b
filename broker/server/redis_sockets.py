"""Sockets are closed when Redis goes, and refused until it is back.

What it held of the tabs is lost by then, and their events would fail without a word: a page whose socket is closed
tells its visitor, connects again until it succeeds, and brings the cookie from which its tab is filled anew.
"""

import logging
from collections.abc import Callable

import reflex as rx
from starlette.types import ASGIApp, Receive, Scope, Send

log = logging.getLogger(__name__)


class RedisSockets:
    """Takes the sockets of an application while Redis answers; `app` returns the application."""

    def __init__(self, app: Callable[[], rx.App]) -> None:
        self._app = app
        self._is_redis_away = False

    def refuse_without_redis(self, backend: ASGIApp) -> ASGIApp:
        """Return the backend with a look at Redis in front of its sockets, for `rx.App(api_transformer=...)`."""

        async def refuse_or_pass(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "websocket" and self._is_redis_away:
                await send({"type": "websocket.close", "code": 1013})
            else:
                await backend(scope, receive, send)

        return refuse_or_pass

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
