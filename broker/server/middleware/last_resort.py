"""Middleware that answers a request which fails unexpectedly: 500 with the security headers, and a line in the log."""

import logging
import traceback
from collections.abc import Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from broker.log_format import REQUEST_ID
from broker.server.response import plain_text, send_answer

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
