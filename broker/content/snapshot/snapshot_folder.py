"""Snapshots on disk, in versioned folders; the previous version is kept for a site that was built from it."""

import json
import os
import shutil
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from broker.content.errors import ContentError
from broker.content.snapshot.serialisation import from_plain, to_json, to_plain
from broker.content.snapshot.snapshot import Snapshot
from broker.settings import Settings
from broker.staff.source_health import ContentReport

_LINK = ".link"
"""Suffix of a symlink before it is moved into place."""


def new_version(folder: Path, *, prefix: str) -> Path:
    """Create an empty version, and the folder of versions if missing; return it. Raises OSError.

    An interrupted write leaves a version that is not current, which `clear_versions` removes. Used by content snapshots
    and site releases.
    """
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


CURRENT, _VERSIONS, _PICTURES = "current", "versions", "pictures"
_SNAPSHOT, _DOWNLOAD, _REPORT = "snapshot.json", "download.json", "report.json"


def snapshot_folder(settings: Settings) -> Path:
    return settings.state_dir / "content"


def snapshot_file(settings: Settings) -> Path | None:
    """Return the snapshot file that the site is built from; None for the embedded content."""
    file = snapshot_folder(settings) / CURRENT / _SNAPSHOT
    return file if settings.api_url and file.is_file() else None


def write_snapshot(folder: Path, snapshot: Snapshot, *, files: Mapping[str, bytes], download: Any = None) -> Path:
    """Write a snapshot with its pictures and make it current; return its folder. Raises OSError.

    `download` is what it was made from, for the parts that the next sync cannot read.
    """
    versions, before = folder / _VERSIONS, _target(folder)
    version = new_version(versions, prefix=f"{snapshot.read_on}-")
    (version / _PICTURES).mkdir()
    for name, data in files.items():
        (version / _PICTURES / name).write_bytes(data)
    if download is not None:
        _write(version / _DOWNLOAD, download)
    _write(version / _SNAPSHOT, to_plain(snapshot))
    make_current(version, folder / CURRENT)
    clear_versions(versions, kept=[each for each in (version, before) if each])
    return version


def write_download(folder: Path, download: Any) -> None:
    """Replace what the current snapshot was made from; raises OSError."""
    part = (folder / CURRENT).resolve() / f"{_DOWNLOAD}.{os.getpid()}"
    _write(part, download)
    part.replace(part.with_name(_DOWNLOAD))


def has_snapshot(folder: Path) -> bool:
    """Return whether a snapshot was ever taken; it may still be unreadable."""
    return (folder / CURRENT).is_symlink()


def read_snapshot(folder: Path) -> Snapshot:
    """Return the current snapshot of a folder; raises ContentError for a missing or unreadable one."""
    path = folder / CURRENT / _SNAPSHOT
    try:
        tree = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ContentError(path, f"cannot be read: {error}") from error
    return from_plain(Snapshot, tree, source=str(path))


def read_download(folder: Path) -> Any:
    """Return what the current snapshot was made from, as JSON values; None where it is missing or cannot be read."""
    try:
        return json.loads((folder / CURRENT / _DOWNLOAD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def pictures_folder(folder: Path) -> Path:
    """Return the picture folder of the current snapshot, resolved: a later sync does not change it."""
    return (folder / CURRENT / _PICTURES).resolve()


def picture_folders(folder: Path) -> tuple[Path, ...]:
    """Return the picture folders of all snapshots, that of the current one first."""
    current = pictures_folder(folder)
    found = sorted(version.resolve() for version in (folder / _VERSIONS).glob(f"*/{_PICTURES}"))
    return (current, *(each for each in found if each != current))


def write_report(folder: Path, report: ContentReport) -> None:
    """Replace the report of the last sync; raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{_REPORT}.{os.getpid()}"
    part.write_text(json.dumps(to_plain(report), ensure_ascii=False, indent=1), encoding="utf-8")
    part.replace(folder / _REPORT)


def read_report(folder: Path) -> ContentReport | None:
    """Return the report of the last sync; None where it is missing or cannot be read."""
    try:
        tree = json.loads((folder / _REPORT).read_text(encoding="utf-8"))
        return from_plain(ContentReport, tree, source=str(folder / _REPORT))
    except (OSError, ValueError, ContentError):
        return None


def _target(folder: Path) -> Path | None:
    current = folder / CURRENT
    return folder / _VERSIONS / current.resolve().name if current.is_symlink() else None


def _write(path: Path, tree: Any) -> None:
    with path.open("wb") as file:
        file.write(to_json(tree))
        file.flush()
        os.fsync(file.fileno())
