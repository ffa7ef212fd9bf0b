"""A folder of versions, and a link to the one that counts: what somebody reads is never being written.

A writer that is stopped leaves a version that nothing links to, which the next one clears away. Snapshots of content
and releases of the site are kept in this way.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Collection
from pathlib import Path

_LINK = ".link"
"""How a link ends that is not in its place yet."""


def new_version(folder: Path, *, prefix: str) -> Path:
    """Return an empty version in a folder of versions, both made where missing. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    version = Path(tempfile.mkdtemp(prefix=prefix, dir=folder))
    version.chmod(0o755)
    return version


def make_current(version: Path, link: Path) -> None:
    """Let a link lead to a version, relative to where it is: in one step, whoever reads meanwhile. Raises OSError."""
    beside = version.with_name(f"{version.name}{_LINK}")
    beside.symlink_to(os.path.relpath(version, link.parent))
    beside.replace(link)


def clear_versions(folder: Path, *, kept: Collection[Path]) -> None:
    """Remove every version but those kept, and links that a stopped writer left beside them."""
    for entry in folder.iterdir():
        if entry.is_symlink():
            if entry.suffix == _LINK:
                entry.unlink(missing_ok=True)
        elif entry not in kept:
            shutil.rmtree(entry, ignore_errors=True)
