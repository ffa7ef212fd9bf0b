"""Self-employed borrowing: two applicants, each with one of four kinds of income (specification 9)."""

from collections.abc import Mapping
from enum import StrEnum

from broker.calculators.borrow import LENDERS_DECIDE, MULTIPLES, multiples_table
from broker.calculators.calculator import Bar, Calculator, Choice, Field, Group, Working
from broker.lending.arithmetic import Amount, Text, choose, to_pennies
from broker.lending.lending_rules import HIGH_SOURCE
from broker.lending.money import exact_pounds

MULTIPLE = 4.75
DAYS_A_WEEK = 5
WEEKS_A_YEAR = 48
CONTRACT_MULTIPLE = 5

_MULTIPLES = (*MULTIPLES[:-1], MULTIPLE, MULTIPLES[-1])
"""Those of most lenders, and the specification's."""

CONTRACTOR_PAGE = "contractor-mortgage"
"""The page on which both applicants start as contractors (specification 2)."""


class Work(StrEnum):
    """An applicant's kind of income (specification 4)."""

    EMPLOYED = "employed"
    SOLE_TRADER = "sole-trader"
    DIRECTOR = "director"
    CONTRACTOR = "contractor"


_WORK_LABELS = {
    Work.EMPLOYED: "Employed",
    Work.SOLE_TRADER: "Sole trader",
    Work.DIRECTOR: "Limited company director",
    Work.CONTRACTOR: "Contractor",
}


def employed(salary: Amount, additional: Amount) -> Amount:
    """Return 4.75 x (salary + additional income), in pounds (specification 9)."""
    return MULTIPLE * (salary + additional)


def sole_trader(net_profit: Amount) -> Amount:
    """Return 4.75 x the current year's net profit, in pounds (specification 9)."""
    return MULTIPLE * net_profit


def director(salary: Amount, dividend: Amount) -> Amount:
    """Return 4.75 x (salary + most recent dividend), in pounds (specification 9)."""
    return MULTIPLE * (salary + dividend)


def contractor(day_rate: Amount) -> Amount:
    """Return day rate x 5 days x 48 weeks x 5, in pounds (specification 9)."""
    return contract_year(day_rate) * CONTRACT_MULTIPLE


def contract_year(day_rate: Amount) -> Amount:
    """Return day rate x 5 days x 48 weeks, in pounds."""
    return day_rate * DAYS_A_WEEK * WEEKS_A_YEAR


def _by_work(work: Text, cases: Mapping[Work, Amount]) -> Amount:
    return choose(
        work == Work.EMPLOYED.value,
        lambda: cases[Work.EMPLOYED],
        lambda: choose(
            work == Work.SOLE_TRADER.value,
            lambda: cases[Work.SOLE_TRADER],
            lambda: choose(work == Work.DIRECTOR.value, lambda: cases[Work.DIRECTOR], lambda: cases[Work.CONTRACTOR]),
        ),
    )


def _income(values: Mapping[str, Amount], applicant: str) -> dict[str, Amount]:
    names = ("annualSalary", "additionalIncome", "curentYearNetProfit", "directorSalary", "recentYearDividend")
    return {name: values[name + applicant] for name in (*names, "dayRateIncome")}


def _loan(values: Mapping[str, Amount], applicant: str) -> Amount:
    income = _income(values, applicant)
    return _by_work(
        values["work" + applicant],
        {
            Work.EMPLOYED: employed(income["annualSalary"], income["additionalIncome"]),
            Work.SOLE_TRADER: sole_trader(income["curentYearNetProfit"]),
            Work.DIRECTOR: director(income["directorSalary"], income["recentYearDividend"]),
            Work.CONTRACTOR: contractor(income["dayRateIncome"]),
        },
    )


def _year(values: Mapping[str, Amount], applicant: str) -> Amount:
    """Return the income of a year that the applicant's loan is a multiple of, in pounds."""
    income = _income(values, applicant)
    return _by_work(
        values["work" + applicant],
        {
            Work.EMPLOYED: income["annualSalary"] + income["additionalIncome"],
            Work.SOLE_TRADER: income["curentYearNetProfit"],
            Work.DIRECTOR: income["directorSalary"] + income["recentYearDividend"],
            Work.CONTRACTOR: contract_year(income["dayRateIncome"]),
        },
    )


def _step(values: Mapping[str, Amount], applicant: str) -> Text:
    income = _income(values, applicant)
    salary, extra = exact_pounds(income["annualSalary"]), exact_pounds(income["additionalIncome"])
    pay, dividend = exact_pounds(income["directorSalary"]), exact_pounds(income["recentYearDividend"])
    sums = {
        Work.EMPLOYED: "(" + salary + " salary + " + extra + " additional) x 4.75 = ",
        Work.SOLE_TRADER: exact_pounds(income["curentYearNetProfit"]) + " net profit x 4.75 = ",
        Work.DIRECTOR: "(" + pay + " salary + " + dividend + " dividend) x 4.75 = ",
        Work.CONTRACTOR: exact_pounds(income["dayRateIncome"]) + " a day x 5 days x 48 weeks x 5 = ",
    }
    text = _by_work(values["work" + applicant], sums)
    return "Applicant " + applicant + ": " + text + exact_pounds(_loan(values, applicant)) + "."


def _calculate(values: Mapping[str, Amount]) -> Working:
    first, second = to_pennies(_loan(values, "1")), to_pennies(_loan(values, "2"))
    total = exact_pounds(first + second)
    is_joint = (first > 0) & (second > 0)
    both = exact_pounds(first) + " for applicant 1 and " + exact_pounds(second) + " for applicant 2"
    added = "Added together: " + exact_pounds(first) + " + " + exact_pounds(second) + " = " + total + "."
    return Working(
        label=choose(is_joint, lambda: "Together you might borrow", lambda: "You might borrow up to"),
        figure=total,
        caption=choose(is_joint, lambda: both, lambda: "From one income"),
        steps=(
            _step(values, "1"),
            _step(values, "2"),
            choose(is_joint, lambda: added, lambda: "One income: " + total + "."),
        ),
        bars=(
            Bar(label="Applicant 1", figure=exact_pounds(first), size=first),
            Bar(label="Applicant 2", figure=exact_pounds(second), size=second),
        ),
        note=LENDERS_DECIDE,
        table=multiples_table(_year(values, "1") + _year(values, "2"), _MULTIPLES),
    )


_INCOMES = (
    (Work.EMPLOYED, "annualSalary", "Annual salary", 30_000, ""),
    (Work.EMPLOYED, "additionalIncome", "Additional income", 0, "Overtime, bonus or a second job"),
    (Work.SOLE_TRADER, "curentYearNetProfit", "Net profit this year", 30_000, ""),
    (Work.SOLE_TRADER, "lastYearNetProfit", "Net profit last year", 0, "Lenders ask for it; not used in this sum"),
    (Work.DIRECTOR, "directorSalary", "Director’s salary", 12_570, ""),
    (Work.DIRECTOR, "recentYearDividend", "Most recent dividend", 30_000, ""),
    (Work.DIRECTOR, "previousYearDividend", "Dividend the year before", 0, "Lenders ask for it; not used in this sum"),
    (Work.CONTRACTOR, "dayRateIncome", "Day rate", 350, ""),
)


def _fields(applicant: str) -> tuple[Field, ...]:
    """Return an applicant's eight income fields, with the specification's names; the second applicant starts at 0."""
    return tuple(
        Field(
            name=name + applicant,
            label=label,
            default=default if applicant == "1" else 0,
            high=1_500 if work is Work.CONTRACTOR else 170_000,
            step=5 if work is Work.CONTRACTOR else 500,
            hint=hint or ("A day" if work is Work.CONTRACTOR else "A year"),
            only_for=f"work{applicant}={work.value}",
        )
        for work, name, label, default, hint in _INCOMES
    )


def _choice(applicant: str, work: Work) -> Choice:
    options = tuple((kind.value, _WORK_LABELS[kind]) for kind in Work)
    return Choice(
        name=f"work{applicant}",
        group=f"Applicant {applicant}",
        label="How do you work?",
        default=work.value,
        options=options,
    )


CALCULATOR = Calculator(
    slug="self-employed",
    title="Self-employed borrowing",
    subtitle="Two applicants, each employed, sole trader, director or contractor",
    group=Group.BORROW,
    order=20,
    calculate=_calculate,
    sources=(HIGH_SOURCE,),
    fields=_fields("1") + _fields("2"),
    choices=(_choice("1", Work.SOLE_TRADER), _choice("2", Work.EMPLOYED)),
    page_choices={CONTRACTOR_PAGE: {"work1": Work.CONTRACTOR.value, "work2": Work.CONTRACTOR.value}},
)
