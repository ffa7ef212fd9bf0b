"""HTTP client for other services, with limits on the time and size of a response; redirects are not followed."""

import asyncio
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar
from urllib.parse import urlsplit

import httpx

Transport: TypeAlias = httpx.AsyncBaseTransport

_ACCEPT = "application/json, text/plain, */*"
"""As the original site sends it; WordPress keeps PHP warnings out of an answer to a request for JSON."""

_NOT_CONNECTED = (httpx.ConnectError, httpx.ConnectTimeout)
_LOST = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ConnectTimeout)


class HttpError(Exception):
    """A request failed; the message is for the log, and holds neither the address nor what was sent."""


class NoAnswerError(HttpError):
    """No connection, a lost connection, or no complete response in time."""


class UnreadableAnswerError(HttpError):
    """A body that cannot be decompressed."""


class TooLargeAnswerError(UnreadableAnswerError):
    """A body above its limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSettings:
    """Address of an API, `https://host/api` for example, and timeouts in seconds; `total_timeout` includes retries.

    Raises ValueError for an address without http or https, or without a host.
    """

    api_url: str
    connect_timeout: float
    read_timeout: float
    total_timeout: float
    retries: int = 2
    backoff_seconds: float = 0.1
    max_connections: int = 100
    user_agent: str = "mortgage-broker-site/1.0"

    def __post_init__(self) -> None:
        parts = urlsplit(self.api_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
            raise ValueError(f"an API address starts with http:// or https:// and names a host, not {self.api_url!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A response; `body` is decompressed."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Settings = TypeVar("Settings", bound=HttpSettings)


class BoundedClient(Generic[Settings]):
    """A pool of connections, to be closed after use; `transport` replaces the network in tests."""

    def __init__(self, settings: Settings, *, transport: Transport | None = None) -> None:
        self.settings = settings
        self._http = httpx.AsyncClient(
            transport=transport,
            limits=httpx.Limits(max_connections=settings.max_connections, max_keepalive_connections=20),
            headers={"User-Agent": settings.user_agent, "Accept": _ACCEPT, "Accept-Encoding": "gzip"},
            follow_redirects=False,
            trust_env=False,
        )

    async def aclose(self) -> None:
        await self._http.aclose()

    async def send(
        self, method: str, url: str, *, max_bytes: int, is_repeatable: bool, timeout_factor: int = 1, **content: Any
    ) -> Reply:
        """Send a request within the total timeout, retries included; raises HttpError.

        A repeatable request is retried after any lost connection, another only if no connection was made, so that it
        reaches the service once. `max_bytes` bounds the body, compressed and decompressed. `timeout_factor` multiplies
        the read and total timeouts. `content` is that of `httpx.AsyncClient.build_request`.
        """
        settings = self.settings
        timeout = httpx.Timeout(settings.read_timeout * timeout_factor, connect=settings.connect_timeout)
        try:
            request = self._http.build_request(method, url, timeout=timeout, **content)
            async with asyncio.timeout(settings.total_timeout * timeout_factor):
                return await self._send_with_retries(request, max_bytes, _LOST if is_repeatable else _NOT_CONNECTED)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise NoAnswerError(f"no answer in time ({type(error).__name__})") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise NoAnswerError(f"the connection failed ({type(error).__name__})") from error

    async def _send_with_retries(
        self, request: httpx.Request, max_bytes: int, retried: tuple[type[Exception], ...]
    ) -> Reply:
        for attempt in range(self.settings.retries):
            try:
                return await self._send_once(request, max_bytes)
            except retried:
                await asyncio.sleep(self.settings.backoff_seconds * 2**attempt)
        return await self._send_once(request, max_bytes)

    async def _send_once(self, request: httpx.Request, max_bytes: int) -> Reply:
        response = await self._http.send(request, stream=True)
        try:
            return Reply(status=response.status_code, headers=response.headers, body=await _body(response, max_bytes))
        finally:
            await response.aclose()


async def _body(response: httpx.Response, max_bytes: int) -> bytes:
    """Read and decompress a body; bytes after the end of a compressed one are not read."""
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "", "gzip"):
        raise UnreadableAnswerError("an unsupported content encoding")
    decompressor = zlib.decompressobj(wbits=31) if encoding == "gzip" else None
    body, received = bytearray(), 0
    async for chunk in response.aiter_raw():
        received += len(chunk)
        try:
            body += decompressor.decompress(chunk, max_bytes + 1 - len(body)) if decompressor else chunk
        except zlib.error as error:
            raise UnreadableAnswerError("a body that cannot be decompressed") from error
        if max(len(body), received) > max_bytes:
            raise TooLargeAnswerError(f"a body above {max_bytes} bytes")
        if decompressor and decompressor.eof:
            break
    if decompressor and received and not decompressor.eof:
        raise UnreadableAnswerError("a body that ends too early")
    return bytes(body)
