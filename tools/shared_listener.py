"""The listening socket of all workers, from which the one with the fewest connections takes the next.

The system wakes every worker for a connection, and whichever is first takes it. With sockets that stay open for as long
as a tab is, that leaves one worker with nine in ten of them, and the others idle.
"""

import multiprocessing
import socket
from collections.abc import Callable, Iterator, MutableSequence
from itertools import count
from time import monotonic
from typing import Any, ClassVar

from uvicorn.supervisors import multiprocess

QUEUED = 2_048
"""Connections that may wait for a worker."""

ABSENT = -1
"""The count of a place that no worker has."""

PLACES = 64
"""More workers than there are at a time, old and new ones while they are replaced."""

GIVE_WAY_SECONDS = 0.001
"""Time for which a worker with more connections leaves a new one to the others, which may be busy."""

FORGET_SECONDS = 0.05
"""Time after which a connection that was left to the others is not the one that waits now."""

Counts = MutableSequence[int]


class SharedListener(socket.socket):
    """One worker's end of the socket; `held` has the connections of all workers, this one's at its place.

    `connections` counts them. asyncio takes as many connections at once as it makes room for, so that it is to be told
    to make room for one.
    """

    def __init__(self, fileno: int, *, held: Counts, place: int, connections: Callable[[], int]) -> None:
        super().__init__(fileno=fileno)
        self._held, self._place, self._connections = held, place, connections
        self._gave_way_at = 0.0

    def listen(self, backlog: int = QUEUED, /) -> None:
        """Listen, with room for QUEUED connections at least; the worker counts from now on."""
        super().listen(max(backlog, QUEUED))
        self._held[self._place] = self._connections()

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection; raises BlockingIOError where another worker is to take it."""
        if self.gives_way(monotonic()):
            raise BlockingIOError
        return super().accept()

    def gives_way(self, now: float) -> bool:
        """Return whether another worker has fewer connections, and has not been waited for long enough."""
        own = self._held[self._place] = self._connections()
        if all(own <= each + 1 for each in self._held if each != ABSENT):
            return False
        waited = now - self._gave_way_at
        if waited > FORGET_SECONDS:
            self._gave_way_at = now
        return waited > FORGET_SECONDS or waited < GIVE_WAY_SECONDS


class CountedWorker(multiprocess.Process):
    """Worker that listens on a SharedListener."""

    _held: ClassVar[Counts] = multiprocessing.get_context("spawn").RawArray("i", [ABSENT] * PLACES)
    _places: ClassVar[Iterator[int]] = count()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._counts, self._place = self._held, next(self._places) % PLACES  # the worker's process has its own class
        super().__init__(*args, **kwargs)

    def target(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve, in the worker's own process."""
        state = self.server.server_state
        super().target(
            [
                SharedListener(
                    each.detach(), held=self._counts, place=self._place, connections=lambda: len(state.connections)
                )
                for each in sockets or ()
            ]
        )

    def join(self) -> None:
        """Wait for the end of the worker, and count it no longer."""
        super().join()
        self._counts[self._place] = ABSENT
