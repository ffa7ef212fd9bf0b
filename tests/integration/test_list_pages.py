"""Pages that list guides, lenders or every page: the next answer shows what was published, without a build."""

import asyncio
from dataclasses import dataclass, replace
from datetime import date

import pytest
from lxml.html import fromstring

from broker import routes
from broker.content.store import ContentStore
from broker.lenders.directory import LenderDirectory
from broker.lenders.lender import KnownLender
from broker.markup import meta, parse_page
from broker.server.data_pages import DataPages
from broker.server.releases import LiveExport
from tests.data_pages import page_kinds
from tests.our_content import STORE
from tests.unit.content.guides import guide
from tests.unit.pages.whole_site import inputs

SERVICES = tuple(routes.guides(service.slug) for service in STORE.services())
OF_GUIDES = (routes.GUIDES, *SERVICES, routes.SITE_MAP)
GONE, RENAMED, *OTHERS = STORE.guides()
ADDED = guide("bridging-loans", title="What is a bridging loan?", updated=date(2031, 5, 6))
ZEBRA = KnownLender(lender_id=9_001, name="Zebra Bank", slug="zebra-bank")


@dataclass(kw_only=True)
class Site:
    store: ContentStore
    directory: LenderDirectory
    pages: DataPages

    def html(self, path: str) -> str:
        return asyncio.run(self.pages.html(path))

    def links(self, path: str) -> dict[str, str]:
        """Return the words of the links of a page by their addresses."""
        links = fromstring(self.html(path)).xpath("//main//a[@href]")
        return {link.get("href"): link.text_content() for link in links}


@pytest.fixture
def site_of_data(live: LiveExport) -> Site:
    store, directory = ContentStore(STORE.content), LenderDirectory(inputs().lenders)
    kinds = page_kinds(replace(inputs(), store=store), directory=directory)
    return Site(store=store, directory=directory, pages=DataPages(live, kinds))


@pytest.mark.parametrize("path", OF_GUIDES)
def test_list_of_guides_follows_the_content(site_of_data: Site, path: str) -> None:
    before = site_of_data.links(path)
    assert (routes.guide(GONE.url) in before, routes.guide(ADDED.url) in before) == (True, False)
    renamed = replace(RENAMED, title="By another name")
    site_of_data.store.content = replace(STORE.content, guides=(ADDED, renamed, *OTHERS))
    after = site_of_data.links(path)
    assert (routes.guide(GONE.url) in after, after[routes.guide(ADDED.url)]) == (False, ADDED.title)
    assert after[routes.guide(RENAMED.url)] == renamed.title
    changed = meta(parse_page(site_of_data.html(path)), "article:modified_time")
    assert (changed == "2031-05-06") == (path in SERVICES)


@pytest.mark.parametrize("path", [routes.LENDERS, routes.SITE_MAP])
def test_list_of_lenders_follows_the_directory(site_of_data: Site, path: str) -> None:
    assert routes.lender("zebra-bank") not in site_of_data.links(path)
    gone, *others = site_of_data.directory.lenders
    site_of_data.directory.update((*others, ZEBRA))
    after = site_of_data.links(path)
    assert after[routes.lender("zebra-bank")] == "Zebra Bank"
    assert routes.lender(gone.slug) not in after
    assert path == routes.SITE_MAP or "#letter-z" in after
