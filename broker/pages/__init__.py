"""The pages of the site: every module here with a function `pages` adds its own."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module

from broker.pages.registry import BuildInputs, Page, joined
from broker.pages.site.site_map import site_map


def all_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return every page of the site; raises DuplicateRouteError."""
    pages = joined(*_families(inputs))
    return joined(pages, (site_map(inputs, pages),))


def _families(inputs: BuildInputs) -> Iterator[tuple[Page, ...]]:
    """Yield the pages of each module, in the order of the modules' names."""
    for module in pkgutil.walk_packages(__path__, prefix=f"{__name__}."):
        if not module.ispkg and (pages := getattr(import_module(module.name), "pages", None)):
            yield pages(inputs)
