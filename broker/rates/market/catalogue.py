"""The sample market: its files as data frames, and its products in rate order with a numpy array a column.

`CatalogueError` is raised for a market that cannot be used: a missing file or column, a value of another type, a
product twice, an unknown lender, or figures that no product has.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from broker.rates.deal_types import PERIODS
from broker.rates.filters import FILTERS
from broker.rates.market.bank_of_england import BankFileError
from broker.rates.market.benchmark_rates import read_benchmark_rates
from broker.rates.product import FIRST_TIME_BUYERS_ONLY, Incentives

LENDERS, PRODUCTS = "lenders.csv", "products.csv.gz"

LENDER_COLUMNS: Mapping[str, Any] = {
    "lender_id": int, "name": str, "slug": str, "kind": str, "residential": bool, "buy_to_let": bool,
    "follow_on_rate": float, "buy_to_let_follow_on_rate": float,
}  # fmt: skip
PRODUCT_COLUMNS: Mapping[str, Any] = {
    "product_id": str, "lender_id": int, "rate_type": str, "initial_rate": float, "initial_months": int,
    "purpose": str, "market": str, "interest_only": bool, "most_ltv": int, "fee": float, "fee_percent": float,
    "least_loan": float, "most_loan": float, "yearly_charges": str, "cashback": float, "free_valuation": bool,
    "free_legal_work": bool, "overpayment_percent": float, "portable": bool, "first_time_buyers": bool,
}  # fmt: skip
"""The columns of the files, in their order, and the types of their values; booleans are written as 1 and 0."""

FIXED, VARIABLE = "fixed", "variable"
PURCHASE, REMORTGAGE = "purchase", "remortgage"
RESIDENTIAL, BUY_TO_LET = "residential", "buy-to-let"

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Rows = NDArray[np.intp]

_SMALL = {"most_ltv": np.uint8, "years": np.uint8, "initial_months": np.float64}
_FLAGS = ("fixed", "purchase", "residential", "interest_only", "first_time_buyers")
_NUMBERS = (
    *("lender_id", "most_ltv", "years", "initial_rate", "initial_months", "follow_on_rate", "fee", "fee_percent"),
    *("least_loan", "most_loan", "cashback", "id_rank"),
)


class CatalogueError(ValueError):
    """The sample market is invalid; the message names the file and the fault."""


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

    `products` is the whole table; its `deal_type` is the slug of a `DealType`, or of none. What searches read is taken
    out of it once, as arrays of its length: `filters` has which products pass each filter, by its parameter, `years` is
    one of `PERIODS` or 0, `id_rank` the rank of each id in order.
    """

    lenders: dict[int, Lender]
    read_at: datetime
    products: pd.DataFrame
    product_id: list[str]
    yearly_charges: list[str]
    incentives: list[Incentives]
    filters: Mapping[str, Flags]
    lender_id: NDArray[np.int64]
    fixed: Flags
    purchase: Flags
    residential: Flags
    interest_only: Flags
    first_time_buyers: Flags
    most_ltv: NDArray[np.uint8]
    years: NDArray[np.uint8]
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
        return len(self.products)


def lenders(catalogue: Catalogue) -> tuple[Lender, ...]:
    """Return every lender, by name."""
    return tuple(sorted(catalogue.lenders.values(), key=lambda lender: lender.name.casefold()))


def product_counts(catalogue: Catalogue) -> dict[int, int]:
    return catalogue.products.groupby("lender_id").size().to_dict()


def read_table(path: Path, columns: Mapping[str, Any]) -> pd.DataFrame:
    """Return a file's table with columns of the given types; an empty float is nan, an empty text is empty.

    Raises OSError, or CatalogueError for a missing column, a row of another length or a value of another type.
    """
    types: Any = dict(columns)
    floats = [name for name, kind in columns.items() if kind is float]
    try:
        table = pd.read_csv(
            path,
            dtype=types,
            index_col=False,
            keep_default_na=False,
            na_values={name: [""] for name in floats},
            true_values=["1"],
            false_values=["0"],
        )
    except ValueError as error:
        raise CatalogueError(f"{path.name}: {str(error).strip()}") from error
    if missing := [name for name in columns if name not in table]:
        raise CatalogueError(f"{path.name} has no column {', '.join(missing)}")
    return table.filter(items=list(columns))


def load(folder: Path) -> Catalogue:
    """Read the market of a folder (`data/market`); raises CatalogueError."""
    try:
        owners = read_table(folder / LENDERS, LENDER_COLUMNS)
        products = read_table(folder / PRODUCTS, PRODUCT_COLUMNS)
        read_at = read_benchmark_rates(folder).read_at
    except (OSError, BankFileError) as error:
        raise CatalogueError(f"the sample market cannot be read: {error}") from error
    if owners["lender_id"].duplicated().any():
        raise CatalogueError(f"{LENDERS} has a lender twice")
    if unknown := sorted(set(products["lender_id"]) - set(owners["lender_id"])):
        raise CatalogueError(f"{PRODUCTS} names lenders that {LENDERS} does not have: {unknown}")
    products = _completed(products, owners)
    _check(products)
    products = products.sort_values(["initial_rate", "fee", "fee_percent", "product_id"], ignore_index=True)
    return Catalogue(
        lenders={row["lender_id"]: Lender(**row) for row in owners.to_dict("records")},
        read_at=read_at,
        products=products,
        product_id=products["product_id"].tolist(),
        yearly_charges=products["yearly_charges"].tolist(),
        incentives=_incentives(products),
        filters={each.parameter: products[each.column].to_numpy() > 0 for each in FILTERS},
        **{name: products[name].to_numpy() for name in (*_FLAGS, *_NUMBERS)},
    )


def _completed(products: pd.DataFrame, owners: pd.DataFrame) -> pd.DataFrame:
    """Add what follows from other columns and from the product's lender."""
    lender = owners.set_index("lender_id").loc[products["lender_id"]]
    is_home, is_fixed = products["market"] == RESIDENTIAL, products["rate_type"] == FIXED
    months = products["initial_months"]
    years = pd.Series(np.select([months.between(*ends) for ends in PERIODS.values()], list(PERIODS), 0))
    return products.assign(
        fixed=is_fixed,
        purchase=products["purpose"] == PURCHASE,
        residential=is_home,
        no_charge=products["yearly_charges"] == "",
        years=years,
        deal_type=years.astype(str) + "-years-" + products["rate_type"],
        follow_on_rate=np.where(is_home, lender["follow_on_rate"], lender["buy_to_let_follow_on_rate"]),
        id_rank=products["product_id"].argsort().argsort(),
    ).astype(_SMALL)


def _check(products: pd.DataFrame) -> None:
    """Raise CatalogueError for a duplicate product, an invalid rate or length, or fees or cashback above the loan."""
    if products["product_id"].duplicated().any():
        raise CatalogueError(f"{PRODUCTS} has a product twice")
    fees = products["fee"] + products["least_loan"] * products["fee_percent"] / 100
    sound = (products["initial_rate"] > 0) & (products["follow_on_rate"] > 0) & (products["initial_months"] > 0)
    sound &= (fees >= 0) & (fees < products["least_loan"])
    sound &= (products["cashback"] >= 0) & (products["cashback"] < products["least_loan"])
    if senseless := products["product_id"][~sound].tolist():
        raise CatalogueError(f"{PRODUCTS} has a product that makes no sense: {senseless[0]}")


def _incentives(products: pd.DataFrame) -> list[Incentives]:
    """Return the incentives of each product; products with the same ones share them."""
    offered = products[["cashback", "free_valuation", "free_legal_work", "overpayment_percent"]].assign(
        is_portable=products["portable"],
        eligibility=np.where(products["first_time_buyers"], FIRST_TIME_BUYERS_ONLY, ""),
    )
    kinds = [Incentives(**row) for row in offered.drop_duplicates().to_dict("records")]
    return [kinds[number] for number in offered.groupby(list(offered), sort=False).ngroup()]
