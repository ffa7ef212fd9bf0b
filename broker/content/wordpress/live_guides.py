"""Current guides of WordPress: their list, and single guides (calls 1 and 7)."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType

from broker.content.models.guides import Guide
from broker.content.store import ContentStore
from broker.content.wordpress.client import WordPressClient
from broker.content.wordpress.download import lists_of, pages_by_slug
from broker.content.wordpress.entities.guides import import_guides
from broker.content.wordpress.entities.page_texts import page_texts
from broker.content.wordpress.fields import at, choice, rows, text
from broker.content.wordpress.import_context import ImportContext
from broker.content.wordpress.name_mapping import TYPE_GUIDE
from broker.content.wordpress.queries import GUIDE_LISTS, GUIDES
from broker.content.wordpress.responses import Json

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedGuide:
    """A guide in WordPress's list: its slug and its row, which is empty for a `{type}-guide`."""

    slug: str
    row: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))


class LiveGuides:
    """Guides as a sync would import them, but without pictures, which are copied at the next sync."""

    def __init__(self, client: WordPressClient, fallback: ContentStore) -> None:
        self._client = client
        self._fallback = fallback

    async def listed(self) -> Mapping[str, ListedGuide]:
        """Return the current list of guides by slug; raises ContentApiError."""
        data = await lists_of(self._client, GUIDES, connections=GUIDE_LISTS)
        types = (choice(row.get("slug")) for row in rows(data.get("services")))
        found = {f"{kind}{TYPE_GUIDE}": ListedGuide(slug=f"{kind}{TYPE_GUIDE}") for kind in types if kind}
        for row in rows(data.get("seoGuidePages")):
            if slug := text(at(row, "seoGuides", "url")).strip("/").rpartition("/")[2]:
                found[slug] = ListedGuide(slug=slug, row=row)
        return found

    async def read(self, listed: ListedGuide) -> Guide | None:
        """Return a guide of the list, or None if it has no guide page; raises ContentApiError."""
        pages = await pages_by_slug(self._client, listed.slug)
        # Sanitising a long text takes tens of milliseconds: do not block the event loop.
        return await asyncio.to_thread(self._guide, listed, pages)

    async def aclose(self) -> None:
        await self._client.aclose()

    def _guide(self, listed: ListedGuide, pages: list[dict[str, Json]]) -> Guide | None:
        today = datetime.now(tz=UTC).date()
        context = ImportContext(self._client.settings.api_url, self._fallback, pictures={}, today=today)
        nodes = [listed.row] if listed.row else []
        guides = import_guides(context, nodes, texts=page_texts(context, pages))
        guide = next((guide for guide in guides if guide.url == listed.slug), None)
        for issue in context.issues:
            if issue.item.endswith(f" {listed.slug}"):
                log.info("new guide: %s", issue)
        return guide
