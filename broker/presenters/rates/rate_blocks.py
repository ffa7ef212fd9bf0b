"""The rates of one page: its best-rates block and its tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from broker.domain.rates.deal_types import DealType, table_ltvs
from broker.domain.rates.lowest_rates import LowestRates
from broker.domain.rates.product import RatesAnswer
from broker.presenters.rates.best_deals import BestDeals, best_deals
from broker.presenters.rates.rate_tables import RatesTables, table_by_type, tables_by_ltv


@dataclass(frozen=True, slots=True, kw_only=True)
class RateBlocks:
    """What a page shows of rates; tables that are empty are not drawn."""

    best: BestDeals = field(default_factory=BestDeals)
    tables: RatesTables = field(default_factory=RatesTables)


def rate_blocks(
    best: RatesAnswer, lowest: LowestRates | None, *, kind: DealType | None = None, logos: Mapping[int, str]
) -> RateBlocks:
    """Return the blocks of a page: of one deal type by loan to value, or of every type at a few loans to value.

    Rows name their lender where the rates are not one lender's.
    """
    shown = best_deals(best, logos=logos)
    if lowest is None:
        return RateBlocks(best=shown)
    if kind:
        return RateBlocks(best=shown, tables=table_by_type(lowest, kind))
    whole_market = lowest.query.lender_id is None
    return RateBlocks(best=shown, tables=tables_by_ltv(lowest, ltvs=table_ltvs(lowest.query), lenders=whole_market))
