"""A content service that lists and gives guides as it is told, and notes what was asked of it."""

import asyncio
from collections.abc import Mapping
from datetime import date

from broker.content.errors import ContentApiError
from broker.content.models.guides import Guide
from broker.content.models.pages import Heading
from broker.content.models.pictures import Picture
from broker.content.wordpress.live_guides import ListedGuide, LiveGuide
from broker.domain.guides import GuideCategory


def guide(slug: str, **changes: object) -> Guide:
    given: dict[str, object] = {
        "url": slug,
        "title": f"All about {slug}",
        "meta_title": f"{slug} explained",
        "description": f"What {slug} is.",
        "summary": f"{slug} in short.",
        "categories": (GuideCategory.PROPERTY,),
        "created": date(2026, 3, 4),
        "updated": date(2026, 11, 21),
        "author": "Ann Archer",
        "html": '<h2 id="one">One</h2><p>Text.</p><h2 id="two">Two</h2>',
        "headings": (Heading(level=2, text="One", anchor="one"), Heading(level=2, text="Two", anchor="two")),
        "related": (),
        "words": 660,
    }
    return Guide(**(given | changes))  # pyright: ignore[reportArgumentType] - each value was made for its field


class ListedGuides:
    """Knows some guides; one listed with None has no page.

    `problem` is what every call meets, `gate` what it waits for; `banner` and `files` are the pictures of all. A guide
    was saved at its `modified`.
    """

    def __init__(self, guides: Mapping[str, Guide | None]) -> None:
        self.guides = dict(guides)
        self.banner: Picture | None = None
        self.files: Mapping[str, bytes] = {}
        self.is_late = False
        self.asked: list[str] = []
        self.problem: ContentApiError | None = None
        self.gate: asyncio.Event | None = None
        self.closed = False

    async def listed(self) -> Mapping[str, ListedGuide]:
        await self._answer("list")
        return {
            slug: ListedGuide(slug=slug, modified=guide.modified if guide else "")
            for slug, guide in self.guides.items()
        }

    async def read(self, listed: ListedGuide) -> LiveGuide | None:
        await self._answer(listed.slug)
        guide = self.guides[listed.slug]
        if guide is None:
            return None
        return LiveGuide(guide=guide, banner=self.banner, files=self.files, is_late=self.is_late)

    async def aclose(self) -> None:
        self.closed = True

    async def _answer(self, name: str) -> None:
        self.asked.append(name)
        if self.gate:
            await self.gate.wait()
        if self.problem:
            raise self.problem
