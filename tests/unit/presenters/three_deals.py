"""Three deals, and their cards with every string written out."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from broker.rates.product import RateProduct, RatesAnswer, RateType
from broker.rates.product_text import Headline, Split
from broker.rates.query import RatesQuery
from broker.rates.ranking import answer_of
from broker.rates.results import RateCard
from tests.unit.domain.rates.products import priced

ALDER = priced("alder", rate=4.2, fees=1_999, lender_id=1)
BIRCH = priced("birch", rate=4.5, fees=499.5, lender_id=2, lender_name="Birch Building Society")
CEDAR = priced("cedar", rate=4.8, fees=249, months=27, lender_id=3, lender_name="Cedar", rate_type=RateType.VARIABLE)
THREE = (ALDER, BIRCH, CEDAR)
LOGOS = {1: "/art/lender-alder.svg"}

T = TypeVar("T")


def answer(products: Sequence[RateProduct], query: RatesQuery, *, fee_free: int = 0) -> RatesAnswer:
    return answer_of(query, products, fee_free=fee_free, read_at=datetime(2026, 3, 4, 9, tzinfo=UTC), sample=True)


def by_columns(made: Callable[..., T], table: dict[str, tuple[Any, ...]]) -> tuple[T, ...]:
    return tuple(made(**dict(zip(table, column, strict=True))) for column in zip(*table.values(), strict=True))


HEADLINES = by_columns(
    Headline,
    {
        "lender": ("Alder Bank", "Birch Building Society", "Cedar"),
        "initials": ("AB", "BB", "C"),
        "logo": ("/art/lender-alder.svg", "", ""),
        "rate": ("4.20%", "4.50%", "4.80%"),
        "rate_caption": ("fixed, 24 months", "fixed, 24 months", "variable, 27 months"),
        "aprc": ("7.28%", "7.17%", "7.14%"),
    },
)
SPLITS = by_columns(
    Split,
    {
        "capital": ("£4,722", "£4,532", "£4,922"),
        "interest": ("£8,213", "£8,807.50", "£10,549"),
        "fees": ("£1,999", "£499.50", "£249"),
        "capital_share": ("31.6%", "32.7%", "31.3%"),
        "interest_share": ("55.0%", "63.6%", "67.1%"),
        "fees_share": ("13.4%", "3.6%", "1.6%"),
        "cashback_share": ("0.0%",) * 3,
    },
)
WHY = (
    "Lowest rate of all 3 deals, but £452 a year more in true cost than Birch Building Society at 4.50%.",
    "Lowest true cost of all 3 deals. Its rate is higher than that of Alder Bank at 4.20%, but its fees are £1,499.50 "
    "lower.",
    "£145 a year more than Birch Building Society at 4.50%, the lowest true cost of all 3 deals.",
)
FOLLOW_ON = (
    "7.50% variable, £725.44 a month for 23 years",
    "7.50% variable, £726.88 a month for 23 years",
    "7.50% variable, £726.91 a month for 273 months",
)
FIXED = "2-year fixed, repayment over 25 years"
CARDS = by_columns(
    RateCard,
    {
        "product_id": ("alder", "birch", "cedar"),
        "headline": HEADLINES,
        "name": ("Alder Bank deal",) * 3,
        "labels": ((), (), ()),
        "summary": (FIXED, FIXED, "27-month variable, repayment over 25 years"),
        "tag": ("Lowest rate", "Lowest true cost", ""),
        "best": (False, True, False),
        "payment": ("£538.94", "£555.83", "£573.00"),
        "payment_caption": ("for 24 months", "for 24 months", "for 27 months"),
        "fees": ("£1,999", "£499.50", "£249"),
        "total_label": ("Total to pay, 2 years", "Total to pay, 2 years", "Total to pay, 27 months"),
        "total": ("£14,934", "£13,839", "£15,720"),
        "total_caption": ("including fees",) * 3,
        "true_label": ("True cost, 2 years", "True cost, 2 years", "True cost, 27 months"),
        "true_cost": ("£10,212", "£9,307", "£10,798"),
        "true_year": ("£5,106 a year", "£4,654 a year", "£4,799 a year"),
        "split": SPLITS,
        "why": WHY,
        "follow_on": FOLLOW_ON,
        "ltv": ("50%; this deal allows up to 75%",) * 3,
        "early_repayment": ("3% of what you repay, until the deal ends.",) * 3,
        "overpayments": ("Not stated",) * 3,
    },
)
