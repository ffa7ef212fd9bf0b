"""Share one call between all who request the same key at the same time."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")


class SingleFlight(Generic[Key, Found]):
    """Calls under way, by key."""

    def __init__(self) -> None:
        self._under_way: dict[Key, asyncio.Task[Found]] = {}

    def joined(self, key: Key, ask: Callable[[], Awaitable[Found]]) -> asyncio.Future[Found]:
        """Return the result of the call under way for a key, started with `ask` where there is none.

        A caller who is cancelled does not cancel the call for the others.
        """
        if key not in self._under_way:
            task = asyncio.create_task(self._fly(key, ask))
            # Where every caller is cancelled nobody retrieves the error: asyncio would log it.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._under_way[key] = task
        return asyncio.shield(self._under_way[key])

    async def _fly(self, key: Key, ask: Callable[[], Awaitable[Found]]) -> Found:
        try:
            return await ask()
        finally:
            del self._under_way[key]
