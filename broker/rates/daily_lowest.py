"""The lowest rate of each day in the lists of a live feed, by length of deal and loan to value, in a CSV file.

The file has a row for each day, length and loan to value. Writes are atomic. A file that cannot be read is renamed and
logged, and a new one begins.
"""

import logging
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

import pandas as pd

from broker.lending.days import day_number, month_of
from broker.rates.averages import FIVE_YEARS, TWO_YEARS
from broker.rates.deal_types import type_of
from broker.rates.product import RateProduct

KEPT_DAYS = 800
"""Days that are kept: two years and some, so that a year can be set beside the year before."""

LTVS = tuple(sorted({*TWO_YEARS, *FIVE_YEARS}))
"""The loans to value, in percent, for which averages are published."""

_DAY, _YEARS, _LTV, _RATE = _COLUMNS = ("day", "years", "ltv", "rate")
_KEY = [_DAY, _YEARS, _LTV]

log = logging.getLogger(__name__)


def _no_rows() -> pd.DataFrame:
    return pd.DataFrame(columns=list(_COLUMNS))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DailyLowest:
    """The lowest rates, in percent, by day; falsy without any."""

    table: pd.DataFrame = field(default_factory=_no_rows)

    def __bool__(self) -> bool:
        return not self.table.empty

    @property
    def first(self) -> date:
        """Return the first day; there must be one."""
        return date.fromisoformat(min(self.table[_DAY]))

    @property
    def last(self) -> date:
        """Return the last day; there must be one."""
        return date.fromisoformat(max(self.table[_DAY]))

    def of(self, years: int, ltv: int) -> Mapping[date, float]:
        """Return the lowest rates of a length and a loan to value by day, in order."""
        rows = self.table.query(f"{_YEARS} == {years} and {_LTV} == {ltv}").sort_values(_DAY)
        return {date.fromisoformat(day): float(rate) for day, rate in zip(rows[_DAY], rows[_RATE], strict=True)}

    def by_month(self, years: int, ltv: int) -> Mapping[int, float]:
        """Return the lowest rate of each month."""
        found: dict[int, float] = {}
        for day, rate in self.of(years, ltv).items():
            month = month_of(day_number(day))
            found[month] = min(rate, found.get(month, rate))
        return found


NO_LOWEST = DailyLowest()


def lowest_of(lists: Iterable[tuple[int, Iterable[RateProduct]]]) -> Mapping[tuple[int, int], float]:
    """Return the lowest rate by years of a fixed deal and loan to value, of lists with their loan to value."""
    found: dict[tuple[int, int], float] = {}
    for ltv, products in lists:
        for product in products if ltv in LTVS else ():
            kind = type_of(product)
            if kind and kind.fixed and not product.interest_only:
                key = (kind.years, ltv)
                found[key] = min(product.initial_rate, found.get(key, product.initial_rate))
    return found


class DailyLowestFile:
    """The file at a path, which several processes may write: the lowest rate of a day wins."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read: tuple[int, DailyLowest] | None = None

    def current(self) -> DailyLowest:
        """Return what is stored; none where there is no file yet."""
        try:
            changed = self._path.stat().st_mtime_ns
        except OSError:
            return NO_LOWEST
        if self._read is None or self._read[0] != changed:
            self._read = (changed, DailyLowest(table=self._table()))
        return self._read[1]

    def record(self, day: date, lowest: Mapping[tuple[int, int], float]) -> None:
        """Store the lowest rates of a day; a failing disk is logged."""
        if not lowest:
            return
        rows = [(day.isoformat(), years, ltv, rate) for (years, ltv), rate in lowest.items()]
        oldest = (day - timedelta(days=KEPT_DAYS)).isoformat()
        try:
            whole = pd.concat([self._table(), pd.DataFrame(rows, columns=list(_COLUMNS))], ignore_index=True)
            kept = whole.query(f"{_DAY} > '{oldest}'").sort_values([*_KEY, _RATE]).drop_duplicates(_KEY)
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part = self._path.with_suffix(f".{os.getpid()}.part")
            kept.to_csv(part, index=False)
            part.replace(self._path)
        except OSError as error:
            log.warning("lowest rates of the day not stored: %s", error)

    def _table(self) -> pd.DataFrame:
        try:
            table = pd.read_csv(self._path, dtype={_DAY: str, _YEARS: int, _LTV: int, _RATE: float})
            if tuple(table.columns) != _COLUMNS or table.isna().to_numpy().any():
                raise ValueError("other columns, or empty cells")
            pd.to_datetime(table[_DAY], format="%Y-%m-%d")
        except FileNotFoundError:
            return _no_rows()
        except (ValueError, UnicodeDecodeError) as error:  # pandas' own errors are ValueErrors
            log.warning("the lowest rates of each day cannot be read, and begin again: %s", error)
            self._path.replace(self._path.with_suffix(".damaged"))
            return _no_rows()
        return table
