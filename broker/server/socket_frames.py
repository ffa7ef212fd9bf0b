"""uvicorn's WebSocket protocol with limits on frames: the socket library sees whole messages only, and no pings."""

import asyncio
import logging
from typing import Any

from uvicorn.protocols.websockets.wsproto_impl import WSProtocol
from wsproto import events
from wsproto.frame_protocol import CloseReason

READ_BYTES = 1_024
"""Bytes of a socket that are read at once, at most 170 frames, before requests and other sockets are served."""

MAX_FRAMES = 60
"""Message frames of one socket in a second: twice the events that a tab may send."""

MAX_FRAGMENTS = 32
"""Frames of one message; browsers send each of ours in one."""

MAX_CONTROL_FRAMES = 10
"""Pings and pongs of one socket in a second; a browser sends a pong every 20 seconds, and no ping."""

_SOCKET_LOG = logging.getLogger("sockets")
"""Replaces uvicorn's logger, whose line for each socket has the token of a visitor's tab."""


class FrameLimit:
    """Counts of the frames of one socket, in a second and in a message."""

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


class LimitedSocket(WSProtocol, asyncio.BufferedProtocol):  # pyright: ignore[reportIncompatibleMethodOverride] - a Transport
    """A socket that is read in small parts, and closed if it sends too many frames.

    It answers a ping only while the client reads.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logger = _SOCKET_LOG
        self._read = bytearray(READ_BYTES)
        self._limit = FrameLimit()

    def get_buffer(self, sizehint: int) -> bytearray:  # noqa: ARG002 - asyncio calls with this name
        return self._read

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(self._read[:nbytes]))

    def handle_message(self, event: events.TextMessage | events.BytesMessage) -> None:
        if not self._is_closed_over(event):
            super().handle_message(event)

    def handle_ping(self, event: events.Ping) -> None:
        if not self._is_closed_over(event) and self.writable.is_set():
            super().handle_ping(event)

    def handle_pong(self, event: events.Pong) -> None:
        if not self._is_closed_over(event):
            super().handle_pong(event)

    def _is_closed_over(self, event: events.Event) -> bool:
        """Close the socket if a frame exceeds a limit, and drop its queued messages; return whether it is closed."""
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
