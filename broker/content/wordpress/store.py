"""Import of a WordPress site, and a content store over it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from broker.content.errors import ContentError
from broker.content.snapshot.snapshot import ImportIssue, Snapshot
from broker.content.snapshot.snapshot_store import SnapshotStore
from broker.content.store import ContentStore
from broker.content.wordpress.broken_links import without_broken_links
from broker.content.wordpress.client import WordPressClient
from broker.content.wordpress.download import download_site
from broker.content.wordpress.image_download import DownloadedImages, download_images
from broker.content.wordpress.responses import Json
from broker.content.wordpress.snapshot_builder import build_snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteImport:
    """Result of an import: models, images, the raw questionnaire and the issues."""

    snapshot: Snapshot
    copies: DownloadedImages
    questionnaire: Json
    issues: tuple[ImportIssue, ...]

    @property
    def usable(self) -> bool:
        """Return whether there is no fatal issue."""
        return not any(issue.is_fatal for issue in self.issues)


async def import_site(
    client: WordPressClient, fallback: ContentStore, *, today: date, lenders: Mapping[int, str]
) -> SiteImport:
    """Import everything; `fallback` has what WordPress lacks, `lenders` are the slugs of the known lenders by id.

    Raises ContentApiError.
    """
    answers = await download_site(client, types=tuple(service.slug for service in fallback.services()))
    copies = await download_images(client, answers)
    snapshot, issues = build_snapshot(
        answers, source=client.settings.api_url.rstrip("/"), fallback=fallback, copies=copies, today=today
    )
    live, ends = without_broken_links(snapshot, fallback, lenders=lenders)
    return SiteImport(
        snapshot=live,
        copies=copies,
        questionnaire=answers.questionnaire if isinstance(answers.questionnaire, dict) else None,
        issues=(*issues, *ends),
    )


class WordPressStore(SnapshotStore):
    """A `ContentStore` over WordPress, read when it is made."""

    @classmethod
    async def read(
        cls, client: WordPressClient, fallback: ContentStore, *, today: date, lenders: Mapping[int, str]
    ) -> WordPressStore:
        """Return the store; raises ContentApiError, and ContentError for the first item that cannot be used."""
        copy = await import_site(client, fallback, today=today, lenders=lenders)
        for issue in copy.issues:
            if issue.is_fatal:
                raise ContentError(issue.item, issue.words)
        return cls(copy.snapshot, fallback)
