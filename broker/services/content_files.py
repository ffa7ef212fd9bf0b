"""Content files that the export of a site needs beside its pages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from broker.content.snapshot.snapshot_folder import has_snapshot, pictures_folder, read_snapshot, snapshot_folder
from broker.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentFiles:
    """Pictures by file name, the colours of services by slug, the names of lenders by slug; of a snapshot alone.

    Colours are those that the content chose in place of the design's, lenders those that it has words for.
    """

    pictures: Mapping[str, Path] = field(default_factory=dict)
    colours: Mapping[str, str] = field(default_factory=dict)
    lenders: Mapping[str, str] = field(default_factory=dict)


def content_files(settings: Settings) -> ContentFiles:
    """Return the files of the snapshot that a build takes its content from; none of the embedded content.

    Raises ContentError for a snapshot that cannot be read.
    """
    folder = snapshot_folder(settings)
    if not settings.api_url or not has_snapshot(folder):
        return ContentFiles()
    snapshot = read_snapshot(folder)
    return ContentFiles(
        pictures={file.name: file for file in sorted(pictures_folder(folder).iterdir())},
        colours={slug: look.color for slug, look in snapshot.looks.items() if look.color},
        lenders={slug: text.name for slug, text in snapshot.lenders.items() if text.name},
    )
