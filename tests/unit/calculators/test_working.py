from typing import Any

import pytest

from broker.calculators.calculator import Calculator
from broker.calculators.registry import CALCULATORS

BY_SLUG: dict[str, Calculator] = {calculator.slug: calculator for calculator in CALCULATORS}

TYPED: dict[str, dict[str, Any]] = {
    "borrow, two incomes": {"income1": 42_500, "income2": 31_250},
    "self-employed, employed and director": {
        "work1": "employed",
        "annualSalary1": 40_000,
        "additionalIncome1": 2_500,
        "work2": "director",
        "directorSalary2": 12_570,
        "recentYearDividend2": 30_000,
        "previousYearDividend2": 90_000,
    },
    "self-employed, contractor and sole trader": {
        "work1": "contractor",
        "dayRateIncome1": 500,
        "work2": "sole-trader",
        "curentYearNetProfit2": 20_000,
        "lastYearNetProfit2": 80_000,
    },
    "buy-to-let-borrowing, value unknown": {"valueUnknown": True},
    "buy-to-let-borrowing, rent decides": {"rent": 900, "value": 250_000},
    "repayment, no interest, a loan that months do not divide": {"rate": 0, "term": 7},
    "remortgage, a dearer rate": {"currentRate": 4, "newRate": 5.99},
    "remortgage, differences of the shown payments": {
        "loan": 271_000,
        "currentRate": 7.78,
        "newRate": 6.08,
        "term": 21,
        "followOnRate": 7.78,
    },
    "remortgage, the same rate throughout": {"currentRate": 4, "followOnRate": 4},
    "two-deals, longer than the term": {"length": 10, "term": 5, "loan": 50_000},
    "two-deals, the same twice": {"rate2": 4.5, "fees2": 1_999},
    "buy-to-let-rent, a deposit above the value": {"value": 100, "deposit": 5_000},
    "buy-to-let-rent, a small deposit": {"value": 215_000, "deposit": 20_000},
}
"""What a visitor enters in each case below that does not have the default figures."""

WORKINGS = {
    "borrow, default": """You might borrow up to: £25,000
        Five times an income of £5,000. 4.5 times is £22,500.
        One income: £5,000.
        Multiply by 5: £5,000 x 5 = £25,000.""",
    "borrow, two incomes": """You might borrow up to: £368,750
        Five times a joint income of £73,750. 4.5 times is £331,875.
        Add the incomes: £42,500 + £31,250 = £73,750.
        Multiply by 5: £73,750 x 5 = £368,750.""",
    "self-employed, default": """You might borrow up to: £142,500
        From one income
        Applicant 1: £30,000 net profit x 4.75 = £142,500.
        Applicant 2: (£0 salary + £0 additional) x 4.75 = £0.
        One income: £142,500.""",
    "self-employed, employed and director": """Together you might borrow: £404,082.50
        £201,875 for applicant 1 and £202,207.50 for applicant 2
        Applicant 1: (£40,000 salary + £2,500 additional) x 4.75 = £201,875.
        Applicant 2: (£12,570 salary + £30,000 dividend) x 4.75 = £202,207.50.
        Added together: £201,875 + £202,207.50 = £404,082.50.""",
    "self-employed, contractor and sole trader": """Together you might borrow: £695,000
        £600,000 for applicant 1 and £95,000 for applicant 2
        Applicant 1: £500 a day x 5 days x 48 weeks x 5 = £600,000.
        Applicant 2: £20,000 net profit x 4.75 = £95,000.
        Added together: £600,000 + £95,000 = £695,000.""",
    "contractor, default": """You might borrow up to: £420,000
        Five times a year of 48 weeks
        Week: £350 x 5 days = £1,750.
        Year: £1,750 x 48 weeks = £84,000.
        Multiply by 5: £84,000 x 5 = £420,000.""",
    "buy-to-let-borrowing, default": """You might borrow up to: £52,500
        Held to 75% of the £70,000 value
        Yearly rent: £300 x 12 = £3,600.
        Cover of 120% at 5%: £3,600 / 1.2 / 5 x 100 = £60,000.
        75% of £70,000 = £52,500; the lower is £52,500.""",
    "buy-to-let-borrowing, value unknown": """You might borrow up to: £60,000
        What the rent of the property covers
        Yearly rent: £300 x 12 = £3,600.
        Cover of 120% at 5%: £3,600 / 1.2 / 5 x 100 = £60,000.
        The value is not known, so the rent alone decides: £60,000.""",
    "buy-to-let-borrowing, rent decides": """You might borrow up to: £180,000
        What the rent of the property covers
        Yearly rent: £900 x 12 = £10,800.
        Cover of 120% at 5%: £10,800 / 1.2 / 5 x 100 = £180,000.
        75% of £250,000 = £187,500; the lower is £180,000.""",
    "repayment, default": """You would pay each month: £321.85
        £96,554 in all, of which £46,554 is interest
        Monthly rate: 5.99% / 12 = 0.499167%.
        Payments: 25 x 12 = 300.
        Payment = loan x rate / (1 − (1 + rate) to the power of −300) = £321.85.
        In all: 300 payments come to £96,553.54, before rounding each.""",
    "repayment, no interest, a loan that months do not divide": """You would pay each month: £595.24
        £50,000 in all, of which £0 is interest
        Monthly rate: 0.00% / 12 = 0.000000%.
        Payments: 7 x 12 = 84.
        At 0% there is no interest: £50,000 / 84 = £595.24.
        In all: 84 payments come to £50,000.00, before rounding each.""",
    "remortgage, default": """You could pay less by: £57.93 a month
        £695 a year, before fees and charges. It is £76.19 a month less than 6.58%, the rate after your deal.
        At 5.99% over 25 years: £321.85 a month.
        At 4.00% over 25 years: £263.92 a month.
        Difference: £57.93 a month, about £695 a year.
        Once your deal ends, at 6.58% over 25 years: £340.11 a month.""",
    "remortgage, a dearer rate": """You would pay more by: £57.93 a month
        £695 a year, before fees and charges. It is £18.26 a month less than 6.58%, the rate after your deal.
        At 4.00% over 25 years: £263.92 a month.
        At 5.99% over 25 years: £321.85 a month.
        Difference: £57.93 a month, about £695 a year.
        Once your deal ends, at 6.58% over 25 years: £340.11 a month.""",
    "remortgage, differences of the shown payments": """You could pay less by: £279.32 a month
        £3,352 a year, before fees and charges. It is £279.32 a month less than 7.78%, the rate after your deal.
        At 7.78% over 21 years: £2,185.90 a month.
        At 6.08% over 21 years: £1,906.58 a month.
        Difference: £279.32 a month, about £3,352 a year.
        Once your deal ends, at 7.78% over 21 years: £2,185.90 a month.""",
    "remortgage, the same rate throughout": """You would pay the same: £263.92 a month
        Before fees and charges. It is the same as at 4.00%, the rate after your deal.
        At 4.00% over 25 years: £263.92 a month.
        At 4.00% over 25 years: £263.92 a month.
        Difference: none.
        Once your deal ends, at 4.00% over 25 years: £263.92 a month.""",
    "two-deals, longer than the term": """Deal 2 has the lower true cost, by: £1,726.00
        over 5 years, at a loan of £50,000
        Deal 1: 60 payments x £932.15 = £55,929.00. With fees: £55,929.00 + £1,999 = £57,928.00 in cash. \
Less what comes off the loan: £57,928.00 − £50,000.00 = £7,928.00 of true cost.
        Deal 2: 60 payments x £936.70 = £56,202.00. With fees: £56,202.00 + £0 = £56,202.00 in cash. \
Less what comes off the loan: £56,202.00 − £50,000.00 = £6,202.00 of true cost.
        By cash the smaller fee wins below a loan of £365,796: the fees differ by £1,999, \
and each £1,000 borrowed costs £5.46 more; £1,999 / 5.4647918 x 1,000 = £365,796.
        By true cost the smaller fee wins below a loan of £365,796: the fees differ by £1,999, \
and each £1,000 borrowed costs £5.46 more; £1,999 / 5.4647918 x 1,000 = £365,796.""",
    "two-deals, the same twice": """Both deals have the same true cost: £19,614.06
        over 2 years, at a loan of £200,000
        Deal 1: 24 payments x £1,111.66 = £26,679.84. With fees: £26,679.84 + £1,999 = £28,678.84 in cash. \
Less what comes off the loan: £28,678.84 − £9,064.78 = £19,614.06 of true cost.
        Deal 2: 24 payments x £1,111.66 = £26,679.84. With fees: £26,679.84 + £1,999 = £28,678.84 in cash. \
Less what comes off the loan: £28,678.84 − £9,064.78 = £19,614.06 of true cost.
        By cash both deals cost the same whatever the loan.
        By true cost both deals cost the same whatever the loan.""",
    "buy-to-let-rent, a deposit above the value": """Rent needed each month: £0.00
        Your deposit covers the value, so there is no loan
        Deposit used: the larger of £5,000 and 20% of £100 (£20), so £5,000.
        Loan: £0, as the deposit of £5,000 covers the value of £100.
        Rent: 6% x £0 / 12 = £0.00.""",
    "buy-to-let-rent, default": """Rent needed each month: £20.00
        6% a year of the £4,000 you would borrow
        Deposit used: the larger of £1,000 and 20% of £5,000 (£1,000), so £1,000.
        Loan: £5,000 − £1,000 = £4,000.
        Rent: 6% x £4,000 / 12 = £20.00.""",
    "buy-to-let-rent, a small deposit": """Rent needed each month: £860.00
        6% a year of the £172,000 you would borrow
        Deposit used: the larger of £20,000 and 20% of £215,000 (£43,000), so £43,000.
        Loan: £215,000 − £43,000 = £172,000.
        Rent: 6% x £172,000 / 12 = £860.00.""",
}
"""Label and figure, caption, and the steps, a line each."""


@pytest.mark.parametrize("case", WORKINGS)
def test_working_reads_as_written(case: str) -> None:
    calculator = BY_SLUG[case.partition(",")[0]]
    typed = TYPED.get(case, {})
    assert set(typed) <= set(calculator.defaults())
    working = calculator.calculate({**calculator.defaults(), **typed})
    headline = f"{working.label}: {working.figure} {working.per}".strip()
    assert [headline, working.caption, *working.steps] == [line.strip() for line in WORKINGS[case].splitlines()]


WARNING = (
    *("borrow", "affordability", "self-employed", "contractor", "buy-to-let-borrowing", "buying", "remortgage"),
    *("stamp-duty", "deposit", "rental-yield", "landlord-test", "overpayment", "rate-change"),
    *("early-repayment-charge", "interest-only", "offset", "two-deals"),
)


def test_working_warns_where_a_figure_may_mislead() -> None:
    notes = {slug: each.calculate(each.defaults()).note for slug, each in BY_SLUG.items()}
    assert [slug for slug in WARNING if not notes[slug]] == []
    lending = BY_SLUG["buy-to-let-borrowing"]
    stricter = lending.calculate({**lending.defaults(), "rent": 1_000})
    assert stricter.note
    assert stricter.note.text == "125% to 145% cover at 5.50% is common. At 145% this rent supports about £150,470."
