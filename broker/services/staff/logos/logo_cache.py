"""Which logo each lender has now, for the public site: learnt from the database, and again within seconds of a change.

Servers that share a database need nothing else between them: each asks it every few seconds for one number, which
rises with every change. Pictures are read when they are first asked for, and those asked for last stay in memory.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from broker.domain.enquiries.stored_records import StorageError
from broker.domain.staff.logos import LenderLogo, by_lender, logo_address
from broker.services.lenders import LenderDirectory
from broker.storage.staff.logos import LogoStore

MEDIA_TYPE = "image/png"

EVERY = 5.0
"""Seconds after which every server knows of a change."""

MAX_BYTES = 16 * 1024 * 1024
"""Bytes of pictures that stay in memory; several hundred logos."""

_NAME = re.compile(r"[1-9][0-9]{0,9}-[0-9a-f]{12}\.png")

NO_LOGO = LenderLogo()

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoFile:
    """A logo: its name below LOGO_FOLDER, `42-0a1b2c3d4e5f.png` for example, and its bytes.

    The name changes with the picture, so that a browser may cache it for ever.
    """

    name: str
    data: bytes = field(repr=False)

    @property
    def address(self) -> str:
        """Return the path of the logo on the site."""
        return logo_address(self.name)


class LogoCache:
    """The logos that stand; none, and so every lender's monogram, before `open`."""

    def __init__(self, directory: LenderDirectory, *, most_bytes: int = MAX_BYTES) -> None:
        """Keep the directory that is told of addresses."""
        self.directory = directory
        self._most_bytes = most_bytes
        self._store: LogoStore | None = None
        self._stamp = 0
        self._logos: Mapping[int, LenderLogo] = MappingProxyType({})
        self._files: OrderedDict[str, LogoFile] = OrderedDict()
        self._size = 0

    def open(self, store: LogoStore) -> None:
        """Have the logos of a database stand, from the next `learn` on."""
        self._store, self._stamp = store, 0

    def close(self) -> None:
        """Read nothing any longer; what was learnt stands."""
        self._store = None

    @property
    def logos(self) -> Mapping[int, LenderLogo]:
        """Return what is known of each lender's logo, by lender id."""
        return self._logos

    def logo(self, lender_id: int) -> LenderLogo:
        """Return what is known of a lender's logo."""
        return self._logos.get(lender_id, NO_LOGO)

    def address(self, lender_id: int) -> str:
        """Return the address of the logo that stands for a lender, empty where its monogram does."""
        standing = self.logo(lender_id).standing
        return logo_address(standing.picture) if standing else ""

    async def learn(self) -> None:
        """Take over what changed since the last time, if anything did; raises StorageError."""
        if self._store is None or (stamp := await self._store.stamp()) == self._stamp:
            return
        versions = await self._store.newest()
        self._stamp = stamp
        self._logos = MappingProxyType(by_lender({(one.lender_id, one.source): one for one in versions}))
        standing = ((lender_id, logo.standing) for lender_id, logo in self._logos.items())
        self.directory.learn_logos({lender_id: logo_address(one.picture) for lender_id, one in standing if one})

    async def keep_learning(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Learn for ever, every few seconds; while the database is away what was learnt stands."""
        away = False
        while True:
            try:
                await self.learn()
            except StorageError as error:
                if not away:
                    log.warning("logos are as they were: %s", error)
                away = True
            else:
                away = False
            await sleep(EVERY)

    async def file(self, name: str) -> LogoFile | None:
        """Return the picture of a file's name, older versions' too, None for one not kept; raises StorageError."""
        if name in self._files:
            self._files.move_to_end(name)
            return self._files[name]
        if self._store is None or not _NAME.fullmatch(name):
            return None
        png = await self._store.png(name)
        return self._kept(LogoFile(name=name, data=png)) if png else None

    def _kept(self, file: LogoFile) -> LogoFile:
        """Keep a picture in memory, in place of those that nobody asked for lately."""
        if file.name not in self._files:
            self._files[file.name] = file
            self._size += len(file.data)
        while self._size > self._most_bytes and len(self._files) > 1:
            _, gone = self._files.popitem(last=False)
            self._size -= len(gone.data)
        return file
