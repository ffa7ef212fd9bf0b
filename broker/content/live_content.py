"""The content and the lenders of a running server: taken anew, without a restart, once they were replaced.

Each worker reads a new version as soon as it is there, and all use it at one moment, `SWITCH_SECONDS` after it was
written: a visitor who reloads a page does not see the old one after the new one.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager

from broker.background import in_background
from broker.content.errors import ContentError
from broker.content.source import ContentVersion, content_store, content_version
from broker.content.store import ContentStore, SiteContent
from broker.lenders.directory import KnownLender, LenderDirectory
from broker.settings import Settings

POLL_SECONDS = 0.25
"""Time between two looks for a new version."""

SWITCH_SECONDS = 1.5
"""Time from the writing of a version to its use."""

log = logging.getLogger(__name__)


class LiveContent:
    """Keeps the store and the directory of lenders of a server at the last version of the content."""

    def __init__(
        self,
        settings: Settings,
        store: ContentStore,
        directory: LenderDirectory,
        *,
        version: ContentVersion,
        lenders: Callable[[SiteContent], Iterable[KnownLender]],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`version` is that of the store; `lenders` returns those of a content, and of the feed's last list."""
        self._settings, self._store, self._directory, self._lenders = settings, store, directory, lenders
        self._version, self._sleep, self._clock = version, sleep, clock

    async def take(self) -> None:
        """Use what can be read now; where it cannot be read, what is used stays."""
        if read := await self._read():
            self._use(*read)

    async def look(self) -> bool:
        """Use a new version at its moment, and return whether there was one."""
        version = content_version(self._settings)
        if version == self._version:
            return False
        read = await self._read()
        await self._sleep(self._seconds_until_switch(version))
        if content_version(self._settings) != version:
            return False  # replaced again meanwhile: the next look reads that one
        self._version = version
        if read:
            self._use(*read)
            log.info("new content is served")
        return bool(read)

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Look for new versions while the context is open."""
        async with in_background(self._look_periodically()):
            yield

    async def _look_periodically(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            await self.look()

    async def _read(self) -> tuple[SiteContent, tuple[KnownLender, ...]] | None:
        try:
            return await asyncio.to_thread(self._read_files)
        except (ContentError, OSError) as error:
            log.warning("the new content cannot be read, what was read before stays: %s", error)
            return None

    def _read_files(self) -> tuple[SiteContent, tuple[KnownLender, ...]]:
        content = content_store(self._settings).content
        return content, tuple(self._lenders(content))

    def _seconds_until_switch(self, version: ContentVersion) -> float:
        return min(max(version.at + SWITCH_SECONDS - self._clock(), 0.0), SWITCH_SECONDS)

    def _use(self, content: SiteContent, lenders: Iterable[KnownLender]) -> None:
        self._store.content = content
        self._directory.update(lenders)
