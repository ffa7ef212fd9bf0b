"""A queue and a gate for each socket: those of asyncio take 3 and 1 kB while nothing is in them."""

import asyncio
from typing import Any


class SmallQueue:
    """Unbounded queue with one reader, and the methods of `asyncio.Queue` that uvicorn and Engine.IO call."""

    __slots__ = ("_finished", "_items", "_reader", "_unfinished")

    def __init__(self) -> None:
        self._items: list[Any] = []
        self._reader: asyncio.Future[Any] | None = None
        self._unfinished = 0
        self._finished = Gate()

    def empty(self) -> bool:
        return not self._items

    def put_nowait(self, item: Any) -> None:
        """Give an item to the reader, or keep it for the next."""
        self._unfinished += 1
        if self._reader and not self._reader.done():
            self._reader.set_result(item)
        else:
            self._items.append(item)

    async def put(self, item: Any) -> None:
        self.put_nowait(item)

    def get_nowait(self) -> Any:
        """Return the oldest item; raises asyncio.QueueEmpty."""
        if not self._items:
            raise asyncio.QueueEmpty
        return self._items.pop(0)

    def get(self) -> asyncio.Future[Any]:
        """Return the oldest item, or the next one, when awaited: as a future, which `wait_for` makes no task of."""
        self._reader = asyncio.get_running_loop().create_future()
        if self._items:
            self._reader.set_result(self._items.pop(0))
        return self._reader

    def task_done(self) -> None:
        """Count an item as done with."""
        self._unfinished -= 1
        if not self._unfinished:
            self._finished.set()

    async def join(self) -> None:
        """Wait until every item is done with."""
        if self._unfinished:
            self._finished.clear()
        await self._finished.wait()


class Gate:
    """An `asyncio.Event` that is set at first, and exists only while it is not."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event: asyncio.Event | None = None

    def is_set(self) -> bool:
        return self._event is None

    def set(self) -> None:
        if self._event:
            self._event.set()
        self._event = None

    def clear(self) -> None:
        self._event = self._event or asyncio.Event()

    async def wait(self) -> None:
        if self._event:
            await self._event.wait()
