"""Import of the front pages: home, calculators, the rates search and that of each customer type."""

from collections.abc import Iterable, Mapping

from broker import routes
from broker.content.models.front_pages import FRONT_PAGES, FrontPage, deals_heading
from broker.content.models.pages import TITLE_LIMIT, Service
from broker.content.models.safe_html import join_html
from broker.content.wordpress.entities.page_texts import PageText
from broker.content.wordpress.import_context import ImportContext, first, shorten
from broker.domain.rates.customers import Customer

EXPECTED = (routes.HOME, routes.CALCULATORS, routes.RATES)
"""Front pages that a content service must have (specification 2, page ids home, calculators and rates)."""

_NAMES_OF_HOME = {"home", "home page", "homepage", "front page"}
"""Titles of a home page that are a name for editors, and no heading."""


def import_front_pages(
    context: ImportContext, texts: Mapping[str, PageText], *, services: Iterable[Service]
) -> dict[str, FrontPage]:
    """Return the front pages that WordPress has, by path; a missing one of `EXPECTED` is a fault."""
    for path in EXPECTED:
        if path not in texts:
            context.fault(f"page {path}", "is missing, so the site shows labels in its place: write it in WordPress")
    headings = {routes.deals(customer): deals_heading(customer, services) for customer in Customer}
    return {
        path: _front_page(context, page, heading=headings.get(path, ""))
        for path in FRONT_PAGES
        if (page := texts.get(path))
    }


def _front_page(context: ImportContext, page: PageText, *, heading: str) -> FrontPage:
    """Return a front page; `heading` is the one that the specification gives it, empty for the page's own title."""
    title = heading or _own(page.title, page.meta_title) or context.fallback.site().name
    lead, html = page.lead_and_text()
    return FrontPage(
        path=page.path,
        title=title,
        meta_title=shorten(first((_own(page.meta_title if page.meta_title != page.title else ""), title)), TITLE_LIMIT),
        description=page.description,
        summary=lead,
        updated=page.updated,
        html=join_html((html, page.disclaimer)),
        headings=page.whole.headings,
        calculators=page.calculators,
    )


def _own(*titles: str) -> str:
    """Return the first title that is more than a name for editors; empty for none."""
    return first(title for title in titles if title.casefold() not in _NAMES_OF_HOME)
