"""The pages of guides as the edge and React ask for them. Part of the composition root."""

from collections.abc import Callable, Hashable, Mapping

from broker import routes
from broker.content.models.guides import Guide
from broker.domain.revision import Derived
from broker.pages.articles.guides import GUIDE, page_of_guide
from broker.pages.registry import BuildInputs, Page
from broker.presenters.guide_page import GuidePage, guide_page
from broker.presenters.page_head import HeadView
from broker.sections.data_page import shape


class GuidePages:
    """Finds the pages of guides by path."""

    template = GUIDE
    shape = shape(GuidePage)

    def __init__(self, inputs: BuildInputs, *, head: Callable[[Page], HeadView]) -> None:
        """`head` returns the head of a page."""
        self._inputs, self._head = inputs, head
        self._guides = Derived(self._by_path, lambda: (inputs.store.content,))

    @property
    def paths(self) -> Mapping[str, Guide]:
        """Return the guide of each path."""
        return self._guides.current()

    def _by_path(self) -> Mapping[str, Guide]:
        return {routes.guide(guide.url): guide for guide in self._inputs.store.guides()}

    def version(self, _path: str) -> Hashable:
        """Return what is equal while every page is."""
        return self._guides.version

    async def find(self, path: str) -> GuidePage | None:
        """Return the page of a path; None where there is none."""
        guide, store = self.paths.get(path), self._inputs.store
        if guide is None:
            return None
        head = self._head(page_of_guide(self._inputs, guide))
        return guide_page(guide, head=head, banner=store.guide_banner(guide.url), others=store.guides())
