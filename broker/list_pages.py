"""The pages that list guides, lenders or every page, as the edge and React ask for them. Part of the root."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from broker.domain.revision import Derived
from broker.pages import all_pages, data_pages
from broker.pages.registry import BuildInputs, DataPage, Page
from broker.presenters.page_head import HeadView
from broker.sections.data_page import shape
from broker.services.lenders import LenderDirectory


class ListPages:
    """Finds the pages of one kind of lists."""

    def __init__(self, kind: DataPage, lists: Derived[Mapping[str, Page]], *, head: Callable[[Page], HeadView]) -> None:
        """`head` returns the head of a page."""
        self.template, self.shape = kind.name, shape(kind.view)
        self._lists, self._head = lists, head

    @property
    def paths(self) -> Collection[str]:
        """Return the paths of the kind."""
        return [path for path, page in self._lists.current().items() if page.template == self.template]

    def version(self, _path: str) -> int:
        """Return what is equal while every page is."""
        return self._lists.version

    async def find(self, path: str) -> Any:
        """Return the page of a path; None where there is none."""
        page = self._lists.current().get(path)
        return page.view(self._head(page)) if page and page.view else None


def current_lists(inputs: BuildInputs, directory: LenderDirectory) -> Derived[Mapping[str, Page]]:
    """Return the pages that are lists by path, those of the content and the lenders of the moment."""

    def by_path() -> Mapping[str, Page]:
        return {page.route: page for page in all_pages(replace(inputs, lenders=directory.lenders)) if page.view}

    return Derived(by_path, lambda: (inputs.store.content, directory.lenders))


def list_pages(
    inputs: BuildInputs, directory: LenderDirectory, *, head: Callable[[Page], HeadView]
) -> tuple[ListPages, ...]:
    """Return each kind of pages that are lists."""
    lists = current_lists(inputs, directory)
    return tuple(ListPages(kind, lists, head=head) for kind in data_pages(inputs) if kind.is_list)
