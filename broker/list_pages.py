"""The pages that list guides, lenders or every page, as the edge and React ask for them. Part of the root."""

import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from broker.domain.revision import Revision
from broker.pages import all_pages, data_pages
from broker.pages.registry import BuildInputs, DataPage, DuplicateRouteError, Page
from broker.presenters.page_head import HeadView
from broker.sections.data_page import shape
from broker.services.lenders import LenderDirectory

log = logging.getLogger(__name__)


class CurrentLists:
    """The pages that are lists, made again once the content or the lenders were replaced."""

    def __init__(self, inputs: BuildInputs, directory: LenderDirectory) -> None:
        self._inputs, self._directory = inputs, directory
        self._revision = Revision()
        self._made: tuple[int, Mapping[str, Page]] = (0, {})

    def version(self) -> int:
        """Return what is equal while every list is."""
        return self._revision.of(self._inputs.store.content, self._directory.lenders)

    def by_path(self) -> Mapping[str, Page]:
        """Return the pages by path; those before where two pages of new content have one path."""
        version = self.version()
        if self._made[0] != version:
            self._made = (version, self._pages())
        return self._made[1]

    def _pages(self) -> Mapping[str, Page]:
        try:
            made = all_pages(replace(self._inputs, lenders=self._directory.lenders))
        except DuplicateRouteError as error:
            if not self._made[1]:
                raise
            log.warning("lists of pages stay as they were: %s", error)
            return self._made[1]
        return {page.route: page for page in made if page.view}


class ListPages:
    """Finds the pages of one kind of lists."""

    def __init__(self, kind: DataPage, lists: CurrentLists, *, head: Callable[[Page], HeadView]) -> None:
        """`head` returns the head of a page."""
        self.template, self.shape = kind.name, shape(kind.view)
        self._lists, self._head = lists, head

    @property
    def paths(self) -> Collection[str]:
        """Return the paths of the kind."""
        return [path for path, page in self._lists.by_path().items() if page.template == self.template]

    def version(self, _path: str) -> int:
        """Return what is equal while every page is."""
        return self._lists.version()

    async def find(self, path: str) -> Any:
        """Return the page of a path; None where there is none."""
        page = self._lists.by_path().get(path)
        return page.view(self._head(page)) if page and page.view else None


def list_pages(
    inputs: BuildInputs, directory: LenderDirectory, *, head: Callable[[Page], HeadView]
) -> tuple[ListPages, ...]:
    """Return each kind of pages that are lists."""
    lists = CurrentLists(inputs, directory)
    return tuple(ListPages(kind, lists, head=head) for kind in data_pages(inputs) if kind.is_list)
