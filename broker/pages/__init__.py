"""The pages of the site: every module here with a function `pages` adds its own."""

import pkgutil
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from broker.content.page_head import HeadView
from broker.derived import Derived
from broker.lenders.directory import LenderDirectory
from broker.pages.data_page import shape
from broker.pages.registry import BuildInputs, DataPage, Page, joined
from broker.pages.site.site_map import site_map


def all_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return every page of the site; raises DuplicateRouteError."""
    pages = joined(*_families("pages", inputs))
    return joined(pages, (site_map(inputs, pages),))


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the pages that are exported as Jinja2 templates, which the edge renders; no URL leads to them."""
    return joined(*_families("template_pages", inputs))


def data_pages(inputs: BuildInputs) -> tuple[DataPage, ...]:
    return tuple(page for family in _families("data_pages", inputs) for page in family)


def _families(name: str, inputs: BuildInputs) -> Iterator[tuple[Any, ...]]:
    """Yield the pages of each module that has a function of this name, in the order of module names."""
    for module in pkgutil.walk_packages(__path__, prefix=f"{__name__}."):
        if not module.ispkg and (pages := getattr(import_module(module.name), name, None)):
            yield pages(inputs)


class ListPages:
    """Finds the pages of one kind of lists by path; `version` is equal while every page is."""

    def __init__(self, kind: DataPage, lists: Derived[Mapping[str, Page]], *, head: Callable[[Page], HeadView]) -> None:
        self.template, self.shape = kind.name, shape(kind.view)
        self._lists, self._head = lists, head

    @property
    def paths(self) -> Collection[str]:
        return [path for path, page in self._lists.current().items() if page.template == self.template]

    def version(self, _path: str) -> int:
        return self._lists.version

    async def find(self, path: str) -> Any:
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
