"""Choice of the content store: the snapshot of the content service if there is one, else the embedded content."""

from broker.content.errors import ContentError
from broker.content.files.embedded_store import EmbeddedStore
from broker.content.snapshot.snapshot_folder import has_snapshot, read_snapshot, snapshot_folder
from broker.content.snapshot.snapshot_store import SnapshotStore
from broker.content.store import ContentStore
from broker.settings import Settings


def content_store(settings: Settings) -> ContentStore:
    """Return the snapshot of `settings.api_url` over the embedded content, or the embedded content alone.

    Raises ContentError for content that cannot be published, and for a snapshot of another content service.
    """
    embedded = EmbeddedStore(settings.data_dir / "content")
    folder = snapshot_folder(settings)
    if not settings.api_url or not has_snapshot(folder):
        return embedded
    snapshot = read_snapshot(folder)
    if snapshot.source != settings.api_url.rstrip("/"):
        raise ContentError(folder, f"is a snapshot of {snapshot.source}; sync again")
    return SnapshotStore(snapshot, embedded)
