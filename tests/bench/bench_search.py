"""The rates search beside two ways of doing it with a database: `python -m tests.bench.bench_search`.

Each way filters the same products, prices every match with the same arrays (payment, costs, APRC), orders them
and finds the two winners. Ours filters arrays; SQLite is in memory with an index over the filter's columns;
DuckDB is in memory, with as many threads as it likes. All run in turn, so that a busy machine slows them alike.

Last comes the page of a search as the edge answers it in process: searched, rendered from the built site, compressed.
"""

import asyncio
import sqlite3
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import duckdb
import numpy as np

from broker import services
from broker.lenders.directory import LenderDirectory, market_lenders
from broker.rates.deal_types import PERIODS
from broker.rates.market.catalogue import (
    BUY_TO_LET,
    FIXED,
    PRODUCT_COLUMNS,
    PRODUCTS,
    PURCHASE,
    REMORTGAGE,
    RESIDENTIAL,
    VARIABLE,
    Catalogue,
    Rows,
    read_table,
)
from broker.rates.market.rate_source import MarketRateSource, PricedProducts, price_rows
from broker.rates.product import RateProduct
from broker.rates.query import RatesQuery, SortOrder
from broker.server.forms.page_answers import search_handler
from broker.server.releases import LiveExport
from broker.settings import read_settings
from tests.services import closed_services
from tests.unit.rates.market.searching import MARKET, WIDEST, catalogue, search

RUNS = 60

_COLUMNS = (
    "place INTEGER PRIMARY KEY, market TEXT, purpose TEXT, rate_type TEXT, period INTEGER, most_ltv INTEGER, "
    "least_loan DOUBLE, most_loan DOUBLE, fee DOUBLE, fee_percent DOUBLE, interest_only INTEGER, initial_rate DOUBLE"
)
_INDEX = "CREATE INDEX search ON products (market, purpose, period, rate_type, most_ltv, least_loan, most_loan)"
_INSERT = f"INSERT INTO products VALUES ({', '.join('?' * 12)})"

Search = Callable[[RatesQuery], Sequence[RateProduct]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    name: str
    query: RatesQuery


def product_rows(market: Catalogue) -> list[tuple[object, ...]]:
    """Return what the databases hold: a row a product, `place` its row in the catalogue."""
    table = read_table(MARKET / PRODUCTS, PRODUCT_COLUMNS)
    length = {month: years for years, (least, most) in PERIODS.items() for month in range(least, most + 1)}
    plain = {name: column.tolist() for name, column in table.items()}
    searched = ("product_id", "market", "purpose", "rate_type", "initial_months")
    names = ("most_ltv", "least_loan", "most_loan", "fee", "fee_percent", "interest_only", "initial_rate")
    keys = zip(*(plain[name] for name in searched), strict=True)
    row_of = {product_id: row for row, product_id in enumerate(market.product_id)}
    rows = [
        (row_of[product_id], kind, purpose, rate_type, length.get(months, 0), *(plain[name][at] for name in names))
        for at, (product_id, kind, purpose, rate_type, months) in enumerate(keys)
    ]
    return sorted(rows)


def condition(query: RatesQuery) -> str:
    """Return the filter in SQL; every value is a number or a word of ours."""
    types = [word for word, wanted in ((FIXED, query.fixed), (VARIABLE, query.variable)) if wanted]
    lengths = zip(PERIODS, (query.two_years, query.three_years, query.five_years), strict=True)
    parts = [
        f"market = '{RESIDENTIAL if query.residential else BUY_TO_LET}'",
        f"purpose = '{PURCHASE if query.purchase else REMORTGAGE}'",
        f"period IN ({', '.join(str(years) for years, wanted in lengths if wanted)})",
        f"rate_type IN ({', '.join(repr(word) for word in types)})",
        f"most_ltv >= {query.ltv} AND least_loan <= {query.amount} AND most_loan >= {query.amount}",
        *(() if query.repayment else ("interest_only = 1",)),
        *(() if query.with_fee_free else ("(fee > 0 OR fee_percent > 0)",)),
    ]
    return " AND ".join(parts)


def statement(query: RatesQuery) -> str:
    """Return the whole query; true cost is known only after pricing, so its order is taken on the arrays."""
    fees = f"fee + fee_percent * {query.amount} / 100"
    order = f"{fees}, initial_rate, place" if query.sort is SortOrder.FEES else f"initial_rate, {fees}, place"
    return f"SELECT place FROM products WHERE {condition(query)} ORDER BY {order}"


def priced(market: Catalogue, query: RatesQuery, rows: Rows) -> PricedProducts:
    """Price rows found in SQL, order them by true cost where asked, find the winners, and return the list."""
    is_in_order = query.sort is SortOrder.FEES
    listing = price_rows(market, replace(query, sort=SortOrder.RATE) if is_in_order else query, rows)
    listing.winners()
    return listing


def sqlite_search(market: Catalogue, rows: list[tuple[object, ...]]) -> Search:
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE TABLE products ({_COLUMNS})")
    database.executemany(_INSERT, rows)
    database.execute(_INDEX)
    database.execute("ANALYZE")

    def found(query: RatesQuery) -> PricedProducts:
        places = database.execute(statement(query)).fetchall()
        return priced(market, query, np.fromiter((place for (place,) in places), np.intp, len(places)))

    return found


def duckdb_search(market: Catalogue, rows: list[tuple[object, ...]]) -> Search:
    database = duckdb.connect(":memory:")
    database.execute(f"CREATE TABLE products ({_COLUMNS})")
    for start in range(0, len(rows), 1_000):
        values = ", ".join(str(row) for row in rows[start : start + 1_000])
        database.execute(f"INSERT INTO products VALUES {values}")

    def found(query: RatesQuery) -> PricedProducts:
        places = database.execute(statement(query)).fetchnumpy()["place"]
        return priced(market, query, np.asarray(places, np.intp))

    return found


def medians(ways: dict[str, Search], query: RatesQuery) -> dict[str, float]:
    spent: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(RUNS):
        for name, way in ways.items():
            start = time.perf_counter()
            way(query)
            spent[name].append((time.perf_counter() - start) * 1_000)
    return {name: statistics.median(times) for name, times in spent.items()}


def time_edge_answers(market: Catalogue) -> None:
    """Print the median time of the edge's answer to an address that was not asked for before."""
    settings = read_settings()
    live = LiveExport(settings.releases_dir, settings.site_url)
    live.open()
    services.install(closed_services(MarketRateSource(catalogue=market), LenderDirectory(market_lenders(market))))
    handle = search_handler("", live)

    async def answer_all() -> None:
        for name, more in (("default", ""), ("50 deals", "&page=10")):
            spent: list[float] = []
            for run in range(RUNS):
                scope = {"type": "http", "path": "/tools/rates/", "headers": [(b"accept-encoding", b"gzip")]}
                start = time.perf_counter()
                answer = await handle({**scope, "query_string": f"amount={100_000 + run}{more}".encode()})
                spent.append((time.perf_counter() - start) * 1_000)
                assert answer is not None
                assert answer.status == 200
            print(f"edge, {name:<10}{statistics.median(spent):>8.2f}")

    asyncio.run(answer_all())


def main() -> None:
    """Check that all ways give the same list, time them, and print the table."""
    market = catalogue()
    rows = product_rows(market)
    ways: dict[str, Search] = {
        "arrays": lambda query: search(query).products,
        "SQLite": sqlite_search(market, rows),
        "DuckDB": duckdb_search(market, rows),
    }
    print(f"{len(market):,} products; median of {RUNS} runs, milliseconds (times ours)\n")
    print(f"{'search':<10}{'order':<11}{'matches':>8}{'arrays':>9}{'SQLite':>18}{'DuckDB':>18}")
    for case in (Case(name="default", query=RatesQuery()), Case(name="widest", query=WIDEST)):
        for order in SortOrder:
            query = replace(case.query, sort=order)
            [matches] = {tuple(product.product_id for product in way(query)) for way in ways.values()}
            times = medians(ways, query)
            ours = times["arrays"]
            others = "".join(f"{times[name]:>10.2f} ({times[name] / ours:>4.1f}x)" for name in ("SQLite", "DuckDB"))
            print(f"{case.name:<10}{order:<11}{len(matches):>8,}{ours:>9.2f}{others}")
    time_edge_answers(market)


if __name__ == "__main__":
    main()
