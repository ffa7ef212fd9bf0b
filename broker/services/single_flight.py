"""One asking at a time for one thing, however many want it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")


class SingleFlight(Generic[Key, Found]):
    """What is under way, by what is asked for."""

    def __init__(self) -> None:
        """Begin with nothing under way."""
        self._under_way: dict[Key, asyncio.Task[Found]] = {}

    def joined(self, key: Key, ask: Callable[[], Awaitable[Found]]) -> asyncio.Future[Found]:
        """Return what the asking under way for a key will find, begun now with `ask` where there is none.

        Whoever goes away, or waits no longer, does not take the answer from the others who wait for it.
        """
        if key not in self._under_way:
            task = asyncio.create_task(self._fly(key, ask))
            # Where everybody has gone away, a failure is nobody's: it is taken off the event loop's hands.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._under_way[key] = task
        return asyncio.shield(self._under_way[key])

    async def _fly(self, key: Key, ask: Callable[[], Awaitable[Found]]) -> Found:
        try:
            return await ask()
        finally:
            del self._under_way[key]
