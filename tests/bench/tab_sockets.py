"""Tabs' sockets that cost their own process little: a protocol that looks for words in what the server says."""

import asyncio
import json
from typing import Any
from urllib.parse import parse_qsl

from tests.integration.hostile import HYDRATE, text_frame

PING, PONG = b"2", "3"


def event(handler: str, payload: dict[str, Any], address: str) -> str:
    """Return the packet of an event of the page at an address."""
    path, _, query = address.partition("?")
    router = {"pathname": path, "asPath": address, "query": dict(parse_qsl(query))}
    return "42/_event," + json.dumps(["event", {"name": handler, "payload": payload, "router_data": router}])


class TabSocket(asyncio.Protocol):
    """One tab's socket; it answers pings by itself."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._is_open = False
        self._words = b""
        self._told: asyncio.Future[None] | None = None

    @classmethod
    async def opened(cls, port: int, name: str, *, address: str) -> "TabSocket":
        """Return the open socket of a tab; `address` is the visitor's, as a proxy names it."""
        _, tab = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port)
        lines = (
            f"GET /_event/?token={name}&EIO=4&transport=websocket HTTP/1.1",
            f"host: localhost:{port}",
            f"origin: http://localhost:{port}",
            f"x-forwarded-for: {address}",
            *("connection: upgrade", "upgrade: websocket", "sec-websocket-version: 13"),
            *("sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==", "", ""),
        )
        await tab._ask("\r\n".join(lines).encode(), b'0{"sid"')
        await tab.send("40/_event,{}", until=b'40/_event,{"sid"')
        return tab

    async def send(self, packet: str, *, until: bytes) -> None:
        """Send a packet, and wait until the server has said some words."""
        await self._ask(text_frame(packet), until)

    async def hydrate(self, path: str) -> None:
        """Ask for the values of the tab's state, as a page does that was loaded."""
        await self.send(event(HYDRATE, {}, path), until=b'"is_hydrated_rx_state_"')

    def leave(self) -> None:
        self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        if self._told and not self._told.done():
            self._told.set_exception(exc or ConnectionError("the server closed the socket"))

    def data_received(self, data: bytes) -> None:
        """Take every whole message that has arrived."""
        self._held += data
        if not self._is_open:
            answer, blank, rest = self._held.partition(b"\r\n\r\n")
            self._is_open, self._held = bool(blank), rest if blank else answer
        while self._is_open and (place := _payload(self._held)):
            message = self._held[place]
            del self._held[: place.stop]
            self._take(message)

    def _take(self, message: bytearray) -> None:
        if message == PING:
            self._transport.write(text_frame(PONG))
        elif self._told and not self._told.done() and self._words in message:
            self._told.set_result(None)

    async def _ask(self, sent: bytes, words: bytes) -> None:
        self._words, self._told = words, asyncio.get_running_loop().create_future()
        self._transport.write(sent)
        await self._told


def _payload(held: bytearray) -> slice | None:
    """Return the place of the first frame's payload; None before all of it is there."""
    if len(held) < 2:
        return None
    length, begins = held[1] & 127, 2
    if length > 125:
        begins = 4 if length == 126 else 10
        length = int.from_bytes(held[2:begins])
    return slice(begins, begins + length) if len(held) >= begins + length else None
