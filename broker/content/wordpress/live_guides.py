"""Current guides of WordPress: their list, when each was saved last, and single guides (calls 1 and 7)."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType

from broker import routes
from broker.content.models.guides import Guide
from broker.content.models.pictures import Picture
from broker.content.store import ContentStore
from broker.content.wordpress.client import WordPressClient
from broker.content.wordpress.download import lists_of, pages_by_slug, pages_saved_last
from broker.content.wordpress.entities.guides import guide_page, import_guides, listed_ids
from broker.content.wordpress.entities.page_texts import page_texts
from broker.content.wordpress.fields import choice, rows, text
from broker.content.wordpress.image_download import LATE, DownloadedImages, ImageLimits, download_images, page_images
from broker.content.wordpress.import_context import ImportContext
from broker.content.wordpress.name_mapping import TYPE_GUIDE
from broker.content.wordpress.queries import GUIDE_LISTS, GUIDES
from broker.content.wordpress.responses import Json
from broker.content.wordpress.row_checks import guide_url

PICTURE_LIMITS = ImageLimits(images=8, total_bytes=1_500_000, seconds=2.0)
"""Pictures of one guide: a visitor waits for them, and their copies are kept in memory."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedGuide:
    """A guide in WordPress's list: its slug and its row, which is empty for a `{type}-guide`.

    `modified` is when it was saved last, in WordPress's words: empty where that is not known, since it was long ago.
    `ids` are those of all guides of the list.
    """

    slug: str
    modified: str = ""
    row: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))
    ids: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveGuide:
    """A guide with its banner picture, and the files of all its pictures by name.

    `is_late` is whether a picture was left out because it was not there in time.
    """

    guide: Guide
    banner: Picture | None = None
    files: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))
    is_late: bool = False


class LiveGuides:
    """Guides as a sync would import them, with the pictures that can be copied in time."""

    def __init__(self, client: WordPressClient, fallback: ContentStore) -> None:
        self._client = client
        self._fallback = fallback
        self._slots = asyncio.Semaphore(2)  # of all guides: each decodes a picture of up to 96 MB

    async def listed(self) -> Mapping[str, ListedGuide]:
        """Return the current list of guides by slug; raises ContentApiError."""
        data, pages = await asyncio.gather(
            lists_of(self._client, GUIDES, connections=GUIDE_LISTS), pages_saved_last(self._client)
        )
        saved = {key: text(page.get("modified")) for page in pages for key in (page.get("id"), page.get("slug"))}
        types = {f"{kind}{TYPE_GUIDE}" for row in rows(data.get("services")) if (kind := choice(row.get("slug")))}
        found = {slug: ListedGuide(slug=slug, modified=saved.get(slug, "")) for slug in sorted(types)}
        guides = rows(data.get("seoGuidePages"))
        ids = listed_ids(guides)
        return found | {
            slug: ListedGuide(slug=slug, modified=saved.get(row.get("databaseId"), ""), row=row, ids=ids)
            for row in guides
            if (slug := guide_url(row))
        }

    async def read(self, listed: ListedGuide) -> LiveGuide | None:
        """Return a guide of the list, or None if it has no guide page; raises ContentApiError."""
        found, own_id = await pages_by_slug(self._client, listed.slug), listed.row.get("databaseId")
        pages = [page for page in found if page.get("id") == own_id or page.get("id") not in listed.ids]
        folder = routes.guide_pictures(listed.slug)
        own = [page for page in pages if page.get("id") == own_id]
        addresses = page_images(own or pages)
        copies = await download_images(self._client, addresses, folder=folder, limits=PICTURE_LIMITS, slots=self._slots)
        for address, reason in copies.failures.items():
            log.warning("new guide %s: picture %s %s, left out", listed.slug, address, reason)
        # Sanitising a long text takes tens of milliseconds: do not block the event loop.
        return await asyncio.to_thread(self._guide, listed, pages, copies)

    async def aclose(self) -> None:
        await self._client.aclose()

    def _guide(self, listed: ListedGuide, pages: list[dict[str, Json]], copies: DownloadedImages) -> LiveGuide | None:
        today = datetime.now(tz=UTC).date()
        context = ImportContext(self._client.settings.api_url, self._fallback, pictures=copies.pictures, today=today)
        nodes, texts = [listed.row] if listed.row else [], page_texts(context, pages)
        guides = import_guides(context, nodes, texts=texts)
        guide = next((guide for guide in guides if guide.url == listed.slug), None)
        for issue in context.issues:
            if issue.item.endswith(f" {listed.slug}"):
                log.info("new guide: %s", issue)
        page = guide_page(listed.row, texts, ids=listed.ids) or texts.get(routes.guide(listed.slug))
        if guide is None:
            return None
        is_late = LATE in copies.failures.values()
        return LiveGuide(guide=guide, banner=page.banner if page else None, files=copies.files, is_late=is_late)
