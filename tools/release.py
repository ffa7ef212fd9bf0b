"""Store a finished export as a release, and point the `current` link at it in one step.

How releases are laid out, and how a running server takes a new one, is `broker.web.serving.releases`.
"""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from broker.content.snapshot.history import NO_HISTORY, History
from broker.content.snapshot.versioned_folder import clear_versions, make_current, new_version
from broker.web.release_folders import CLIENT, CURRENT, METADATA, Release, releases

MAX_RELEASES = 3
"""Releases on disk: open pages of an earlier one still load its scripts."""

BACKEND_FILES = ("backend", "routes.json")
"""Files of Reflex's folder that a server reads beside the pages."""


def put(web: Path, folder: Path, *, key: str, code: str, history: History = NO_HISTORY) -> Release:
    """Move the export from Reflex's folder `web` into a new release and make it current. Raises OSError.

    `history` has the former addresses of the content service's pages.
    """
    made = new_version(folder, prefix="release-")
    (made / CLIENT).parent.mkdir()
    (web / CLIENT).rename(made / CLIENT)
    _copy(web, made, BACKEND_FILES)
    about = {"key": key, "code": code, "moved": dict(history.moved), "removed": history.removed}
    (made / METADATA).write_text(json.dumps(about), encoding="utf-8")
    make_current(made, folder / CURRENT)
    clear_versions(folder, kept=[release.folder for release in list(releases(folder))[:MAX_RELEASES]])
    return Release(folder=made, key=key, code=code)


def _copy(web: Path, made: Path, names: Sequence[str]) -> None:
    for name in names:
        if (web / name).is_dir():
            shutil.copytree(web / name, made / name)
        elif (web / name).exists():
            shutil.copyfile(web / name, made / name)
