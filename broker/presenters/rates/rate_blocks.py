"""The rates of one page: its best-rates block, and tables of the lowest rate by deal type and loan to value."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from broker.domain.immutable import Immutable
from broker.domain.rates.deal_types import DealType, narrowed, table_ltvs
from broker.domain.rates.lowest_rates import LenderListing, LowestRates
from broker.domain.rates.product import RateProduct, RatesAnswer
from broker.domain.rates.query import RatesQuery
from broker.lending.money import exact_pounds, percent, pounds, pounds_and_pence
from broker.presenters.rates.best_deals import BestDeals, best_deals, dated_sentence, read_sentence
from broker.presenters.rates.incentive_text import incentives_in_a_line
from broker.presenters.rates.lender_table import LenderTable, capital, lender_table, loan_at, terms
from broker.presenters.rates.product_text import aprc_sentence, example_sentence
from broker.presenters.rates.results import read_time
from broker.presenters.rates.search_params import search_address


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesRow:
    """One product of a table; `href` searches for it and similar ones."""

    label: str
    lender: str
    labels: str
    rate: str
    aprc: str
    payment: str
    fees: str
    true_year: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesTable:
    """A table of products at a loan to value in percent, 0 for several; `basis` describes the loan of its figures."""

    title: str
    basis: str
    rows: tuple[RatesRow, ...]
    ltv: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesTables:
    """Tables and what any rate needs; the example is of the first row (decision 17).

    `read` says when the rates were read, and `dated` also what true cost is.
    """

    tables: tuple[RatesTable, ...] = ()
    example: str = ""
    example_aprc: str = ""
    read: str = ""
    dated: str = ""
    unregulated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RateBlocks(Immutable):
    """The rates of a page; empty tables are not drawn."""

    best: BestDeals = field(default_factory=BestDeals)
    tables: RatesTables = field(default_factory=RatesTables)
    lender: LenderTable = field(default_factory=LenderTable)


def lender_blocks(
    best: RatesAnswer, listing: LenderListing, *, kind: DealType | None = None, logos: Mapping[int, str]
) -> RateBlocks:
    """Return the blocks of a lender's page, or of its page of one deal type."""
    shown = best_deals(best, logos=logos)
    if kind:
        return RateBlocks(best=shown, tables=table_by_type(listing.lowest, kind))
    is_stale = listing.lowest.stale or listing.market.stale
    words = _tables(replace(listing.lowest, stale=is_stale), ())
    return RateBlocks(best=shown, tables=words, lender=lender_table(listing))


def rate_blocks(best: RatesAnswer, lowest: LowestRates | None, *, logos: Mapping[int, str]) -> RateBlocks:
    """Return the blocks of a page of the whole market, with a table for each of a few loans to value."""
    tables = tables_by_ltv(lowest, ltvs=table_ltvs(lowest.query)) if lowest else RatesTables()
    return RateBlocks(best=best_deals(best, logos=logos), tables=tables)


def tables_by_ltv(lowest: LowestRates, *, ltvs: Iterable[int]) -> RatesTables:
    """Return a table for each loan to value with a row a deal type, which names its lender."""
    return _tables(
        lowest,
        (
            RatesTable(
                title=f"At {ltv}% loan to value",
                ltv=ltv,
                basis=_basis(lowest.query, ltv),
                rows=tuple(
                    _row(
                        product,
                        narrowed(lowest.query, kind, ltv=ltv),
                        label=capital(kind.words),
                        lender=product.lender_name,
                    )
                    for (kind, at), product in lowest.found.items()
                    if at == ltv
                ),
            )
            for ltv in ltvs
        ),
    )


def table_by_type(lowest: LowestRates, kind: DealType) -> RatesTables:
    """Return one table of a deal type, with a row for each loan to value."""
    rows = tuple(
        _row(product, narrowed(lowest.query, kind, ltv=ltv), label=f"{ltv}% ({loan_at(lowest.query, ltv)})")
        for (found, ltv), product in lowest.found.items()
        if found == kind
    )
    price = pounds(lowest.query.price)
    table = RatesTable(
        title=capital(f"{kind.words} by loan to value"), basis=f"A {price} home, {terms(lowest.query)}", rows=rows
    )
    return _tables(lowest, (table,))


def _tables(lowest: LowestRates, tables: Iterable[RatesTable]) -> RatesTables:
    first = next(iter(lowest.found.values()), None)
    read = read_time(lowest)
    return RatesTables(
        tables=tuple(tables),
        example=example_sentence(first) if first else "",
        example_aprc=aprc_sentence(first) if first else "",
        read=read_sentence(sample=lowest.sample, read=read, stale=lowest.stale),
        dated=dated_sentence(sample=lowest.sample, read=read, stale=lowest.stale),
        unregulated=not lowest.query.residential,
    )


def _row(product: RateProduct, query: RatesQuery, *, label: str, lender: str = "") -> RatesRow:
    return RatesRow(
        label=label,
        lender=lender,
        labels=incentives_in_a_line(product),
        rate=percent(product.initial_rate),
        aprc=percent(product.aprc),
        payment=pounds_and_pence(product.initial_payment),
        fees=exact_pounds(product.total_fees),
        true_year=f"{pounds(product.yearly_true_cost)} a year",
        href=search_address(query),
    )


def _basis(query: RatesQuery, ltv: int) -> str:
    return f"Borrowing {loan_at(query, ltv)} on a {pounds(query.price)} home, {terms(query)}"
