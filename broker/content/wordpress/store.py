"""The content of a living WordPress as a `ContentStore`, and the copy of it that a sync takes."""

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
    """Everything that was read: the models, the pictures, the questionnaire as it was answered, and the issues."""

    snapshot: Snapshot
    copies: DownloadedImages
    questionnaire: Json
    issues: tuple[ImportIssue, ...]

    @property
    def usable(self) -> bool:
        """Tell whether nothing is_fatal was remarked on."""
        return not any(remark.is_fatal for remark in self.issues)


async def import_site(
    client: WordPressClient, rest: ContentStore, *, today: date, lenders: Mapping[int, str]
) -> SiteImport:
    """Read everything; `rest` has what WordPress does not hold, `lenders` are the slugs of ours by their ids.

    Raises ContentApiError.
    """
    answers = await download_site(client, types=tuple(service.slug for service in rest.services()))
    copies = await download_images(client, answers)
    snapshot, issues = build_snapshot(
        answers, source=client.settings.api_url.rstrip("/"), rest=rest, copies=copies, today=today
    )
    live, ends = without_broken_links(snapshot, rest, lenders=lenders)
    return SiteImport(
        snapshot=live,
        copies=copies,
        questionnaire=answers.questionnaire if isinstance(answers.questionnaire, dict) else None,
        issues=(*issues, *ends),
    )


class WordPressStore(SnapshotStore):
    """A `ContentStore` over a living WordPress, read whole when it is made."""

    @classmethod
    async def read(
        cls, client: WordPressClient, rest: ContentStore, *, today: date, lenders: Mapping[int, str]
    ) -> WordPressStore:
        """Return the store; raises ContentApiError, and ContentError for the first item that cannot be used."""
        copy = await import_site(client, rest, today=today, lenders=lenders)
        for remark in copy.issues:
            if remark.is_fatal:
                raise ContentError(remark.item, remark.words)
        return cls(copy.snapshot, rest)
