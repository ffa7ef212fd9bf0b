"""The folders of releases: each version of the exported site in its own, and a symlink to the one that is served.

Tools read them too: nothing here needs more than the standard library.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

CURRENT = "current"
"""The symlink to the release that is served."""

CLIENT = Path("build", "client")
"""The exported site in a release, which has the layout of Reflex's `.web`."""

METADATA = "release.json"
"""Hashes of the sources of a release, `key` of all and `code` of the program alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A release by its folder: `key` is the hash of its sources, `code` that of the program that can serve it.

    `built` is the time of its creation, None when that was not read.
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
