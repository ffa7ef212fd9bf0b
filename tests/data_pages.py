"""The pages of data of the project's own content, filled as the server fills them."""

import asyncio
from dataclasses import replace

from broker.content.page_head import HeadView
from broker.lenders.directory import LenderDirectory
from broker.pages import all_pages, list_pages
from broker.pages.articles.guides import GuidePages
from broker.pages.rate_history import RateHistoryPages
from broker.pages.rates.lenders import lender_pages
from broker.pages.registry import BuildInputs, Page, head_view
from broker.rates.lender_rates import LenderRates
from broker.rates.market.rate_source import MarketLenderRates
from broker.server.data_pages import DataPages, PageKind
from broker.server.pictures import content_drawings, drawing_handler
from broker.server.releases import LiveExport
from broker.server.response import Handler
from broker.server.site_files import Entry
from broker.settings import read_settings
from tests.services import project_averages
from tests.unit.pages.whole_site import inputs
from tests.unit.rates.market.searching import catalogue


def data_pages(live: LiveExport) -> DataPages:
    """Return the pages of the guides and of the lenders of the sample market, over the templates of a release."""
    return DataPages(live, page_kinds(replace(inputs(), site_url=read_settings().site_url)))


def page_kinds(
    made: BuildInputs, *, directory: LenderDirectory | None = None, rates: LenderRates | None = None
) -> tuple[PageKind, ...]:
    """Return every kind of pages of data but the search, with the rates of the sample market by default."""

    def head(page: Page) -> HeadView:
        return head_view(page, site_url=made.site_url, firm=made.store.site().name)

    held = rates or LenderRates(MarketLenderRates(catalogue=catalogue()))
    listed = directory or LenderDirectory(made.lenders)
    lenders = lender_pages(made, listed, rates=held, head=head)
    lists = list_pages(made, listed, head=head)
    return (*lenders, GuidePages(made, head=head), *lists, RateHistoryPages(made, project_averages(), head=head))


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
    return drawing_handler(lambda: content_drawings(inputs().store, inputs().lenders))
