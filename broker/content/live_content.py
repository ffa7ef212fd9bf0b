"""Replacement of the content and the lenders of a running server, without a restart.

Each worker reads a new version as soon as it exists, and all switch to it `SWITCH_SECONDS` after it was written: a
visitor who reloads a page never sees the old version after the new one.
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

_POLL_SECONDS = 0.25
"""Time between two checks for a new version."""

SWITCH_SECONDS = 1.5
"""Time from the writing of a version to the switch."""

log = logging.getLogger(__name__)


class LiveContent:
    """Updates the store and the lender directory of a server to the last version of the content."""

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
        """Use the current version; if it cannot be read, keep the one in use."""
        if read := await self._read():
            self._use(*read)

    async def check(self) -> bool:
        """Switch to a new version, if any, at its time; return whether it was used."""
        version = content_version(self._settings)
        if version == self._version:
            return False
        read = await self._read()
        await self._sleep(self._seconds_until_switch(version))
        if content_version(self._settings) != version:
            return False  # replaced again meanwhile: the next check reads that one
        self._version = version
        if read:
            self._use(*read)
            log.info("new content is served")
        return bool(read)

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Check for new versions while the context is open."""
        async with in_background(self._check_periodically()):
            yield

    async def _check_periodically(self) -> None:
        while True:
            await asyncio.sleep(_POLL_SECONDS)
            await self.check()

    async def _read(self) -> tuple[SiteContent, tuple[KnownLender, ...]] | None:
        try:
            return await asyncio.to_thread(self._read_files)
        except (ContentError, OSError) as error:
            log.warning("the new content cannot be read, the previous one is kept: %s", error)
            return None

    def _read_files(self) -> tuple[SiteContent, tuple[KnownLender, ...]]:
        content = content_store(self._settings).content
        return content, tuple(self._lenders(content))

    def _seconds_until_switch(self, version: ContentVersion) -> float:
        return min(max(version.at + SWITCH_SECONDS - self._clock(), 0.0), SWITCH_SECONDS)

    def _use(self, content: SiteContent, lenders: Iterable[KnownLender]) -> None:
        self._store.content = content
        self._directory.update(lenders)
