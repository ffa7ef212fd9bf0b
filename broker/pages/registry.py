"""What a page is, and the list of all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import reflex as rx

from broker.content.store import ContentStore
from broker.presenters.rates import RatesList


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page: its canonical route, its words for search engines, and how it is drawn.

    `render` is pure and may run more than once; `theme` is a service's colour; `bare` leaves out menus.
    """

    route: str
    title: str
    description: str
    render: Callable[[], rx.Component]
    on_load: Any = None
    indexed: bool = True
    json_ld: tuple[Mapping[str, Any], ...] = ()
    lastmod: str = ""
    theme: str = ""
    picture: str = "/og.png"


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildInputs:
    """What pages are made from: the content, and the opening list of deals of a customer type, known at build."""

    store: ContentStore
    rates: Callable[[str], RatesList]


class DuplicateRouteError(ValueError):
    """Two pages claim one route."""


def joined(*families: tuple[Page, ...]) -> tuple[Page, ...]:
    """Return the pages of all families; raises DuplicateRouteError naming the route."""
    pages = tuple(page for family in families for page in family)
    seen: set[str] = set()
    for page in pages:
        if page.route in seen:
            raise DuplicateRouteError(f"two pages have the route {page.route}")
        seen.add(page.route)
    return pages
