"""HTTP/1.1 as far as the stand-in needs it, on this machine only, and the ways in which a server can misbehave on it.

A server of our own, because a failing one must be able to say nothing, to trickle, to flood and to hang up at will.
"""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

HOST = "127.0.0.1"
JSON, HTML, XML = "application/json; charset=UTF-8", "text/html; charset=UTF-8", "text/xml; charset=UTF-8"

MAX_BODY, MAX_FLOOD = 1024 * 1024, 64 * 1024 * 1024
_REASONS = {200: "OK", 302: "Found", 404: "Not Found", 500: "Internal Server Error", 502: "Bad Gateway"}


class Sending(StrEnum):
    """How an answer goes over the wire: whole, or not as it should."""

    WHOLE = "whole"
    SILENT = "silent"
    SLOW = "slow"
    HUGE = "huge"
    SHORT = "short"
    RESET = "reset"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request; `target` is its path without the query string, names of headers are in lower case."""

    method: str
    target: str
    query: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    body: bytes = b""
    status: int = 200
    media_type: str = JSON
    location: str = ""
    sending: Sending = Sending.WHOLE

    @property
    def head(self) -> bytes:
        lines = [f"HTTP/1.1 {self.status} {_REASONS.get(self.status, 'Status')}", f"Content-Type: {self.media_type}"]
        if self.location:
            lines.append(f"Location: {self.location}")
        return "\r\n".join([*lines, f"Content-Length: {len(self.body)}", "", ""]).encode("latin-1")


Answering = Callable[[Request], Awaitable[Answer]]


async def converse(answering: Answering, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the requests of one connection, one after another, until either side has done."""
    try:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            while True:
                request = await _request(reader)
                answer = await answering(request)
                await _send(answer, reader, writer)
                if answer.sending is not Sending.WHOLE or request.headers.get("connection", "").lower() == "close":
                    break
    finally:
        writer.close()


async def _request(reader: asyncio.StreamReader) -> Request:
    """Read a request; raises ValueError for one that is no HTTP or too large."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    method, address, _ = first.split(" ")
    named = (line.partition(":") for line in lines if line)
    headers = {name.strip().lower(): value.strip() for name, _, value in named}
    length = int(headers.get("content-length", 0))
    if not 0 <= length <= MAX_BODY:
        raise ValueError("a body of no sensible length")
    body = await reader.readexactly(length)
    target, _, query = address.partition("?")
    return Request(method=method, target=target, query=query, headers=headers, body=body)


async def _send(answer: Answer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    match answer.sending:
        case Sending.WHOLE:
            writer.write(answer.head + answer.body)
        case Sending.SHORT:
            writer.write(answer.head + answer.body[: len(answer.body) // 2])
        case Sending.SILENT:
            await reader.read()
        case Sending.SLOW:
            await _trickle(answer, writer)
        case Sending.HUGE:
            await _flood(writer)
        case Sending.RESET:
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            writer.transport.abort()
            return
    await writer.drain()


async def _trickle(answer: Answer, writer: asyncio.StreamWriter) -> None:
    writer.write(answer.head)
    for place in range(len(answer.body)):
        writer.write(answer.body[place : place + 1])
        await writer.drain()
        await asyncio.sleep(0.05)


async def _flood(writer: asyncio.StreamWriter) -> None:
    writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {JSON}\r\nConnection: close\r\n\r\n".encode("latin-1"))
    for _ in range(MAX_FLOOD // 65_536):
        writer.write(b" " * 65_536)
        await writer.drain()
