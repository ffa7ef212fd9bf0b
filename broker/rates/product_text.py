"""Display strings for one product: its headline, cost split, representative example and what follows the deal."""

from dataclasses import dataclass

from broker.lenders.lender import initial_words
from broker.lending.loan_to_value import ltv_figure
from broker.lending.money import decimals, exact_pounds, percent, pounds, pounds_and_pence
from broker.rates.costs import cost_terms, lower_fixed_cost, true_cost_working
from broker.rates.product import ANY_AMOUNT, RateProduct, deal_kind


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


NONE_STATED = "None stated"
UNSTATED = "Not stated"


def incentive_labels(product: RateProduct) -> tuple[str, ...]:
    """Return the labels of a card: who may apply, money back, free services, and whether it moves home."""
    offered = product.incentives
    labels = (
        offered.eligibility,
        f"{exact_pounds(offered.cashback)} cashback" if offered.cashback else "",
        "Free valuation" if offered.free_valuation else "",
        "Free legal work" if offered.free_legal_work else "",
        "Can move home with you" if offered.is_portable else "",
    )
    return tuple(label for label in labels if label)


def incentives_in_a_line(product: RateProduct) -> str:
    """Return the labels of a card as one line of words, with commas."""
    first, *others = incentive_labels(product) or ("",)
    return ", ".join((first, *(label[:1].lower() + label[1:] for label in others)))


def cashback_text(product: RateProduct) -> str:
    cashback = product.incentives.cashback
    return f"{exact_pounds(cashback)} when the mortgage completes" if cashback else NONE_STATED


def valuation_text(product: RateProduct) -> str:
    return "Free standard valuation" if product.incentives.free_valuation else NONE_STATED


def legal_work_text(product: RateProduct) -> str:
    return "Free standard legal work" if product.incentives.free_legal_work else NONE_STATED


def overpayment_text(product: RateProduct) -> str:
    percent = product.incentives.overpayment_percent
    if percent is None:
        return UNSTATED
    return "Any amount, without a charge" if percent >= ANY_AMOUNT else f"Up to {percent:g}% of the balance a year"


def portability_text(product: RateProduct) -> str:
    is_portable = product.incentives.is_portable
    if is_portable is None:
        return UNSTATED
    return "Can be moved to your next home" if is_portable else "Cannot be moved to another home"


def eligibility_text(product: RateProduct) -> str:
    return product.incentives.eligibility or "No limit stated"


INCENTIVES = (
    ("Cashback", cashback_text),
    ("Valuation", valuation_text),
    ("Legal work", legal_work_text),
    ("Overpayments", overpayment_text),
    ("If you move home", portability_text),
    ("Who may apply", eligibility_text),
)
"""Each incentive's name, and the function that writes a product's."""


def incentive_lines(product: RateProduct) -> tuple[tuple[str, str], ...]:
    return tuple((name, text(product)) for name, text in INCENTIVES)


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
        rate_caption=f"{product.rate_type}, {product.initial_months} months",
        aprc=percent(product.aprc),
    )


def cost_split(product: RateProduct) -> Split:
    """Return the capital, interest and fees of the initial period: the cash cost.

    Interest and fees less cashback are the true cost.
    """
    parts = (product.capital_repaid, product.initial_interest, product.total_fees)
    every = (*parts, product.incentives.cashback)
    capital, interest, fees, cashback = (f"{part / (sum(parts) or 1) * 100:.1f}%" for part in every)
    working = true_cost_working(product)
    return Split(
        capital=pounds_and_pence(working.repaid),
        interest=pounds_and_pence(working.interest),
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
        f"{product.rate_type} rate of {percent(product.initial_rate)} for {duration(product.initial_months)}"
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
    "After that you move to the lender’s variable rate. The overall cost below includes it, but we do not have the "
    "figure, so ask us for the full example before you decide."
)


def aprc_sentence(product: RateProduct) -> str:
    """Return the last sentence of a representative example."""
    return f"The overall cost for comparison is {percent(product.aprc)} APRC representative."


def follow_on_sentence(product: RateProduct) -> str:
    months = product.follow_on_months
    if not months:
        return "The mortgage is paid off by then"
    if product.follow_on_rate is None or product.follow_on_payment is None:
        return f"The lender’s variable rate for {duration(months)}: ask us what it is now"
    rate, payment = percent(product.follow_on_rate), pounds_and_pence(product.follow_on_payment)
    return f"{rate} variable, {payment} a month for {duration(months)}"


def early_repayment_sentence(product: RateProduct) -> str:
    return product.early_repayment_charge or "Not known here: ask us before you decide"


def loans_sentence(product: RateProduct) -> str:
    """Return `£25,000 to £500,000`; empty if the source does not state it."""
    if product.least_loan is None or product.most_loan is None:
        return ""
    return f"{pounds(product.least_loan)} to {pounds(product.most_loan)}"


def repaid_text(product: RateProduct) -> str:
    """Return what comes off the loan in the deal: the cash cost less cashback and true cost, as they are shown."""
    paid, true = rounded_pounds(product.cash_cost), rounded_pounds(product.true_cost)
    return exact_pounds(max(paid - true - product.incentives.cashback, 0))


def net_cost(product: RateProduct) -> str:
    """Return the cash cost as it is shown in whole pounds, less the cashback."""
    return exact_pounds(rounded_pounds(product.cash_cost) - product.incentives.cashback)


def deal_name(product: RateProduct) -> str:
    return deal_kind(product.rate_type, product.initial_months)


def deal_and_ltv(product: RateProduct) -> str:
    """Return `2-year fixed, to 60% LTV`."""
    return f"{deal_name(product)}, to {ltv_figure(product.most_ltv)}% LTV"


def deal_basis(product: RateProduct) -> str:
    """Return the kind of deal, unless the title has it already (27 months as two years too), the basis and the term."""
    kind, title = deal_name(product), product.title.lower()
    in_years = deal_kind(product.rate_type, round(product.initial_months / 12) * 12)
    named = "" if kind in title or in_years in title else f"{kind}, "
    return f"{named}{repayment_basis(product)} over {duration(product.term_years * 12)}"


def product_name(product: RateProduct) -> str:
    """Return `Leeds Building Society at 4.12%`."""
    return f"{product.lender_name} at {percent(product.initial_rate)}"


def cheaper_below(one: RateProduct, other: RateProduct) -> str:
    """Return the name of the product that costs less below the loans at which both cost the same."""
    terms = cost_terms(one)
    return product_name(one if lower_fixed_cost(terms, cost_terms(other)) is terms else other)


def repayment_basis(product: RateProduct) -> str:
    return "interest only" if product.interest_only else "repayment"


def initials(name: str) -> str:
    """Return the initials that replace a missing logo: `BS` for Bank of Scotland."""
    return "".join(word[0] for word in initial_words(name))[:2].upper()


def rounded_pounds(amount: float) -> int:
    """Return an amount rounded as it is displayed, so that a difference agrees with the figures shown."""
    return int(decimals(amount, 0).replace(",", ""))


def duration(months: int) -> str:
    """Return a number of months as text, in years if they are whole."""
    years, rest = divmod(months, 12)
    if rest:
        return "1 month" if months == 1 else f"{months} months"
    return "1 year" if years == 1 else f"{years} years"
