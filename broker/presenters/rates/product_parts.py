"""Parts that a card and the details of a product share, as display strings."""

from __future__ import annotations

from dataclasses import dataclass

from broker.domain.money import exact_pounds, percent, pounds
from broker.domain.rates.product import RateProduct
from broker.domain.rates.representative_example import rate_word
from broker.presenters.rates.product_text import initials


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """Whose deal it is, and its rate beside its APRC; `logo` is a picture's address, or empty."""

    lender: str = ""
    initials: str = ""
    logo: str = ""
    rate: str = ""
    rate_caption: str = ""
    aprc: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """What the cash of the deal is made of: three amounts, and their shares as widths."""

    capital: str = ""
    interest: str = ""
    fees: str = ""
    capital_share: str = "0%"
    interest_share: str = "0%"
    fees_share: str = "0%"


NO_HEADLINE, NO_SPLIT = Headline(), Split()
"""Stand where no product is open."""


def headline(product: RateProduct, *, logo: str) -> Headline:
    """Return whose deal it is, its rate and its APRC."""
    return Headline(
        lender=product.lender_name,
        initials=initials(product.lender_name),
        logo=logo,
        rate=percent(product.initial_rate),
        rate_caption=f"{rate_word(product)}, {product.initial_months} months",
        aprc=percent(product.aprc),
    )


def split(product: RateProduct) -> Split:
    """Return the capital, interest and fees of the initial period."""
    parts = (product.capital_repaid, product.initial_interest, product.total_fees)
    capital, interest, fees = (f"{part / (sum(parts) or 1) * 100:.1f}%" for part in parts)
    return Split(
        capital=pounds(product.capital_repaid),
        interest=pounds(product.initial_interest),
        fees=exact_pounds(product.total_fees),
        capital_share=capital,
        interest_share=interest,
        fees_share=fees,
    )
