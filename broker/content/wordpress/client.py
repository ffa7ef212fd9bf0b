"""Client of the content service. Every failure is a ContentApiError that names the call.

Every call only reads, GraphQL's POST too, so each is retried after a lost connection.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

from broker.bounded_http import BoundedClient, HttpError, HttpSettings, Reply, Transport
from broker.content.errors import ContentApiError
from broker.content.wordpress.responses import Json, graphql_data, parse_json

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class WordPressSettings(HttpSettings):
    """The settings of the WordPress API, whose address is the `{api}` of specification 7, and the bytes of an answer.

    `max_connections` calls are under way at once: others wait, and their time has not begun.
    """

    connect_timeout: float = 5.0
    read_timeout: float = 20.0
    total_timeout: float = 60.0
    backoff_seconds: float = 0.2
    max_connections: int = 8
    max_bytes: int = 32 * MEBIBYTE
    max_image_bytes: int = 8 * MEBIBYTE


class WordPressClient(BoundedClient[WordPressSettings]):
    """Client of the WordPress API; close it after use."""

    def __init__(self, settings: WordPressSettings, *, transport: Transport | None = None) -> None:
        super().__init__(settings, transport=transport)
        self._turns = asyncio.Semaphore(settings.max_connections)

    async def query(self, query: str, variables: Mapping[str, str] | None = None) -> dict[str, Json]:
        """Return the data of a GraphQL query (call 1); any error in the answer is a ContentApiError."""
        body = {"query": query, "variables": dict(variables or {})}
        reply = await self._call("graphql", "POST", self._address("/graphql"), json=body)
        return graphql_data(parse_json("graphql", reply.status, body=reply.body))

    async def read(self, call: str, path: str) -> tuple[Json, Mapping[str, str]]:
        """Return what a REST route answers, None for an empty body, and the headers; raises ContentApiError.

        `path` begins behind `{api}/wp-json/`.
        """
        reply = await self._call(call, "GET", self._address(f"/wp-json/{path}"))
        return parse_json(call, reply.status, body=reply.body), reply.headers

    async def picture(self, address: str) -> bytes:
        """Return the bytes of an image on the content service's own host. Raises ContentApiError."""
        if not (whole := self._own(address)):
            raise ContentApiError(address, "is on another host")
        most = self.settings.max_image_bytes
        reply = await self._call(address, "GET", whole, most=most, headers={"Accept": "image/*"})
        if reply.status != 200:
            raise ContentApiError(address, f"answered {reply.status}")
        return reply.body

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

    async def _call(self, call: str, method: str, url: str, *, most: int = 0, **content: Any) -> Reply:
        """Return the answer to a request, of so many bytes at most."""
        most = most or self.settings.max_bytes
        try:
            async with self._turns:
                return await self.send(method, url, max_bytes=most, is_repeatable=True, **content)
        except HttpError as error:
            raise ContentApiError(call, str(error)) from error
