"""The incentives of a product as short labels, and as lines with a name."""

from broker.domain.rates.incentives import ANY_AMOUNT
from broker.domain.rates.product import RateProduct
from broker.lending.money import exact_pounds

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
    """Return how much may be repaid each year without a charge."""
    percent = product.incentives.overpayment_percent
    if percent is None:
        return UNSTATED
    return "Any amount, without a charge" if percent >= ANY_AMOUNT else f"Up to {percent:g}% of the balance a year"


def portability_text(product: RateProduct) -> str:
    """Return whether the product can be kept for another home."""
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
"""Each incentive's name, and the function that tells a product's."""


def incentive_lines(product: RateProduct) -> tuple[tuple[str, str], ...]:
    """Return every incentive of a product with its name, for where a product is shown in full."""
    return tuple((name, tell(product)) for name, tell in INCENTIVES)
