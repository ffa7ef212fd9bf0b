"""The pages of guides as the edge and React ask for them. Part of the composition root."""

from collections.abc import Callable, Collection, Hashable

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.pages.articles.guides import GUIDE, page_of_guide
from broker.pages.registry import BuildInputs, Page
from broker.presenters.guide_page import GuidePage, guide_page
from broker.presenters.page_head import HeadView
from broker.sections.data_page import shape
from broker.services.guides import GuideAwayError, Guides
from broker.web.serving.data_pages import RETRY_SECONDS, PageAwayError
from broker.web.serving.exported_site import hashed_file
from broker.web.serving.file_answers import file_answer
from broker.web.serving.response import Answer, Handler


class GuidePages:
    """Finds the pages of guides by path."""

    template = GUIDE
    shape = shape(GuidePage)

    def __init__(self, inputs: BuildInputs, guides: Guides, *, head: Callable[[Page], HeadView]) -> None:
        """`head` returns the head of a page."""
        self._inputs, self._guides, self._head = inputs, guides, head
        self._slugs: object = None
        self._paths: Collection[str] = ()

    @property
    def paths(self) -> Collection[str]:
        """Return the paths of the guides that are known."""
        if self._slugs is not self._guides.slugs:
            self._slugs = self._guides.slugs
            self._paths = frozenset(map(routes.guide, self._guides.slugs))
        return self._paths

    def version(self, path: str) -> Hashable:
        """Return what is equal while a page is, and the guides that it leads to."""
        return self._guides.version(routes.guide_slug(path))

    async def find(self, path: str) -> GuidePage | None:
        """Return the page of a path, None where there is none; raises PageAwayError."""
        try:
            found = await self._guides.find(routes.guide_slug(path))
        except GuideAwayError as error:
            raise PageAwayError(str(error)) from error
        if found is None:
            return None
        head = self._head(page_of_guide(self._inputs, found.guide))
        return guide_page(found.guide, head=head, banner=found.banner, others=self._inputs.store.guides())


def guide_picture_handler(guides: Guides) -> Handler:
    """Return the handler of `/guide-pictures/{slug}/{name}`; None for a name that is none of the guide's files."""

    async def answer(scope: Scope) -> Answer | None:
        slug, _, name = scope["path"].removeprefix(routes.GUIDE_PICTURES).partition("/")
        try:
            data = await guides.picture(slug, name)
        except GuideAwayError:
            return Answer(status=503, headers={"retry-after": str(RETRY_SECONDS), "cache-control": "no-store"})
        return file_answer(hashed_file(name, data), Headers(scope=scope)) if data is not None else None

    return answer
