"""How figures are written: halves up, on the decimal that a reader sees."""

import random

import pytest

from broker.lending.money import (
    amount_in,
    amount_problem,
    decimals,
    exact_pounds,
    percent,
    pounds,
    pounds_and_pence,
    years_and_months,
)

WHOLE = {0: "0", 0.5: "1", 1.5: "2", 2.5: "3", 0.49999: "0", 1_000: "1,000", 999_999.5: "1,000,000"}
WHOLE |= {1e9: "1,000,000,000", 1e21: "1,000,000,000,000,000,000,000"}
PENCE = {2.675: "2.68", 1.005: "1.01", 0.125: "0.13", 0.135: "0.14", 8.345: "8.35", 2.674999: "2.67", 7: "7.00"}
PENCE |= {0: "0.00", -0.001: "0.00", -0.005: "-0.01", 999.995: "1,000.00", 1_234_567.891: "1,234,567.89"}
PENCE |= {9_999_999_999.99: "9,999,999,999.99"}
MILLIONTHS = {1e-7: "0.000000", 0.4991666: "0.499167"}


@pytest.mark.parametrize(("places", "texts"), [(0, WHOLE), (2, PENCE), (6, MILLIONTHS)])
def test_decimals_rounds_halves_up(places: int, texts: dict[float, str]) -> None:
    assert {value: decimals(value, places) for value in texts} == texts


def test_amounts_are_written_with_their_units() -> None:
    assert (pounds(1_234.5), pounds_and_pence(1_234.5), percent(4.5)) == ("£1,235", "£1,234.50", "4.50%")


def test_minus_precedes_the_pound_sign() -> None:
    assert (pounds(-23_686), exact_pounds(-0.5), pounds_and_pence(-5)) == ("-£23,686", "-£0.50", "-£5.00")
    assert (pounds(-0.3), exact_pounds(-0.001), pounds_and_pence(-0.004)) == ("£0", "£0", "£0.00")


def test_whole_pennies_are_written_as_they_are_and_read_back() -> None:
    draw = random.Random(26)
    for _ in range(1_000):
        pennies = draw.randrange(10 ** draw.randint(1, 11))
        text = pounds_and_pence(pennies / 100)
        assert text == f"£{pennies // 100:,}.{pennies % 100:02}"
        assert (amount_problem(text), amount_in(text)) == ("", pennies / 100)


def test_months_are_written_as_years_and_months() -> None:
    written = {
        0: "0 months",
        1: "1 month",
        11: "11 months",
        12: "1 year",
        13: "1 year 1 month",
        71: "5 years 11 months",
    }
    assert {months: years_and_months(months) for months in written} == written
