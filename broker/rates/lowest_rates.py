"""The lowest rate of each deal type at each loan to value, over the market or over one lender's deals."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from broker.lenders.lender import KnownLender
from broker.rates.deal_types import DealType
from broker.rates.product import RateProduct, RatesError
from broker.rates.query import RatesQuery


class LenderWithoutRatesError(RatesError):
    """A lender's page has no rates, though rates of other lenders are known: its source is not away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LowestRates:
    """The product with the lowest rate by deal type and loan to value, without empty combinations.

    `read_at` is when the oldest was read; `stale` is true if some are cached answers of a feed that is unavailable.
    """

    query: RatesQuery
    found: Mapping[tuple[DealType, int], RateProduct]
    read_at: datetime
    sample: bool
    stale: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderListing:
    """One lender's lowest rates beside those of the whole market, and each of its products that the searches found.

    `products` are distinct; `interest_only` is whether the lender lends
    interest-only for two years fixed, None where that could not be read.
    """

    lender: KnownLender
    lowest: LowestRates
    market: LowestRates
    products: tuple[RateProduct, ...]
    interest_only: bool | None
