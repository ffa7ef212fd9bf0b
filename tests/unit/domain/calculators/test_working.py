"""What each calculator says, word for word, with its default figures and with a visitor's own."""

from typing import Any

import pytest

from broker.domain.calculators.calculator import Calculator, Working
from broker.domain.calculators.registry import CALCULATORS

Answer = tuple[str, str, str, str]
BY_SLUG: dict[str, Calculator] = {calculator.slug: calculator for calculator in CALCULATORS}


def work(slug: str, **typed: Any) -> Working:
    calculator = BY_SLUG[slug]
    assert set(typed) <= set(calculator.defaults())
    return calculator.calculate({**calculator.defaults(), **typed})


CASES: dict[str, tuple[str, dict[str, Any], Answer, list[str]]] = {
    "borrow, default": (
        "borrow",
        {},
        ("You might borrow up to", "£25,000", "", "Five times a joint income of £5,000"),
        ["Add the incomes: £5,000 + £0 = £5,000.", "Multiply by 5: £5,000 x 5 = £25,000."],
    ),
    "borrow, two incomes": (
        "borrow",
        {"income1": 42_500, "income2": 31_250},
        ("You might borrow up to", "£368,750", "", "Five times a joint income of £73,750"),
        ["Add the incomes: £42,500 + £31,250 = £73,750.", "Multiply by 5: £73,750 x 5 = £368,750."],
    ),
    "borrow, nothing": (
        "borrow",
        {"income1": 0},
        ("You might borrow up to", "£0", "", "Five times a joint income of £0"),
        ["Add the incomes: £0 + £0 = £0.", "Multiply by 5: £0 x 5 = £0."],
    ),
    "self-employed, default": (
        "self-employed",
        {},
        ("Together you might borrow", "£142,500", "", "£142,500 for applicant 1 and £0 for applicant 2"),
        [
            "Applicant 1: £30,000 net profit x 4.75 = £142,500.00.",
            "Applicant 2: (£0 salary + £0 additional) x 4.75 = £0.00.",
            "Added together: £142,500 to the nearest pound.",
        ],
    ),
    "self-employed, employed and director": (
        "self-employed",
        {
            "work1": "employed",
            "annualSalary1": 40_000,
            "additionalIncome1": 2_500,
            "work2": "director",
            "directorSalary2": 12_570,
            "recentYearDividend2": 30_000,
            "previousYearDividend2": 90_000,
        },
        ("Together you might borrow", "£404,083", "", "£201,875 for applicant 1 and £202,208 for applicant 2"),
        [
            "Applicant 1: (£40,000 salary + £2,500 additional) x 4.75 = £201,875.00.",
            "Applicant 2: (£12,570 salary + £30,000 dividend) x 4.75 = £202,207.50.",
            "Added together: £404,083 to the nearest pound.",
        ],
    ),
    "self-employed, contractor and sole trader": (
        "self-employed",
        {
            "work1": "contractor",
            "dayRateIncome1": 500,
            "work2": "sole-trader",
            "curentYearNetProfit2": 20_000,
            "lastYearNetProfit2": 80_000,
        },
        ("Together you might borrow", "£695,000", "", "£600,000 for applicant 1 and £95,000 for applicant 2"),
        [
            "Applicant 1: £500 a day x 5 days x 48 weeks x 5 = £600,000.00.",
            "Applicant 2: £20,000 net profit x 4.75 = £95,000.00.",
            "Added together: £695,000 to the nearest pound.",
        ],
    ),
    "contractor, default": (
        "contractor",
        {},
        ("You might borrow up to", "£420,000", "", "Five times a year of 48 weeks"),
        [
            "Week: £350 x 5 days = £1,750.",
            "Year: £1,750 x 48 weeks = £84,000.",
            "Multiply by 5: £84,000 x 5 = £420,000.",
        ],
    ),
    "contractor, 500 a day": (
        "contractor",
        {"dayRate": 500},
        ("You might borrow up to", "£600,000", "", "Five times a year of 48 weeks"),
        [
            "Week: £500 x 5 days = £2,500.",
            "Year: £2,500 x 48 weeks = £120,000.",
            "Multiply by 5: £120,000 x 5 = £600,000.",
        ],
    ),
    "buy-to-let borrowing, default": (
        "buy-to-let-borrowing",
        {},
        ("You might borrow up to", "£52,500", "", "Held to 75% of the £70,000 value"),
        [
            "Yearly rent: £300 x 12 = £3,600.",
            "Cover of 120% at 5%: £3,600 / 1.2 / 5 x 100 = £60,000.",
            "75% of £70,000 = £52,500; the lower is £52,500.",
        ],
    ),
    "buy-to-let borrowing, value unknown": (
        "buy-to-let-borrowing",
        {"valueUnknown": True},
        ("You might borrow up to", "£60,000", "", "What the rent of the property covers"),
        [
            "Yearly rent: £300 x 12 = £3,600.",
            "Cover of 120% at 5%: £3,600 / 1.2 / 5 x 100 = £60,000.",
            "The value is not known, so the rent alone decides: £60,000.",
        ],
    ),
    "buy-to-let borrowing, rent decides": (
        "buy-to-let-borrowing",
        {"rent": 900, "value": 250_000},
        ("You might borrow up to", "£180,000", "", "What the rent of the property covers"),
        [
            "Yearly rent: £900 x 12 = £10,800.",
            "Cover of 120% at 5%: £10,800 / 1.2 / 5 x 100 = £180,000.",
            "75% of £250,000 = £187,500; the lower is £180,000.",
        ],
    ),
    "repayment, default": (
        "repayment",
        {},
        ("You would pay each month", "£321.85", "", "£96,554 in all, of which £46,554 is interest"),
        [
            "Monthly rate: 5.99% / 12 = 0.499167%.",
            "Payments: 25 x 12 = 300.",
            "Payment = loan x rate / (1 − (1 + rate) to the power of −300) = £321.85.",
            "In all: 300 payments come to £96,553.54, before rounding each.",
        ],
    ),
    "repayment, published figures": (
        "repayment",
        {"loan": 410_000, "rate": 5, "term": 20},
        ("You would pay each month", "£2,705.82", "", "£649,396 in all, of which £239,396 is interest"),
        [
            "Monthly rate: 5.00% / 12 = 0.416667%.",
            "Payments: 20 x 12 = 240.",
            "Payment = loan x rate / (1 − (1 + rate) to the power of −240) = £2,705.82.",
            "In all: 240 payments come to £649,396.45, before rounding each.",
        ],
    ),
    "repayment, no interest, a loan that months do not divide": (
        "repayment",
        {"rate": 0, "term": 7},
        ("You would pay each month", "£595.24", "", "£50,000 in all, of which £0 is interest"),
        [
            "Monthly rate: 0.00% / 12 = 0.000000%.",
            "Payments: 7 x 12 = 84.",
            "At 0% there is no interest: £50,000 / 84 = £595.24.",
            "In all: 84 payments come to £50,000.00, before rounding each.",
        ],
    ),
    "remortgage, default": (
        "remortgage",
        {},
        ("You could pay less by", "£57.93", "a month", "£695 a year, before any fees or early repayment charge"),
        [
            "At 5.99% over 25 years: £321.85 a month.",
            "At 4.00% over 25 years: £263.92 a month.",
            "Difference: £57.93 a month, about £695 a year.",
        ],
    ),
    "remortgage, a dearer rate": (
        "remortgage",
        {"currentRate": 4, "newRate": 5.99},
        ("You would pay more by", "£57.93", "a month", "£695 a year, before any fees or early repayment charge"),
        [
            "At 4.00% over 25 years: £263.92 a month.",
            "At 5.99% over 25 years: £321.85 a month.",
            "Difference: £57.93 a month, about £695 a year.",
        ],
    ),
    "rent, default": (
        "buy-to-let-rent",
        {},
        ("Rent needed each month", "£20.00", "", "6% a year of the £4,000 you would borrow"),
        [
            "Deposit used: the larger of £1,000 and 20% of £5,000 (£1,000), so £1,000.",
            "Loan: £5,000 − £1,000 = £4,000.",
            "Rent: 6% x £4,000 / 12 = £20.00.",
        ],
    ),
    "rent, a small deposit": (
        "buy-to-let-rent",
        {"value": 215_000, "deposit": 20_000},
        ("Rent needed each month", "£860.00", "", "6% a year of the £172,000 you would borrow"),
        [
            "Deposit used: the larger of £20,000 and 20% of £215,000 (£43,000), so £43,000.",
            "Loan: £215,000 − £43,000 = £172,000.",
            "Rent: 6% x £172,000 / 12 = £860.00.",
        ],
    ),
}


@pytest.mark.parametrize(("slug", "typed", "answer", "steps"), CASES.values(), ids=CASES)
def test_working_says(slug: str, typed: dict[str, Any], answer: Answer, steps: list[str]) -> None:
    working = work(slug, **typed)
    assert (working.label, working.figure, working.per, working.caption) == answer
    assert list(working.steps) == steps


NOTES = {
    "borrow": "Lenders will do their own sums",
    "self-employed": "Lenders will do their own sums",
    "contractor": "Lenders will do their own sums",
    "buy-to-let-borrowing": "Many lenders are stricter",
    "remortgage": "Check for an early repayment charge",
}


def test_working_warns_where_a_figure_may_mislead() -> None:
    notes = {slug: BY_SLUG[slug].calculate(BY_SLUG[slug].defaults()).note for slug in BY_SLUG}
    assert {slug: note.title for slug, note in notes.items() if note} == NOTES


def test_stricter_lenders_figure_is_this_rents_own() -> None:
    note = work("buy-to-let-borrowing", rent=1_000).note
    assert note is not None
    assert note.text == ("125% to 145% cover at 5.50% is common. At 145% this rent supports about £150,470.")
