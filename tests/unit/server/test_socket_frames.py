import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from wsproto import ConnectionType
from wsproto.connection import Connection

from broker.server import socket_frames
from broker.server.middleware import AmbiguousRequests
from broker.server.socket_frames import MAX_CONTROL_FRAMES, MAX_FRAGMENTS, MAX_FRAMES, FrameLimit
from broker.settings import read_settings
from tests.timeouts import ANSWER_TIMEOUT
from tools.server import free_port
from tools.web_server import MAX_MESSAGE, server_config

GET = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n"
UPGRADE = (
    b"GET /_event/ HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request at once, before its body is read; hold a socket open until it is closed."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
    elif scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


@asynccontextmanager
async def serving(served: ASGIApp = app) -> AsyncIterator[int]:
    config = server_config(read_settings(), free_port())
    config.app, config.factory, config.lifespan = served, False, "off"
    server = uvicorn.Server(config)
    task = asyncio.create_task(server._serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield config.port
    finally:
        server.should_exit = True
        await task


async def answered(port: int, sent: bytes) -> bytes:
    """Return all that comes before the connection is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    try:
        return await asyncio.wait_for(reader.read(), ANSWER_TIMEOUT)
    finally:
        await close(writer)


async def close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


def fragment(length: int, *, is_first: bool) -> bytes:
    """Return a masked WebSocket frame of text that is not the last of its message."""
    size = bytes([0x80 | length]) if length < 126 else b"\xff" + length.to_bytes(8)
    return (b"\x01" if is_first else b"\x00") + size + b"\0\0\0\0" + b"a" * length


async def test_socket_message_is_bounded_while_its_fragments_arrive() -> None:
    async with serving() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(UPGRADE)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
        writer.write(fragment(MAX_MESSAGE, is_first=True) + fragment(1, is_first=False))
        closing = await asyncio.wait_for(reader.read(), ANSWER_TIMEOUT)
        assert closing[2:4] == (1009).to_bytes(2)
        await close(writer)


EMPTY = b"\x80\0\0\0\0"
"""Length and mask of a frame without content."""

LIMITED = {
    "pings": (b"\x89" + EMPTY, MAX_CONTROL_FRAMES, 1008),
    "pongs": (b"\x8a" + EMPTY, MAX_CONTROL_FRAMES, 1008),
    "whole messages": (b"\x81" + EMPTY, MAX_FRAMES, 1008),
    "empty fragments of a message": (b"\x00" + EMPTY, MAX_FRAGMENTS - 1, 1009),
}


@asynccontextmanager
async def socket(port: int, first: bytes = b"") -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(UPGRADE)
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
    writer.write(first)
    yield reader, writer
    await close(writer)


@pytest.mark.parametrize(("frame", "most", "code"), LIMITED.values(), ids=LIMITED)
async def test_socket_that_sends_too_many_small_frames_is_closed(frame: bytes, most: int, code: int) -> None:
    first = b"\x01\x81\0\0\0\0a" if code == 1009 else b""
    async with serving() as port, socket(port, first) as (reader, writer):
        writer.write((most + 1) * frame)
        assert (await asyncio.wait_for(reader.read(), ANSWER_TIMEOUT)).endswith(b"\x88\x02" + code.to_bytes(2))


@pytest.mark.parametrize(("frame", "most", "code"), LIMITED.values(), ids=LIMITED)
def test_frames_are_counted_in_a_second_and_in_a_message(frame: bytes, most: int, code: int) -> None:
    limit, socket = FrameLimit(), Connection(ConnectionType.SERVER)

    def sent(frames: bytes, second: int) -> list[int | None]:
        socket.receive_data(frames)
        return [limit.exceeded(event, second) for event in socket.events()]

    opening = b"\x01" + EMPTY if code == 1009 else b""
    for second in range(3):
        assert set(sent(opening + most * frame, second)) == {None}
        if code == 1009:
            assert sent(b"\x80" + EMPTY, second) == [code]
    assert sent(opening + (most + 1) * frame, 3)[-1] == code


async def test_message_is_no_more_frames_however_slowly_it_arrives() -> None:
    message = b"\x81\xfe" + (500).to_bytes(2) + b"\0\0\0\0" + 500 * b"a"
    async with serving() as port, socket(port) as (reader, writer):
        for each in message:
            writer.write(bytes([each]))
            await asyncio.sleep(0)
        writer.write(b"\x89" + EMPTY)
        assert await asyncio.wait_for(reader.readexactly(2), ANSWER_TIMEOUT) == b"\x8a\x00"


async def test_request_is_answered_between_two_turns_of_a_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_frames, "MAX_CONTROL_FRAMES", 1_000_000)
    pings = 40_000
    async with serving() as port, socket(port) as (reader, writer):
        writer.write(pings * (b"\x89" + EMPTY))
        assert (await answered(port, GET.replace(b"host", b"connection: close\r\nhost"))).startswith(b"HTTP/1.1 200")
        assert len(await reader.read(2 * pings)) < 2 * pings


async def test_token_of_a_tab_is_not_logged(capfd: pytest.CaptureFixture[str]) -> None:
    token = "37b0-token-of-a-tab"
    async with serving() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(UPGRADE.replace(b"/_event/", b"/_event/?token=" + token.encode()))
        assert b"101" in await reader.readline()
        writer.close()
    log = capfd.readouterr().err
    assert ("Finished server process" in log, token in log) == (True, False)


async def test_request_with_a_length_and_chunks_ends_the_connection() -> None:
    smuggled = b"POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n" + GET
    async with serving(AmbiguousRequests(app, {})) as port:
        found = await answered(port, smuggled)
    assert (found.count(b"HTTP/1.1 "), found[:13]) == (1, b"HTTP/1.1 400 ")
    assert b"connection: close" in found.lower()
