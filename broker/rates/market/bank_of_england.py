"""Read CSV files in the form in which the Bank of England's database downloads them.

The header is `DATE` and the codes of series; a day is written `31 Aug 2026`, a month by its last day. A cell is a rate
in percent, or empty or `..` where nothing was published.
"""

import csv
import re
from datetime import date, datetime
from io import StringIO
from pathlib import Path

_DATE = "DATE"
_CODE = re.compile(r"[A-Z0-9]{4,12}")
_DAY = re.compile(r"[0-9]{1,2} [A-Z][a-z]{2} [0-9]{4}")
_RATE = re.compile(r"-?[0-9]{1,2}(?:\.[0-9]{1,6})?")
_NOT_PUBLISHED = ("", "..")
_MAX_SHOWN = 40


class BankFileError(ValueError):
    """A file that is not in the Bank's form; the message names the file, and the line and the column if known."""

    def __init__(self, path: Path, fault: str, *, line: int = 0, column: str = "") -> None:
        place = path.name + (f", line {line}" if line else "") + (f", column {column}" if column else "")
        super().__init__(f"{place}: {fault}")
        self.file, self.line, self.column = path.name, line, column


def read_series(path: Path) -> dict[str, dict[date, float]]:
    """Return the published rates of a file in percent, by code of the series and by day, earliest first.

    Raises OSError, or BankFileError for the first fault of the file.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BankFileError(path, "the bytes are not UTF-8 text", line=line) from error
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    days: dict[date, dict[str, float]] = {}
    try:
        codes = _codes(path, next(reader, []))
        for cells in filter(None, reader):
            day, rates = _row(path, reader.line_num, cells, codes)
            if day in days:
                raise BankFileError(path, f"{cells[0]} is there twice", line=reader.line_num, column=_DATE)
            days[day] = rates
    except csv.Error as error:
        raise BankFileError(path, str(error), line=reader.line_num) from error
    if not days:
        raise BankFileError(path, "the file has no row of rates", line=reader.line_num + 1)
    return {code: {day: days[day][code] for day in sorted(days) if code in days[day]} for code in codes}


def _codes(path: Path, cells: list[str]) -> list[str]:
    """Return the codes of a header."""
    first, *codes = [cell.strip() for cell in cells] or [""]
    if first != _DATE or not codes:
        fault = f"the header must be DATE and codes of series, not {_shown(','.join(cells))}"
        raise BankFileError(path, fault, line=1, column=_DATE)
    for number, code in enumerate(codes, 2):
        if not _CODE.fullmatch(code) or code in codes[: number - 2]:
            fault = "is there twice" if _CODE.fullmatch(code) else "is no code of a series"
            raise BankFileError(path, f"{_shown(code)} {fault}", line=1, column=str(number))
    return codes


def _row(path: Path, line: int, cells: list[str], codes: list[str]) -> tuple[date, dict[str, float]]:
    """Return the day of a row and its published rates by code."""
    day, *rates = [cell.strip() for cell in cells]
    if len(rates) != len(codes):
        column = codes[len(rates)] if len(rates) < len(codes) else str(len(codes) + 2)
        raise BankFileError(path, f"{len(cells)} cells, the header has {len(codes) + 1}", line=line, column=column)
    published = {code: rate for code, rate in zip(codes, rates, strict=True) if rate not in _NOT_PUBLISHED}
    return _day(path, line, day), {code: _rate(path, line, code, text=rate) for code, rate in published.items()}


def _day(path: Path, line: int, text: str) -> date:
    try:
        if _DAY.fullmatch(text):
            return datetime.strptime(text, "%d %b %Y").date()
    except ValueError:
        pass
    raise BankFileError(path, f"{_shown(text)} is no day such as 31 Aug 2026", line=line, column=_DATE)


def _rate(path: Path, line: int, code: str, *, text: str) -> float:
    if not _RATE.fullmatch(text):
        raise BankFileError(path, f"{_shown(text)} is no rate in percent, such as 4.92", line=line, column=code)
    return float(text)


def _shown(text: str) -> str:
    return repr(text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…")
