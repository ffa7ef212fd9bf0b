from datetime import UTC, datetime

import pytest

from broker.rates.let_deals import AskedLets, FoundLets, asked_lets, let_deals, passing_lets
from broker.rates.product import RatesAnswer, RatesError
from broker.rates.search_page import AWAY
from tests.unit.rates.products import priced


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
