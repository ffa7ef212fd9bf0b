from dataclasses import replace

import pytest

from broker.lenders.lender import KnownLender
from broker.lenders.page_view import AWAY, NOT_HELD, WITHOUT_RATES, LenderPage, lender_page
from broker.pages.rates.lenders import page_of_lender, text_of
from broker.pages.registry import head_view
from broker.rates.best_deals import BestDeals
from broker.rates.customers import Customer, default_query
from broker.rates.lender_tables import RateBlocks
from broker.rates.search_params import search_address
from tests.unit.pages.whole_site import inputs

BLOCKS = RateBlocks(best=BestDeals(dated="Sample rates"))


def view(lender: KnownLender, *, blocks: RateBlocks | None = BLOCKS) -> LenderPage:
    made = inputs()
    head = head_view(page_of_lender(made, lender, kind=None), site_url=made.site_url, firm="Hearthgate Mortgages")
    return lender_page(lender, None, text=text_of(made, lender), head=head, firm="Hearthgate Mortgages", blocks=blocks)


def test_page_of_every_kind_of_lender_leads_to_its_search() -> None:
    for lender in {each.kind: each for each in inputs().lenders if each.lender_id}.values():
        usual = default_query("" if lender.residential else Customer.BUY_TO_LET)
        assert view(lender).own_search == search_address(replace(usual, lender_id=lender.lender_id)), lender.name


def test_lender_of_let_property_links_to_the_search_of_each_landlord() -> None:
    lender = next(each for each in inputs().lenders if each.lender_id and not each.residential)
    customers = (Customer.BUY_TO_LET_PURCHASE, Customer.BUY_TO_LET_REMORTGAGE)
    wanted = [search_address(replace(default_query(customer), lender_id=lender.lender_id)) for customer in customers]
    assert [link.href for link in view(lender).searches] == wanted


@pytest.mark.parametrize(
    ("lender_id", "blocks", "problem"),
    [(0, None, WITHOUT_RATES), (34, RateBlocks(), NOT_HELD), (34, None, AWAY), (34, BLOCKS, "")],
)
def test_page_without_rates_says_why(lender_id: int, blocks: RateBlocks | None, problem: str) -> None:
    lender = KnownLender(lender_id=lender_id, name="Halifax", slug="halifax")
    assert view(lender, blocks=blocks).problem == problem
