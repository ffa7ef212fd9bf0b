"""Average mortgage rates of every month and Bank Rate, as the Bank of England published them.

The files are those of `data/market/bank_of_england`. Months are numbers of `lending.days`, rates are in percent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from broker.lending.days import day_number, month_of
from broker.lending.mortgage import MONTHS
from broker.rates.market.bank_of_england import BankFileError, read_series

TWO_YEARS: Mapping[int, str] = {60: "IUMZICQ", 75: "IUMBV34", 85: "IUMZICR", 90: "IUMB482", 95: "IUM2WTL"}
THREE_YEARS: Mapping[int, str] = {75: "IUMBV37"}
FIVE_YEARS: Mapping[int, str] = {60: "IUMZO27", 75: "IUMBV42", 90: "IUMZO28", 95: "IUM5WTL"}
"""The series of fixed rates by loan to value in percent; no average of five years at 85% is published."""

REVERSION = "IUMTLMV"
"""The series of the rate that follows a deal, of all loans to value."""

BANK_RATE = "IUDBEDR"

FILES = ("quoted_rates_to_august_2025.csv", "quoted_rates.csv")
"""The files of averages; a later one replaces the months that both have."""

BANK_RATE_FILE = "bank_rate.csv"


CREDIT = "Contains Bank of England data, licensed under the Open Government Licence v3.0."


@dataclass(frozen=True, slots=True, kw_only=True)
class RateHistory:
    """Averages by series and month, and the days from which each Bank Rate held, in order."""

    averages: Mapping[str, Mapping[int, float]]
    bank_rates: tuple[tuple[date, float], ...]

    @property
    def first(self) -> int:
        return min(min(months) for months in self.averages.values())

    @property
    def last(self) -> int:
        """Return the last month of any average."""
        return max(max(months) for months in self.averages.values())

    def of(self, code: str) -> Mapping[int, float]:
        """Return the averages of a series by month, in order; none for an empty or unknown code."""
        return self.averages.get(code, {})

    def missing(self, code: str) -> tuple[int, ...]:
        """Return the months between the first and the last of a series that have no average."""
        found = self.of(code)
        return tuple(month for month in range(min(found), max(found)) if month not in found) if found else ()

    def bank_rate_by_month(self) -> Mapping[int, float]:
        """Return the Bank Rate at the end of each month of the averages."""
        ends = ((month, self.bank_rate(last_day(month))) for month in range(self.first, self.last + 1))
        return {month: rate for month, rate in ends if rate is not None}

    def bank_rate(self, day: date) -> float | None:
        """Return the Bank Rate of a day, None before the first that is known."""
        return next((rate for since, rate in reversed(self.bank_rates) if since <= day), None)


def last_day(month: int) -> date:
    following = month + 1
    return date(following // MONTHS, following % MONTHS + 1, 1) - timedelta(days=1)


def read_history(folder: Path) -> RateHistory:
    """Read the files of a folder; raises OSError, or BankFileError also for a day that is not the last of a month."""
    bank_rates = read_series(folder / BANK_RATE_FILE).get(BANK_RATE, {})
    if not bank_rates:
        raise BankFileError(folder / BANK_RATE_FILE, "the series is missing", line=1, column=BANK_RATE)
    found: dict[str, dict[int, float]] = {}
    for path in (folder / name for name in FILES):
        for code, days in read_series(path).items():
            found.setdefault(code, {}).update({_month(day, path): rate for day, rate in days.items()})
    return RateHistory(
        averages={code: dict(sorted(months.items())) for code, months in found.items() if months},
        bank_rates=tuple(bank_rates.items()),
    )


def _month(day: date, path: Path) -> int:
    month = month_of(day_number(day))
    if day != last_day(month):
        raise BankFileError(path, f"{day:%d %b %Y} is not the last day of a month", column="DATE")
    return month
