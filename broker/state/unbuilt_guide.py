"""State of a guide published since the build, read when a visitor follows a link to it inside the site."""

import asyncio

import reflex as rx

from broker import routes
from broker.presenters.guide_page import GuideView, guide_view
from broker.services import current
from broker.services.unbuilt_guides import GuideAwayError

RETRY = 5.0
"""Seconds after which a guide that could not be read is asked for once more (specification 4 and 9)."""

WAITING = "Mortgage guide"
"""The title of a guide that is on its way."""


class UnbuiltGuideState(rx.State):
    """The guide of the page at `path`; `status` is loading, loaded, failed or missing, `again` before a retry."""

    path: str = ""
    status: str = "loading"
    title: str = WAITING
    problem: str = ""
    again: bool = False
    guide: GuideView = GuideView()

    @rx.event(background=True, supersedes=True)
    async def open(self) -> None:
        """Read the guide of this page; after a failure once more."""
        async with self:
            self.path = routes.slashed(self.router.url.path)
            self.status, self.title, self.problem, self.again = "loading", WAITING, "", True
            slug = routes.guide_slug(self.path)
        if await _shown(self, slug):
            return
        await asyncio.sleep(RETRY)
        async with self:
            self.again = False
        await _shown(self, slug)


async def _shown(state: UnbuiltGuideState, slug: str) -> bool:
    """Show the guide of a slug, or that there is none; False where that could not be told, with the reason shown."""
    try:
        guides = current().unbuilt_guides
        found = await guides.find(slug) if guides else None
    except GuideAwayError as error:
        async with state:
            state.status, state.problem = "failed", str(error)
        return False
    async with state:
        state.status = "loaded" if found else "missing"
        state.title = found.guide.meta_title if found else "Page not found"
        state.guide = guide_view(found.guide, banner=found.banner) if found else GuideView()
    return True
