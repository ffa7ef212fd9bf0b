"""Refuse requests that name a host which is not ours (`BROKER_HOSTS`): no cache or link is made with another's name."""

from collections.abc import Collection, Mapping

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from broker.server import health
from broker.server.response import plain_text, send_answer

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
