"""Addresses that the content may link to, with the anchors on each page.

The content does not know the lenders, the rate source does: lender pages are recognised by the form of their path.
"""

import re
from collections.abc import Iterable, Mapping

from broker import routes
from broker.calculators import registry
from broker.content.models.front_pages import FRONT_PAGES, FrontPage
from broker.content.models.guides import Guide, Town
from broker.content.models.pages import ContentPage, DealPage, Service
from broker.content.text.sanitise import element_ids
from broker.domain.rates.deal_types import DEAL_TYPES

_KINDS = "|".join(re.escape(kind.slug) for kind in DEAL_TYPES)
_LENDER = re.compile(rf"{routes.LENDERS}[a-z0-9]+(-[a-z0-9]+)*/(({_KINDS})/)?")

DOORS = "doors"
"""Anchor of the choice of customer type on the home page."""

FORMS = {routes.CONTACT: frozenset({routes.CALLBACK.partition("#")[2]})}
"""Anchors of the forms on text pages."""

PageAnchors = Mapping[str, frozenset[str]]
"""Anchors of each page, by its canonical path."""


def page_anchors(
    *,
    services: Iterable[Service],
    front_pages: Iterable[FrontPage],
    pages: Iterable[ContentPage | DealPage],
    guides: Iterable[Guide],
    towns: Iterable[Town],
) -> PageAnchors:
    """Return every page except those of lenders, with its anchors."""
    services = tuple(services)
    none: frozenset[str] = frozenset()
    return {
        **dict.fromkeys((*routes.PAGES_IN_CODE, *FRONT_PAGES), none),
        **{page.path: _front_anchors(page) for page in front_pages},
        **{routes.calculator(each.slug): frozenset({each.slug}) for each in registry.CALCULATORS},
        **{routes.guides(service.slug): none for service in services},
        **{routes.service(each.slug): _anchors(each.section_1 + each.section_2) for each in services},
        **{page.path: _anchors(page.html) | FORMS.get(page.path, none) for page in pages},
        **{routes.guide(guide.url): _anchors(guide.html) for guide in guides},
        **{routes.town(town.slug): _anchors(town.html) for town in towns},
    }


def is_lender_page(path: str) -> bool:
    """Return whether a path has the form of a lender page, or of a lender's page for a kind of deal."""
    return _LENDER.fullmatch(path) is not None


def _front_anchors(page: FrontPage) -> frozenset[str]:
    if page.path == routes.HOME:
        return _anchors(page.html) | {DOORS}
    listed = registry.active_calculators(page.calculators) if page.path == routes.CALCULATORS else ()
    return _anchors(page.html) | {calculator.slug for calculator in listed}


def _anchors(html: str) -> frozenset[str]:
    return frozenset(element_ids(html))
