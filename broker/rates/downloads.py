"""A list of products as a CSV file (RFC 4180).

Every row repeats the loan, the date and the status of its figures, so that they survive sorting and copying.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

import pandas as pd

from broker.clock import UK
from broker.documents.spreadsheet import csv_text, guarded
from broker.lenders.lender import KnownLender
from broker.lending.money import decimals, rate_digits
from broker.markup import words_of
from broker.rates import search_params
from broker.rates.averages import CREDIT, FIVE_YEARS, REVERSION, THREE_YEARS, TWO_YEARS, RateHistory
from broker.rates.customers import RULES
from broker.rates.daily_lowest import LTVS, DailyLowest
from broker.rates.product import RateProduct, RatesAnswer
from broker.rates.product_text import INCENTIVES, deal_name, early_repayment_sentence, repayment_basis
from broker.rates.query import QueryError, RatesQuery
from broker.rates.results import NONE_FOUND, read_time
from broker.rates.search_params import CUSTOMER, LENDER, known_lender, offered_lenders

MAX_ROWS = 1_000

_Cell: TypeAlias = str | float | None


def _rate(rate: float | None) -> _Cell:
    return None if rate is None else rate_digits(rate)


_DEAL: tuple[tuple[str, Callable[[RateProduct], _Cell]], ...] = (
    ("Lender", lambda product: product.lender_name),
    ("Product", lambda product: product.title),
    ("Deal", deal_name),
    ("Repayment or interest only", repayment_basis),
    ("Initial rate %", lambda product: rate_digits(product.initial_rate)),
    ("APRC %", lambda product: product.aprc),
    ("Months at the initial rate", lambda product: str(product.initial_months)),
    ("Monthly payment £", lambda product: product.initial_payment),
    ("Follow-on rate %", lambda product: _rate(product.follow_on_rate)),
    ("Monthly payment after the deal £", lambda product: product.follow_on_payment),
    ("Lender fees £", lambda product: product.total_fees),
    ("Total to pay in the deal £", lambda product: product.cash_cost),
    ("True cost of the deal £", lambda product: product.true_cost),
    ("True cost a year £", lambda product: product.yearly_true_cost),
    ("Highest loan to value %", lambda product: product.most_ltv),
    ("Early repayment charge", early_repayment_sentence),
    ("Cashback £", lambda product: product.incentives.cashback),
    *INCENTIVES[1:],
    ("Description", lambda product: words_of(product.description)),
    ("Notes", lambda product: words_of(product.notes)),
)


def _kind_of_figures(answer: RatesAnswer) -> str:
    if answer.sample:
        return "Sample figures, not offers"
    return "The latest rates we have; the rates service did not answer" if answer.stale else "Live rates, not offers"


def _extent(count: int) -> str:
    if not count:
        return NONE_FOUND
    if count > MAX_ROWS:
        return f"The first {MAX_ROWS:,} of {count:,} deals: narrow the search for the rest"
    return "The only deal" if count == 1 else f"All {count:,} deals"


_SEARCH: tuple[tuple[str, Callable[[RatesAnswer], str]], ...] = (
    ("Loan £", lambda answer: str(answer.query.amount)),
    ("Property price £", lambda answer: str(answer.query.price)),
    ("Term in years", lambda answer: str(answer.query.term)),
    ("What these figures are", _kind_of_figures),
    ("Read", read_time),
    ("This file", lambda answer: _extent(len(answer.products))),
)


def rates_csv(answer: RatesAnswer, *, filters: str = "") -> str:
    """Return the file of an answer in its order, `MAX_ROWS` at most; for an empty list one row that reports it.

    `filters` describes the filters of the search. Text that a spreadsheet would run as a formula gets an apostrophe in
    front; a figure that the source does not state is empty.
    """
    products = answer.products[:MAX_ROWS]
    table = pd.DataFrame({name: [_written(read(product)) for product in products] or [""] for name, read in _DEAL})
    table = table.assign(**{name: guarded(read(answer)) for name, read in _SEARCH})
    if filters and products:
        table["This file"] += f", {filters}"
    return csv_text(table)


def averages_csv(history: RateHistory, ours: DailyLowest) -> str:
    """Return every average by month as a CSV file; a month without one is empty. Every row has the source.

    `ours` are the lowest rates of our own lists, of which a month has its lowest.
    """
    series = {
        f"{years}-year fixed, {ltv}% loan to value, average % ({code})": history.of(code)
        for years, codes in ((2, TWO_YEARS), (3, THREE_YEARS), (5, FIVE_YEARS))
        for ltv, code in codes.items()
    }
    series[f"Reversion rate, average % ({REVERSION})"] = history.of(REVERSION)
    found = {
        f"{years}-year fixed, {ltv}% loan to value, our lowest of the month %": ours.by_month(years, ltv)
        for years in (2, 3, 5)
        for ltv in LTVS
    }
    series["Bank Rate at the end of the month %"] = history.bank_rate_by_month()
    columns = {name: held for name, held in (series | found).items() if held}
    months = sorted({month for held in columns.values() for month in held})
    rates = {name: [held.get(month, "") for month in months] for name, held in columns.items()}
    table = pd.DataFrame({"Month": [f"{month // 12}-{month % 12 + 1:02}" for month in months], **rates})
    return csv_text(table.assign(Source=f"Bank of England Database. {CREDIT}"))


def file_name(answer: RatesAnswer) -> str:
    """Return the file's name, with the UK date on which the rates were read."""
    return f"mortgage-rates-{answer.read_at.astimezone(UK):%Y-%m-%d}.csv"


def requested_query(parameters: Mapping[str, str], lenders: Iterable[KnownLender]) -> RatesQuery:
    """Return the search in a file's address; raises QueryError, also for options that no page offers.

    A page shows which search it ran for a wrong address; a file does not.
    """
    customer = parameters.get(CUSTOMER, "")
    if customer not in RULES:
        raise QueryError({CUSTOMER: "There is no such kind of customer"})
    unknown = {
        name
        for name, value in parameters.items()
        if name in search_params.CHOICES and value not in search_params.CHOICES[name]
    }
    if unknown:
        raise QueryError(dict.fromkeys(sorted(unknown), "There is no such choice"))
    if len(known_lender(parameters, offered_lenders(customer, lenders))) < len(parameters):
        raise QueryError({LENDER: "There is no such lender"})
    return search_params.query_in(customer, parameters)


def _written(cell: _Cell) -> str:
    if cell is None:
        return ""
    return guarded(cell) if isinstance(cell, str) else decimals(cell, 2).replace(",", "")
