"""Store a finished export as a release, and point the `current` link at it in one step.

`python -m tools.release` deletes the older releases of a server, to which each deployment adds one. The layout of
releases is in `broker.server.releases`.
"""

import json
import shutil
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from broker.content.snapshot.snapshot_folder import clear_versions, make_current, new_version
from broker.server.releases import CLIENT, CURRENT, METADATA, Release, current_release, releases
from tools.project import load_settings, run_tool

MAX_RELEASES = 3
"""Releases on disk, for open pages of earlier ones."""

BACKEND_FILES = ("backend", "routes.json")
"""Files of Reflex's folder that a server needs besides the pages."""


def put(web: Path, folder: Path, *, key: str, code: str) -> Release:
    """Move the export from Reflex's folder `web` into a new release, and make it current; raises OSError."""
    made = new_version(folder, prefix="release-")
    (made / CLIENT).parent.mkdir()
    (web / CLIENT).rename(made / CLIENT)
    _copy(web, made, BACKEND_FILES)
    (made / METADATA).write_text(json.dumps({"key": key, "code": code}), encoding="utf-8")
    make_current(made, folder / CURRENT)
    tidy(folder)
    return Release(folder=made, key=key, code=code)


def tidy(folder: Path) -> int:
    """Delete all but the newest MAX_RELEASES and the current one; return how many are left."""
    folder = folder.resolve()
    current = current_release(folder)
    newest = [release.folder for release in islice(releases(folder), MAX_RELEASES)]
    kept = {*newest, *([current.folder] if current else [])}
    clear_versions(folder, kept=kept)
    return len(kept)


def main() -> None:
    """Tidy the releases of the settings."""
    print(f"Releases kept: {tidy(load_settings().releases_dir)}")


def _copy(web: Path, made: Path, names: Sequence[str]) -> None:
    for name in names:
        if (web / name).is_dir():
            shutil.copytree(web / name, made / name)
        elif (web / name).exists():
            shutil.copyfile(web / name, made / name)


if __name__ == "__main__":
    run_tool(main)
