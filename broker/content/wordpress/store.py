"""The content of a living WordPress as a `ContentStore`, and the copy of it that a sync takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from broker.content.errors import ContentError
from broker.content.snapshot.snapshot import Remark, Snapshot
from broker.content.snapshot.snapshot_store import SnapshotStore
from broker.content.store import ContentStore
from broker.content.wordpress.broken_links import without_broken_links
from broker.content.wordpress.client import WordPressClient
from broker.content.wordpress.download import download_site
from broker.content.wordpress.image_download import Copies, copy_pictures
from broker.content.wordpress.responses import Json
from broker.content.wordpress.snapshot_builder import snapshot_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """Everything that was read: the models, the pictures, the questionnaire as it was answered, and the remarks."""

    snapshot: Snapshot
    copies: Copies
    questionnaire: Json
    remarks: tuple[Remark, ...]

    @property
    def usable(self) -> bool:
        """Tell whether nothing grave was remarked on."""
        return not any(remark.grave for remark in self.remarks)


async def copy_wordpress(
    client: WordPressClient, rest: ContentStore, *, today: date, lenders: Mapping[int, str]
) -> Copy:
    """Read everything; `rest` has what WordPress does not hold, `lenders` are the slugs of ours by their ids.

    Raises ContentApiError.
    """
    answers = await download_site(client, types=tuple(service.slug for service in rest.services()))
    copies = await copy_pictures(client, answers)
    snapshot, remarks = snapshot_of(
        answers, source=client.settings.api_url.rstrip("/"), rest=rest, copies=copies, today=today
    )
    live, ends = without_broken_links(snapshot, rest, lenders=lenders)
    return Copy(
        snapshot=live,
        copies=copies,
        questionnaire=answers.questionnaire if isinstance(answers.questionnaire, dict) else None,
        remarks=(*remarks, *ends),
    )


class WordPressStore(SnapshotStore):
    """A `ContentStore` over a living WordPress, read whole when it is made."""

    @classmethod
    async def read(
        cls, client: WordPressClient, rest: ContentStore, *, today: date, lenders: Mapping[int, str]
    ) -> WordPressStore:
        """Return the store; raises ContentApiError, and ContentError for the first item that cannot be used."""
        copy = await copy_wordpress(client, rest, today=today, lenders=lenders)
        for remark in copy.remarks:
            if remark.grave:
                raise ContentError(remark.item, remark.words)
        return cls(copy.snapshot, rest)
