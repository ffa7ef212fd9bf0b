from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from broker.calculators.calculator import Calculator, Working
from broker.calculators.changes import early_repayment, interest_only, offset, overpayment, rate_change
from broker.calculators.published_figures import PublishedFigure
from broker.lending.money import pounds_and_pence
from broker.lending.mortgage import monthly_payment
from tests.unit.calculators.published import published


def working(calculator: Calculator, **typed: Any) -> Working:
    assert set(typed) <= set(calculator.defaults())
    return calculator.calculate({**calculator.defaults(), **typed})


def overpaid(**typed: Any) -> overpayment.Plan:
    return overpayment.plan({**overpayment.CALCULATOR.defaults(), **typed})


def test_overpayment_shows_the_published_interest_and_months() -> None:
    (saved,), (sooner,) = published("interest_saved"), published("months_saved")
    asked = {"term" if name == "years" else name: value for name, value in saved.asked.items()}
    shown = working(overpayment.CALCULATOR, **asked)
    assert (saved.asked, saved.figure, sooner.figure) == (sooner.asked, 21_622, 71)
    assert (shown.label, shown.figure) == ("You would finish sooner by", "5 years 11 months")
    assert shown.tiles[0] == ("£21,622", "less interest in all")


def month_by_month(values: Mapping[str, Any]) -> tuple[int, float]:
    """Return the payments until nothing is owed, and the interest, worked out month by month."""
    owed, interest, month = values["loan"], 0.0, 0
    payment = monthly_payment(owed, values["rate"], values["term"]) + values["extra"]
    while True:
        if values["lump"] and month == values["lumpYear"] * 12:
            owed = max(owed - values["lump"], 0)
            if values["then"] == overpayment.LOWER and owed > 0:
                left = values["term"] - values["lumpYear"]
                payment = monthly_payment(owed, values["rate"], left) + values["extra"]
        if owed < 0.000_05 * payment:
            return month, interest
        added = owed * values["rate"] / 1200
        interest += added
        owed = max(owed + added - payment, 0)
        month += 1


def test_overpayments_match_a_month_by_month_calculation() -> None:
    draw = Random(20_261_125)
    for _ in range(300):
        values = {
            "loan": draw.randrange(20_000, 900_000),
            "rate": draw.choice((0, draw.randrange(100, 12_000) / 1_000)),
            "term": draw.randrange(10, 80) / 2,
            "extra": draw.choice((0, draw.randrange(1_000))),
            "lump": draw.choice((0, draw.randrange(1, 100_000))),
            "lumpYear": draw.randrange(0, 19) / 2,
            "then": draw.choice((overpayment.SHORTER, overpayment.LOWER)),
        }
        if values["lumpYear"] >= values["term"]:
            continue
        plan = overpaid(**values)
        months, interest = month_by_month(values)
        assert (plan.months, plan.interest) == (months, pytest.approx(interest, abs=0.05)), values


ALLOWANCES: list[tuple[dict[str, float], str]] = [
    ({"extra": 1_666}, "Within your allowance"),
    ({"extra": 1_667}, "Above your allowance in the first year"),
    ({"extra": 0, "lump": 20_000}, "Within your allowance"),
    ({"extra": 0, "lump": 20_001, "lumpYear": 0.5}, "Above your allowance in the first year"),
    ({"extra": 0, "lump": 20_000, "lumpYear": 1}, "Above your allowance in the year of the lump sum"),
    ({"extra": 0, "lump": 20_000, "lumpYear": 1, "allowance": 20}, "Within your allowance"),
    ({"extra": 1, "allowance": 0}, "Above your allowance in the first year"),
]


@pytest.mark.parametrize(("typed", "title"), ALLOWANCES, ids=str)
def test_overpayment_beyond_the_allowance_has_a_note(typed: dict[str, float], title: str) -> None:
    note = working(overpayment.CALCULATOR, **typed).note
    assert note
    assert (note.title, note.is_good) == (title, title == "Within your allowance")


def test_lump_sum_is_at_most_what_is_owed_then() -> None:
    assert overpaid(lump=9e9).interest == 0
    late = overpaid(term=5, extra=2_000, lump=5_000, lumpYear=4.5)
    assert (late.owed, late.months) == (0, overpaid(term=5, extra=2_000).months)
    assert "isn’t used" in working(overpayment.CALCULATOR, term=5, extra=2_000, lump=5_000, lumpYear=4.5).steps[2]
    same = working(overpayment.CALCULATOR, extra=0)
    assert (same.label, same.figure) == ("You would save in interest", "£0")
    assert same.caption == "And finish at the same time, after 25 years, for £1,287.38 a month"
    assert same.tiles[0] == ("£1,287.38", "a month until the loan ends")


@pytest.mark.parametrize(
    ("typed", "caption", "first_year"),
    [
        ({}, "After 18 years 8 months instead of 25 years, for £1,487.38 a month", "£2,400"),
        (
            {"extra": 100, "lump": 20_000, "lumpYear": 3, "then": overpayment.LOWER},
            "After 21 years 8 months instead of 25 years, for £1,387.38 a month, then £1,224.04 after the lump sum",
            "£1,200",
        ),
        (
            {"extra": 0, "lump": 20_000, "then": overpayment.LOWER},
            "And finish at the same time, after 25 years, for £1,158.64 a month",
            "£20,000",
        ),
        ({"extra": 0, "lump": 300_000}, "Your lump sum pays off the loan today", "£200,000"),
    ],
    ids=["monthly", "later lump sum", "lump sum today", "paid off today"],
)
def test_overpayment_says_the_payment_and_the_first_year(typed: dict[str, Any], caption: str, first_year: str) -> None:
    shown = working(overpayment.CALCULATOR, **typed)
    assert (shown.caption, shown.tiles[1][0]) == (caption, first_year)
    assert shown.tiles[1][1] == "extra in the first year, of £20,000 free of charge"


@pytest.mark.parametrize("figure", published("payment_after_rise"), ids=lambda figure: str(figure.asked))
def test_payment_three_points_higher_is_shown_as_published(figure: PublishedFigure) -> None:
    asked = figure.asked
    typed = {"loan": asked["loan"], "rate": asked["rate"], "term": asked["years"], "points": asked["points"]}
    shown = working(rate_change.CALCULATOR, **typed)
    assert shown.table
    assert shown.table.rows[rate_change.CHANGES.index(3)][1] == f"£{figure.figure:,.2f}"
    before = shown.table.rows[rate_change.CHANGES.index(0)][1]
    assert before == pounds_and_pence(monthly_payment(asked["loan"], asked["rate"], asked["years"]))


def test_rate_does_not_fall_below_nothing() -> None:
    shown = working(rate_change.CALCULATOR, loan=120_000, rate=0.25, term=10)
    assert [bar.label for bar in shown.bars] == ["Now, 0.25%", "After a rise, 1.25%", "After a fall, 0.00%"]
    assert shown.bars[-1].figure == "£1,000.00"


def test_leaving_at_the_rate_to_beat_costs_what_staying_costs() -> None:
    draw = Random(20_261_125)
    for _ in range(500):
        values = {
            **early_repayment.CALCULATOR.defaults(),
            "loan": draw.randrange(10_000, 900_000),
            "rate": draw.randrange(500, 25_000) / 1_000,
            "left": draw.randrange(2, 21) / 2,
            "term": draw.randrange(2, 80) / 2,
            "charge": draw.randrange(0, 500) / 100,
        }
        deal = early_repayment.leaving(values)
        staying = deal.interest(deal.rate)
        if deal.has_rate:
            leaving = deal.interest(deal.rate_to_beat) + deal.cost / deal.loan
            assert leaving == pytest.approx(staying, abs=1e-9), values
        else:
            assert deal.interest(0.01) + deal.cost / deal.loan >= staying * 0.99, values


def test_leaving_an_interest_bearing_year_by_hand() -> None:
    """One year of 1,200 at 0% has no interest to save, and a charge of 2% with fees of 999 costs 1,023."""
    shown = working(early_repayment.CALCULATOR, loan=1_200, rate=0, left=1, term=1, newRate=0)
    assert (shown.label, shown.figure) == ("No rate makes up for the charge", "None")
    assert shown.caption == "At 0.00%, leaving now would cost £1,023.00 more than staying"
    free = working(early_repayment.CALCULATOR, charge=0, fees=0)
    assert (free.figure, free.label) == ("5.99%", "Leaving pays below a rate of")


@pytest.mark.parametrize("figure", published("interest_only_total"), ids=lambda figure: str(figure.asked))
def test_interest_only_total_is_shown_as_published(figure: PublishedFigure) -> None:
    asked = figure.asked
    shown = working(interest_only.CALCULATOR, loan=asked["loan"], rate=asked["rate"], term=asked["years"])
    assert shown.table
    assert shown.table.rows[3][2] == f"£{figure.figure:,.0f}"


def test_interest_only_without_interest_is_free_until_the_end() -> None:
    shown = working(interest_only.CALCULATOR, loan=120_000, rate=0, term=10)
    assert (shown.figure, shown.bars[1].figure) == ("£0.00", "£0.00")
    assert shown.caption == "And you would still owe £120,000 after 10 years"
    assert shown.tiles == (("£1,000.00", "less a month than repayment"), ("£0", "more interest in all"))


@pytest.mark.parametrize(
    ("payer", "interest", "tax"),
    [("none", 5_000, 0), ("basic", 1_000, 0), ("basic", 1_500, 100), ("higher", 3_600, 1_240), ("additional", 100, 45)],
)
def test_savings_interest_is_taxed_beyond_its_allowance(payer: str, interest: float, tax: float) -> None:
    assert offset.tax_on_interest(interest, payer) == tax


OFFSETS: list[tuple[dict[str, Any], str, str]] = [
    ({}, "Saving would leave you better off by", "£360.00"),
    ({"tax": "higher", "savings": 60_000, "savingsRate": 6}, "Offset would leave you better off by", "£160.00"),
    ({"offsetRate": 4.9, "savingsRate": 4.9}, "Both come to the same", "£0.00"),
    # more savings than loan: no interest against 2,450 less the 5,000 that 6,000 of savings interest leave after tax
    ({"loan": 50_000, "savings": 150_000}, "Saving would leave you better off by", "£2,550.00"),
]


@pytest.mark.parametrize(("typed", "label", "figure"), OFFSETS, ids=str)
def test_offset_is_compared_with_savings_after_tax(typed: dict[str, Any], label: str, figure: str) -> None:
    shown = working(offset.CALCULATOR, **typed)
    assert (shown.label, shown.figure) == (label, figure)
