"""Published average rates that the sample market is based on (`data/market/anchors.csv`).

The table holds the Bank of England's month averages of quoted household rates, and Bank Rate. Other values
are interpolated: 80% LTV is the mean of 75% and 85%, five years at 85% is between 75% and 90% in the proportion of the
two-year averages, three years is the mean of two and five plus 0.02.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import pandas as pd

FILE = "anchors.csv"

_BUY_TO_LET_PREMIUM = 0.45
_TRACKER_MARGINS = {60: 0.28, 65: 0.30, 75: 0.36, 80: 0.40, 85: 0.45, 90: 0.55, 95: 0.65}
"""Points over Bank Rate by LTV: the middle of 0.20 to 0.75 that trackers were quoted at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkRates:
    """Average fixed rates by (years, LTV), in percent, Bank Rate, and the last day of the month they are for."""

    fixed: dict[tuple[int, int], float]
    bank_rate: float
    as_of: date

    @property
    def read_at(self) -> datetime:
        """Return the time that every figure of the market is as at: the start of the day, UTC."""
        return datetime(self.as_of.year, self.as_of.month, self.as_of.day, tzinfo=UTC)

    def residential(self, years: int, ltv: int) -> float:
        """Return the average fixed rate in percent: years 2, 3 or 5; LTV 60 to 95; KeyError for any other."""
        if years == 3:
            return (self.residential(2, ltv) + self.residential(5, ltv)) / 2 + 0.02
        if ltv == 80:
            return (self.residential(years, 75) + self.residential(years, 85)) / 2
        if (years, ltv) == (5, 85):
            share = (self.fixed[2, 85] - self.fixed[2, 75]) / (self.fixed[2, 90] - self.fixed[2, 75])
            return self.fixed[5, 75] + share * (self.fixed[5, 90] - self.fixed[5, 75])
        return self.fixed[years, ltv]

    def buy_to_let(self, years: int, ltv: int) -> float:
        """Return the average fixed rate in percent, 0.45 over residential; LTV 60, 65, 75 or 80 (0.30 more)."""
        if ltv == 65:
            return self.buy_to_let(years, 60) * 2 / 3 + self.buy_to_let(years, 75) / 3
        dearer = 0.30 if ltv == 80 else 0
        return self.residential(years, ltv) + _BUY_TO_LET_PREMIUM + dearer

    def tracker(self, ltv: int, *, buy_to_let: bool) -> float:
        """Return Bank Rate plus the usual margin at an LTV, in percent."""
        return self.bank_rate + _TRACKER_MARGINS[ltv] + (_BUY_TO_LET_PREMIUM if buy_to_let else 0)


def read_benchmark_rates(folder: Path) -> BenchmarkRates:
    """Return the published averages of a market folder; raises OSError where the file is missing."""
    rows = pd.read_csv(folder / FILE, parse_dates=["date"])
    fixed = rows[rows["kind"] == "fixed"].astype({"years": int, "ltv": int}).set_index(["years", "ltv"])["value"]
    [bank_rate] = rows.loc[rows["kind"] == "bank-rate", "value"].tolist()
    return BenchmarkRates(fixed=fixed.to_dict(), bank_rate=bank_rate, as_of=rows["date"].max().date())
