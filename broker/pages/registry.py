"""What a page is, and the list of all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import reflex as rx

from broker import routes
from broker.content.models.pages import Faq
from broker.content.store import ContentStore
from broker.domain.questionnaire.flow import Flow
from broker.domain.rates.deal_types import DealType
from broker.domain.rates.lenders import KnownLender
from broker.presenters.rates.rate_blocks import RateBlocks
from broker.presenters.rates.rates_by_ltv import ByLtvView
from broker.presenters.rates.results import RatesList
from broker.presenters.social_images import TEXTS, path


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page: its canonical route, its words for search engines, and how it is drawn.

    `render` is pure and may run more than once; `theme` is a service's colour. `picture` is the path of the one that
    other sites show of it. `published` and `lastmod` are dates as `2026-03-04`; a page with the first is an article.
    Pages of one `family` share a script: those that are many and alike.
    """

    route: str
    title: str
    description: str
    render: Callable[[], rx.Component]
    on_load: Any = None
    indexed: bool = True
    json_ld: tuple[Mapping[str, Any], ...] = ()
    published: str = ""
    lastmod: str = ""
    theme: str = ""
    picture: str = path(TEXTS)
    family: str = ""


def unfilled_page(name: str, *, title: str, description: str, render: Callable[[], rx.Component]) -> Page:
    """Return a page for the edge to fill: no address leads to it, and no search engine lists it."""
    return Page(route=f"/{routes.unfilled(name)}/", title=title, description=description, render=render, indexed=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildInputs:
    """What pages are made from: the content, the lenders, and the rates known at build.

    `rates` gives a customer type's opening list, `deals` the blocks of its deal page, `lender_rates` those of a
    lender's page by its slug, or with a deal type those of its page of such deals, `rates_by_ltv` the chart of a
    customer type's opening search, `faqs` the questions of a topic: the feed's where it has some, else the store's.
    Only drawing a page may ask for rates: a server knows the pages of its build without asking. `site_url` is the base
    of every address, `flow` the questionnaire.
    """

    store: ContentStore
    rates: Callable[[str], RatesList]
    deals: Callable[[str], RateBlocks]
    lender_rates: Callable[[str, DealType | None], RateBlocks]
    faqs: Callable[[str], tuple[Faq, ...]]
    rates_by_ltv: Callable[[str], ByLtvView]
    site_url: str
    flow: Flow
    lenders: tuple[KnownLender, ...] = ()


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
