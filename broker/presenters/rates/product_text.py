"""Display strings for one product: its headline, cost split, representative example and what follows the deal."""

from dataclasses import dataclass

from broker.domain.lender_initials import initial_words
from broker.domain.rates.cost_breakdown import true_cost_working
from broker.domain.rates.product import RateProduct, deal_kind
from broker.domain.rates.representative_example import rate_word, representative_example
from broker.lending.money import decimals, exact_pounds, percent, pounds, pounds_and_pence


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """A product's lender, rate and APRC; `logo` is a picture's address, or empty."""

    lender: str = ""
    initials: str = ""
    logo: str = ""
    rate: str = ""
    rate_caption: str = ""
    aprc: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The parts of the cash paid in the deal, and the cashback: amounts, and shares of that cash as CSS widths."""

    capital: str = ""
    interest: str = ""
    fees: str = ""
    capital_share: str = "0%"
    interest_share: str = "0%"
    fees_share: str = "0%"
    cashback: str = ""
    cashback_share: str = "0%"


NO_HEADLINE, NO_SPLIT = Headline(), Split()


def headline(product: RateProduct, *, logo: str) -> Headline:
    return Headline(
        lender=product.lender_name,
        initials=initials(product.lender_name),
        logo=logo,
        rate=percent(product.initial_rate),
        rate_caption=f"{rate_word(product)}, {product.initial_months} months",
        aprc=percent(product.aprc),
    )


def cost_split(product: RateProduct, *, has_pence: bool = False) -> Split:
    """Return the capital, interest and fees of the initial period; without pence they add up to the totals as shown.

    Capital, interest and fees are the cash cost; interest and fees less cashback are the true cost.
    """
    parts = (product.capital_repaid, product.initial_interest, product.total_fees)
    every = (*parts, product.incentives.cashback)
    capital, interest, fees, cashback = (f"{part / (sum(parts) or 1) * 100:.1f}%" for part in every)
    if has_pence:
        working = true_cost_working(product)
        shown = pounds_and_pence(working.repaid), pounds_and_pence(working.interest)
    else:
        back, true = product.incentives.cashback, whole_pounds(product.true_cost)
        repaid, paid = whole_pounds(product.cash_cost) - true - back, true + back - product.total_fees
        shown = exact_pounds(max(repaid, 0)), exact_pounds(max(paid, 0))
    return Split(
        capital=shown[0],
        interest=shown[1],
        fees=exact_pounds(product.total_fees),
        capital_share=capital,
        interest_share=interest,
        fees_share=fees,
        cashback=exact_pounds(product.incentives.cashback) if product.incentives.cashback else "",
        cashback_share=cashback,
    )


def example_sentence(product: RateProduct) -> str:
    """Return the representative example of a product, up to the APRC (MCOB 3A.5.1R).

    If the source does not state the rate after the deal, the sentence says so and gives no total.
    """
    example = representative_example(product)
    first = f"{example.initial_payments} monthly payments of {pounds_and_pence(example.initial_payment)}"
    start = (
        f"A mortgage of {pounds(example.loan)} payable over {duration(product.term_years * 12)}, at a "
        f"{rate_word(product)} rate of {percent(product.initial_rate)} for {duration(product.initial_months)}"
    )
    if example.later_payment is None or example.total is None or example.interest is None:
        fees = f" and {exact_pounds(example.fees)} of lender fees" if example.fees else ""
        return f"{start}, needs {first}{fees}. {_UNSTATED}"
    then, later = "", ""
    if example.later_payments:
        rate, left = percent(product.follow_on_rate), duration(example.later_payments)
        then = f" and then at a variable rate of {rate} for the remaining {left}"
        later = f" and {example.later_payments} of {pounds_and_pence(example.later_payment)}"
    ending = f", then {pounds(example.capital_at_end)} at the end of the term" if example.capital_at_end else ""
    fees = f" and {exact_pounds(example.fees)} of lender fees" if example.fees else ""
    return (
        f"{start}{then}, needs {first}{later}{ending}. Total amount payable {pounds_and_pence(example.total)}: "
        f"the loan, {pounds_and_pence(example.interest)} interest{fees}."
    )


_UNSTATED = (
    "After that you move to the lender's variable rate. The overall cost below includes it, but we do not have the "
    "figure, so ask us for the full example before you decide."
)


def aprc_sentence(product: RateProduct) -> str:
    """Return the last sentence of a representative example."""
    return f"The overall cost for comparison is {percent(product.aprc)} APRC representative."


def follow_on_sentence(product: RateProduct) -> str:
    """Return what is paid after the initial period."""
    months = product.follow_on_months
    if not months:
        return "The mortgage is paid off by then"
    if product.follow_on_rate is None or product.follow_on_payment is None:
        return f"The lender's variable rate for {duration(months)}: ask us what it is now"
    rate, payment = percent(product.follow_on_rate), pounds_and_pence(product.follow_on_payment)
    return f"{rate} variable, {payment} a month for {duration(months)}"


def early_repayment_sentence(product: RateProduct) -> str:
    """Return the charge for paying the loan off early, or that the source does not state it."""
    return product.early_repayment_charge or "Not known here: ask us before you decide"


def loans_sentence(product: RateProduct) -> str:
    """Return the range of loans; empty if the source does not state it."""
    if product.least_loan is None or product.most_loan is None:
        return ""
    return f"{pounds(product.least_loan)} to {pounds(product.most_loan)}"


def net_cost(product: RateProduct) -> str:
    """Return the cash cost as it is shown in whole pounds, less the cashback."""
    return exact_pounds(whole_pounds(product.cash_cost) - product.incentives.cashback)


def deal_name(product: RateProduct) -> str:
    """Return the kind of deal: `2-year fixed`, or `27-month fixed`."""
    return deal_kind(product.rate_type, product.initial_months)


def product_name(product: RateProduct) -> str:
    """Return a product's lender and rate: `Leeds Building Society at 4.12%`."""
    return f"{product.lender_name} at {percent(product.initial_rate)}"


def repayment_basis(product: RateProduct) -> str:
    return "interest only" if product.interest_only else "repayment"


def initials(name: str) -> str:
    """Return the initials of a lender, drawn if it has no logo: `BS` for Bank of Scotland."""
    return "".join(word[0] for word in initial_words(name))[:2].upper()


def whole_pounds(amount: float) -> int:
    """Return an amount rounded as it is displayed, so that a difference agrees with the figures shown."""
    return int(decimals(amount, 0).replace(",", ""))


def duration(months: int) -> str:
    """Return a number of months as text, in years if they are whole."""
    years, rest = divmod(months, 12)
    if rest:
        return "1 month" if months == 1 else f"{months} months"
    return "1 year" if years == 1 else f"{years} years"
