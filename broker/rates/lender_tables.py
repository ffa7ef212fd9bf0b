"""A lender's page: its lowest rates by loan to value and deal type beside the market's, and what it offers."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from broker.lenders.lender import KnownLender
from broker.lending.immutable import Immutable
from broker.lending.money import capitalised, exact_pounds, percent, pounds, pounds_and_pence
from broker.rates.best_deals import BestDeals, best_deals, dated_sentence, read_sentence
from broker.rates.deal_types import DEAL_TYPES, TWO_YEARS_FIXED, DealType, narrowed, table_ltvs
from broker.rates.lowest_rates import LenderListing, LowestRates
from broker.rates.product import FIRST_TIME_BUYERS_ONLY, RateProduct, RatesAnswer, RateType
from broker.rates.product_text import UNSTATED, aprc_sentence, example_sentence, incentives_in_a_line, overpayment_text
from broker.rates.query import RatesQuery
from broker.rates.results import read_time
from broker.rates.search_params import search_address

KINDS = {"bank": "Bank", "building-society": "Building society", "specialist": "Specialist lender"}

LOWEST = "Lowest of the market"


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderCell:
    """The lender's lowest rate of a deal type; `rate` is empty where it has none, `href` searches for such deals.

    `is_lowest` is whether no lender has a lower one.
    """

    kind: str
    rate: str = ""
    aprc: str = ""
    standing: str = ""
    is_lowest: bool = False
    href: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderRow:
    """A loan to value, the loan that it is of the property price, and a cell for each deal type."""

    ltv: str
    loan: str
    cells: tuple[LenderCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderTable:
    basis: str = ""
    rows: tuple[LenderRow, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


def lender_table(listing: LenderListing) -> LenderTable:
    """Return the table of a lender's page, with loans to value at which it has a deal, and the facts beside it."""
    query = listing.lowest.query
    ltvs = dict.fromkeys(ltv for _, ltv in listing.lowest.found)
    rows = (
        LenderRow(
            ltv=f"{ltv}%", loan=loan_at(query, ltv), cells=tuple(_cell(listing, kind, ltv) for kind in DEAL_TYPES)
        )
        for ltv in sorted(ltvs)
    )
    return LenderTable(
        basis=f"A {pounds(query.price)} home, {terms(query)}", rows=tuple(rows), facts=tuple(_facts(listing))
    )


def loan_at(query: RatesQuery, ltv: int) -> str:
    return pounds(query.price * ltv // 100)


def terms(query: RatesQuery) -> str:
    return f"{'repayment' if query.repayment else 'interest only'} over {query.term} years"


def _cell(listing: LenderListing, kind: DealType, ltv: int) -> LenderCell:
    product = listing.lowest.found.get((kind, ltv))
    if product is None:
        return LenderCell(kind=capitalised(kind.words))
    standing = _standing(product, listing.market.found.get((kind, ltv)))
    return LenderCell(
        kind=capitalised(kind.words),
        rate=percent(product.initial_rate),
        aprc=percent(product.aprc),
        standing=standing,
        is_lowest=standing == LOWEST,
        href=search_address(narrowed(listing.lowest.query, kind, ltv=ltv)),
    )


def _standing(product: RateProduct, lowest: RateProduct | None) -> str:
    """Return how many points a rate is above the market's lowest, between the rates as shown (decision 40).

    Empty where the market was not read.
    """
    if lowest is None:
        return ""
    more = _hundredths(product) - _hundredths(lowest)
    return f"+{more / 100:.2f} points" if more > 0 else LOWEST


def _hundredths(product: RateProduct) -> int:
    return round(float(percent(product.initial_rate).removesuffix("%")) * 100)


def _facts(listing: LenderListing) -> Iterable[tuple[str, str]]:
    lender, products = listing.lender, listing.products
    said = [
        ("Kind of lender", KINDS.get(lender.kind, "")),
        ("Lends on", _property(lender)),
        ("Deals compared here", f"{len(products):,}" if products else ""),
        ("Highest loan to value here", _highest(listing)),
        ("Loans", _loans(products)),
        ("Rate after the deal", _range({each.follow_on_rate or 0 for each in products}, percent)),
        ("Interest-only", _interest_only(listing)),
        (f"Usual early repayment charge, {TWO_YEARS_FIXED.words}", _usual_charge(products)),
        ("No early repayment charge", _share(products, lambda each: each.has_no_charge)),
        ("Overpayments", _usual(map(overpayment_text, products))),
        ("Cashback", _cashback(products)),
        ("Free valuation", _share(products, lambda each: each.incentives.free_valuation)),
        ("Free legal work", _share(products, lambda each: each.incentives.free_legal_work)),
        ("Can move home with you", _share(products, lambda each: bool(each.incentives.is_portable))),
        ("For first-time buyers only", _share(products, _is_for_first_time_buyers)),
    ]
    return ((label, words) for label, words in said if words)


def _property(lender: KnownLender) -> str:
    if lender.residential and lender.buy_to_let:
        return "Homes to live in and let property"
    return "Homes to live in" if lender.residential else "Let property only" if lender.buy_to_let else ""


def _highest(listing: LenderListing) -> str:
    return f"{max(ltv for _, ltv in listing.lowest.found)}%" if listing.lowest.found else ""


def _loans(products: Iterable[RateProduct]) -> str:
    least = min((each.least_loan for each in products if each.least_loan), default=None)
    most = max((each.most_loan for each in products if each.most_loan), default=None)
    if least and most:
        return f"{pounds(least)} to {pounds(most)}"
    return f"From {pounds(least)}" if least else f"Up to {pounds(most)}" if most else ""


def _interest_only(listing: LenderListing) -> str:
    if not listing.products or listing.interest_only is None:
        return ""
    return "On some of its deals" if listing.interest_only else f"Not on its {TWO_YEARS_FIXED.words} deals"


def _usual_charge(products: Iterable[RateProduct]) -> str:
    return _usual(each.early_repayment_charge for each in products if _is_two_years_fixed(each))


def _is_two_years_fixed(product: RateProduct) -> bool:
    return product.rate_type is RateType.FIXED and round(product.initial_months / 12) == TWO_YEARS_FIXED.years


def _cashback(products: Iterable[RateProduct]) -> str:
    paid = {each.incentives.cashback for each in products}
    share = _share(products, lambda each: each.incentives.cashback > 0)
    return f"{_range(paid, exact_pounds)}, {share[:1].lower()}{share[1:]}" if share else ""


def _is_for_first_time_buyers(product: RateProduct) -> bool:
    return product.incentives.eligibility == FIRST_TIME_BUYERS_ONLY


def _share(products: Iterable[RateProduct], has: Callable[[RateProduct], bool]) -> str:
    """Return on how many products there is something; empty for none."""
    which = [has(each) for each in products]
    return f"On {sum(which):,} of {len(which):,} deals" if any(which) else ""


def _usual(texts: Iterable[str]) -> str:
    """Return the most frequent text, the first of equals; unstated ones do not count, and empty for none."""
    counts = Counter(text for text in texts if text not in ("", UNSTATED))
    return counts.most_common(1)[0][0] if counts else ""


def _range(figures: Iterable[float], show: Callable[[float], str]) -> str:
    """Return the figures above 0 from the lowest to the highest; empty for none."""
    shown = dict.fromkeys(show(figure) for figure in sorted(figures) if figure > 0)
    ends = list(shown)
    return " to ".join(dict.fromkeys((ends[0], ends[-1]))) if ends else ""


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

    `read` is the sentence on the date of the rates; `dated` adds the one on true cost.
    """

    tables: tuple[RatesTable, ...] = ()
    example: str = ""
    example_aprc: str = ""
    read: str = ""
    dated: str = ""
    unregulated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RateBlocks(Immutable):
    """The rates of a page; empty tables are not drawn. `deposits` is for first-time buyers."""

    best: BestDeals = field(default_factory=BestDeals)
    tables: RatesTables = field(default_factory=RatesTables)
    deposits: RatesTables = field(default_factory=RatesTables)
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


def rate_blocks(
    best: RatesAnswer, lowest: LowestRates | None, *, deposits: LowestRates | None = None, logos: Mapping[int, str]
) -> RateBlocks:
    """Return the blocks of a page of the whole market, with a table for each of a few loans to value.

    `deposits` are the lowest rates at small deposits.
    """
    tables = tables_by_ltv(lowest, ltvs=table_ltvs(lowest.query)) if lowest else RatesTables()
    small = table_by_deposit(deposits) if deposits else RatesTables()
    return RateBlocks(best=best_deals(best, logos=logos), tables=tables, deposits=small)


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
                        label=capitalised(kind.words),
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
    rows = tuple(
        _row(product, narrowed(lowest.query, kind, ltv=ltv), label=f"{ltv}% ({loan_at(lowest.query, ltv)})")
        for (found, ltv), product in lowest.found.items()
        if found == kind
    )
    price = pounds(lowest.query.price)
    table = RatesTable(
        title=capitalised(f"{kind.words} by loan to value"), basis=f"A {price} home, {terms(lowest.query)}", rows=rows
    )
    return _tables(lowest, (table,))


def table_by_deposit(lowest: LowestRates) -> RatesTables:
    """Return a table with a row for each loan to value, by the deposit that it leaves to pay; none without rates."""
    rows = tuple(
        _row(
            product,
            narrowed(lowest.query, kind, ltv=ltv),
            label=f"With a {100 - ltv}% deposit",
            lender=f"{product.lender_name}, {loan_at(lowest.query, ltv)} loan",
        )
        for (kind, ltv), product in lowest.found.items()
    )
    basis = f"The lowest {TWO_YEARS_FIXED.words} rates for a {pounds(lowest.query.price)} home, {terms(lowest.query)}"
    return _tables(lowest, [RatesTable(title="With a smaller deposit", basis=basis, rows=rows)] if rows else ())


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
