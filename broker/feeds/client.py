"""A pooled HTTP client for the broker's API, with limits on time and size; redirects are not followed.

A GET is retried after any lost connection, a POST only if no connection was made: no POST reaches the service twice.
"""

import asyncio
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import httpx

from broker.feeds.endpoints import Call, FeedSettings
from broker.feeds.errors import FeedParseError, FeedTooLargeError, FeedUnavailableError
from broker.feeds.form_encoding import FORM_TYPE
from broker.feeds.parsing.status import parse_reply
from broker.feeds.parsing.tree import Tree

_ACCEPT = "application/json, text/plain, */*"
"""As the original site sends it; WordPress keeps PHP warnings out of an answer to a request for JSON."""

_NOT_CONNECTED = (httpx.ConnectError, httpx.ConnectTimeout)
_LOST = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ConnectTimeout)

Parsed = TypeVar("Parsed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The HTTP status of an answer and its decompressed body."""

    status: int
    body: bytes


class FeedClient:
    """A client to be shared by the process and closed when it ends; `transport` replaces the network in tests."""

    def __init__(self, settings: FeedSettings, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._settings = settings
        self._http = httpx.AsyncClient(
            transport=transport,
            limits=httpx.Limits(max_connections=settings.max_connections, max_keepalive_connections=20),
            headers={"User-Agent": settings.user_agent, "Accept": _ACCEPT, "Accept-Encoding": "gzip"},
            follow_redirects=False,
            trust_env=False,
        )

    async def aclose(self) -> None:
        await self._http.aclose()

    async def read(self, call: Call, *, form: bytes = b"", query: str = "") -> Tree:
        """Make a call and return its parsed body; raises FeedError."""
        reply = await self.fetch(call, form=form, query=query)
        return parse_reply(call.name, reply.status, body=reply.body)

    async def read_in_thread(
        self, call: Call, parser: Callable[[Tree], Parsed], *, form: bytes = b"", query: str = ""
    ) -> Parsed:
        """Make a call and parse its body in a thread, so that large answers block no search; raises FeedError."""
        reply = await self.fetch(call, form=form, query=query)
        return await asyncio.to_thread(lambda: parser(parse_reply(call.name, reply.status, body=reply.body)))

    async def fetch(self, call: Call, *, form: bytes = b"", query: str = "") -> Reply:
        """Make a call within the total timeout, retries included; raises FeedUnavailableError or FeedParseError."""
        request = self._request(call, form, query)
        try:
            async with asyncio.timeout(self._settings.total_timeout * call.timeout_factor):
                return await self._send_with_retries(call, request)
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
            headers={"Content-Type": FORM_TYPE} if posted else None,
            timeout=httpx.Timeout(
                self._settings.read_timeout * call.timeout_factor, connect=self._settings.connect_timeout
            ),
        )

    async def _send_with_retries(self, call: Call, request: httpx.Request) -> Reply:
        """Send a request, with exponential backoff between retries."""
        retried = _LOST if call.method == "GET" else _NOT_CONNECTED
        for attempt in range(self._settings.retries):
            try:
                return await self._send_once(call, request)
            except retried:
                await asyncio.sleep(self._settings.backoff_seconds * 2**attempt)
        return await self._send_once(call, request)

    async def _send_once(self, call: Call, request: httpx.Request) -> Reply:
        response = await self._http.send(request, stream=True)
        try:
            return Reply(status=response.status_code, body=await _body(call, response))
        finally:
            await response.aclose()


async def _body(call: Call, response: httpx.Response) -> bytes:
    """Read and decompress a body; raises FeedTooLargeError at the limit, of what is sent and of what it holds.

    What follows the end of a compressed body is not read.
    """
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "", "gzip"):
        raise FeedParseError(call.name, "an unsupported content encoding")
    decompressor = zlib.decompressobj(wbits=31) if encoding == "gzip" else None
    body, received = bytearray(), 0
    async for chunk in response.aiter_raw():
        received += len(chunk)
        try:
            body += decompressor.decompress(chunk, call.max_bytes + 1 - len(body)) if decompressor else chunk
        except zlib.error as error:
            raise FeedParseError(call.name, "a body that cannot be decompressed") from error
        if max(len(body), received) > call.max_bytes:
            raise FeedTooLargeError(call.name, f"a body above {call.max_bytes} bytes")
        if decompressor and decompressor.eof:
            break
    if decompressor and received and not decompressor.eof:
        raise FeedParseError(call.name, "a body that ends too early")
    return bytes(body)
