"""Pages that the site has and the content service does not: labels of the interface, and no words of a firm."""

from dataclasses import replace
from datetime import date

from broker import routes
from broker.content.models.front_pages import FRONT_PAGES, FrontPage, deals_heading
from broker.content.models.pages import DESCRIPTION_LIMIT, TITLE_LIMIT, DealPage
from broker.content.models.safe_html import NO_HTML
from broker.content.models.site import Site
from broker.content.snapshot.snapshot import Snapshot
from broker.domain.rates.customers import RULES, Customer


def all_front_pages(snapshot: Snapshot, site: Site) -> dict[str, FrontPage]:
    """Return the front pages of a snapshot, with neutral ones for those that it lacks."""
    day = date.fromisoformat(snapshot.read_on)
    titles = {
        routes.HOME: site.name,
        routes.CALCULATORS: "Mortgage calculators",
        routes.RATES: "Mortgage rates",
        **{routes.deals(customer): deals_heading(customer, snapshot.services) for customer in Customer},
    }
    return {
        path: snapshot.front_pages.get(path) or _front_page(path, titles[path], site=site, day=day)
        for path in FRONT_PAGES
    }


def _front_page(path: str, title: str, *, site: Site, day: date) -> FrontPage:
    is_home = path == routes.HOME
    return FrontPage(
        path=path,
        title=title,
        meta_title=title[:TITLE_LIMIT],
        description=(site.company_description if is_home else f"{title} at {site.name}.")[:DESCRIPTION_LIMIT],
        summary="",
        updated=day,
    )


def neutral_deal_page(ours: DealPage, snapshot: Snapshot, *, site: Site) -> DealPage:
    """Return a deal page with the path and customer type of ours, and labels for words."""
    title = f"{RULES[ours.customer].title} deals by loan to value"
    return replace(
        ours,
        title=title,
        meta_title=title[:TITLE_LIMIT],
        description=f"{title} at {site.name}."[:DESCRIPTION_LIMIT],
        summary="",
        author="",
        updated=date.fromisoformat(snapshot.read_on),
        html=NO_HTML,
        headings=(),
    )
