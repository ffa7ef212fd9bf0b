"""Stamp duty in words, saving a deposit and rental yield: sums by hand, and edges."""

from random import Random
from typing import Any

import pytest

from broker.domain.calculators.buying import deposit, rental_yield, stamp_duty
from broker.domain.calculators.calculator import Calculator, Working


def working(calculator: Calculator, **typed: Any) -> Working:
    assert set(typed) <= set(calculator.defaults())
    return calculator.calculate({**calculator.defaults(), **typed})


STAMP_DUTY: list[tuple[dict[str, Any], str, str, str]] = [
    ({}, "Stamp duty to pay", "£5,000", "1.67% of the £300,000 price"),
    ({"buyer": "first"}, "Stamp duty to pay", "£0", "No tax at this price"),
    (
        {"buyer": "first", "price": 500_001},
        "Stamp duty to pay",
        "£15,000",
        "3.00% of the £500,001 price. There is no first-home relief above £500,000",
    ),
    (
        {"nation": "scotland", "buyer": "additional", "price": 39_999},
        "Land and Buildings Transaction Tax to pay",
        "£0",
        "No tax on an additional home below £40,000",
    ),
    ({"nation": "wales"}, "Land Transaction Tax to pay", "£4,500", "1.50% of the £300,000 price"),
    (
        {"date": "before"},
        "No figure for this date",
        "Not known",
        "We hold the rates since 1 January 2021. The sums below are at the rates of that day. Choose a later date, or "
        "ask your conveyancer.",
    ),
]


@pytest.mark.parametrize(("typed", "label", "figure", "caption"), STAMP_DUTY, ids=lambda value: str(value)[:40])
def test_stamp_duty_says(typed: dict[str, Any], label: str, figure: str, caption: str) -> None:
    shown = working(stamp_duty.CALCULATOR, **typed)
    assert (shown.label, shown.figure, shown.caption) == (label, figure, caption)


def test_stamp_duty_shows_each_slice_and_what_is_added() -> None:
    shown = working(stamp_duty.CALCULATOR, price=300_019, buyer="additional", abroad=True)
    assert shown.steps == (
        "Slices of the price: £125,000 at 0% = £0, £125,000 at 2% = £2,500, £50,019 at 5% = £2,500.95.",
        "For an additional home: 5% of £300,019 = £15,000.95.",
        "For a buyer who does not live in the UK: 2% of £300,019 = £6,000.38.",
        "Added up, in whole pounds: £26,002.",
    )
    higher = working(stamp_duty.CALCULATOR, nation="wales", buyer="additional")
    assert higher.steps[1] == "For an additional home: the rates above are the higher ones."


def test_dates_cover_every_day_without_a_gap() -> None:
    dates = next(choice for choice in stamp_duty.CALCULATOR.choices if choice.name == "date").options
    assert dates[:2] == (("2025-04-01", "1 April 2025 or later"), ("2024-12-11", "11 December 2024 to 31 March 2025"))
    assert dates[-2:] == (("2021-01-01", "1 January 2021 to 31 March 2021"), ("before", "Before 1 January 2021"))


def month_by_month(saving: deposit.Saving) -> int:
    """Return the months until the goal is reached, worked out month by month."""
    saved, months = saving.saved, 0
    while saved < saving.goal - 0.000_001 * (saving.paid + saving.bonus + 1):
        saved += saved * saving.rate / 1200 + saving.paid + saving.bonus
        months += 1
    return months


def test_months_to_a_deposit_come_to_the_same_month_by_month() -> None:
    draw = Random(20_261_125)
    for _ in range(300):
        values = {
            **deposit.CALCULATOR.defaults(),
            "goal": draw.randrange(1_000, 150_000),
            "saved": draw.randrange(0, 20_000),
            "monthly": draw.randrange(100, 2_000),
            "rate": draw.choice((0, draw.randrange(100, 8_000) / 1_000)),
            "lisa": draw.random() < 0.5,
        }
        saving = deposit.saving(values)
        assert saving.months == month_by_month(saving), values


def test_lifetime_isa_pays_a_quarter_of_at_most_4000_a_year() -> None:
    defaults = deposit.CALCULATOR.defaults() | {"lisa": True}
    assert deposit.saving(defaults | {"monthly": 200}).bonus == 50
    assert deposit.saving(defaults | {"monthly": 3_000}).bonus * 12 == pytest.approx(1_000)
    assert deposit.saving(defaults | {"price": 450_000}).bonus > 0
    assert deposit.saving(defaults | {"price": 450_001}).bonus == 0
    dear = working(deposit.CALCULATOR, lisa=True, price=450_001)
    assert dear.steps[0].endswith("No Lifetime ISA bonus, as the home costs more than £450,000.")


def test_deposit_by_hand_and_at_its_edges() -> None:
    """25,000 at 400 a month without interest takes 62.5 months."""
    assert working(deposit.CALCULATOR, rate=0).figure == "5 years 3 months"
    there = working(deposit.CALCULATOR, saved=30_000)
    assert (there.figure, there.caption) == (
        "No time at all",
        "You have it already: £30,000 is 12.00% of a home at £250,000",
    )
    never = working(deposit.CALCULATOR, monthly=0, rate=0)
    assert (never.label, never.figure) == ("You would not have it within", "100 years")
    assert working(deposit.CALCULATOR, monthly=0, saved=0).figure == "100 years"


def test_yield_by_hand_and_at_a_loss() -> None:
    shown = working(rental_yield.CALCULATOR)
    assert (shown.figure, shown.caption) == ("6.00%", "4.75% after costs of £2,500 a year")
    assert shown.table
    assert shown.table.rows[2] == ("After interest, of your cash", "£1,250", "2.50%")
    loss = working(rental_yield.CALCULATOR, costs=20_000, loan=200_000)
    assert loss.caption == "But the costs are more than the rent"
    assert loss.table
    assert loss.table.rows[2] == ("After interest, of your cash", "£19,000 short", "None")
