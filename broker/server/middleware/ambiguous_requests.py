"""Refuse requests that two readers may take for different ones, before anything looks at them.

The server has decoded the path once. Where it has a dot segment, an empty segment, a backslash or a control character,
a proxy, a file server or a router may take it for another path than the access control does. No page has such a path.

A request with both a length and chunks may end elsewhere for a proxy than here, so that what follows is another's
(RFC 9112, 6.1): it is refused, and the connection is closed.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from broker import routes
from broker.server.response import plain_text, send_answer

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
