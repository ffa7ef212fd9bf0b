"""What the content may link to, beside the pages that the site has."""

from __future__ import annotations

from typing import NoReturn

from broker import routes
from broker.content.embedded import EmbeddedStore
from broker.domain.lenders import KnownLender
from broker.market.directory import read_directory
from broker.pages import all_pages
from broker.pages.registry import BuildInputs
from broker.settings import Settings
from tests.unit.content.addresses import addresses

DATA = Settings().data_dir
UNLINKED = {routes.THANK_YOU, routes.TEST, routes.HOME2, routes.NOT_FOUND}
"""Pages that no text leads to (decision 8)."""


def unasked(*_: object) -> NoReturn:
    """Fail where a list of pages asks for what only drawing them may."""
    raise AssertionError("asked for before a page is drawn")


def test_content_may_link_to_every_page_that_the_site_has_and_to_no_other() -> None:
    store = EmbeddedStore(DATA / "content")
    lenders = tuple(
        KnownLender(
            lender_id=lender.lender_id,
            name=lender.name,
            slug=lender.slug,
            kind=lender.kind,
            residential=lender.residential,
            buy_to_let=lender.buy_to_let,
        )
        for lender in read_directory(DATA / "market")
    )
    inputs = BuildInputs(
        store=store,
        rates=unasked,
        deals=unasked,
        lender_rates=unasked,
        faqs=store.faqs,
        rates_by_ltv=unasked,
        site_url="https://www.example.co.uk",
        lenders=lenders,
    )
    assert set(addresses(store)) == {page.route for page in all_pages(inputs)} - UNLINKED
