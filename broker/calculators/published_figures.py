"""Published figures of `data/published_figures.json`, and ours by the functions that calculators and rates use."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from broker.calculators.buying import deposit
from broker.calculators.changes import overpayment
from broker.lending.arithmetic import to_pennies
from broker.lending.loan_to_value import loan_to_value
from broker.lending.mortgage import (
    MONTHS,
    RateStep,
    aprc,
    balance_after,
    interest_only_payment,
    monthly_payment,
    payments,
)
from broker.lending.property_tax import charge

Steps = Sequence[tuple[float, int]]
"""The successive rates of a loan: percent a year, and for how many months."""

_TOLERANCE = 1e-9
"""Differences below this are a rounding error of binary fractions."""


class PublishedFiguresError(ValueError):
    """A figure with an unknown measure, source or argument, or one that ours differs from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A publication; `read` is the day on which it was last compared with its figures here. Others may be empty."""

    publisher: str
    title: str
    read: date
    url: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFigure:
    """A published figure. `measure` names the function of `MEASURES` that works out ours from what was `asked`.

    `figure` is as the source gives it, and `rounding` the unit that it rounds to. `within` is the most that ours may
    differ by: half that unit, or more with a reason, which is a sentence for visitors (`why`).
    """

    measure: str
    asked: Mapping[str, Any]
    figure: float
    rounding: float
    within: float
    source: Source
    why: str = ""

    @property
    def ours(self) -> float:
        """Return our figure, unrounded unless the calculators round it; raises PublishedFiguresError."""
        try:
            return float(MEASURES[self.measure](**self.asked))
        except (KeyError, TypeError, ValueError) as error:
            raise PublishedFiguresError(f"{self.measure} of {self.asked} cannot be worked out: {error}") from error

    @property
    def agrees(self) -> bool:
        return abs(self.ours - self.figure) <= self.within + _TOLERANCE


def read_published_figures(text: str) -> tuple[PublishedFigure, ...]:
    """Parse the figures of a JSON text; raises PublishedFiguresError, which names the first that is wrong."""
    tree = json.loads(text)
    sources = {
        name: Source(**{**given, "read": date.fromisoformat(given["read"])}) for name, given in tree["sources"].items()
    }
    return tuple(_figure(given, sources, tree["reasons"]) for given in tree["figures"])


def _figure(given: Mapping[str, Any], sources: Mapping[str, Source], reasons: Mapping[str, str]) -> PublishedFigure:
    try:
        within = given.get("within", given["rounding"] / 2)
        why = reasons[given["why"]] if within > given["rounding"] / 2 else ""
        return PublishedFigure(**{**given, "source": sources[given["source"]], "within": within, "why": why})
    except (KeyError, TypeError) as error:
        raise PublishedFiguresError(f"a published figure is wrong: {given}: {error}") from error


def check_figures(figures: Iterable[PublishedFigure]) -> None:
    """Raise PublishedFiguresError for the first figure that does not agree."""
    for figure in figures:
        if not figure.agrees:
            asked = f"{figure.measure} of {figure.asked}"
            raise PublishedFiguresError(f"{asked} is {figure.figure} at {figure.source.publisher}, ours {figure.ours}")


def _steps(steps: Steps) -> list[RateStep]:
    return [RateStep(rate, months) for rate, months in steps]


def _step_payment(*, loan: float, steps: Steps, step: int, added: float = 0) -> float:
    """Return the payment of a step, counted from 1."""
    months = sum(length for _, length in steps[: step - 1])
    return list(payments(loan + added, _steps(steps)))[months]


def _total_payable(
    *,
    loan: float,
    steps: Steps,
    upfront: float = 0,
    added: float = 0,
    closing: float = 0,
    first_extra: float = 0,
    interest_only: bool = False,
) -> float:
    made = payments(loan + added, _steps(steps), interest_only=interest_only)
    return sum(made) + upfront + closing + first_extra


def _aprc(
    *,
    loan: float,
    steps: Steps,
    upfront: float = 0,
    added: float = 0,
    closing: float = 0,
    first_extra: float = 0,
    interest_only: bool = False,
) -> float:
    return aprc(
        loan,
        _steps(steps),
        fees_upfront=upfront,
        fees_added=added,
        exit_fee=closing,
        first_extra=first_extra,
        interest_only=interest_only,
    )


def _deal_cost(*, loan: float, rate: float, years: float, months: int, fees: float) -> float:
    """Return payments, as collected, plus fees, by the year."""
    return (to_pennies(monthly_payment(loan, rate, years)) * months + fees) / months * MONTHS


def _overpaid(*, loan: float, rate: float, years: float, extra: float) -> overpayment.Plan:
    typed = {"loan": loan, "rate": rate, "term": years, "extra": extra}
    return overpayment.plan({**overpayment.CALCULATOR.defaults(), **typed})


def _interest_saved(**asked: float) -> float:
    plan = _overpaid(**asked)
    return plan.interest_agreed - plan.interest


def _months_saved(**asked: float) -> float:
    plan = _overpaid(**asked)
    return plan.months_agreed - plan.months


def _tax(*, nation: str, buyer: str, price: float, since: str, abroad: bool = False) -> float:
    return charge(price, nation=nation, buyer=buyer, since=since, is_abroad=abroad).tax


def _tax_saved(*, nation: str, buyer: str, price: float, since: str, later: str) -> float:
    """Return the saving by the rates of one day against those of a later day."""
    asked = {"nation": nation, "buyer": buyer, "price": price}
    return _tax(**asked, since=later) - _tax(**asked, since=since)  # pyright: ignore[reportArgumentType] - by name


def _lisa_bonus(*, paid: float) -> float:
    """Return a year's bonus on what is paid in over the year."""
    values = {**deposit.CALCULATOR.defaults(), "monthly": paid / MONTHS, deposit.LISA: True}
    return deposit.saving(values).bonus * MONTHS


MEASURES: Mapping[str, Callable[..., Any]] = {
    "payment": lambda loan, rate, years: monthly_payment(loan, annual_rate=rate, years=years),
    "payment_after_rise": lambda loan, rate, years, points: monthly_payment(loan, rate + points, years),
    "step_payment": _step_payment,
    "total_paid": lambda loan, rate, years: monthly_payment(loan, rate, years) * years * MONTHS,
    "total_interest": lambda loan, rate, years: monthly_payment(loan, rate, years) * years * MONTHS - loan,
    "balance": lambda loan, rate, years, months: balance_after(loan, annual_rate=rate, years=years, months=months),
    "interest_only_payment": lambda loan, rate: interest_only_payment(loan, annual_rate=rate),
    "interest_only_after_rise": lambda loan, rate, points: interest_only_payment(loan, rate + points),
    "interest_only_total": lambda loan, rate, years: interest_only_payment(loan, rate) * years * MONTHS + loan,
    "interest_only_interest": lambda loan, rate, years: interest_only_payment(loan, rate) * years * MONTHS,
    "deal_cost": _deal_cost,
    "aprc": _aprc,
    "total_payable": _total_payable,
    "interest_saved": _interest_saved,
    "months_saved": _months_saved,
    "tax": _tax,
    "tax_saved": _tax_saved,
    "lisa_bonus": _lisa_bonus,
    "loan_to_value": loan_to_value,
}
"""The function for our figure, by measure; its parameters are the keys of `asked`."""
