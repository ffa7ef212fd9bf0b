from dataclasses import replace

import pytest

from broker.rates.customers import default_query
from broker.rates.product import Incentives
from broker.rates.product_text import aprc_sentence, example_sentence
from broker.rates.query import RatesQuery, SortOrder
from broker.rates.ranking import MAX_VISIBLE
from broker.rates.results import NONE_FOUND, ListFilter, RateCard, RatesList, rate_cards, rates_list
from tests.unit.rates.products import priced
from tests.unit.rates.three_deals import ALDER, ALDER_HEADLINE, ALDER_SPLIT, BIRCH, LOGOS, THREE, answer

ALDER_CARD = RateCard(
    product_id="alder",
    headline=ALDER_HEADLINE,
    name="Alder Bank deal",
    labels=(),
    summary="2-year fixed, repayment over 25 years",
    tag="Lowest rate",
    best=False,
    payment="£538.94",
    payment_caption="for 24 months",
    fees="£1,999",
    total_label="Total to pay, 2 years",
    total="£14,934",
    total_caption="including fees",
    true_label="True cost, 2 years",
    true_cost="£10,212",
    true_year="£5,106 a year",
    split=ALDER_SPLIT,
    why="Lowest rate of all 3 deals, but £452 a year more in true cost than Birch Building Society at 4.50%.",
    follow_on="7.50% variable, £725.44 a month for 23 years",
    ltv="50%; this deal allows up to 75%",
    early_repayment="3% of what you repay, until the deal ends.",
    overpayments="Not stated",
)


def test_card_shows_every_figure_and_why_it_is_tagged() -> None:
    alder, birch, cedar = rate_cards(THREE, answer(THREE, RatesQuery()), logos=LOGOS)
    assert alder == ALDER_CARD
    assert (birch.tag, birch.best, birch.fees, birch.headline.logo) == ("Lowest true cost", True, "£499.50", "")
    assert birch.why == (
        "Lowest true cost of all 3 deals. Its rate is higher than that of Alder Bank at 4.20%, but its fees are "
        "£1,499.50 lower."
    )
    assert (cedar.tag, cedar.best, cedar.payment_caption) == ("", False, "for 27 months")
    assert cedar.why == "£145 a year more than Birch Building Society at 4.50%, the lowest true cost of all 3 deals."


def test_list_shows_its_cards_and_the_sentences_round_them() -> None:
    assert rates_list(answer(THREE, RatesQuery(), fee_free=2), 1, logos=LOGOS) == RatesList(
        heading="3 mortgage deals",
        showing="Showing 3 of 3, lowest rate first",
        read_at="4 March 2026",
        sample=True,
        example=example_sentence(ALDER),
        example_aprc=aprc_sentence(ALDER),
        winners="",
        filters=(ListFilter(label="No lender fee", count="2", href="/tools/rates/?fees=none", is_on=False),),
        fee_free="2 deals with no lender fee are left out of this list.",
        fee_free_href="/tools/rates/?fees=any",
        unregulated=False,
        cards=rate_cards(THREE, answer(THREE, RatesQuery()), logos=LOGOS),
    )


def test_empty_list_has_no_cards_and_no_example() -> None:
    assert rates_list(answer((), RatesQuery()), 1, logos={}) == RatesList(
        heading="0 mortgage deals", showing="No deal fits this search", read_at="4 March 2026"
    )
    assert rate_cards((), answer((), RatesQuery()), logos={}) == ()
    assert NONE_FOUND == "No products found, please amend the filters!"


@pytest.mark.parametrize(
    ("customer", "count", "heading"),
    [
        ("", 1, "1 mortgage deal"),
        ("", 2, "2 mortgage deals"),
        ("", 1_234, "1,234 mortgage deals"),
        ("first-time-buyer", 2, "2 first time buyer deals"),
        ("buy-to-let-remortgage", 1, "1 buy to let remortgage deal"),
    ],
)
def test_heading_counts_the_whole_list(customer: str, count: int, heading: str) -> None:
    assert rates_list(answer([ALDER] * count, default_query(customer)), 1, logos={}).heading == heading


def test_list_says_how_much_is_shown_and_in_which_order() -> None:
    pages = {
        (SortOrder.RATE, 1): ("Showing 5 of 12, lowest rate first", "?page=2", 5),
        (SortOrder.FEES, 2): ("Showing 10 of 12, lowest fees first", "?sort=fees&page=3", 10),
        (SortOrder.TRUE_COST, 3): ("Showing 12 of 12, lowest true cost a year first", "", 12),
        (SortOrder.RATE, 99_999): ("Showing 12 of 12, lowest rate first", "", 12),
    }
    for (order, page), (showing, more, count) in pages.items():
        listed = rates_list(answer([ALDER] * 12, RatesQuery(sort=order)), page, logos={})
        expected = (showing, f"/tools/rates/{more}" if more else "", count)
        assert (listed.showing, listed.more, len(listed.cards)) == expected


def test_every_deal_of_a_long_list_is_on_a_page_of_fifty_at_most() -> None:
    found = answer([priced(f"p{place:03}", rate=4, fees=place + 1) for place in range(303)], RatesQuery())
    seen: set[str] = set()
    for page in range(1, 62):
        listed = rates_list(found, page, logos={})
        drawn = [card.product_id for card in listed.cards]
        assert len(drawn) <= MAX_VISIBLE
        assert drawn[-1] == f"p{min(page * 5, 303) - 1:03}"
        seen |= set(drawn)
    assert len(seen) == 303
    late = rates_list(found, 30, logos={})
    assert late.showing.startswith("Showing 101 to 150 of 303")
    assert (late.earlier, late.more) == ("/tools/rates/?page=20", "/tools/rates/?page=31")
    assert rates_list(found, 10, logos={}).earlier == ""


@pytest.mark.parametrize(
    ("count", "included", "sentence"),
    [
        (0, False, ""),
        (0, True, ""),
        (1, False, "1 deal with no lender fee is left out of this list."),
        (2, False, "2 deals with no lender fee are left out of this list."),
        (1_234, False, "1,234 deals with no lender fee are left out of this list."),
        (1, True, "1 deal with no lender fee is in this list."),
        (2, True, "2 deals with no lender fee are in this list."),
    ],
)
def test_fee_free_deals_are_counted(count: int, sentence: str, *, included: bool) -> None:
    shown = rates_list(answer(THREE, RatesQuery(with_fee_free=included), fee_free=count), 1, logos={})
    assert shown.fee_free == sentence


def test_buy_to_let_is_unregulated_and_live_rates_are_no_sample() -> None:
    shown = rates_list(replace(answer(THREE, default_query("buy-to-let")), sample=False), 1, logos={})
    assert (shown.unregulated, shown.sample) == (True, False)


def test_card_says_only_what_is_true_of_it_alone_or_beside_a_twin() -> None:
    (card,) = rate_cards([ALDER], answer([ALDER], RatesQuery()), logos={})
    why = "The only deal that fits this search."
    assert (card.tag, card.best, card.why) == ("Lowest rate and true cost", True, why)
    short = priced("a", months=12, years=1)
    (card,) = rate_cards([short], answer([short], RatesQuery(term=1)), logos={})
    assert card.summary == "1-year fixed, repayment over 1 year"
    twins = [BIRCH, replace(BIRCH, product_id="twin", lender_name="Twin")]
    cards = rate_cards(twins, answer(twins, RatesQuery()), logos={})
    assert {(card.tag, card.why) for card in cards} == {
        ("Lowest rate and true cost", "Lowest rate and lowest true cost of all 2 deals.")
    }


@pytest.mark.parametrize("title", ["27-month fixed, up to 75% LTV", "2-year fixed until 31/01/2029", "Loyal"])
def test_card_names_the_length_of_a_deal_once(title: str) -> None:
    product = replace(priced("a", rate=4, months=27), title=title)
    (card,) = rate_cards([product], answer([product], RatesQuery()), logos={})
    assert card.summary == ("27-month fixed, " if title == "Loyal" else "") + "repayment over 25 years"


def test_card_has_the_name_the_incentives_and_the_allowance_of_its_product() -> None:
    offered = Incentives(
        cashback=250,
        free_valuation=True,
        free_legal_work=True,
        overpayment_percent=10,
        is_portable=True,
        eligibility="First-time buyers only",
    )
    product = replace(ALDER, title="2-year fixed until 31/01/2029", incentives=offered)
    (card,) = rate_cards([product], answer([product], RatesQuery()), logos={})
    assert (card.summary, card.total_caption) == ("repayment over 25 years", "£14,684 after cashback")
    assert (card.name, card.overpayments) == ("2-year fixed until 31/01/2029", "Up to 10% of the balance a year")
    assert card.labels == (
        "First-time buyers only",
        "£250 cashback",
        "Free valuation",
        "Free legal work",
        "Can move home with you",
    )


def test_loan_to_value_is_rounded_up_to_a_tenth() -> None:
    for amount, shown in ((186_000, "60%"), (186_001, "60.1%"), (187_400, "60.5%")):
        query = RatesQuery(price=310_000, amount=amount)
        (card,) = rate_cards([ALDER], answer([ALDER], query), logos={})
        assert card.ltv == f"{shown}; this deal allows up to 75%"
