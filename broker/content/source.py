"""Sources of the content and of the lender list, which may be replaced while a server runs."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from broker.content.errors import ContentError
from broker.content.files.content_folder import EmbeddedStore
from broker.content.snapshot.snapshot import MAX_REMOVED_SHARE
from broker.content.snapshot.snapshot_folder import CURRENT, has_snapshot, read_snapshot, snapshot_folder
from broker.content.snapshot.snapshot_store import SnapshotStore
from broker.content.store import ContentStore
from broker.content.text.term_links import with_term_links
from broker.settings import Settings

PUBLISHED = "published"
"""The file, beside the snapshots, that is replaced where the embedded content was published."""

_LENDER_LIST = "lenders.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentVersion:
    """A version of the content and of the feed's lenders.

    `changed` are the times in nanoseconds at which their sources were replaced, 0 for a missing one.
    """

    changed: tuple[int, ...]

    @property
    def at(self) -> float:
        """Return when a source was last replaced, in Unix seconds."""
        return max(self.changed) / 1e9


def content_store(settings: Settings, *, read_on: str = "") -> ContentStore:
    """Return the snapshot of `settings.api_url` over the embedded content, or the embedded content alone.

    Terms of the glossary are linked in the texts of either. `read_on` replaces the date on which the snapshot was read.
    Raises ContentError for content that cannot be published, and for a snapshot of another content service.
    """
    store = _read_store(settings, read_on)
    store.content = with_term_links(store.content)
    return store


def _read_store(settings: Settings, read_on: str) -> ContentStore:
    embedded = EmbeddedStore(settings.data_dir / "content")
    folder = snapshot_folder(settings)
    if not settings.api_url or not has_snapshot(folder):
        return embedded
    snapshot = read_snapshot(folder)
    if snapshot.source != settings.api_url.rstrip("/"):
        raise ContentError(folder, f"is a snapshot of {snapshot.source}; sync again")
    return SnapshotStore(replace(snapshot, read_on=read_on or snapshot.read_on), embedded)


def content_version(settings: Settings) -> ContentVersion:
    """Return the version that `content_store` and `read_lender_list` would read now."""
    folder = snapshot_folder(settings)
    sources = (folder / CURRENT, folder / PUBLISHED, lender_list_file(settings))
    return ContentVersion(changed=tuple(map(_replaced, sources)))


def publish_embedded(settings: Settings) -> bool:
    """Let running servers read the embedded content again if it changed; return whether it did. Raises OSError."""
    content, file = settings.data_dir / "content", snapshot_folder(settings) / PUBLISHED
    digest = sha256(b"".join(sha256(each.read_bytes()).digest() for each in sorted(content.rglob("*.*")))).hexdigest()
    if file.is_file() and file.read_text() == digest:
        return False
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{PUBLISHED}.{os.getpid()}")
    part.write_text(digest)
    part.replace(file)
    return True


def lender_list_file(settings: Settings) -> Path:
    return settings.state_dir / _LENDER_LIST


def read_lender_list(settings: Settings) -> Mapping[int, str]:
    """Return the names of the feed's lenders by id, as last read; empty without a feed or a list."""
    try:
        tree = json.loads(lender_list_file(settings).read_text(encoding="utf-8"))
        if not settings.api_url or tree["source"] != settings.api_url:
            return {}
        return {int(lender_id): str(name) for lender_id, name in tree["names"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def write_lender_list(settings: Settings, names: Mapping[int, str]) -> None:
    """Replace the lender list; raises OSError."""
    file = lender_list_file(settings)
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{_LENDER_LIST}.{os.getpid()}")
    part.write_text(json.dumps({"source": settings.api_url, "names": names}, ensure_ascii=False), encoding="utf-8")
    part.replace(file)


def lacks_too_many(names: Mapping[int, str], *, before: Mapping[int, str]) -> bool:
    """Return whether more lenders are missing from a list than may be removed at once without being accepted."""
    return len(before.keys() - names.keys()) > MAX_REMOVED_SHARE * len(before)


def _replaced(source: Path) -> int:
    with suppress(OSError):
        return source.lstat().st_mtime_ns
    return 0
