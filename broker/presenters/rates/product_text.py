"""Words for one product: its kind, its representative example, and what follows the deal."""

from __future__ import annotations

from broker.domain.money import decimals, exact_pounds, percent, pounds, pounds_and_pence
from broker.domain.rates.product import RateProduct, RateType
from broker.domain.rates.representative_example import rate_word, representative_example


def example_sentence(product: RateProduct) -> str:
    """Write the representative example of a product, up to the APRC (MCOB 3A.5.1R).

    Where the source does not state the rate after the deal, the sentence says so and gives no total.
    """
    example = representative_example(product)
    first = f"{example.initial_payments} monthly payments of {pounds_and_pence(example.initial_payment)}"
    start = (
        f"A mortgage of {pounds(example.loan)} payable over {span(product.term_years * 12)}, at a "
        f"{rate_word(product)} rate of {percent(product.initial_rate)} for {span(product.initial_months)}"
    )
    if example.later_payment is None or example.total is None or example.interest is None:
        fees = f" and {exact_pounds(example.fees)} of lender fees" if example.fees else ""
        return f"{start}, needs {first}{fees}. {_UNSTATED}"
    then, later = "", ""
    if example.later_payments:
        rate, left = percent(product.follow_on_rate), span(example.later_payments)
        then = f" and then at a variable rate of {rate} for the remaining {left}"
        later = f" and {example.later_payments} of {pounds_and_pence(example.later_payment)}"
    ending = f", then {pounds(example.capital_at_end)} at the end of the term" if example.capital_at_end else ""
    fees = f" and {exact_pounds(example.fees)} of lender fees" if example.fees else ""
    return (
        f"{start}{then}, needs {first}{later}{ending}. Total amount payable {pounds_and_pence(example.total)}: "
        f"the loan, {pounds_and_pence(example.interest)} interest{fees}."
    )


_UNSTATED = (
    "The lender's variable rate follows. It is counted in the overall cost below but not stated to us, so ask us for "
    "the full example before you decide."
)


def aprc_sentence(product: RateProduct) -> str:
    """Write the sentence that ends a representative example."""
    return f"The overall cost for comparison is {percent(product.aprc)} APRC representative."


def follow_on_sentence(product: RateProduct) -> str:
    """Say what is paid once the initial period is over."""
    months = product.follow_on_months
    if not months:
        return "The mortgage is paid off by then"
    if product.follow_on_rate is None or product.follow_on_payment is None:
        return f"The lender's variable rate for {span(months)}: ask us what it is now"
    rate, payment = percent(product.follow_on_rate), pounds_and_pence(product.follow_on_payment)
    return f"{rate} variable, {payment} a month for {span(months)}"


def early_repayment_sentence(product: RateProduct) -> str:
    """Say what is charged for paying the loan off early, or that the source does not say."""
    return product.early_repayment_charge or "Not stated here: ask us before you decide"


def loans_sentence(product: RateProduct) -> str:
    """Say how large a loan the deal takes; empty where the source does not."""
    if product.least_loan is None or product.most_loan is None:
        return ""
    return f"{pounds(product.least_loan)} to {pounds(product.most_loan)}"


def deal_name(product: RateProduct) -> str:
    """Write what kind of deal it is: `2-year fixed`."""
    years = round(product.initial_months / 12)
    return f"{years}-year {'fixed' if product.rate_type is RateType.FIXED else 'variable'}"


def named(product: RateProduct) -> str:
    """Write which deal is meant: `Leeds Building Society at 4.12%`."""
    return f"{product.lender_name} at {percent(product.initial_rate)}"


def basis(product: RateProduct) -> str:
    """Write how the loan is paid back."""
    return "interest only" if product.interest_only else "repayment"


def initials(name: str) -> str:
    """Return the letters that stand for a lender without a logo."""
    return "".join(word[0] for word in name.split() if word[0].isalnum())[:2].upper()


def whole_pounds(amount: float) -> int:
    """Return an amount as it reads in whole pounds, so that a difference agrees with the two figures shown."""
    return int(decimals(amount, 0).replace(",", ""))


def span(months: int) -> str:
    """Write a number of months: in years where they are whole."""
    years, rest = divmod(months, 12)
    if rest:
        return "1 month" if months == 1 else f"{months} months"
    return "1 year" if years == 1 else f"{years} years"
