"""The current logo of each lender for the public site, read from the database within seconds of a change.

Every server polls one number in the shared database, which rises with every change. Pictures are read when first
requested, and kept in a bounded cache.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from cachetools import LRUCache

from broker.lenders.directory import LenderDirectory
from broker.lenders.logos.logo import LenderLogo, by_lender, logo_address
from broker.lenders.logos.store import LogoStore
from broker.storage.errors import StorageError

MEDIA_TYPE = "image/png"

POLL_SECONDS = 5.0
"""The longest delay until every server uses a change."""

_MAX_CACHE_BYTES = 16 * 1024 * 1024
"""Pictures in memory: several hundred logos."""

_NAME = re.compile(r"[1-9][0-9]{0,9}-[0-9a-f]{12}\.png")

_NO_LOGO = LenderLogo()

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoFile:
    """A logo: its name in LOGO_FOLDER, for example `42-0a1b2c3d4e5f.png`, and its bytes.

    The name changes with the picture, so that a browser may cache it forever.
    """

    name: str
    data: bytes = field(repr=False)

    @property
    def address(self) -> str:
        return logo_address(self.name)


class LogoCache:
    """Logos by lender id; empty before `open`, when every lender has its monogram."""

    def __init__(self, directory: LenderDirectory) -> None:
        self.directory = directory
        self._store: LogoStore | None = None
        self._stamp = 0
        self._logos: Mapping[int, LenderLogo] = MappingProxyType({})
        self._files: LRUCache[str, LogoFile] = LRUCache(_MAX_CACHE_BYTES, lambda file: len(file.data))

    def open(self, store: LogoStore) -> None:
        """Use the logos of a database from the next `learn` on."""
        self._store, self._stamp = store, 0

    def close(self) -> None:
        """Stop refreshing; keep serving the cache."""
        self._store = None

    @property
    def known_ids(self) -> frozenset[int]:
        """Return the ids of all lenders of ours or of the feed, and of those that have had a logo here."""
        return frozenset(self.directory.ids) | frozenset(self._logos)

    def lender_name(self, lender_id: int) -> str:
        """Return the name of a lender, or its number if it is neither ours nor the feed's any more."""
        return self.directory.name(lender_id) or f"Lender {lender_id}"

    def logo(self, lender_id: int) -> LenderLogo:
        return self._logos.get(lender_id, _NO_LOGO)

    def address(self, lender_id: int) -> str:
        """Return the address of a lender's logo; empty if it has its monogram."""
        current = self.logo(lender_id).current
        return logo_address(current.picture) if current else ""

    async def learn(self) -> None:
        """Read the logos again if any changed; raises StorageError."""
        if self._store is None or (stamp := await self._store.stamp()) == self._stamp:
            return
        versions = await self._store.newest()
        self._stamp = stamp
        self._logos = MappingProxyType(by_lender({(one.lender_id, one.source): one for one in versions}))
        current = ((lender_id, logo.current) for lender_id, logo in self._logos.items())
        self.directory.learn_logos({lender_id: logo_address(one.picture) for lender_id, one in current if one})

    async def refresh_periodically(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Poll forever; while the database is unavailable, keep serving the cache."""
        away = False
        while True:
            try:
                await self.learn()
            except StorageError as error:
                if not away:
                    log.warning("logos cannot be read, and are served from memory: %s", error)
                away = True
            else:
                away = False
            await sleep(POLL_SECONDS)

    async def file(self, name: str) -> LogoFile | None:
        """Return a logo file, also of an older version, or None; raises StorageError."""
        if file := self._files.get(name):
            return file
        if self._store is None or not _NAME.fullmatch(name):
            return None
        if not (png := await self._store.png(name)):
            return None
        self._files[name] = LogoFile(name=name, data=png)
        return self._files[name]
