"""Client of the content service. Every failure is a ContentApiError that names the call."""

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import urljoin, urlsplit

from broker.bounded_http import BoundedClient, HttpError, HttpSettings, Reply, Transport
from broker.content.errors import ContentApiError
from broker.content.text.sanitise import plain_text

_MEBIBYTE = 1024 * 1024

Json: TypeAlias = Any
"""Parsed JSON of unknown structure, which `fields` reads."""

_MAX_REASON = 300

_START = re.compile(rb"^\s*[\[{]", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordPressSettings(HttpSettings):
    """Settings of the WordPress API, whose address is the `{api}` of specification 7.

    At most `max_connections` calls run at once: the time of a waiting one has not begun.
    """

    connect_timeout: float = 5.0
    read_timeout: float = 20.0
    total_timeout: float = 60.0
    backoff_seconds: float = 0.2
    max_connections: int = 8
    max_bytes: int = 32 * _MEBIBYTE
    max_image_bytes: int = 8 * _MEBIBYTE


class WordPressClient(BoundedClient[WordPressSettings]):
    """Client of the WordPress API; close it after use.

    Every call only reads, GraphQL's POST too, so each is retried after a lost connection.
    """

    def __init__(self, settings: WordPressSettings, *, transport: Transport | None = None) -> None:
        super().__init__(settings, transport=transport)
        self._turns = asyncio.Semaphore(settings.max_connections)

    async def query(self, query: str, variables: Mapping[str, str] | None = None) -> dict[str, Json]:
        """Return the data of a GraphQL query (call 1); any error in the answer is a ContentApiError."""
        body = {"query": query, "variables": dict(variables or {})}
        reply = await self._call("graphql", "POST", self._address("/graphql"), json=body)
        return _graphql_data(_parse_json("graphql", reply.status, body=reply.body))

    async def read(self, call: str, path: str) -> tuple[Json, Mapping[str, str]]:
        """Return the JSON of a REST route, None for an empty body, and the headers; raises ContentApiError.

        `path` begins behind `{api}/wp-json/`.
        """
        reply = await self._call(call, "GET", self._address(f"/wp-json/{path}"))
        return _parse_json(call, reply.status, body=reply.body), reply.headers

    async def picture(self, address: str) -> bytes:
        """Return the bytes of an image on the content service's own host. Raises ContentApiError."""
        if not (whole := self._own_address(address)):
            raise ContentApiError(address, "is on another host")
        most = self.settings.max_image_bytes
        reply = await self._call(address, "GET", whole, most=most, headers={"Accept": "image/*"})
        if reply.status != 200:
            raise ContentApiError(address, f"answered {reply.status}")
        return reply.body

    def _own_address(self, address: str) -> str:
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
        most = most or self.settings.max_bytes
        try:
            async with self._turns:
                return await self.send(method, url, max_bytes=most, is_repeatable=True, **content)
        except HttpError as error:
            raise ContentApiError(call, str(error)) from error


def _parse_json(call: str, status: int, *, body: bytes) -> Json:
    """Return the JSON of a successful response, None for an empty body; raises ContentApiError for any other.

    Real responses have an empty body for null, PHP warnings before the JSON, and errors with status 200.
    """
    success = 200 <= status < 300
    try:
        tree = _parsed(body)
    except (ValueError, RecursionError) as error:
        problem = "neither JSON nor empty" if success else f"answered {status}"
        raise ContentApiError(call, problem) from error
    stated = _stated_error(tree)
    if not success or stated:
        raise ContentApiError(call, f"answered {status}" + (f" ({stated})" if stated else ""))
    return tree


def _graphql_data(tree: Json) -> dict[str, Json]:
    """Return the data of a GraphQL response; raises ContentApiError for any error in it (specification 7)."""
    if not isinstance(tree, dict):
        raise ContentApiError("graphql", "an answer that is no object")
    if errors := tree.get("errors"):
        raise ContentApiError("graphql", _messages(errors))
    data = tree.get("data")
    if isinstance(data, list) and not data:
        return {}
    if not isinstance(data, dict):
        raise ContentApiError("graphql", "an answer without data")
    return data


def _parsed(body: bytes) -> Json:
    if not body.strip():
        return None
    try:
        tree = json.loads(body)
    except ValueError:
        start = _START.search(body)
        if not start or not start.start():
            raise
        tree = json.loads(body[start.start() :])
    return json.loads(tree) if isinstance(tree, str) and tree.lstrip().startswith(("{", "[")) else tree


def _stated_error(tree: Json) -> str:
    """Return the error code of a WordPress error, also one with status 200; empty for data."""
    if not isinstance(tree, dict) or not isinstance(code := tree.get("code"), str) or "message" not in tree:
        return ""
    data = tree.get("data")
    return code[:60] if data is None or (isinstance(data, dict) and "status" in data) else ""


def _messages(errors: Json) -> str:
    entries = errors if isinstance(errors, list) else [errors]
    texts = [str(entry.get("message", "")) if isinstance(entry, dict) else str(entry) for entry in entries]
    return plain_text("; ".join(text for text in texts if text))[:_MAX_REASON] or "errors without a message"
