"""The pages of data of the project's own content, filled as the server fills them."""

import asyncio
from dataclasses import replace

from broker.content_drawings import ContentDrawings
from broker.guide_pages import GuidePages
from broker.lender_pages import lender_pages
from broker.market.lender_rates import MarketLenderRates
from broker.pages import all_pages
from broker.pages.head import head_view
from broker.pages.registry import Page
from broker.presenters.page_head import HeadView
from broker.services.lenders import LenderDirectory
from broker.services.rates.lender_rates import LenderRates
from broker.settings import read_settings
from broker.web.serving.data_pages import DataPages
from broker.web.serving.drawings import drawing_handler
from broker.web.serving.releases import LiveExport
from broker.web.serving.response import Handler
from broker.web.sitemap import Entry
from tests.unit.market.searching import catalogue
from tests.unit.pages.whole_site import inputs


def data_pages(live: LiveExport) -> DataPages:
    """Return the pages of the guides and of the lenders of the sample market, over the templates of a release."""
    site_url = read_settings().site_url
    made = replace(inputs(), site_url=site_url)

    def head(page: Page) -> HeadView:
        return head_view(page, site_url=site_url, firm=made.store.site().name)

    rates = LenderRates(MarketLenderRates(catalogue=catalogue()))
    lenders = lender_pages(made, LenderDirectory(made.lenders), rates=rates, head=head)
    return DataPages(live, (*lenders, GuidePages(made, head=head)))


def filled(pages: DataPages) -> dict[str, str]:
    """Return the HTML of every page, by path."""

    async def fill() -> dict[str, str]:
        return {path: await pages.html(path) for path in pages.paths()}

    return asyncio.run(fill())


def entries() -> list[Entry]:
    """Return the entries of the sitemap."""
    return [Entry(path=page.route, changed=page.lastmod) for page in all_pages(inputs()) if page.indexed]


def drawn_on_request() -> Handler:
    """Return the handler of the drawings of the content and the lenders."""
    return drawing_handler(ContentDrawings(inputs().store, LenderDirectory(inputs().lenders)))
