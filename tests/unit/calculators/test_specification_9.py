"""Section 9 of the specification, line by line: each constant, formula, default and range of ours beside its figure."""

from collections.abc import Callable
from typing import Any

import pytest

from broker.calculators.borrow import borrow
from broker.calculators.buy_to_let import borrowing, deposit_used, monthly_rent, rent_limit
from broker.calculators.calculator import Unit
from broker.calculators.registry import CALCULATORS
from broker.calculators.remortgage import monthly_saving
from broker.calculators.self_employed import contractor, director, employed, sole_trader
from broker.lending.mortgage import monthly_payment
from broker.rates.query import MAX_TERM, RatesQuery, SortOrder
from broker.rates.ranking import BEST_PER_LENDER, PAGE_SIZE

Case = tuple[Callable[..., float], tuple[Any, ...], float]

FORMULAS: dict[str, Case] = {
    "employed = 4.75 x (salary + additional income)": (employed, (40_000, 5_000), 213_750),
    "sole trader = 4.75 x current-year net profit": (sole_trader, (30_000,), 142_500),
    "director = 4.75 x (salary + recent dividend)": (director, (12_570, 30_000), 202_207.5),
    "contractor = day rate x 5 x 48 x 5": (contractor, (500,), 600_000),
    "borrow = 5 x (income1 + income2)": (borrow, (30_000, 20_000), 250_000),
    "borrow, defaults": (borrow, (5_000, 0), 25_000),
    "rent = 6% x (value - deposit) / 12, defaults": (monthly_rent, (5_000, 1_000), 20),
    "rent, deposit below 20% counts as 20%": (monthly_rent, (200_000, 10_000), 800),
    "rent, deposit of exactly 20%": (monthly_rent, (200_000, 40_000), 800),
    "rent, deposit above the value": (monthly_rent, (100_000, 150_000), 0),
    "rent, no value": (monthly_rent, (0, 0), 0),
    "deposit used, 20% of the value": (deposit_used, (200_000, 10_000), 40_000),
    "deposit used, the visitor's own": (deposit_used, (200_000, 60_000), 60_000),
    "buy-to-let borrow = 12 x rent / 1.2 / 5 x 100": (rent_limit, (300,), 60_000),
    "buy-to-let borrow, capped at 75% of value, defaults": (borrowing, (300, 70_000, False), 52_500),
    "buy-to-let borrow, value unknown": (borrowing, (300, 70_000, True), 60_000),
    "buy-to-let borrow, rent decides": (borrowing, (300, 200_000, False), 60_000),
    "buy-to-let borrow, no value": (borrowing, (300, 0, False), 0),
    "buy-to-let borrow, no rent, value unknown": (borrowing, (0, 70_000, True), 0),
    "monthly payment, defaults": (monthly_payment, (50_000, 5.99, 25), 321.8451),
    "remortgage saving, defaults": (monthly_saving, (50_000, 5.99, 4, 25), 57.93),
    "remortgage saving, dearer rate": (monthly_saving, (50_000, 4, 5.99, 25), -57.93),
    "remortgage saving, same rate": (monthly_saving, (50_000, 4, 4, 25), 0),
}


@pytest.mark.parametrize(("formula", "arguments", "answer"), FORMULAS.values(), ids=FORMULAS)
def test_formula_gives_the_specified_figure(
    formula: Callable[..., float], arguments: tuple[Any, ...], answer: float
) -> None:
    assert formula(*arguments) == pytest.approx(answer, abs=0.00005)


POUNDS, PERCENT, YEARS = Unit.POUNDS, Unit.PERCENT, Unit.YEARS
INCOME = (0, 170_000, 500)
DAY_RATE = (0, 1_500, 5)

LOAN, RATE = (50_000, 1_000_000, 1_000), (1, 8, 0.01)

FieldRow = tuple[str, Unit, float, tuple[float, float, float]]

OWN_INCOME = {"annualSalary": 30_000, "additionalIncome": 0, "curentYearNetProfit": 30_000, "lastYearNetProfit": 0}
OWN_INCOME |= {"directorSalary": 12_570, "recentYearDividend": 30_000, "previousYearDividend": 0, "dayRateIncome": 350}


def applicant_fields(number: int, defaults: dict[str, int]) -> list[FieldRow]:
    sliders = {**dict.fromkeys(defaults, INCOME), "dayRateIncome": DAY_RATE}
    return [(f"{name}{number}", POUNDS, default, sliders[name]) for name, default in defaults.items()]


FIELDS: dict[str, list[FieldRow]] = {
    "borrow": [("income1", POUNDS, 5_000, INCOME), ("income2", POUNDS, 0, INCOME)],
    "self-employed": [*applicant_fields(1, OWN_INCOME), *applicant_fields(2, dict.fromkeys(OWN_INCOME, 0))],
    "contractor": [("dayRate", POUNDS, 350, (50, 1_500, 5))],
    "buy-to-let-borrowing": [("rent", POUNDS, 300, (300, 4_000, 10)), ("value", POUNDS, 70_000, LOAN)],
    "repayment": [("loan", POUNDS, 50_000, LOAN), ("rate", PERCENT, 5.99, RATE), ("term", YEARS, 25, (5, 40, 1))],
    "remortgage": [
        ("loan", POUNDS, 50_000, LOAN),
        ("currentRate", PERCENT, 5.99, RATE),
        ("newRate", PERCENT, 4, RATE),
        ("term", YEARS, 25, (5, 35, 1)),
        ("followOnRate", PERCENT, 6.58, RATE),  # beside the specified ones
    ],
    "buy-to-let-rent": [
        ("value", POUNDS, 5_000, (5_000, 1_000_000, 1_000)),
        ("deposit", POUNDS, 1_000, (1_000, 500_000, 500)),
    ],
}
"""The fields of each specified calculator in order: name, unit, default, and the slider's ends and step."""


def test_calculators_have_these_fields_defaults_and_sliders() -> None:
    fields = {calculator.slug: calculator.fields for calculator in CALCULATORS}
    found = {
        slug: [(one.name, one.unit, one.default, (one.low, one.high, one.step)) for one in fields[slug]]
        for slug in FIELDS
    }
    assert found == FIELDS
    every = [field for shown in fields.values() for field in shown]
    assert [field for field in every if not (field.low < field.high and field.low <= field.default <= field.high)] == []


KINDS_OF_WORK = {"employed": "Employed", "sole-trader": "Sole trader", "director": "Limited company director"}
KINDS_OF_WORK |= {"contractor": "Contractor"}


def test_checkboxes_and_choices_start_as_specified() -> None:
    specified = [calculator for calculator in CALCULATORS if calculator.slug in FIELDS]
    assert [(one.slug, box.name) for one in specified for box in one.checkboxes] == [
        ("buy-to-let-borrowing", "valueUnknown")
    ]
    choices = [(one.slug, each.name, each.default, each.options) for one in specified for each in one.choices]
    options = tuple(KINDS_OF_WORK.items())
    assert choices == [
        ("self-employed", "work1", "sole-trader", options),
        ("self-employed", "work2", "employed", options),
    ]


def test_rates_search_has_the_specified_defaults_and_limits() -> None:
    defaults: dict[str, Any] = {"customer": "", "lender_id": None, "price": 200_000, "amount": 100_000, "term": 25}
    defaults |= dict.fromkeys(("fixed", "two_years", "purchase", "repayment", "residential"), True)
    defaults |= dict.fromkeys(("variable", "three_years", "five_years", "with_fee_free"), False)
    assert RatesQuery() == RatesQuery(**defaults, sort=SortOrder.RATE)
    assert (MAX_TERM, PAGE_SIZE, BEST_PER_LENDER, RatesQuery().ltv) == (40, 5, 3, 50)
