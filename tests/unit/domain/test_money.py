"""How figures are written: halves up, on the decimal that a reader sees."""

import random

import pytest

from broker.domain.money import amount_in, amount_problem, decimals, percent, pounds, pounds_and_pence


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (2.675, 2, "2.68"),
        (1.005, 2, "1.01"),
        (0.125, 2, "0.13"),
        (0.135, 2, "0.14"),
        (8.345, 2, "8.35"),
        (0.5, 0, "1"),
        (1.5, 0, "2"),
        (2.5, 0, "3"),
        (0.49999, 0, "0"),
        (2.674999, 2, "2.67"),
        (999.995, 2, "1,000.00"),
        (999_999.5, 0, "1,000,000"),
        (0, 0, "0"),
        (0, 2, "0.00"),
        (7, 2, "7.00"),
        (1_000, 0, "1,000"),
        (1_234_567.891, 2, "1,234,567.89"),
        (1e9, 0, "1,000,000,000"),
        (9_999_999_999.99, 2, "9,999,999,999.99"),
        (1e21, 0, "1,000,000,000,000,000,000,000"),
        (1e-7, 6, "0.000000"),
        (0.4991666, 6, "0.499167"),
        (-0.001, 2, "0.00"),
        (-0.005, 2, "-0.01"),
    ],
)
def test_decimals_rounds_halves_up(value: float, places: int, text: str) -> None:
    assert decimals(value, places) == text


def test_amounts_are_written_with_their_units() -> None:
    assert (pounds(1_234.5), pounds_and_pence(1_234.5), percent(4.5)) == ("£1,235", "£1,234.50", "4.50%")


def test_whole_pennies_are_written_as_they_are_and_read_back() -> None:
    draw = random.Random(26)
    for _ in range(1_000):
        pennies = draw.randrange(10 ** draw.randint(1, 11))
        text = pounds_and_pence(pennies / 100)
        assert text == f"£{pennies // 100:,}.{pennies % 100:02}"
        assert (amount_problem(text), amount_in(text)) == ("", pennies / 100)
