"""Releases: every version of the exported site in a folder of its own, and a link to the one that is served.

A build never touches what is served: it leaves a new folder beside, then the link is changed in a single step. A
running server sees that within a second, reads the new release, and answers from it; no request waits or fails. The
scripts of the releases before stay, for pages that are open in somebody's browser.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from broker.domain.staff.source_health import ServedRelease
from broker.web.serving.exported_site import Export, read_assets, read_export

CURRENT = "current"
"""The link to the release that is served."""

CLIENT = Path("build", "client")
"""Where the exported site is in a release, which is laid out as Reflex's own folder is."""

ABOUT = "release.json"
"""What a release was made from: `key` of everything, `code` of the program alone."""

EVERY = 1.0
"""Seconds between looks at the link."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A release by its folder; `key` tells what its pages were made from, `code` which program can serve it.

    `built` is when it was put there, as far as that was read.
    """

    folder: Path
    key: str = ""
    code: str = ""
    built: datetime | None = field(default=None, compare=False)

    @property
    def client(self) -> Path:
        """Return the folder of its pages."""
        return self.folder / CLIENT


def current_release(folder: Path) -> Release | None:
    """Return the release that is served, None where there is none."""
    found = (folder / CURRENT).resolve()
    return read_release(found) if (folder / CURRENT).exists() else None


def read_release(folder: Path) -> Release | None:
    """Return the release in a folder; None where it is not a whole one."""
    with suppress(OSError, ValueError):
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        built = datetime.fromtimestamp((folder / ABOUT).stat().st_mtime, UTC)
        if isinstance(about, dict) and (folder / CLIENT / "index.html").is_file():
            return Release(folder=folder, key=str(about.get("key", "")), code=str(about.get("code", "")), built=built)
    return None


def releases(folder: Path) -> Iterator[Release]:
    """Yield the whole releases of a folder, newest first."""
    found = [entry for entry in folder.iterdir() if entry.is_dir() and not entry.is_symlink()]
    for entry in sorted(found, key=lambda entry: entry.stat().st_mtime_ns, reverse=True):
        if release := read_release(entry):
            yield release


class LiveExport:
    """The export that a server answers from: the current release's, and another once the link leads elsewhere."""

    def __init__(self, folder: Path, site_url: str) -> None:
        """Keep where the releases are; nothing is read yet."""
        self._folder, self._site_url = folder, site_url
        self._release: Release | None = None
        self._refused = ""
        self._export = Export.empty(site_url)

    @property
    def export(self) -> Export:
        """Return what is served now."""
        return self._export

    def served(self) -> ServedRelease | None:
        """Return the release that visitors are served, None before one was read."""
        if self._release is None or self._release.built is None:
            return None
        return ServedRelease(name=self._release.folder.name, built=self._release.built, waiting=self._refused)

    def open(self) -> Export:
        """Read the current release, as a server does when it starts; the bare error page alone where there is none."""
        if release := current_release(self._folder):
            self._export, self._release = self._read(release), release
        return self._export

    def serve(self, export: Export) -> None:
        """Serve an export that no release holds, as a development server does."""
        self._export = export

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Look for a new release every second while the context is open."""
        looking = asyncio.create_task(self._look_for_ever())
        try:
            yield
        finally:
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking

    async def look(self) -> bool:
        """Take a new release where there is one, and tell whether; one of another program waits for a restart."""
        release = current_release(self._folder)
        if release is None or (self._release and release.folder == self._release.folder):
            return False
        if self._release and release.code != self._release.code:
            self._refuse(release)
            return False
        self._export, self._release = await asyncio.to_thread(self._read, release), release
        self._refused = ""
        logger.info("release %s is served", release.folder.name)
        return True

    async def _look_for_ever(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.look()
            except OSError as error:
                logger.warning("the new release cannot be read, the one before stays: %s", error)

    def _read(self, release: Release) -> Export:
        export = read_export(release.client, self._site_url)
        for other in releases(self._folder):
            export.files.update(read_assets(other.client, beside=export.files))
        return export

    def _refuse(self, release: Release) -> None:
        if self._refused != release.folder.name:
            self._refused = release.folder.name
            logger.warning(
                "release %s belongs to another version of the program or questionnaire: restart to serve it",
                self._refused,
            )
