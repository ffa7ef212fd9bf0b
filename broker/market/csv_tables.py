"""The files of the sample market: names, columns and values, reading and writing."""

import csv
import gzip
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from numpy.typing import NDArray

LENDERS, PRODUCTS = "lenders.csv", "products.csv.gz"

LENDER_COLUMNS = (
    "lender_id", "name", "slug", "kind", "residential", "buy_to_let", "follow_on_rate", "buy_to_let_follow_on_rate",
)  # fmt: skip
PRODUCT_COLUMNS = (
    "product_id", "lender_id", "rate_type", "initial_rate", "initial_months", "purpose", "market",
    "interest_only", "most_ltv", "fee", "fee_percent", "least_loan", "most_loan", "yearly_charges", "cashback",
    "free_valuation", "free_legal_work", "overpayment_percent", "portable", "first_time_buyers",
)  # fmt: skip

FIXED, VARIABLE = "fixed", "variable"
PURCHASE, REMORTGAGE = "purchase", "remortgage"
RESIDENTIAL, BUY_TO_LET = "residential", "buy-to-let"

_TEXTS = (
    "name", "slug", "kind", "product_id", "rate_type", "purpose", "market", "yearly_charges",
)  # fmt: skip

_EMPTY_NUMBERS = {column: [""] for column in (*LENDER_COLUMNS, *PRODUCT_COLUMNS) if column not in _TEXTS}

Table = dict[str, NDArray[Any]]
"""Columns by name, all of one length; texts are Python strings."""


class CatalogueError(ValueError):
    """The sample market is invalid; the message names the file and the fault."""


def read_table(path: Path, columns: Sequence[str]) -> Table:
    """Return the named columns of a file, empty numbers as nan; raises OSError, or CatalogueError for a missing one."""
    # Any text is a word here, "None" too, so only an empty number is a missing value.
    table = pd.read_csv(path, keep_default_na=False, dtype=dict.fromkeys(_TEXTS, object), na_values=_EMPTY_NUMBERS)
    if missing := [column for column in columns if column not in table.columns]:
        raise CatalogueError(f"{path.name} has no column {', '.join(missing)}")
    return {column: table[column].to_numpy() for column in columns}


def write_table(path: Path, columns: Sequence[str], *, rows: Iterable[Sequence[object]]) -> None:
    """Write a file, compressed if its name ends in .gz; the same rows give the same bytes."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    content = text.getvalue().encode()
    path.write_bytes(gzip.compress(content, 9, mtime=0) if path.suffix == ".gz" else content)
