"""The files of the sample market: names, columns and values, reading and writing."""

import csv
import gzip
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
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

_INTEGER = re.compile(r"-?[0-9]{1,18}")
_NUMBER = re.compile(r"(-?[0-9]+(\.[0-9]+)?)?")

Table = dict[str, NDArray[Any]]
"""Columns by name, all of one length: texts as Python strings, numbers as int64, or float64 if one is not whole."""


class CatalogueError(ValueError):
    """The sample market is invalid; the message names the file and the fault."""


def read_table(path: Path, columns: Sequence[str]) -> Table:
    """Return the named columns of a file, empty numbers as nan; blank lines are skipped.

    Raises OSError, or CatalogueError for a missing column, a row with too few or too many values, or an invalid number.
    """
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        header = next(reader, [])
        if missing := [column for column in columns if column not in header]:
            raise CatalogueError(f"{path.name} has no column {', '.join(missing)}")
        rows, lines = _rows(path.name, reader, len(header))
    values = list(zip(*rows, strict=True)) or [()] * len(header)
    texts = {column: values[header.index(column)] for column in columns}
    return {
        column: np.array(texts[column], dtype=object) if column in _TEXTS else _numbers(path.name, texts[column], lines)
        for column in columns
    }


def _rows(name: str, reader: Any, width: int) -> tuple[list[list[str]], list[int]]:
    """Return the rows and the line that each ends on; equal texts are one string, as most are repeated often."""
    shared: dict[str, str] = {}
    rows, lines = [], []
    for row in filter(None, reader):
        if len(row) != width:
            raise CatalogueError(f"{name}, line {reader.line_num}: {len(row)} values for {width} columns")
        rows.append([shared.setdefault(text, text) for text in row])
        lines.append(reader.line_num)
    return rows, lines


def _numbers(name: str, texts: Sequence[str], lines: Sequence[int]) -> NDArray[Any]:
    """Return a column of numbers, given as texts and the line of each."""
    known = set(texts)
    if invalid := [text for text in known if not _NUMBER.fullmatch(text)]:
        line, text = min((lines[texts.index(text)], text) for text in invalid)
        raise CatalogueError(f"{name}, line {line}: {text!r} is no number")
    is_whole = all(_INTEGER.fullmatch(text) for text in known)
    number = {text: int(text) if is_whole else float(text or "nan") for text in known}
    return np.array([number[text] for text in texts], dtype=np.int64 if is_whole else np.float64)


def write_table(path: Path, columns: Sequence[str], *, rows: Iterable[Sequence[object]]) -> None:
    """Write a file, compressed if its name ends in .gz; the same rows give the same bytes."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    content = text.getvalue().encode()
    path.write_bytes(gzip.compress(content, 9, mtime=0) if path.suffix == ".gz" else content)
