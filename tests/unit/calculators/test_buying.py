from random import Random
from typing import Any

import pytest

from broker.calculators.buying import deposit, purchase, rental_yield, stamp_duty
from broker.calculators.calculator import Calculator, Working
from broker.plans.buying_plan import BUYING_PLAN


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
def test_stamp_duty_is_explained(typed: dict[str, Any], label: str, figure: str, caption: str) -> None:
    shown = working(stamp_duty.CALCULATOR, **typed)
    assert (shown.label, shown.figure, shown.caption) == (label, figure, caption)


def test_stamp_duty_shows_each_slice_and_what_is_added() -> None:
    shown = working(stamp_duty.CALCULATOR, price=300_019, buyer="additional", abroad=True)
    assert shown.steps == (
        "Slices of the price: £125,000 at 0% = £0, £125,000 at 2% = £2,500, £50,019 at 5% = £2,500.95.",
        "For an additional home: 5% of £300,019 = £15,000.95.",
        "For a buyer who does not live in the UK: 2% of £300,019 = £6,000.38.",
        "Added up, rounded down to whole pounds: £26,002.",
    )
    higher = working(stamp_duty.CALCULATOR, nation="wales", buyer="additional")
    assert higher.steps[1] == "For an additional home: the rates above are the higher ones."


def test_buying_a_home_counts_the_tax_in_whole_pounds() -> None:
    table = working(purchase.CALCULATOR, price=300_001, deposit=40_000).table
    assert table
    assert table.rows == (
        ("A first home", "£0", "£40,000"),
        ("Moving home", "£5,000", "£45,000"),
        ("A further home", "£20,000", "£60,000"),
    )


@pytest.mark.parametrize("calculator", [stamp_duty.CALCULATOR, BUYING_PLAN], ids=lambda each: each.slug)
def test_choice_of_a_first_home_says_that_it_is_one_for_every_buyer(calculator: Calculator) -> None:
    (hint,) = (choice.hint for choice in calculator.choices if choice.name == "buyer")
    assert hint == (
        "It is a first home only if it is the first for all of you. If one of you owns another home, or lives abroad, "
        "the tax can be higher."
    )
    note = working(purchase.CALCULATOR).note
    assert note
    assert str(note.text).endswith(hint)


def test_dates_cover_every_day_without_a_gap() -> None:
    dates = next(choice for choice in stamp_duty.CALCULATOR.choices if choice.name == "date").options
    assert dates[:2] == (("2025-04-01", "1 April 2025 or later"), ("2024-12-11", "11 December 2024 to 31 March 2025"))
    assert dates[-2:] == (("2021-01-01", "1 January 2021 to 31 March 2021"), ("before", "Before 1 January 2021"))


def month_by_month(saving: deposit.Saving) -> int:
    """Return the months until the goal is reached, worked out month by month."""
    saved, months = saving.saved, 0
    while saved < saving.goal - 0.000_001 * (saving.paid + saving.bonus + 1):
        bonus = saving.bonus if months < saving.bonus_months else 0
        saved += saved * saving.rate / 1200 + saving.paid + bonus
        months += 1
    return max(months, saving.wait if months else 0)


def test_months_to_a_deposit_match_a_month_by_month_calculation() -> None:
    draw = Random(20_261_125)
    for _ in range(300):
        values = {
            **deposit.CALCULATOR.defaults(),
            "goal": draw.randrange(1_000, 150_000),
            "saved": draw.randrange(0, 20_000),
            "monthly": draw.randrange(100, 2_000),
            "rate": draw.choice((0, draw.randrange(100, 8_000) / 1_000)),
            "lisa": draw.random() < 0.5,
            "lisaOpen": draw.random() < 0.5,
            "age": draw.choice((0, draw.randrange(36, 110) / 2)),
        }
        saving = deposit.saving(values)
        assert saving.months == month_by_month(saving), values
        assert saving.months <= deposit.saving({**values, "lisa": False}).months


def test_lifetime_isa_pays_a_quarter_of_at_most_4000_a_year() -> None:
    defaults = deposit.CALCULATOR.defaults() | {"lisa": True}
    assert deposit.saving(defaults | {"monthly": 200}).bonus == 50
    assert deposit.saving(defaults | {"monthly": 1_000}).bonus * 12 == pytest.approx(1_000)
    assert deposit.saving(defaults | {"price": 450_000}).bonus > 0
    assert deposit.saving(defaults | {"price": 450_001}).bonus == 0
    dear = working(deposit.CALCULATOR, lisa=True, price=450_001)
    assert dear.steps[0].endswith("No Lifetime ISA bonus, as the home costs more than £450,000.")


@pytest.mark.parametrize(
    ("age", "is_open", "has_bonus"),
    [
        *((age, False, 18 <= age < 40) for age in (17, 18, 39, 39.5, 40, 49, 60)),
        *((age, True, 18 <= age < 50) for age in (17, 18, 40, 49.5, 50, 60)),
        *((0, is_open, True) for is_open in (False, True)),
    ],
)
def test_lifetime_isa_is_opened_from_18_to_39_and_paid_into_to_50(age: float, is_open: bool, has_bonus: bool) -> None:
    typed = {"goal": 7_000, "rate": 0, "lisa": True, "lisaOpen": is_open, "age": age, "monthly": 100}
    assert (deposit.saving({**deposit.CALCULATOR.defaults(), **typed}).bonus > 0) is has_bonus
    step = working(deposit.CALCULATOR, **typed).steps[0]
    assert ("No Lifetime ISA bonus at your age. You must open one from 18 to 39, and may pay" in step) is not has_bonus


def test_bonus_stops_at_the_age_of_50() -> None:
    """In six months of 125 there are 750; the other 4,250 take 42.5 months of 100."""
    shown = working(deposit.CALCULATOR, goal=10_000, monthly=100, rate=0, lisa=True, lisaOpen=True, age=49.5)
    assert shown.figure == "4 years 1 month"
    assert shown.bars[1].figure == "£150"
    assert "The bonus adds £25, 25% of at most £4,000 a year until you are 50." in shown.steps[0]


@pytest.mark.parametrize(
    ("monthly", "is_open", "figure"),
    [
        (250, False, "1 year 4 months"),  # 5,000 / 312.50
        (420, False, "1 year"),  # 12 months without a bonus: 5,000 / 420 is 11.9
        (410, False, "1 year"),  # 13 months without, 11 with it, and an account of 12 months
        (410, True, "11 months"),
        (1_000, False, "5 months"),
    ],
)
def test_new_lifetime_isa_buys_a_home_after_twelve_months(monthly: int, is_open: bool, figure: str) -> None:
    shown = working(deposit.CALCULATOR, goal=10_000, monthly=monthly, rate=0, lisa=True, lisaOpen=is_open)
    assert shown.figure == figure
    is_vain = "No Lifetime ISA bonus: a new account may buy a home after 12 months" in shown.steps[0]
    assert (is_vain, shown.bars[1].figure == "£0") == (monthly == 1_000, monthly == 1_000)


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
