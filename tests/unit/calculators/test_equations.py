"""Every sum that a page prints comes out on a pocket calculator, and says so where it is rounded down (decision 53)."""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from broker.calculators.calculator import Calculator, Field, Unit, Working
from broker.calculators.registry import CALCULATORS
from broker.calculators.two_deals import CALCULATOR as TWO_DEALS
from broker.lending.days import day_number, month_of
from broker.plans.buying import THIS_MONTH
from broker.plans.buying_plan import BUYING_PLAN
from broker.rates.query import RatesQuery
from broker.rates.rate_details import true_cost_steps
from tests.unit.rates.market.searching import search

_NUMBER = r"£?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?%?"
_TERM = rf"\(*{_NUMBER}(?: [a-z][a-z ]*?)?\)?"
_SUM = re.compile(rf"({_TERM}(?: (?:[+−x/]|of|at) {_TERM})+) = ({_NUMBER})(, rounded down)?")
_WORDS = re.compile(r"\b(?!(?:of|at|x) [(£0-9])[a-z]+\b")
_SIGNS = {"−": "-", "x": "*", "of": "*", "at": "*", "£": ""}
_FIGURE = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?")

_ROUNDING = Decimal("0.00001")
"""The part of the last digit that is taken for a rounding error."""


def sums_in(text: Any) -> Iterator[tuple[str, str, bool]]:
    """Yield the sums of a text: what is worked out, the result as printed, and whether it says "rounded down"."""
    yield from ((found[1], found[2], bool(found[3])) for found in _SUM.finditer(str(text)))


def is_right(worked: str, result: str, is_down: bool) -> bool:
    """Return whether a pocket calculator shows the result, rounded to the digits that are printed."""
    written = _FIGURE.sub(lambda one: f"Decimal('{one[0].replace(',', '')}')", _WORDS.sub("", worked))
    for sign, code in _SIGNS.items():
        written = written.replace(sign, code)
    is_share = result.endswith("%") and "£" in worked
    share = "*Decimal('0.01')" if is_share or not result.endswith("%") else ""
    exact = eval(written.replace("%", share), {"Decimal": Decimal})
    if is_share and "100" not in worked.split(" "):
        exact *= 100
    shown = Decimal(result.strip("£%").replace(",", ""))
    off = (exact - shown) / Decimal(1).scaleb(int(shown.as_tuple().exponent))
    return -_ROUNDING <= off < 1 if is_down else abs(off) <= Decimal("0.5") + _ROUNDING


CASES = 150


def drawn(field: Field, draw: Random) -> float:
    """Return a value that a field takes: pence, thousandths of a percent, half years."""
    low = max(field.min_value, 0)
    if field.unit is Unit.POUNDS:
        return round(draw.uniform(low, field.high), draw.choice((0, 2)))
    if field.unit is Unit.PERCENT:
        return round(draw.uniform(low, min(field.max_value, 15)), draw.choice((2, 3)))
    return draw.randrange(int(low * 2) or 1, int(field.high * 2) + 1) / 2 if field.unit is Unit.YEARS else field.default


def workings(calculator: Calculator) -> Iterator[tuple[dict[str, Any], Working]]:
    draw = Random(20_261_126)
    for _ in range(CASES):
        values = {field.name: drawn(field, draw) for field in calculator.fields}
        values |= {choice.name: draw.choice([option for option, _ in choice.options]) for choice in calculator.choices}
        values |= {box.name: draw.random() < 0.3 for box in calculator.checkboxes}
        yield values, calculator.calculate(values | {THIS_MONTH: month_of(day_number(date(2026, 11, 26)))})


def texts_of(working: Working) -> list[Any]:
    cells = [cell for row in working.table.rows for cell in row] if working.table else []
    notes = [note.text for note in (working.note, *working.warnings) if note]
    return [*working.steps, working.caption, *notes, *cells]


@pytest.mark.parametrize("calculator", (*CALCULATORS, BUYING_PLAN), ids=lambda each: each.slug)
def test_sums_of_a_working_come_out_on_a_pocket_calculator(calculator: Calculator) -> None:
    for values, working in workings(calculator):
        wrong = [each for text in texts_of(working) for each in sums_in(text) if not is_right(*each)]
        assert wrong == [], values
        unread = [text for text in texts_of(working) if " = " in text and not list(sums_in(text))]
        assert [text for text in unread if not text.startswith("Payment = loan x rate /")] == [], values


def test_sums_of_a_deal_come_out_on_a_pocket_calculator() -> None:
    for query in (RatesQuery(with_fee_free=True), RatesQuery(price=439_146, amount=263_487, term=20, repayment=False)):
        for product in search(query).products[:300]:
            steps = true_cost_steps(product)
            assert [each for step in steps for each in sums_in(step) if not is_right(*each)] == [], product.product_id


def test_deal_costs_the_same_in_two_deals_as_in_the_search() -> None:
    for product in search(RatesQuery(price=439_146, amount=263_487, term=20, with_fee_free=True)).products[:300]:
        deal = {"rate1": product.initial_rate, "fees1": product.total_fees, "rate2": 0, "fees2": 0}
        values = deal | {"loan": product.loan_amount, "term": 20, "length": product.initial_months / 12}
        [cost, _] = TWO_DEALS.calculate(values).bars
        assert cost.size == pytest.approx(product.true_cost + product.incentives.cashback, abs=0.006)
