"""Files for spreadsheets (RFC 4180) in which no text is run as a formula (OWASP, CSV injection)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

_FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
_NEGATIVE = re.compile(r"-[0-9]+(\.[0-9]+)?")


def guarded(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: led by an apostrophe where one would be; numbers stay."""
    return f"'{text}" if _FORMULA.match(text) and not _NEGATIVE.fullmatch(text) else text


def csv_text(header: Sequence[str], rows: Iterable[Sequence[str]], *, quoted: bool = False) -> str:
    """Return a file of a row of names and rows of cells, which are guarded already where they may be anybody's text.

    Every cell in quotes where it is so asked: then one cell stays one in programs that part them by other signs too.
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\r\n", quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL)
    writer.writerow(header)
    writer.writerows(rows)
    return file.getvalue()
