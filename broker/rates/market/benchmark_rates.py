"""The published averages behind the sample market, from files of the Bank of England.

`data/market/bank_of_england/quoted_rates.csv` is the newest download. It gives the level: fixed rates at 75% LTV and
the reversion rate. A series at another LTV keeps the distance from 75% of the newest month that has both, in that file
if it has the series, otherwise in the older one, whose figures are as they were first published.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from broker.rates.market.bank_of_england import BankFileError, read_series

QUOTED_RATES = "quoted_rates.csv"
OLDER_QUOTED_RATES = "quoted_rates_to_august_2025.csv"
BANK_RATE = "bank_rate.csv"

LEVEL = {2: "IUMBV34", 3: "IUMBV37", 5: "IUMBV42"}
"""Series of fixed rates at 75% LTV, by years."""

OTHER_LTVS = {
    (2, 60): "IUMZICQ", (2, 85): "IUMZICR", (2, 90): "IUMB482", (2, 95): "IUM2WTL",
    (5, 60): "IUMZO27", (5, 90): "IUMZO28", (5, 95): "IUM5WTL",
}  # fmt: skip
"""Series of fixed rates, by years and LTV."""

REVERSION_SERIES, BANK_RATE_SERIES = "IUMTLMV", "IUDBEDR"

MAX_AGE = timedelta(days=60)
"""Age of the newest month at which a build says that newer figures are due."""

_BUY_TO_LET_PREMIUM = 0.45
TRACKER_MARGINS = {60: 0.28, 65: 0.30, 75: 0.36, 80: 0.40, 85: 0.45, 90: 0.55, 95: 0.65}
"""Points over Bank Rate by LTV: the middle of 0.20 to 0.75 that trackers were quoted at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkRates:
    """Average rates in percent, as at the last day of their month.

    `fixed` has the published averages by (years, LTV), `reversion` is that of the rates after a deal, and `bank_rate`
    has been in force since `bank_rate_since`. Other values are interpolated: 80% LTV is the mean of 75% and 85%, five
    years at 85% is between 75% and 90% in the proportion of the two-year averages, and three years is as far from its
    75% as two and five years are in the mean.
    """

    fixed: dict[tuple[int, int], float]
    reversion: float
    bank_rate: float
    bank_rate_since: date
    as_of: date

    @property
    def read_at(self) -> datetime:
        """Return the time that every figure of the market is as at: the start of the day, UTC."""
        return datetime(self.as_of.year, self.as_of.month, self.as_of.day, tzinfo=UTC)

    def residential(self, years: int, ltv: int) -> float:
        """Return the average fixed rate in percent: years 2, 3 or 5; LTV 60 to 95; KeyError for any other."""
        if (years, ltv) in self.fixed:
            return self.fixed[years, ltv]
        if years == 3:
            return self.fixed[3, 75] + (self._distance(2, ltv) + self._distance(5, ltv)) / 2
        if ltv == 80:
            return (self.residential(years, 75) + self.residential(years, 85)) / 2
        if (years, ltv) == (5, 85):
            return self.fixed[5, 75] + self._distance(2, 85) / self._distance(2, 90) * self._distance(5, 90)
        return self.fixed[years, ltv]

    def _distance(self, years: int, ltv: int) -> float:
        return self.residential(years, ltv) - self.fixed[years, 75]

    def buy_to_let(self, years: int, ltv: int) -> float:
        """Return the average fixed rate in percent, 0.45 over residential; LTV 60, 65, 75 or 80 (0.30 more)."""
        if ltv == 65:
            return self.buy_to_let(years, 60) * 2 / 3 + self.buy_to_let(years, 75) / 3
        dearer = 0.30 if ltv == 80 else 0
        return self.residential(years, ltv) + _BUY_TO_LET_PREMIUM + dearer

    def tracker(self, ltv: int, *, buy_to_let: bool) -> float:
        """Return Bank Rate plus the usual margin at an LTV, in percent."""
        return self.bank_rate + TRACKER_MARGINS[ltv] + (_BUY_TO_LET_PREMIUM if buy_to_let else 0)

    def renewal_notice(self, today: date) -> str:
        """Return a sentence for the operator when the averages are older than MAX_AGE; otherwise nothing."""
        if today - self.as_of <= MAX_AGE:
            return ""
        return (
            f"The sample rates are those of {self.as_of:%B %Y}, {(today - self.as_of).days} days old: "
            "data/market/README.md says how to bring them up to date."
        )


Series = dict[str, dict[date, float]]


def read_benchmark_rates(market: Path) -> BenchmarkRates:
    """Return the averages of a market folder; raises OSError, or BankFileError for a fault or a missing series."""
    folder = market / "bank_of_england"
    newest, older = (read_series(folder / name) for name in (QUOTED_RATES, OLDER_QUOTED_RATES))
    as_of = max(_common_days(newest, [*LEVEL.values(), REVERSION_SERIES], file=folder / QUOTED_RATES))
    fixed = {(years, 75): newest[code][as_of] for years, code in LEVEL.items()}
    for (years, ltv), code in OTHER_LTVS.items():
        has_own = newest.get(code, {}).keys() & newest[LEVEL[years]].keys()
        series, file = (newest, QUOTED_RATES) if has_own else (older, OLDER_QUOTED_RATES)
        month = max(_common_days(series, [code, LEVEL[years]], file=folder / file))
        fixed[years, ltv] = round(fixed[years, 75] + series[code][month] - series[LEVEL[years]][month], 4)
    bank = read_series(folder / BANK_RATE)
    today = max(_common_days(bank, [BANK_RATE_SERIES], file=folder / BANK_RATE))
    rates = bank[BANK_RATE_SERIES]
    return BenchmarkRates(
        fixed=fixed,
        reversion=newest[REVERSION_SERIES][as_of],
        bank_rate=rates[today],
        bank_rate_since=_since(rates),
        as_of=as_of,
    )


def _common_days(series: Series, codes: list[str], *, file: Path) -> set[date]:
    """Return the days on which every one of some series has a value; raises BankFileError if there is none."""
    for code in codes:
        if code not in series:
            raise BankFileError(file, "the series is missing", line=1, column=code)
    if not (days := set.intersection(*(set(series[code]) for code in codes))):
        raise BankFileError(file, f"no day has a value of {', '.join(codes)}", line=2, column=codes[0])
    return days


def _since(rates: dict[date, float]) -> date:
    """Return the first of the last days, which all have the same rate."""
    days = sorted(rates)
    other = [day for day in days if rates[day] != rates[days[-1]]]
    return next(day for day in days if not other or day > other[-1])
