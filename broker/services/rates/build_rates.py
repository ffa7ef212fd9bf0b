"""The rates that the pages are built with, read once before any page is drawn."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from broker.domain.rates.by_ltv import RatesByLtv
from broker.domain.rates.customers import RULES, default_query
from broker.domain.rates.deal_types import DEAL_TYPES, DealType, ltvs, narrowed, table_ltvs
from broker.domain.rates.lenders import KnownLender
from broker.domain.rates.lowest_rates import LowestRates
from broker.domain.rates.product import RatesAnswer
from broker.domain.rates.query import RatesQuery
from broker.services.rates.lowest_rates import Search, find_rates_by_ltv, lowest_rates


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderRates:
    """One lender's rates: its list by deal type at the best-rates block's LTV, and its lowest rate at each LTV."""

    lender: KnownLender
    lists: Mapping[DealType, RatesAnswer]
    lowest: LowestRates


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerRates:
    """Lists, charts and lowest rates by customer type."""

    opening: Mapping[str, RatesAnswer]
    by_ltv: Mapping[str, RatesByLtv]
    lowest: Mapping[str, LowestRates]


async def customer_rates(search: Search) -> CustomerRates:
    """Search for every customer type; raises RatesError, which fails the build."""
    queries = {customer: default_query(customer) for customer in RULES}
    return CustomerRates(
        opening={customer: await search(query) for customer, query in queries.items()},
        by_ltv={customer: await find_rates_by_ltv(search, query) for customer, query in queries.items()},
        lowest={
            customer: await lowest_rates(search, query, kinds=DEAL_TYPES, ltvs=table_ltvs(query))
            for customer, query in queries.items()
            if customer
        },
    )


async def lender_rates(search: Search, lenders: Iterable[KnownLender]) -> dict[str, LenderRates]:
    """Search for every lender with a page, and return its rates by its slug; raises RatesError: there is no build."""
    shown = (lender for lender in lenders if lender.slug and lender.lender_id)
    return {lender.slug: await _lender_rates(search, lender) for lender in shown}


async def _lender_rates(search: Search, lender: KnownLender) -> LenderRates:
    query = RatesQuery(lender_id=lender.lender_id, residential=lender.residential)
    lists = {kind: await search(narrowed(query, kind)) for kind in DEAL_TYPES}
    lowest = await lowest_rates(search, query, kinds=DEAL_TYPES, ltvs=ltvs(query))
    return LenderRates(lender=lender, lists=lists, lowest=lowest)
