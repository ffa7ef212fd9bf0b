from datetime import UTC, datetime

import pytest

from broker.calculators.buying.rental_cover import CALCULATOR
from broker.rates.let_deals import AskedLets, FoundLets, asked_lets, let_deals, lets_key, passing_lets
from broker.rates.product import RateProduct, RatesAnswer, RatesError, RateType
from broker.rates.search_page import AWAY
from tests.unit.rates.products import priced

KEY = "basic 1,100.00 200,000 150,000"


def let(product_id: str, *, rate: float, months: int, rate_type: RateType = RateType.FIXED) -> RateProduct:
    return priced(product_id, rate=rate, months=months, loan=150_000, interest_only=True, rate_type=rate_type)


def test_key_has_what_decides_the_deals_and_makes_their_search() -> None:
    values = CALCULATOR.defaults()
    assert lets_key(values) == lets_key({**values, "rate": 9, "fixed": True}) == KEY
    asked = asked_lets(KEY)
    assert asked
    query = asked.query
    assert (query.price, query.amount, query.residential, query.repayment) == (200_000, 150_000, False, False)
    assert lets_key({**values, "loan": 200_001}) == ""


@pytest.mark.parametrize(
    "key",
    [
        *("", None, 7, "basic", "rich 1,100.00 200,000 150,000", "basic 1,100 200,000 150,000", f"{KEY} 1"),
        *("basic 1.00 100 101", "basic 1.00 100 0", "basic 1.00 99,999,999,999 1", "basic 1.00 " + "9" * 90 + " 1"),
    ],
)
def test_malformed_key_is_refused(key: object) -> None:
    assert asked_lets(key) is None


@pytest.mark.parametrize(
    ("rate", "months", "rate_type", "passes"),
    [
        # 13,200 / 1.25 / 150,000 is 7.04%: a rate of 5.04% for two years, or of 7.04% for five
        (5.04, 24, RateType.FIXED, True),
        (5.05, 24, RateType.FIXED, False),
        (7.04, 60, RateType.FIXED, True),
        (7.05, 60, RateType.FIXED, False),
        (5.05, 60, RateType.VARIABLE, False),
        (5.05, 59, RateType.FIXED, False),
    ],
)
def test_deal_is_tested_at_its_own_rate(rate: float, months: int, rate_type: RateType, passes: bool) -> None:
    asked = asked_lets(KEY)
    assert asked
    assert asked.passes(let("a", rate=rate, months=months, rate_type=rate_type)) is passes


def test_first_three_passing_deals_keep_their_order() -> None:
    asked = asked_lets(KEY)
    assert asked
    rates = (5.5, 5.3, 5.0, 5.2, 4.9, 4.8, 4.7)
    products = [let(str(place), rate=rate, months=24) for place, rate in enumerate(rates)]
    answer = RatesAnswer(
        query=asked.query, products=products, fee_free=0, read_at=datetime(2026, 11, 25, tzinfo=UTC), sample=True
    )
    found = passing_lets(asked, answer)
    assert found.answer
    assert [product.product_id for product in found.answer.products] == ["2", "4", "5"]
    assert (found.count, found.failed) == (7, 2)
    none = asked_lets("higher 300.00 200,000 150,000")
    assert none
    empty = passing_lets(none, answer)
    assert empty.answer
    assert (list(empty.answer.products), empty.failed) == ([], 7)


def asked(who: str = "basic", rent: str = "1,100.00") -> AskedLets:
    found = asked_lets(f"{who} {rent} 200,000 150,000")
    assert found
    return found


def found(question: AskedLets, *rates: float) -> FoundLets:
    products = [priced(str(rate), rate=rate, loan=150_000, interest_only=True) for rate in rates]
    read = datetime(2026, 11, 25, tzinfo=UTC)
    answer = RatesAnswer(query=question.query, products=products, fee_free=0, read_at=read, sample=True)
    return passing_lets(question, answer)


@pytest.mark.parametrize(
    ("rates", "end"),
    [
        ((4.5,), "Its lender may ask for more. The cheapest of all passes."),
        ((5.5, 4.5), "1 cheaper deal does not pass at this rent."),
        ((5.5, 5.4, 4.5), "2 cheaper deals do not pass at this rent."),
    ],
)
def test_deals_say_what_they_are_for_and_which_cheaper_ones_fail(rates: tuple[float, ...], end: str) -> None:
    shown = let_deals(found(asked(), *rates), logos={})
    assert shown.basis.startswith("For £150,000 on a value of £200,000: interest-only over 25 years")
    assert shown.rule.startswith("Each is tested at its own rate for 125% cover")
    assert (shown.rule.endswith(end), shown.problem, shown.key) == (True, "", "basic 1,100.00 200,000 150,000")


def test_missing_deals_are_explained_by_their_reason() -> None:
    failed = let_deals(found(asked("higher", "300.00"), 4.5, 4.6), logos={})
    assert failed.problem.startswith("At £300 a month the rent passes none of the 2 deals for £150,000")
    assert let_deals(found(asked()), logos={}).problem.startswith("No deal that we list fits")
    away = let_deals(FoundLets(asked=asked(), error=RatesError("closed")), logos={})
    assert (away.problem, away.basis) == (AWAY, "")
