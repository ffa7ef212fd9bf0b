"""One pooled HTTP client for the broker's API: bounded in time and size, never led elsewhere by a redirect.

Only GETs are tried again after a lost connection. The reads that the specification makes by POST are tried again only
when no connection was made, so that no request reaches the service twice.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import httpx

from broker.feeds.endpoints import Call, FeedSettings
from broker.feeds.errors import FeedParseError, FeedTooLargeError, FeedUnavailableError
from broker.feeds.form_encoding import FORM
from broker.feeds.parsing.status import read_reply
from broker.feeds.parsing.tree import Tree

_ACCEPT = "application/json, text/plain, */*"
"""As the original site sends it; WordPress keeps PHP's warnings out of an answer for which JSON is asked."""

_NOT_CONNECTED = (httpx.ConnectError, httpx.ConnectTimeout)
_LOST = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ConnectTimeout)

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back: the HTTP status, and the body unpacked."""

    status: int
    body: bytes


class FeedClient:
    """Makes calls; keep one for the whole process, and close it when the process ends."""

    def __init__(self, settings: FeedSettings, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        """Open the pool; `transport` stands in for the network in tests."""
        self._settings = settings
        self._http = httpx.AsyncClient(
            transport=transport,
            limits=httpx.Limits(max_connections=settings.connections, max_keepalive_connections=20),
            headers={"User-Agent": settings.user_agent, "Accept": _ACCEPT, "Accept-Encoding": "gzip"},
            follow_redirects=False,
            trust_env=False,
        )

    async def aclose(self) -> None:
        """Close the pool."""
        await self._http.aclose()

    async def read(self, call: Call, *, form: bytes = b"", query: str = "") -> Tree:
        """Make a call and return its body as a plain tree; raises FeedError."""
        reply = await self.fetch(call, form=form, query=query)
        return read_reply(call.name, reply.status, body=reply.body)

    async def read_in_thread(
        self, call: Call, reader: Callable[[Tree], Read], *, form: bytes = b"", query: str = ""
    ) -> Read:
        """Make a call and return what a reader makes of its tree, in a thread; raises FeedError.

        For large answers: searches go on while one is read.
        """
        reply = await self.fetch(call, form=form, query=query)
        return await asyncio.to_thread(lambda: reader(read_reply(call.name, reply.status, body=reply.body)))

    async def fetch(self, call: Call, *, form: bytes = b"", query: str = "") -> Reply:
        """Make a call within the deadline, retries included; raises FeedUnavailableError or FeedParseError."""
        request = self._request(call, form, query)
        try:
            async with asyncio.timeout(self._settings.deadline * call.patience):
                return await self._persistent(call, request)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise FeedUnavailableError(call.name, f"no answer in time ({type(error).__name__})") from error
        except httpx.HTTPError as error:
            raise FeedUnavailableError(call.name, f"the connection failed ({type(error).__name__})") from error

    def _request(self, call: Call, form: bytes, query: str) -> httpx.Request:
        posted = call.method == "POST"
        return self._http.build_request(
            call.method,
            self._settings.address(call, query),
            content=form if posted else None,
            headers={"Content-Type": FORM} if posted else None,
            timeout=httpx.Timeout(self._settings.read * call.patience, connect=self._settings.connect),
        )

    async def _persistent(self, call: Call, request: httpx.Request) -> Reply:
        """Send a request, again after a wait that doubles where that is safe."""
        again = _LOST if call.method == "GET" else _NOT_CONNECTED
        for turn in range(self._settings.retries):
            try:
                return await self._once(call, request)
            except again:
                await asyncio.sleep(self._settings.back_off * 2**turn)
        return await self._once(call, request)

    async def _once(self, call: Call, request: httpx.Request) -> Reply:
        response = await self._http.send(request, stream=True)
        try:
            return Reply(status=response.status_code, body=await _body(call, response))
        finally:
            await response.aclose()


async def _body(call: Call, response: httpx.Response) -> bytes:
    """Read and unpack a body, stopping at its cap; a small body that unpacks into a huge one is stopped too."""
    packing = response.headers.get("content-encoding", "identity").strip().lower()
    if packing not in ("identity", "", "gzip"):
        raise FeedParseError(call.name, "a body packed as it was not asked to be")
    unpacker = zlib.decompressobj(wbits=31) if packing == "gzip" else None
    body = bytearray()
    async for chunk in response.aiter_raw():
        try:
            body += unpacker.decompress(chunk, call.most_bytes + 1 - len(body)) if unpacker else chunk
        except zlib.error as error:
            raise FeedParseError(call.name, "a body that cannot be unpacked") from error
        if len(body) > call.most_bytes:
            raise FeedTooLargeError(call.name, f"a body above {call.most_bytes} bytes")
    return bytes(body)
