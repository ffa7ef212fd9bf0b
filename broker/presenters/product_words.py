"""Words for one product: its kind, its representative example, and what follows the deal."""

from __future__ import annotations

from broker.domain.money import decimals, percent, pounds, pounds_and_pence
from broker.domain.rates.example import rate_word, representative_example
from broker.domain.rates.product import RateProduct, RateType


def example_sentence(product: RateProduct) -> str:
    """Write the representative example of a product, up to the APRC (MCOB 3A.5.1R)."""
    example = representative_example(product)
    years = product.term_years
    first = f"{example.initial_payments} monthly payments of {pounds_and_pence(example.initial_payment)}"
    then, later = "", ""
    if example.later_payments:
        left = span(example.later_payments)
        then = f" and then at a variable rate of {percent(product.follow_on_rate)} for the remaining {left}"
        later = f" and {example.later_payments} of {pounds_and_pence(example.later_payment)}"
    ending = f", then {pounds(example.capital_at_end)} at the end of the term" if example.capital_at_end else ""
    fee_text = f" and {tidy_pounds(example.fees)} of lender fees" if example.fees else ""
    return (
        f"A mortgage of {pounds(example.loan)} payable over {span(years * 12)}, at a {rate_word(product)} rate of "
        f"{percent(product.initial_rate)} for {span(product.initial_months)}{then}, needs {first}{later}{ending}. "
        f"Total amount payable {pounds_and_pence(example.total)}: the loan, {pounds_and_pence(example.interest)} "
        f"interest{fee_text}."
    )


def aprc_sentence(product: RateProduct) -> str:
    """Write the sentence that ends a representative example."""
    return f"The overall cost for comparison is {percent(product.aprc)} APRC representative."


def follow_on_sentence(product: RateProduct) -> str:
    """Say what is paid once the initial period is over."""
    months = product.follow_on_months
    if not months:
        return "The mortgage is paid off by then"
    rate, payment = percent(product.follow_on_rate), pounds_and_pence(product.follow_on_payment)
    return f"{rate} variable, {payment} a month for {span(months)}"


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


def tidy_pounds(amount: float) -> str:
    """Write an amount in whole pounds where it is whole, else to the penny."""
    return pounds(amount) if float(amount).is_integer() else pounds_and_pence(amount)


def whole_pounds(amount: float) -> int:
    """Return an amount as it reads in whole pounds, so that a difference agrees with the two figures shown."""
    return int(decimals(amount, 0).replace(",", ""))


def span(months: int) -> str:
    """Write a number of months: in years where they are whole."""
    years, rest = divmod(months, 12)
    if rest:
        return "1 month" if months == 1 else f"{months} months"
    return "1 year" if years == 1 else f"{years} years"
