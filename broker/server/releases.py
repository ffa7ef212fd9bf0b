"""Releases of the site on disk, and the one that a server answers from."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from broker.server.exported_site import Export, read_assets, read_export
from broker.staff.source_health import ServedRelease

CURRENT = "current"
"""The symlink to the release that is served."""

CLIENT = Path("build", "client")
"""The exported site in a release, which has the layout of Reflex's `.web`."""

METADATA = "release.json"
"""File with the hashes of a release's sources, `key` of all and `code` of the program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A release: `key` is the hash of its sources, `code` that of the program that can serve it.

    `built` is the time of its creation, None if it was not read.
    """

    folder: Path
    key: str = ""
    code: str = ""
    built: datetime | None = field(default=None, compare=False)

    @property
    def client(self) -> Path:
        return self.folder / CLIENT


def current_release(folder: Path) -> Release | None:
    """Return the release that is served, None for none."""
    found = (folder / CURRENT).resolve()
    return read_release(found) if (folder / CURRENT).exists() else None


def read_release(folder: Path) -> Release | None:
    """Return the release in a folder; None for an incomplete one."""
    with suppress(OSError, ValueError):
        about = json.loads((folder / METADATA).read_text(encoding="utf-8"))
        built = datetime.fromtimestamp((folder / METADATA).stat().st_mtime, UTC)
        if isinstance(about, dict) and (folder / CLIENT / "index.html").is_file():
            return Release(folder=folder, key=str(about.get("key", "")), code=str(about.get("code", "")), built=built)
    return None


def releases(folder: Path) -> Iterator[Release]:
    """Yield the complete releases of a folder, newest first."""
    found = [entry for entry in folder.iterdir() if entry.is_dir() and not entry.is_symlink()]
    for entry in sorted(found, key=lambda entry: entry.stat().st_mtime_ns, reverse=True):
        if release := read_release(entry):
            yield release


POLL_SECONDS = 1.0

logger = logging.getLogger(__name__)


class LiveExport:
    """The export of the current release, reloaded within a second of a change of the symlink.

    No request waits or fails. Scripts of earlier releases are still served, for open pages.
    """

    def __init__(self, folder: Path, site_url: str, *, on_change: Callable[[], Awaitable[None]] | None = None) -> None:
        """`on_change` is awaited before the switch to a new release, and not for the first."""
        self._folder, self._site_url, self._on_change = folder, site_url, on_change
        self._release: Release | None = None
        self._rejected = ""
        self._export = Export.empty(site_url)

    @property
    def export(self) -> Export:
        return self._export

    def served(self) -> ServedRelease | None:
        """Return the served release, None before one was read."""
        if self._release is None or self._release.built is None:
            return None
        return ServedRelease(name=self._release.folder.name, built=self._release.built, waiting=self._rejected)

    def open(self) -> Export:
        """Read the current release; without one only the bare error page is served."""
        if release := current_release(self._folder):
            self._export, self._release = self._read(release), release
        return self._export

    def serve(self, export: Export) -> None:
        """Serve an export without a release, as a development server does."""
        self._export = export

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Poll for a new release while the context is open."""
        polling = asyncio.create_task(self._poll())
        try:
            yield
        finally:
            polling.cancel()
            with suppress(asyncio.CancelledError):
                await polling

    async def check(self) -> bool:
        """Switch to a new release, and return whether there was one; one of other code needs a restart."""
        release = current_release(self._folder)
        if release is None or (self._release and release.folder == self._release.folder):
            return False
        if self._release and release.code != self._release.code:
            self._reject(release)
            return False
        export = await asyncio.to_thread(self._read, release)
        if self._on_change:
            await self._on_change()
        self._export, self._release, self._rejected = export, release, ""
        logger.info("release %s is served", release.folder.name)
        return True

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                await self.check()
            except OSError as error:
                logger.warning("the new release cannot be read, the one before stays: %s", error)

    def _read(self, release: Release) -> Export:
        export = read_export(release.client, self._site_url)
        for other in releases(self._folder):
            export.files.update(read_assets(other.client, beside=export.files))
        return export

    def _reject(self, release: Release) -> None:
        if self._rejected != release.folder.name:
            self._rejected = release.folder.name
            logger.warning(
                "release %s belongs to another version of the program or questionnaire: restart to serve it",
                self._rejected,
            )
