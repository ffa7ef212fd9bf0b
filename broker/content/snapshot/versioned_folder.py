"""Versioned folders with a `current` symlink, so that readers never see a version that is being written.

An interrupted write leaves an unlinked version, which the next write removes. Used for content snapshots and site
releases.
"""

import os
import shutil
import tempfile
from collections.abc import Collection
from pathlib import Path

_LINK = ".link"
"""Suffix of a symlink before it is moved into place."""


def new_version(folder: Path, *, prefix: str) -> Path:
    """Create an empty version, and the folder of versions if missing; return it. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    version = Path(tempfile.mkdtemp(prefix=prefix, dir=folder))
    version.chmod(0o755)
    return version


def make_current(version: Path, link: Path) -> None:
    """Point a symlink at a version, atomically, by a relative path. Raises OSError."""
    temporary = version.with_name(f"{version.name}{_LINK}")
    temporary.symlink_to(os.path.relpath(version, link.parent))
    temporary.replace(link)


def clear_versions(folder: Path, *, kept: Collection[Path]) -> None:
    """Remove every version but those kept, and symlinks that an interrupted write left."""
    for entry in folder.iterdir():
        if entry.is_symlink():
            if entry.suffix == _LINK:
                entry.unlink(missing_ok=True)
        elif entry not in kept:
            shutil.rmtree(entry, ignore_errors=True)
