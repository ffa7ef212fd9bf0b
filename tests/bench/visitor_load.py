"""Visitors of a site, as a process of their own that reads what to do from standard input: `bench_processes` starts it.

It counts in a window of time what was answered, and the processor time that each part of the site and itself took in
the same window. It does no more than sending, and looking for words in the answers: it shares the machine's cores.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any, TypedDict
from urllib.parse import parse_qsl

from tests.bench.process_times import idle_seconds, processor_seconds
from tests.integration.hostile import HYDRATE, text_frame

WARM_SECONDS = 1.0
PING, PONG = b"2", "3"


class Site(TypedDict):
    """The site of a load.

    `processes` are its parts by name, `journey` the steps of a questionnaire as path and form; `first` is a number from
    which those of tabs and amounts count, so that no two loads have the same.
    """

    port: int
    processes: dict[str, list[int]]
    search: str
    path: str
    open_question: str
    answer: str
    journey: list[tuple[str, dict[str, str]]]
    first: int


class Window(TypedDict):
    """What was answered in some seconds, and the processor seconds that it cost, by part of the site."""

    done: int
    seconds: float
    spent: dict[str, list[float]]
    load: float
    idle: float


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


class Load:
    """The visitors of one site."""

    def __init__(self, site: Site) -> None:
        self._site, self._numbers = site, count(site["first"])
        self._done = 0
        self._kinds: dict[str, Callable[[], Awaitable[None]]] = {
            "search pages": self._requests,
            "searches": self._searches,
            "answers": self._answers,
        }

    async def measured(self, kind: str, *, clients: int, seconds: float) -> Window:
        """Return what clients are answered who ask again as soon as they are."""
        tasks = [asyncio.ensure_future(self._kinds[kind]()) for _ in range(clients)]
        try:
            await asyncio.sleep(WARM_SECONDS)
            return await self._window(seconds)
        finally:
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
            failed = [end for end in ends if not isinstance(end, asyncio.CancelledError)]
            assert not failed, failed

    async def _hydrated(self) -> TabSocket:
        number = next(self._numbers)
        address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        tab = await TabSocket.opened(self._site["port"], f"load-{number}", address=address)
        await tab.hydrate(self._site["path"])
        return tab

    async def _search(self, tab: TabSocket) -> None:
        sent = event(self._site["search"], {"customer": ""}, self._address())
        await tab.send(sent, until=b'"status_rx_state_":"loaded"')
        self._done += 1

    def _address(self) -> str:
        number = next(self._numbers)
        price = 200_000 + 10 * (number % 60_000)
        return f"{self._site['path']}?price={price}&amount={price * (60, 75, 85)[number % 3] // 100}"

    async def _searches(self) -> None:
        tab = await self._hydrated()
        while True:
            await self._search(tab)

    async def _answers(self) -> None:
        """Begin a questionnaire, answer all of it, and begin the next in a new tab."""
        site = self._site
        while True:
            tab = await self._hydrated()
            for path, form in site["journey"]:
                await tab.send(event(site["open_question"], {}, path), until=f'"path_rx_state_":"{path}"'.encode())
                await tab.send(event(site["answer"], {"form": form}, path), until=b"_redirect")
                self._done += 1
            tab.leave()

    async def _requests(self) -> None:
        """Search over one connection, one address after the other."""
        port = self._site["port"]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while True:
            asked = f"GET {self._address()} HTTP/1.1\r\nhost: localhost:{port}\r\naccept-encoding: gzip\r\n\r\n"
            writer.write(asked.encode())
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            assert head.startswith(b"http/1.1 200 "), head
            await reader.readexactly(int(head.partition(b"\r\ncontent-length: ")[2].split(b"\r\n", 1)[0]))
            self._done += 1

    async def _window(self, seconds: float) -> Window:
        parts = self._site["processes"]
        done, began, idle, load = self._done, time.perf_counter(), idle_seconds(), time.process_time()
        before = {part: [processor_seconds(each) for each in held] for part, held in parts.items()}
        await asyncio.sleep(seconds)
        spent = {
            part: [processor_seconds(each) - then for each, then in zip(held, before[part], strict=True)]
            for part, held in parts.items()
        }
        took = time.perf_counter() - began
        return Window(
            done=self._done - done,
            seconds=took,
            spent=spent,
            load=time.process_time() - load,
            idle=idle_seconds() - idle,
        )


async def loaded(asked: dict[str, Any]) -> dict[str, Window]:
    """Return the windows of the kinds that are asked for."""
    load = Load(asked["site"])
    return {kind: await load.measured(kind, clients=n, seconds=asked["seconds"]) for kind, n in asked["kinds"].items()}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(loaded(json.load(sys.stdin)))))
