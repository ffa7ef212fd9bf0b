"""CSV files (RFC 4180) that are safe against formula injection (OWASP, CSV injection)."""

import csv
import re

import pandas as pd

_FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
_NEGATIVE = re.compile(r"-[0-9]+(\.[0-9]+)?")


def guarded(text: str) -> str:
    """Return a cell text, prefixed with an apostrophe when a spreadsheet would read it as a formula."""
    return f"'{text}" if _FORMULA.match(text) and not _NEGATIVE.fullmatch(text) else text


def csv_text(table: pd.DataFrame, *, quoted: bool = False) -> str:
    """Return CSV text; untrusted cells go through `guarded` first, and `quoted` cells bear other separators."""
    return table.to_csv(index=False, lineterminator="\r\n", quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL)
