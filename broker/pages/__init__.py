"""The pages of the site: every module here with a function `pages` adds its own."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import Any

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
    """Return the kinds of pages that are data."""
    return tuple(page for family in _families("data_pages", inputs) for page in family)


def _families(name: str, inputs: BuildInputs) -> Iterator[tuple[Any, ...]]:
    """Yield the pages of each module with a function of a name, in the order of the modules' names."""
    for module in pkgutil.walk_packages(__path__, prefix=f"{__name__}."):
        if not module.ispkg and (pages := getattr(import_module(module.name), name, None)):
            yield pages(inputs)
