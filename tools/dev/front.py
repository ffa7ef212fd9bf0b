"""The listener on PORT: passes each connection to the backend of the moment, and holds it while there is none."""

import asyncio
from contextlib import suppress

CHUNK_BYTES = 65_536


class Front:
    """A TCP proxy that outlives its backend, so that a page asked for during a restart only waits."""

    def __init__(self) -> None:
        self._settled = asyncio.Event()
        self._backend_port = 0
        self._problem = b""

    def hold(self) -> None:
        """Let new connections wait: the backend is about to be replaced."""
        self._settled.clear()

    def pass_to(self, port: int) -> None:
        """Pass connections to a backend on this machine."""
        self._backend_port, self._problem = port, b""
        self._settled.set()

    def show(self, html: str) -> None:
        """Answer every request with an error page, until there is a backend again."""
        body = html.encode()
        head = "HTTP/1.1 500 Internal Server Error\r\ncontent-type: text/html; charset=utf-8\r\n"
        self._problem = f"{head}content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body
        self._settled.set()

    async def listen(self, address: str, port: int) -> asyncio.Server:
        """Return the listener at an IP address of this machine; raises OSError when the port cannot be had."""
        return await asyncio.start_server(self._answer, address, port)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            await self._settled.wait()
            if self._problem:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(self._problem)
                await writer.drain()
            else:
                to_backend = await asyncio.open_connection("127.0.0.1", self._backend_port)
                await asyncio.gather(_copy(reader, to_backend[1]), _copy(to_backend[0], writer))
        writer.close()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Copy bytes until the source ends, then close the target: a half-open connection helps nobody here."""
    with suppress(OSError):
        while data := await source.read(CHUNK_BYTES):
            target.write(data)
            await target.drain()
    target.close()
