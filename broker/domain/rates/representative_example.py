"""The figures of the representative example (decision 17, MCOB 3A.5.1R)."""

from dataclasses import dataclass

from broker.domain.rates.product import RateProduct, RateType


@dataclass(frozen=True, slots=True, kw_only=True)
class RepresentativeExample:
    """The figures of the example, in pounds, payments rounded to the penny as they are collected.

    Figures that need a later payment are None if the source does not state the follow-on rate.
    """

    loan: float
    initial_payments: int
    initial_payment: float
    later_payments: int
    later_payment: float | None
    capital_at_end: float
    fees: float
    interest: float | None
    total: float | None


def representative_example(product: RateProduct) -> RepresentativeExample:
    """Return an example that adds up: total = payments + capital due at the end + fees = loan + interest + fees."""
    first, later = round(product.initial_payment, 2), product.follow_on_payment
    capital = product.loan_amount if product.interest_only else 0
    months, fees = product.initial_months, round(product.total_fees, 2)
    paid = None if later is None else first * months + round(later, 2) * product.follow_on_months + capital
    return RepresentativeExample(
        loan=product.loan_amount,
        initial_payments=months,
        initial_payment=first,
        later_payments=product.follow_on_months,
        later_payment=None if later is None else round(later, 2),
        capital_at_end=capital,
        fees=fees,
        interest=None if paid is None else round(paid - product.loan_amount, 2),
        total=None if paid is None else round(paid + fees, 2),
    )


def rate_word(product: RateProduct) -> str:
    """Return the rate type in a sentence: `fixed` or `variable`."""
    return "fixed" if product.rate_type is RateType.FIXED else "variable"
