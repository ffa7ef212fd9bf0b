"""Protocols of uvicorn with limits: time for a request's headers, connections of one network, unread answers."""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.wsproto_impl import WSProtocol
from wsproto import WSConnection, events
from wsproto.frame_protocol import CloseReason

from broker.services.rate_limit import client_networks
from broker.web.small_queue import Gate, SmallQueue

HEADER_SECONDS = 10.0
"""Time to the end of a request's headers; also for the rest of a body that was answered before it was read."""

FIRST_REQUEST_SECONDS = 1.0
"""Time that a connection without a request yet has when the server stops: its request may be on the way."""

MAX_PER_NETWORK = 300
"""Connections without a socket that one network may hold: a browser holds at most six, an office shares an address."""

BUSY = b"Too many connections are open from your network. Please close some pages, and try again in a minute.\n"
BUSY_ANSWER = (
    b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 60\r\n"
    b"cache-control: no-store\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%b" % (len(BUSY), BUSY)
)


class TimedHttp(H11Protocol):
    """HTTP/1.1 that closes a connection which takes longer than HEADER_SECONDS over its headers."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] - asyncio gives TCP a Transport
        super().connection_made(transport)
        self._set_deadline()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._set_deadline()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_deadline()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Close the connection after its answer as the server stops; a new one may send its first request yet."""
        if self.cycle is None:
            self.loop.call_later(FIRST_REQUEST_SECONDS, self._close_after_answer)
        else:
            super().shutdown()

    def _close_after_answer(self) -> None:
        if self in self.connections:
            super().shutdown()

    def _set_deadline(self) -> None:
        """Start the time where a client is waited for, unless it runs already; end it elsewhere."""
        is_answered = self.cycle is not None and self.cycle.response_complete
        is_between = self.conn.their_state is h11.IDLE and self.timeout_keep_alive_task is None
        if is_between or (is_answered and self.conn.their_state is h11.SEND_BODY):
            self._deadline = self._deadline or self.loop.call_later(HEADER_SECONDS, self.transport.abort)
        else:
            self._end_deadline()

    def _end_deadline(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None


class CountedHttp(TimedHttp):
    """TimedHttp that refuses a connection of a network which holds MAX_PER_NETWORK.

    It is for a server without a proxy in front: behind one all connections come from the proxy, which counts them.
    """

    held: ClassVar[Counter[str]] = Counter()
    _networks: Mapping[str, int] = MappingProxyType({})

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] - asyncio gives TCP a Transport
        """Count the connection, or answer that there are too many."""
        super().connection_made(transport)
        self._networks = client_networks(self.client[0] if self.client else "")
        self.held.update(self._networks.keys())
        if any(self.held[network] > times * MAX_PER_NETWORK for network, times in self._networks.items()):
            transport.write(BUSY_ANSWER)
            transport.close()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Leave the connection to the socket's protocol, which alone hears when it is lost."""
        self._release()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._release()
        super().connection_lost(exc)

    def _release(self) -> None:
        for network in self._networks:
            self.held[network] -= 1
            if not self.held[network]:
                del self.held[network]
        self._networks = {}


READ_BYTES = 1_024
"""Bytes of a socket that are read at once, at most 170 frames; then requests and other sockets have their turn."""

MAX_FRAMES = 60
"""Frames of messages that one socket may send in a second: twice the events that one tab may send."""

MAX_FRAGMENTS = 32
"""Frames of one message; browsers send each of ours in one."""

MAX_CONTROL_FRAMES = 10
"""Pings and pongs that one socket may send in a second; a browser sends a pong every 20 seconds, and no ping."""

SOCKET_LOG = logging.getLogger("sockets")
"""Beside uvicorn's own, for warnings alone: its line for each socket has the token that opens a visitor's tab."""


class FrameLimit:
    """Counts of the frames of one socket, in a second and in a message."""

    __slots__ = ("_control_frames", "_fragments", "_frames", "_second")

    def __init__(self) -> None:
        self._second = self._frames = self._control_frames = self._fragments = 0

    def exceeded(self, event: events.Event, second: int) -> CloseReason | None:
        """Count an event of a socket in a second of the clock; return the reason to close the socket, if any."""
        if second != self._second:
            self._second, self._frames, self._control_frames = second, 0, 0
        if isinstance(event, events.Ping | events.Pong):
            self._control_frames += 1
        elif isinstance(event, events.Message) and event.frame_finished:
            self._frames += 1
            self._fragments += 1
        is_too_long = self._fragments > MAX_FRAGMENTS
        if isinstance(event, events.Message) and event.message_finished:
            self._fragments = 0
        if self._frames > MAX_FRAMES or self._control_frames > MAX_CONTROL_FRAMES:
            return CloseReason.POLICY_VIOLATION
        return CloseReason.MESSAGE_TOO_BIG if is_too_long else None


class ReadSocket(WSProtocol, asyncio.BufferedProtocol):  # pyright: ignore[reportIncompatibleMethodOverride] - a Transport
    """Socket that is read in short turns, closed where it sends too many frames, and holds little memory.

    It answers a ping only while the client reads, and lets go of its handshake.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logger = SOCKET_LOG
        self.queue = SmallQueue()  # type: ignore[assignment] - it has the methods that are called
        self.writable = Gate()  # type: ignore[assignment] - it has the methods that are called
        self._read = bytearray()
        self._limit = FrameLimit()

    def get_buffer(self, sizehint: int) -> bytearray:  # noqa: ARG002 - asyncio calls with this name
        """Return where the next READ_BYTES are written: an idle socket holds no buffer."""
        self._read = bytearray(READ_BYTES)
        return self._read

    def buffer_updated(self, nbytes: int) -> None:
        """Take the bytes that were read."""
        read, self._read = self._read, bytearray()
        self.data_received(bytes(read[:nbytes]))

    def handle_message(self, event: events.TextMessage | events.BytesMessage) -> None:
        """Pass a message on; the first one ends the use of the handshake, whose request takes 3 kB."""
        if isinstance(self.conn, WSConnection) and self.conn.connection:
            self.conn = self.conn.connection  # type: ignore[assignment] - it has the same methods
        if not self._is_closed_over(event):
            super().handle_message(event)

    def handle_ping(self, event: events.Ping) -> None:
        if not self._is_closed_over(event) and self.writable.is_set():
            super().handle_ping(event)

    def handle_pong(self, event: events.Pong) -> None:
        if not self._is_closed_over(event):
            super().handle_pong(event)

    def _is_closed_over(self, event: events.Event) -> bool:
        """Close the socket where a frame is one too many; the messages that were not passed on yet are dropped."""
        reason = self._limit.exceeded(event, int(self.loop.time()))
        if reason is None or self.transport.is_closing():
            return self.transport.is_closing()
        while not self.queue.empty():
            self.queue.get_nowait()
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": reason})
        self.transport.write(self.conn.send(events.CloseConnection(code=reason)))
        self.transport.close()
        return True
