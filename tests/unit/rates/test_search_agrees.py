"""2,000 searches of the sample market by chance: tags, sentences, order and comparison say the same of each product.

Every statement is read from the texts that pages draw, and judged by the figures shown for the whole search.
"""

import random
import re
from dataclasses import replace
from datetime import date
from typing import Any

from broker.lending.money import amount_in, percent
from broker.rates.comparison import Comparison, comparison
from broker.rates.costs import CostTerms, cost_terms
from broker.rates.filters import FILTERS
from broker.rates.product import RateProduct, RatesAnswer
from broker.rates.product_text import duration, product_name, rounded_pounds
from broker.rates.query import RatesQuery, SortOrder
from broker.rates.ranking import visible_range
from broker.rates.rate_details import cost_lines, deal_end
from broker.rates.results import NOTHING, RateCard, RatesList, rates_list
from tests.unit.rates.market.searching import search
from tests.unit.rates.test_search_params import drawn_query

SEARCHES = 2_000

_POUNDS = re.compile(r"£([\d,]+(?:\.\d\d)?)")
_MORE = re.compile(r"£([\d,]+) a year more")


CHOICES: tuple[dict[str, Any], ...] = (
    {},
    {"with_fee_free": True},
    {"with_fee_free": True, "most_fees": 0},
    {"most_fees": 1_000},
    *({"filters": frozenset({each.parameter})} for each in FILTERS),
)
UNFILTERED = {"with_fee_free": False, "most_fees": None, "filters": frozenset(), "lender_id": None}


def market_query(draw: random.Random) -> RatesQuery:
    """Return a query with the price of a home, a loan of 5% to 95% of it, and one filter at most."""
    price = draw.choice((90_000, 200_000, 310_000, draw.randrange(60_000, 2_000_000)))
    sizes = {"price": price, "amount": max(1, int(price * draw.uniform(0.05, 0.95)))}
    return replace(drawn_query(draw), **sizes, **(UNFILTERED | draw.choice(CHOICES)))


def test_whole_search_agrees_with_itself() -> None:
    draw, seen = random.Random(16), 0
    for _ in range(SEARCHES):
        query = market_query(draw)
        answer = search(query)
        pages = draw.choice((1, 1, 2))
        shown = rates_list(answer, pages, logos={})
        products = list(answer.products[slice(*visible_range(len(answer.products), pages))])
        check_list(answer, shown, products)
        if len(products) > 1:
            seen += 1
            picked = draw.sample(range(len(products)), min(len(products), draw.randint(2, 4)))
            compared = comparison([products[place] for place in picked], logos=[""] * len(picked))
            check_comparison(compared, [shown.cards[place] for place in picked])
    assert seen > SEARCHES / 2


def check_list(answer: RatesAnswer, shown: RatesList, products: list[RateProduct]) -> None:
    assert len(shown.cards) == len(products)
    assert shown.heading.startswith(f"{len(answer.products):,} " if products else NOTHING)
    if not products:
        return
    lowest = min(answer.products, key=lambda product: product.initial_rate)
    cheapest = min(answer.products, key=lambda product: product.yearly_true_cost)
    least = rounded_pounds(cheapest.yearly_true_cost)
    for card, product in zip(shown.cards, products, strict=True):
        check_card(card, product, rate=percent(lowest.initial_rate), least=least, only=len(answer.products) == 1)
    for card in shown.cards:
        named = re.findall(r"more (?:in true cost )?than (.+? at [\d.]+%)", card.why)
        assert named in ([], [product_name(cheapest)])
    check_order(shown, answer.query.sort)
    check_winners(shown, answer, cheapest)


def check_card(card: RateCard, product: RateProduct, *, rate: str, least: int, only: bool) -> None:
    is_lowest, yearly = card.headline.rate == rate, int(amount_in(_POUNDS.findall(card.true_year)[0]))
    assert ("owest rate" in card.tag) == is_lowest
    assert card.best == ("true cost" in card.tag) == (yearly == least)
    assert yearly >= least
    difference = _MORE.findall(card.why) or re.findall(r"£([\d,]+) a year more in true cost", card.why)
    assert [int(amount_in(each)) for each in difference] == ([yearly - least] if yearly > least else [])
    if not only:
        assert ("lowest rate" in card.why.lower()) == is_lowest
        assert card.why.startswith("Lowest true cost") == (card.best and not is_lowest)
        assert ("lowest true cost of all" in card.why.lower()) == (not is_lowest or card.best)
    assert ("cashback" in card.comes_with) == ("cashback" in card.total_caption) == (product.incentives.cashback > 0)


def check_order(shown: RatesList, order: SortOrder) -> None:
    figures = {
        SortOrder.RATE: [float(card.headline.rate.rstrip("%")) for card in shown.cards],
        SortOrder.FEES: [float(amount_in(card.fees.lstrip("£"))) for card in shown.cards],
        SortOrder.TRUE_COST: [float(amount_in(_POUNDS.findall(card.true_year)[0])) for card in shown.cards],
    }[order]
    assert figures == sorted(figures)


def check_winners(shown: RatesList, answer: RatesAnswer, cheapest: RateProduct) -> None:
    if not shown.winners:
        return
    cash = answer.winners.cash
    assert cash is not None
    names = re.findall(r"^(.+? at [\d.]+%) costs least in cash .*?, but (.+? at [\d.]+%) has", shown.winners)[0]
    assert names == (product_name(cash), product_name(cheapest))
    assert yearly_total(cash) <= min(yearly_total(product) for product in answer.products) + 0.01
    assert ("owing less" in shown.winners) == (owed_at_end(cheapest) < owed_at_end(cash))
    check_break_evens(shown.winners, (cash, cheapest))
    for card in shown.cards:
        if card.product_id == cash.product_id:
            assert not card.best
        if card.product_id == cheapest.product_id:
            assert card.best


def yearly_total(product: RateProduct) -> float:
    """Return what is paid in a year of the deal, after cashback, by the total that its details show."""
    length = duration(product.initial_months)
    label = f"Total over {length}, after cashback" if product.incentives.cashback else f"Total to pay over {length}"
    total = dict(cost_lines(product))[label]
    return amount_in(total.lstrip("£")) / product.initial_months * 12


def owed_at_end(product: RateProduct) -> float:
    figures = dict(deal_end(product, today=date(2026, 11, 24)).figures)
    return float(amount_in(figures["Still owed then"].lstrip("£")))


def check_break_evens(words: str, pair: tuple[RateProduct, RateProduct]) -> None:
    """Check that the deal named costs less below each loan named, and no less above it."""
    found = re.findall(r"Below a loan of £([\d,]+), (.+? at [\d.]+%) has the lower true cost", words)
    by_cash = re.findall(r"and below £([\d,]+) it costs less in cash", words)
    for text, name in found:
        named, other = pair if product_name(pair[0]) == name else pair[::-1]
        for loan, cost in ((text, CostTerms.true_cost), *((each, CostTerms.net_cost) for each in by_cash)):
            one, two = cost_terms(named), cost_terms(other)
            for share, is_below in ((0.5, True), (0.95, True), (1.05, False), (2, False)):
                place = amount_in(loan) * share
                assert (cost(one, place) / one.months < cost(two, place) / two.months) == is_below


def yearly_pounds(card: RateCard) -> int:
    return int(amount_in(card.true_year.removeprefix("£").removesuffix(" a year")))


def check_comparison(compared: Comparison, cards: list[RateCard]) -> None:
    rows = {row.label: [figure.text for figure in row.figures] for row in compared.rows}
    rows |= {label: [text] * len(cards) for label, text in compared.same}
    lows = {row.label: [figure.lowest for figure in row.figures] for row in compared.rows}
    assert rows["Initial rate"] == [card.headline.rate for card in cards]
    assert rows["APRC"] == [card.headline.aprc for card in cards]
    assert rows["Lender fees"] == [card.fees for card in cards]
    assert rows["Monthly payment"] == [card.payment for card in cards]
    for place, card in enumerate(cards):
        exact, shown = amount_in(rows["True cost a year"][place].lstrip("£")), yearly_pounds(card)
        assert abs(exact - shown) <= 0.5
        if card.best:
            assert shown == min(yearly_pounds(each) for each in cards)
        if "owest rate" in card.tag:
            assert "Initial rate" not in lows or lows["Initial rate"][place] or not any(lows["Initial rate"])
    for label, marks in lows.items():
        texts = rows[label]
        marked = {text for text, is_low in zip(texts, marks, strict=True) if is_low}
        assert len(marked) <= 1, label
    yearly = rows["True cost a year"]
    least = min(yearly, key=lambda text: amount_in(text.lstrip("£")))
    names = [f"{card.headline.lender} at {card.headline.rate}" for card in cards]
    (winners,) = re.findall(r"^(.+?) ha(?:s|ve) the lowest true cost a year", compared.notes[0])
    assert sorted(re.split(", | and (?=.* at )", winners)) == sorted(
        name for name, cost in zip(names, yearly, strict=True) if cost == least
    )
