"""Make a path that can be read as another one unknown, before anything looks at it.

The server has decoded the path once. Where it has a dot segment, an empty segment, a backslash or a control character,
a proxy, a file server or a router may take it for another path than the access control does. No page has such a path.
"""

import re

from starlette.types import ASGIApp, Receive, Scope, Send

from broker import routes

_AMBIGUOUS = re.compile(r"\A(?!/)|//|/\.\.?(?:/|\Z)|[\\\x00-\x1f\x7f]")


class CanonicalPaths:
    """ASGI middleware in front of everything: an ambiguous path becomes that of the error page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or a socket on."""
        if "path" in scope and _AMBIGUOUS.search(scope["path"]):
            scope = {**scope, "path": routes.NOT_FOUND}
        await self._app(scope, receive, send)
