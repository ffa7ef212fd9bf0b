"""HTTP client of the content service, with limits on time and size and without redirects.

Every call only reads, GraphQL's POST too, so each is retried after a lost connection. Every failure is a
ContentApiError that names the call.
"""

import asyncio
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import httpx

from broker.content.errors import ContentApiError
from broker.content.wordpress.responses import Json, graphql_data, parse_json

MEBIBYTE = 1024 * 1024
_CONNECTION_ERRORS = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ConnectTimeout)
_ACCEPT = "application/json, text/plain, */*"
"""With this header WordPress does not print PHP warnings into the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordPressSettings:
    """Address, timeouts and size limits of the WordPress API.

    `api_url` is the `{api}` of specification 7. Times are in seconds; `deadline` bounds a call with its retries.
    `max_calls` are under way at once: others wait, and their time has not begun.
    Raises ValueError for an address without http or https, or without a host.
    """

    api_url: str
    connect: float = 5.0
    read: float = 20.0
    deadline: float = 60.0
    retries: int = 2
    backoff_seconds: float = 0.2
    max_calls: int = 8
    max_bytes: int = 32 * MEBIBYTE
    max_image_bytes: int = 8 * MEBIBYTE
    user_agent: str = "mortgage-broker-site/1.0"

    def __post_init__(self) -> None:
        parts = urlsplit(self.api_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
            raise ValueError(f"an API address starts with http:// or https:// and names a host, not {self.api_url!r}")


class WordPressClient:
    """Client of the WordPress API; close it after use."""

    def __init__(self, settings: WordPressSettings, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        """Open the connection pool; `transport` replaces the network in tests."""
        self.settings = settings
        self._http = httpx.AsyncClient(
            transport=transport,
            limits=httpx.Limits(max_connections=settings.max_calls),
            headers={"User-Agent": settings.user_agent, "Accept": _ACCEPT, "Accept-Encoding": "gzip"},
            timeout=httpx.Timeout(settings.read, connect=settings.connect),
            follow_redirects=False,
            trust_env=False,
        )
        self._turns = asyncio.Semaphore(settings.max_calls)

    async def aclose(self) -> None:
        await self._http.aclose()

    async def query(self, query: str, variables: Mapping[str, str] | None = None) -> dict[str, Json]:
        """Return the data of a GraphQL query (call 1); any error in the answer is a ContentApiError."""
        body = {"query": query, "variables": dict(variables or {})}
        request = self._http.build_request("POST", self._address("/graphql"), json=body)
        response, reply = await self._fetch("graphql", request, most=self.settings.max_bytes)
        return graphql_data(parse_json("graphql", response.status_code, body=reply))

    async def read(self, call: str, path: str) -> tuple[Json, Mapping[str, str]]:
        """Return what a REST route answers, None for an empty body, and the headers; raises ContentApiError.

        `path` begins behind `{api}/wp-json/`.
        """
        request = self._http.build_request("GET", self._address(f"/wp-json/{path}"))
        response, body = await self._fetch(call, request, most=self.settings.max_bytes)
        return parse_json(call, response.status_code, body=body), response.headers

    async def picture(self, address: str) -> bytes:
        """Return the bytes of an image on the content service's own host. Raises ContentApiError."""
        if not (whole := self._own(address)):
            raise ContentApiError(address, "is on another host")
        request = self._http.build_request("GET", whole, headers={"Accept": "image/*"})
        response, body = await self._fetch(address, request, most=self.settings.max_image_bytes)
        if response.status_code != 200:
            raise ContentApiError(address, f"answered {response.status_code}")
        return body

    def _own(self, address: str) -> str:
        """Return the absolute URL of an address on the content service's own host; empty for any other host."""
        try:
            whole = urljoin(self.settings.api_url, address)
            parts = urlsplit(whole)
        except ValueError:
            return ""
        own = parts.scheme in ("http", "https") and parts.netloc == urlsplit(self.settings.api_url).netloc
        return whole if own else ""

    def _address(self, path: str) -> str:
        return self.settings.api_url.rstrip("/") + path

    async def _fetch(self, call: str, request: httpx.Request, *, most: int) -> tuple[httpx.Response, bytes]:
        """Return the response to a request, and its decompressed body."""
        try:
            async with self._turns, asyncio.timeout(self.settings.deadline):
                return await self._with_retries(call, request, most=most)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise ContentApiError(call, f"no answer in time ({type(error).__name__})") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ContentApiError(call, f"the connection failed ({type(error).__name__})") from error

    async def _with_retries(self, call: str, request: httpx.Request, *, most: int) -> tuple[httpx.Response, bytes]:
        """Send a request, with retries and exponential backoff after a lost connection."""
        for attempt in range(self.settings.retries):
            try:
                return await self._once(call, request, most=most)
            except _CONNECTION_ERRORS:
                await asyncio.sleep(self.settings.backoff_seconds * 2**attempt)
        return await self._once(call, request, most=most)

    async def _once(self, call: str, request: httpx.Request, *, most: int) -> tuple[httpx.Response, bytes]:
        response = await self._http.send(request, stream=True)
        try:
            return response, await _body(call, response, most)
        finally:
            await response.aclose()


async def _body(call: str, response: httpx.Response, most: int) -> bytes:
    """Read and decompress a body up to its size limit, which also stops decompression bombs.

    What follows the end of a compressed body is not read.
    """
    packing = response.headers.get("content-encoding", "identity").strip().lower()
    if packing not in ("identity", "", "gzip"):
        raise ContentApiError(call, "a body packed as it was not asked to be")
    unpacker = zlib.decompressobj(wbits=31) if packing == "gzip" else None
    body, received = bytearray(), 0
    async for chunk in response.aiter_raw():
        received += len(chunk)
        try:
            body += unpacker.decompress(chunk, most + 1 - len(body)) if unpacker else chunk
        except zlib.error as error:
            raise ContentApiError(call, "a body that cannot be unpacked") from error
        if max(len(body), received) > most:
            raise ContentApiError(call, f"a body above {most} bytes")
        if unpacker and unpacker.eof:
            break
    if unpacker and received and not unpacker.eof:
        raise ContentApiError(call, "a body that ends too early")
    return bytes(body)
