"""Clients that hold connections and never come to an end, from as many addresses of this machine as a test wants."""

import asyncio
import itertools
import json
import os
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from broker import routes

MEGABYTE = 1 << 20
PAUSE = 4.0
"""Seconds between two bytes of a slow client."""

RETRY = 0.1
"""Seconds after which a client that was refused tries again."""

LONG = "A" * 60_000
SETTER = "reflex___state____state.set_is_hydrated"
SEARCH = "reflex___state____state.broker___state___rates___search____rates_state"
"""The name of RatesState, which this process does without: it would import Reflex."""

ADA, PASSWORD = "ada", "seven yellow lanterns"
"""The account that `add_account` of `staff_accounts` makes."""

HYDRATE = "reflex___state____state.hydrate_and_load"
HYDRATED_SECONDS = 120
"""Time after which tabs that are hydrated at once are given up."""

Attack = Callable[["Victim", int], Coroutine[Any, Any, None]]


class Victim:
    """A server as an attack sees it: its port, and the addresses that the attack comes from."""

    def __init__(self, port: int, *, addresses: int) -> None:
        self.port = port
        self.numbers = itertools.count()
        self._addresses = itertools.cycle(f"127.0.1.{number}" for number in range(1, addresses + 1))

    @asynccontextmanager
    async def sending(self, first: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """Connect, and send the beginning of a request; being closed by the server ends the block."""
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(next(self._addresses), 0)
            )
            writer.write(first.format(port=self.port).replace("\n", "\r\n").encode())
            yield reader, writer
            writer.close()

    def socket(self, number: int, more: str = "") -> str:
        return (
            f"GET /_event/?token=hostile-{number}&EIO=4&transport=websocket HTTP/1.1\nhost: localhost:{self.port}\n"
            f"origin: http://localhost:{self.port}\nconnection: upgrade\nupgrade: websocket\n{more}"
            "sec-websocket-version: 13\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\n\n"
        )


async def drip(writer: asyncio.StreamWriter, text: Iterator[bytes]) -> None:
    for each in text:
        writer.write(each)
        await writer.drain()
        await asyncio.sleep(PAUSE)


async def unfinished_message(victim: Victim, number: int) -> None:
    """Send 60 fragments of a megabyte each, none of them the last of its message; then stay."""
    async with victim.sending(victim.socket(number)) as (reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        for place in range(60):
            writer.write((b"\x01" if place == 0 else b"\x00") + b"\xff" + MEGABYTE.to_bytes(8) + b"\0\0\0\0")
            writer.write(b"a" * MEGABYTE)
            await writer.drain()
        await reader.read()


async def slow_body(victim: Victim, number: int) -> None:
    form = "POST /contact/ HTTP/1.1\nhost: localhost:{port}\norigin: http://localhost:{port}\n"
    form += f"content-type: application/x-www-form-urlencoded\nx-number: {number}\ncontent-length: 60000\n\n"
    async with victim.sending(form) as (_, writer):
        await drip(writer, itertools.repeat(b"a"))


async def slow_headers(victim: Victim, number: int) -> None:
    async with victim.sending(f"GET / HTTP/1.1\nx-number: {number}") as (_, writer):
        await drip(writer, itertools.repeat(b"1"))


async def idle_socket(victim: Victim, number: int) -> None:
    """Open a tab's socket, and answer its pings for ever."""
    async with victim.sending(victim.socket(number)) as (reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        packet = b"40/_event,{}"
        writer.write(bytes([0x81, 0x80 | len(packet)]) + b"\0\0\0\0" + packet)
        while heard := await reader.read(65_536):
            if heard[:1] == b"\x89":
                writer.write(bytes([0x8A, 0x80 | (len(heard) - 2)]) + b"\0\0\0\0" + heard[2:])
            elif heard == b"\x81\x012":
                writer.write(b"\x81\x81\0\0\0\0" + b"3")


def text_frame(text: str) -> bytes:
    """Return a message as a client sends it, masked with zeros."""
    sent = text.encode()
    length = bytes([0x80 | len(sent)]) if len(sent) < 126 else b"\xfe" + len(sent).to_bytes(2)
    return b"\x81" + length + b"\0\0\0\0" + sent


async def hydrated(victim: Victim, number: int, *, ready: asyncio.Barrier) -> None:
    """Open a tab's socket, wait for all others, and then for the values of the tab's state."""
    event = {"name": HYDRATE, "payload": {}, "router_data": {"pathname": "/", "asPath": "/", "query": {}}}
    async with victim.sending(victim.socket(number)) as (reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(text_frame("40/_event,{}"))
        await reader.readuntil(b'40/_event,{"sid"')
        await ready.wait()
        writer.write(text_frame(f"42/_event,{json.dumps(['event', event])}"))
        await reader.readuntil(b'"is_hydrated_rx_state_"')
        await ready.wait()


async def frames(victim: Victim, number: int, *, first: bytes, frame: bytes, each: int) -> None:
    """Send so many frames a second, in a new socket whenever the server closes one."""
    while True:
        async with victim.sending(victim.socket(number)) as (reader, writer):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(first)
            while not reader.at_eof():
                writer.write(each * frame)
                await writer.drain()
                with suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        while await reader.read(65_536):
                            pass
        await asyncio.sleep(RETRY)


AT_HOME: Mapping[str, Any] = {"pathname": "/", "asPath": "/", "query": {}}


def event_frame(name: str, payload: Mapping[str, Any], address: Mapping[str, Any] = AT_HOME) -> bytes:
    """Return the message of an event, as a page sends it."""
    event = {"name": name, "payload": payload, "router_data": address}
    return text_frame(f"42/_event,{json.dumps(['event', event])}")


OPENED = text_frame("40/_event,{}")
"""What opens a tab in a socket."""

TINY_FRAMES: dict[str, Attack] = {
    "empty fragments": partial(frames, first=b"\x01\x81\0\0\0\0a", frame=b"\0\x80\0\0\0\0", each=5_000),
    "pings": partial(frames, first=OPENED, frame=b"\x89\x80\0\0\0\0", each=5_000),
    "pongs": partial(frames, first=OPENED, frame=b"\x8a\x80\0\0\0\0", each=5_000),
    "heartbeats": partial(frames, first=OPENED, frame=text_frame("3"), each=5_000),
    "messages below the limit of a socket": partial(frames, first=OPENED, frame=text_frame("3"), each=90),
    "pings below the limit of a socket": partial(frames, first=OPENED, frame=b"\x89\x80\0\0\0\0", each=90),
}

FORGED_EVENTS: dict[str, Attack] = {
    "setters": partial(frames, first=OPENED, frame=event_frame(SETTER, {"value": LONG}), each=20),
    "unknown events": partial(frames, first=OPENED, frame=event_frame(f"{SEARCH}.{LONG}", {}), each=20),
    "wrong arguments": partial(frames, first=OPENED, frame=event_frame(f"{SEARCH}.open", {LONG: 1}), each=20),
    "broken packets": partial(frames, first=OPENED, frame=text_frame(f"42/_event,{LONG}"), each=20),
}


async def left_tabs(victim: Victim, number: int) -> None:
    """Open tabs with much in their cookie and address, from five networks of IPv6, and leave each at once."""
    address = {"pathname": "/", "asPath": "/?" + LONG[:30_000], "query": {}}
    opening = event_frame(HYDRATE, {}, address)
    for tab in itertools.count():
        network = f"x-forwarded-for: 2001:db8:0:{number % 5}::1\ncookie: journey={LONG[:30_000]}\n"
        async with victim.sending(victim.socket(1_000_000 * number + tab, network)) as (reader, writer):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(OPENED + opening)
            await reader.readuntil(b'"is_hydrated_rx_state_"')
        await asyncio.sleep(RETRY)


async def ask_again(victim: Victim, request: str) -> None:
    """Send a request in one connection after another, and read each answer."""
    while True:
        async with victim.sending(request) as (reader, _):
            await reader.read()
        await asyncio.sleep(RETRY / 10)


async def staff_paths(victim: Victim, number: int) -> None:
    """Ask for the staff area by paths that can be read twice."""
    path = ("/ping/..%2fstaff%2f", "//staff/", "/ping/..%2fcontact", "/_event/../staff/", "/%73taff/")[number % 5]
    await ask_again(victim, f"GET {path} HTTP/1.1\nhost: localhost:{{port}}\nconnection: close\n\n")


async def posted(victim: Victim, form: str, *, cookie: str = "", **fields: str) -> bytes:
    """Send a form of the sign-in from an address that was not used before, and return the answer."""
    number, body = next(victim.numbers), urlencode(fields)
    request = (
        f"POST {routes.STAFF_FORMS[form]} HTTP/1.1\nhost: localhost:{{port}}\norigin: http://localhost:{{port}}\n"
        f"x-forwarded-for: 10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}\ncookie: {cookie}\n"
        "connection: close\ncontent-type: application/x-www-form-urlencoded\n"
        f"content-length: {len(body)}\n\n{body}"
    )
    async with victim.sending(request) as (reader, _):
        return await reader.read()
    return b""


async def one_time_codes(victim: Victim, number: int) -> None:
    """Enter the password of an account, then wrong codes until the step is over, and again."""
    while True:
        answer = await posted(victim, "sign-in", name=ADA, password=PASSWORD)
        step = re.search(rb"staff-step=([^;]+)", answer)
        for code in range(8):
            cookie = f"staff-step={step[1].decode() if step else ''}"
            await posted(victim, "code", cookie=cookie, code=f"{number:03d}{code:03d}")


async def guessed_passwords(victim: Victim, number: int) -> None:
    """Guess the password of an account, each time from another address."""
    for guess in itertools.count():
        await posted(victim, "sign-in", name=ADA, password=f"guess {guess} of client {number}")


ATTACKS: dict[str, Attack] = {
    "unfinished messages": unfinished_message,
    "slow bodies": slow_body,
    "slow headers": slow_headers,
    "idle sockets": idle_socket,
    **TINY_FRAMES,
    **FORGED_EVENTS,
    "tabs that are left": left_tabs,
    "paths to the staff area": staff_paths,
    "one-time codes": one_time_codes,
    "guessed passwords": guessed_passwords,
}


def attack(name: str, port: int, *, clients: int, addresses: int, seconds: float) -> None:
    """Have clients attack until the time is over; to be run in a process of its own."""

    async def attacking() -> None:
        victim = Victim(port, addresses=addresses)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), asyncio.TaskGroup() as group:
                for number in range(clients):
                    group.create_task(ATTACKS[name](victim, number))
                await asyncio.sleep(seconds)

    asyncio.run(attacking())


def hydrate(port: int, *, clients: int, addresses: int) -> float:
    """Open as many tabs, hydrate all of them at once, and return the seconds until the last is answered."""

    async def hydrating() -> float:
        victim, ready = Victim(port, addresses=addresses), asyncio.Barrier(clients + 1)
        async with asyncio.timeout(HYDRATED_SECONDS), asyncio.TaskGroup() as group:
            for number in range(clients):
                group.create_task(hydrated(victim, number, ready=ready))
            await ready.wait()
            began = asyncio.get_running_loop().time()
            await ready.wait()
            return asyncio.get_running_loop().time() - began

    return asyncio.run(hydrating())


def resident(process: int) -> int:
    """Return the memory that a process holds, in bytes."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def connections(process: int) -> int:
    """Return how many files and connections a process holds open."""
    return len(list(Path(f"/proc/{process}/fd").iterdir()))


def children(process: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def memory(process: int) -> int:
    """Return the most memory that a process and those below it have held, in MiB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    held = int(next(line for line in lines if line.startswith("VmHWM")).split()[1])
    return held // 1024 + sum(memory(child) for child in children(process))
