from dataclasses import replace

import pytest

from broker.content.page_head import HeadView
from broker.lenders.lender import KnownLender
from broker.lenders.page_view import AWAY, NOT_HELD, WITHOUT_RATES, LenderPage, lender_page, lenders_page
from broker.lending.money import percent
from broker.pages.rates.lenders import page_of_lender, text_of
from broker.pages.registry import head_view
from broker.rates.best_deals import BestDeals
from broker.rates.customers import Customer, default_query
from broker.rates.lender_rates import LenderRates
from broker.rates.lender_tables import RateBlocks
from broker.rates.market.rate_source import MarketLenderRates
from broker.rates.search_params import search_address
from tests.unit.pages.whole_site import inputs
from tests.unit.rates.market.searching import catalogue

HEAD = HeadView(title="T", name="N", description="D", address="/a/", image="/i.png", image_alt="I")
BLOCKS = RateBlocks(best=BestDeals(dated="Sample rates"))


def view(lender: KnownLender, *, blocks: RateBlocks | None = BLOCKS) -> LenderPage:
    made = inputs()
    head = head_view(page_of_lender(made, lender, kind=None), site_url=made.site_url, firm="Hearthgate Mortgages")
    text = text_of(made, lender)
    return lender_page(lender, None, text=text, head=head, firm="Hearthgate Mortgages", logo="", blocks=blocks)


def test_page_of_every_kind_of_lender_leads_to_its_search() -> None:
    for lender in {each.kind: each for each in inputs().lenders if each.lender_id}.values():
        usual = default_query("" if lender.residential else Customer.BUY_TO_LET)
        assert view(lender).own_search == search_address(replace(usual, lender_id=lender.lender_id)), lender.name


def test_lender_of_let_property_links_to_the_search_of_each_landlord() -> None:
    lender = next(each for each in inputs().lenders if each.lender_id and not each.residential)
    customers = (Customer.BUY_TO_LET_PURCHASE, Customer.BUY_TO_LET_REMORTGAGE)
    wanted = [search_address(replace(default_query(customer), lender_id=lender.lender_id)) for customer in customers]
    assert [link.href for link in view(lender).searches] == wanted


def test_list_has_the_lowest_rate_and_aprc_of_each_lender_and_an_example_of_the_lowest_of_all() -> None:
    lenders = (*inputs().lenders, KnownLender(lender_id=0, name="Zebra Bank", slug="zebra-bank"))
    best = LenderRates(MarketLenderRates(catalogue=catalogue())).lowest(
        lender for lender in lenders if lender.lender_id
    )
    page = lenders_page(lenders, head=HEAD, best=best, logos={lenders[0].lender_id: "/logos/1-a.png"})
    listed = {each.name: each for group in page.groups for each in group.lenders}
    assert len(listed) == len(lenders)
    for lender in lenders[:-1]:
        rates = [each.initial_rate for each in best[lender.lender_id].products]
        entry, first = listed[lender.name], best[lender.lender_id].products[0]
        assert (entry.rate, entry.aprc) == (percent(min(rates)), percent(first.aprc))
        assert entry.kind == ("2-year" if lender.residential else "Buy-to-let 2-year")
    assert (listed["Zebra Bank"].rate, listed[lenders[0].name].logo) == ("", "/logos/1-a.png")
    homes = [each.products[0].initial_rate for each in best.values() if each.query.residential]
    assert f"fixed rate of {percent(min(homes))}" in page.example
    assert lenders_page(lenders, head=HEAD, best={}, logos={}).example == ""


@pytest.mark.parametrize(
    ("lender_id", "blocks", "problem"),
    [(0, None, WITHOUT_RATES), (34, RateBlocks(), NOT_HELD), (34, None, AWAY), (34, BLOCKS, "")],
)
def test_page_without_rates_says_why(lender_id: int, blocks: RateBlocks | None, problem: str) -> None:
    lender = KnownLender(lender_id=lender_id, name="Halifax", slug="halifax")
    assert view(lender, blocks=blocks).problem == problem
