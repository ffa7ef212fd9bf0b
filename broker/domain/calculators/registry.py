"""The calculators, in the order that pages draw them, and the lists that pages show (specification 2)."""

from __future__ import annotations

from broker.domain.calculators.borrow import BORROW
from broker.domain.calculators.buy_to_let import BORROWING, RENT
from broker.domain.calculators.calculator import Calculator
from broker.domain.calculators.contractor import CONTRACTOR
from broker.domain.calculators.remortgage import REMORTGAGE
from broker.domain.calculators.repayment import REPAYMENT
from broker.domain.calculators.self_employed import CONTRACTORS, SELF_EMPLOYED

CALCULATORS = (BORROW, SELF_EMPLOYED, CONTRACTOR, BORROWING, REPAYMENT, REMORTGAGE, RENT)

GROUPS = {"borrow": "What could I borrow?", "cost": "What would it cost?"}

CONTRACTOR_PAGE = "contractor-mortgage"


class UnknownCalculatorError(ValueError):
    """A page lists a calculator that does not exist."""


def active(slugs: tuple[str, ...], *, page: str = "") -> tuple[Calculator, ...]:
    """Return the calculators that a page lists, in the order of `CALCULATORS` (specification 2).

    One that is not listed is hidden, the contractor calculator too; the contractor-mortgage page gets
    the self-employed one with Contractor picked for both applicants. Raises UnknownCalculatorError.
    """
    unknown = set(slugs) - {calculator.slug for calculator in CALCULATORS}
    if unknown:
        raise UnknownCalculatorError(f"{page or 'a page'} lists unknown calculators: {', '.join(sorted(unknown))}")
    listed = (calculator for calculator in CALCULATORS if calculator.slug in slugs)
    return tuple(
        CONTRACTORS if calculator is SELF_EMPLOYED and page == CONTRACTOR_PAGE else calculator for calculator in listed
    )
