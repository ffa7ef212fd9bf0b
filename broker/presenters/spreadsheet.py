"""CSV files (RFC 4180) that are safe against formula injection (OWASP, CSV injection)."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

_FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
_NEGATIVE = re.compile(r"-[0-9]+(\.[0-9]+)?")


def guarded(text: str) -> str:
    """Return a cell text, prefixed with an apostrophe when a spreadsheet would read it as a formula."""
    return f"'{text}" if _FORMULA.match(text) and not _NEGATIVE.fullmatch(text) else text


def csv_text(header: Sequence[str], rows: Iterable[Sequence[str]], *, quoted: bool = False) -> str:
    """Return CSV text; untrusted cells go through `guarded` first, and `quoted` cells bear other separators."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\r\n", quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL)
    writer.writerow(header)
    writer.writerows(rows)
    return file.getvalue()
