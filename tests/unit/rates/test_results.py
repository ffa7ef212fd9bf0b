from dataclasses import replace

import pytest

from broker.rates.customers import default_query
from broker.rates.product import Incentives
from broker.rates.product_text import aprc_sentence, example_sentence
from broker.rates.query import RatesQuery, SortOrder
from broker.rates.ranking import MAX_VISIBLE
from broker.rates.results import NONE_FOUND, ListFilter, RateCard, RatesList, rate_cards, rates_list
from tests.unit.rates.products import priced
from tests.unit.rates.three_deals import ALDER, ALDER_HEADLINE, BIRCH, LOGOS, THREE, answer

ALDER_CARD = RateCard(
    product_id="alder",
    headline=ALDER_HEADLINE,
    name="Alder Bank deal",
    kind="2-year fixed, to 75% LTV",
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
    repaid="£4,722",
    why="Lowest rate of all 3 deals, but £452 a year more in true cost than Birch Building Society at 4.50%.",
    follow_on="7.50% variable, £725.44 a month for 23 years",
    ltv="50%; this deal allows up to 75%",
    early_repayment="3% of what you repay, until the deal ends.",
    overpayments="Not stated",
    portability="Not stated",
    comes_with="None stated",
    is_before_example=True,
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
        heading="3 deals, lowest rate first",
        showing="Showing 1 to 3 of 3",
        source="Sample rates, March 2026 averages. Not offers.",
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
        heading="No deal fits this search",
        source="Sample rates, March 2026 averages. Not offers.",
        read_at="4 March 2026",
    )
    assert rate_cards((), answer((), RatesQuery()), logos={}) == ()
    assert NONE_FOUND == "No products found, please amend the filters!"


@pytest.mark.parametrize(
    ("count", "heading", "showing"),
    [
        (1, "1 deal, lowest rate first", "Showing 1 of 1"),
        (2, "2 deals, lowest rate first", "Showing 1 to 2 of 2"),
        (1_234, "1,234 deals, lowest rate first", "Showing 1 to 5 of 1,234"),
    ],
)
def test_heading_counts_the_whole_list(count: int, heading: str, showing: str) -> None:
    listed = rates_list(answer([ALDER] * count, RatesQuery()), 1, logos={})
    assert (listed.heading, listed.showing) == (heading, showing)


def test_list_says_how_much_is_shown_and_in_which_order() -> None:
    pages = {
        (SortOrder.RATE, 1): ("lowest rate first", "Showing 1 to 5 of 12", "?page=2", 5),
        (SortOrder.FEES, 2): ("lowest fees first", "Showing 1 to 10 of 12", "?sort=fees&page=3", 10),
        (SortOrder.TRUE_COST, 3): ("lowest true cost a year first", "Showing 1 to 12 of 12", "", 12),
        (SortOrder.RATE, 99_999): ("lowest rate first", "Showing 1 to 12 of 12", "", 12),
    }
    for (order, page), (words, showing, more, count) in pages.items():
        listed = rates_list(answer([ALDER] * 12, RatesQuery(sort=order)), page, logos={})
        expected = (f"12 deals, {words}", showing, f"/tools/rates/{more}" if more else "", count)
        assert (listed.heading, listed.showing, listed.more, len(listed.cards)) == expected


@pytest.mark.parametrize(("count", "noted"), [(1, 0), (2, 1), (3, 2), (7, 2)])
def test_example_stands_behind_the_first_card_and_notes_behind_the_third_or_last(count: int, noted: int) -> None:
    cards = rates_list(answer([ALDER] * count, RatesQuery()), 1, logos={}).cards
    assert [place for place, card in enumerate(cards) if card.is_before_example] == [0]
    assert [place for place, card in enumerate(cards) if card.is_before_notes] == [noted]


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
    assert late.showing == "Showing 101 to 150 of 303"
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
    assert shown.source == "Rates read at 09:00 on 4 March 2026."


def test_card_says_only_what_is_true_of_it_alone_or_beside_a_twin() -> None:
    (card,) = rate_cards([ALDER], answer([ALDER], RatesQuery()), logos={})
    why = "The only deal that fits this search."
    assert (card.tag, card.best, card.why) == ("Lowest rate and true cost", True, why)
    short = priced("a", months=12, years=1)
    (card,) = rate_cards([short], answer([short], RatesQuery(term=1)), logos={})
    assert (card.kind, card.payment_caption) == ("1-year fixed, to 75% LTV", "for 12 months")
    twins = [BIRCH, replace(BIRCH, product_id="twin", lender_name="Twin")]
    cards = rate_cards(twins, answer(twins, RatesQuery()), logos={})
    assert {(card.tag, card.why) for card in cards} == {
        ("Lowest rate and true cost", "Lowest rate and lowest true cost of all 2 deals.")
    }


@pytest.mark.parametrize(
    ("customer", "kind"),
    [("", "2-year fixed, to 75% LTV, first-time buyers only"), ("first-time-buyer", "2-year fixed, to 75% LTV")],
)
def test_list_for_everybody_says_who_may_apply(customer: str, kind: str) -> None:
    product = replace(ALDER, incentives=Incentives(eligibility="First-time buyers only"))
    (card,) = rate_cards([product], answer([product], default_query(customer)), logos={})
    assert card.kind == kind


def test_payment_of_interest_alone_says_so() -> None:
    product = priced("a", interest_only=True)
    (card,) = rate_cards([product], answer([product], RatesQuery(repayment=False)), logos={})
    assert (card.payment_caption, card.repaid) == ("interest only, for 24 months", "£0")


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
    assert (card.name, card.total_caption) == ("2-year fixed until 31/01/2029", "£14,684 after cashback")
    assert (card.overpayments, card.portability) == (
        "Up to 10% of the balance a year",
        "Can be moved to your next home",
    )
    assert card.comes_with == (
        "First-time buyers only, £250 cashback, free valuation, free legal work, can move home with you"
    )


def test_loan_to_value_is_rounded_up_to_a_tenth() -> None:
    for amount, shown in ((186_000, "60%"), (186_001, "60.1%"), (187_400, "60.5%")):
        query = RatesQuery(price=310_000, amount=amount)
        (card,) = rate_cards([ALDER], answer([ALDER], query), logos={})
        assert card.ltv == f"{shown}; this deal allows up to 75%"
