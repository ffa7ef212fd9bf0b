"""The sample market in memory: one numpy array a column, rows in rate order.

`CatalogueError` is raised for a market that cannot be used: a missing file or column, a product twice, an
unknown lender, or figures that no product has.
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broker.domain.rates.deal_types import PERIODS
from broker.domain.rates.incentives import FIRST_TIME_BUYERS_ONLY, Incentives
from broker.market.benchmark_rates import read_benchmark_rates
from broker.market.csv_tables import (
    FIXED,
    LENDER_COLUMNS,
    LENDERS,
    PRODUCT_COLUMNS,
    PRODUCTS,
    PURCHASE,
    RESIDENTIAL,
    CatalogueError,
    Table,
    read_table,
)

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

INTEREST_ONLY, FIXED_BIT, PURCHASE_BIT, RESIDENTIAL_BIT, PERIOD_SHIFT, PERIOD_MASK = 1, 2, 4, 8, 4, 3
FIRST_TIME_BIT, NO_CHARGE_BIT, SORTS = 64, 128, 256
"""A product's sort, one byte: four flags, the index of its period in `PERIODS` (3 for none), then two more flags."""

_NUMBERS = (
    *("initial_rate", "initial_months", "follow_on_rate", "fee", "fee_percent", "least_loan", "most_loan"),
    "cashback",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lender:
    """A lender of the market; `kind` is bank, building-society or specialist.

    Follow-on rates are in percent; that of buy-to-let loans is nan for a lender without any.
    """

    lender_id: int
    name: str
    slug: str
    kind: str
    residential: bool
    buy_to_let: bool
    follow_on_rate: float
    buy_to_let_follow_on_rate: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Catalogue:
    """Every product, ordered by initial rate, fee, percentage fee and id; rates in percent, money in pounds.

    Arrays are as long as `product_id`. `id_rank` is the rank of each id in sorted order.
    """

    lenders: dict[int, Lender]
    read_at: datetime
    product_id: list[str]
    yearly_charges: list[str]
    incentives: list[Incentives]
    lender_id: NDArray[np.int32]
    sort: NDArray[np.uint8]
    most_ltv: NDArray[np.uint8]
    initial_rate: Floats
    initial_months: Floats
    follow_on_rate: Floats
    fee: Floats
    fee_percent: Floats
    least_loan: Floats
    most_loan: Floats
    cashback: Floats
    id_rank: Rows

    def __len__(self) -> int:
        """Return the number of products."""
        return len(self.product_id)


def lenders(catalogue: Catalogue) -> tuple[Lender, ...]:
    """Return every lender, by name."""
    return tuple(sorted(catalogue.lenders.values(), key=lambda lender: lender.name.casefold()))


def product_counts(catalogue: Catalogue) -> dict[int, int]:
    """Return how many products each lender has, by lender id."""
    ids, counts = np.unique(catalogue.lender_id, return_counts=True)
    return dict(zip(ids.tolist(), counts.tolist(), strict=True))


def load(folder: Path) -> Catalogue:
    """Read the market of a folder (`data/market`); raises CatalogueError."""
    try:
        known = _lenders(read_table(folder / LENDERS, LENDER_COLUMNS))
        table = read_table(folder / PRODUCTS, PRODUCT_COLUMNS)
        read_at = read_benchmark_rates(folder).read_at
    except OSError as error:
        raise CatalogueError(f"the sample market cannot be read: {error}") from error
    if unknown := sorted(set(table["lender_id"].tolist()) - set(known)):
        raise CatalogueError(f"{PRODUCTS} names lenders that {LENDERS} does not have: {unknown}")
    table["follow_on_rate"] = _follow_on_rates(table, known)
    _check(table)
    ids = table["product_id"].astype(str)
    order = np.lexsort((ids, table["fee_percent"], table["fee"], table["initial_rate"]))
    return _catalogue({name: column[order] for name, column in table.items()}, known, read_at)


def _lenders(table: Table) -> dict[int, Lender]:
    columns = zip(*(table[column].tolist() for column in LENDER_COLUMNS), strict=True)
    rows: list[dict[str, Any]] = [dict(zip(LENDER_COLUMNS, values, strict=True)) for values in columns]
    for row in rows:
        row["residential"], row["buy_to_let"] = row["residential"] == 1, row["buy_to_let"] == 1
    known = {row["lender_id"]: Lender(**row) for row in rows}
    if len(known) < len(rows):
        raise CatalogueError(f"{LENDERS} has a lender twice")
    return known


def _follow_on_rates(table: Table, known: dict[int, Lender]) -> Floats:
    """Return the follow-on rate of each product: its lender's, for its kind of property."""
    owners = [known[lender_id] for lender_id in table["lender_id"].tolist()]
    home = np.array([lender.follow_on_rate for lender in owners])
    let = np.array([lender.buy_to_let_follow_on_rate for lender in owners])
    return np.where(table["market"] == RESIDENTIAL, home, let)


def _check(table: Table) -> None:
    """Raise CatalogueError for a duplicate product, an invalid rate or length, or fees or cashback above the loan."""
    if len(set(table["product_id"])) < len(table["product_id"]):
        raise CatalogueError(f"{PRODUCTS} has a product twice")
    fees = table["fee"] + table["least_loan"] * table["fee_percent"] / 100
    sound = (table["initial_rate"] > 0) & (table["follow_on_rate"] > 0) & (table["initial_months"] > 0)
    sound &= (fees >= 0) & (fees < table["least_loan"])
    sound &= (table["cashback"] >= 0) & (table["cashback"] < table["least_loan"])
    if not sound.all():
        raise CatalogueError(f"{PRODUCTS} has a product that makes no sense: {table['product_id'][~sound][0]}")


def _catalogue(table: Table, known: dict[int, Lender], read_at: datetime) -> Catalogue:
    ids: list[str] = table["product_id"].tolist()
    rank = np.empty(len(ids), np.intp)
    rank[np.argsort(np.array(ids))] = np.arange(len(ids))
    whole = {name: table[name].astype(np.float64) for name in _NUMBERS}
    return Catalogue(
        lenders=known,
        read_at=read_at,
        product_id=ids,
        yearly_charges=table["yearly_charges"].tolist(),
        incentives=_incentives(table),
        lender_id=table["lender_id"].astype(np.int32),
        sort=_sorts(table),
        most_ltv=table["most_ltv"].astype(np.uint8),
        id_rank=rank,
        **whole,
    )


def _incentives(table: Table) -> list[Incentives]:
    """Return the incentives of each product; products with the same ones share them."""
    columns = [
        table[name].tolist()
        for name in ("cashback", "free_valuation", "free_legal_work", "overpayment_percent", "portable")
    ]
    firsts = table["first_time_buyers"].tolist()
    known: dict[tuple[float, ...], Incentives] = {}
    found: list[Incentives] = []
    for row in zip(*columns, firsts, strict=True):
        if row not in known:
            cashback, valuation, legal_work, overpayment, portable, first = row
            known[row] = Incentives(
                cashback=float(cashback),
                free_valuation=valuation == 1,
                free_legal_work=legal_work == 1,
                overpayment_percent=float(overpayment),
                is_portable=portable == 1,
                eligibility=FIRST_TIME_BUYERS_ONLY if first == 1 else "",
            )
        found.append(known[row])
    return found


def _sorts(table: Table) -> NDArray[np.uint8]:
    """Return each product's sort (see `INTEREST_ONLY`)."""
    months = table["initial_months"]
    periods = np.full(len(months), len(PERIODS))
    for place, (shortest, longest) in enumerate(PERIODS.values()):
        periods[(months >= shortest) & (months <= longest)] = place
    bits = (table["interest_only"] == 1) * INTEREST_ONLY + (table["rate_type"] == FIXED) * FIXED_BIT
    bits += (table["purpose"] == PURCHASE) * PURCHASE_BIT + (table["market"] == RESIDENTIAL) * RESIDENTIAL_BIT
    bits += (table["first_time_buyers"] == 1) * FIRST_TIME_BIT + (table["yearly_charges"] == "") * NO_CHARGE_BIT
    return (bits + (periods << PERIOD_SHIFT)).astype(np.uint8)
