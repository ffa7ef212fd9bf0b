"""Generate the sample market: `python -m broker.rates.market.generate` writes lenders.csv and products.csv.gz.

Every rate is the published average plus offsets of the lender, the fee and the purpose and a little noise, less the
mean of these, so that the home loans and follow-on rates of banks and building societies average what is published.
Products of a line share their noise, so that a higher fee gives a lower rate, and a higher LTV never a lower one. The
same inputs give the same bytes.
"""

import argparse
import gzip
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from itertools import product
from pathlib import Path
from statistics import NormalDist, fmean
from typing import Any, TypeVar

import pandas as pd

from broker.rates.market.bank_of_england import BankFileError
from broker.rates.market.benchmark_rates import BenchmarkRates, read_benchmark_rates
from broker.rates.market.catalogue import (
    BUY_TO_LET,
    FIXED,
    LENDER_COLUMNS,
    LENDERS,
    PRODUCT_COLUMNS,
    PRODUCTS,
    PURCHASE,
    REMORTGAGE,
    RESIDENTIAL,
    VARIABLE,
    read_table,
)
from broker.rates.product import ANY_AMOUNT, FIRST_TIME_BUYERS_ONLY, Incentives
from broker.settings import read_settings

DIRECTORY_FILE = "directory.csv"

_COLUMNS = {"lender_id": int, "name": str, "kind": str, "residential": bool, "buy_to_let": bool}
_SEED = "sample market 2025-08"
"""Stays as it is, so that each product keeps its place among the others when the averages change."""
Choice = TypeVar("Choice")


class Kind(StrEnum):
    BANK = "bank"
    SOCIETY = "building-society"
    SPECIALIST = "specialist"


_MIN_OFFSET, _MAX_OFFSET = -0.25, 0.40
_DEARER = {Kind.BANK: -0.03, Kind.SOCIETY: 0.04, Kind.SPECIALIST: 0.55}
_MIN_LOANS = {
    Kind.BANK: (10_000, 25_000, 25_000),
    Kind.SOCIETY: (25_000, 30_000, 50_000),
    Kind.SPECIALIST: (25_000, 40_000),
}


def uniform(*names: object) -> float:
    """Return a pseudo-random number in [0, 1), seeded by names.

    The order of calls does not count: a product keeps its figures when a lender is added before it.
    """
    digest = sha256("/".join(map(str, (_SEED, *names))).encode()).digest()
    return (int.from_bytes(digest[:6], "big") + 0.5) / 2**48


def normal(deviation: float, *names: object) -> float:
    """Return a value of the normal distribution with mean 0 and a standard deviation."""
    return NormalDist(0, deviation).inv_cdf(uniform(*names))


def choice(choices: Sequence[Choice], *names: object) -> Choice:
    """Return one of the choices, with equal probability."""
    return choices[int(uniform(*names) * len(choices))]


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderProfile:
    """A lender and its figures: rates in percent or points, loans in pounds."""

    lender_id: int
    name: str
    kind: Kind
    residential: bool
    buy_to_let: bool

    @property
    def slug(self) -> str:
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower().replace("&", "and")).strip("-")

    @property
    def offset(self) -> float:
        """Return the difference of its residential rates from the average, in points: -0.25 at the lowest."""
        drawn = normal(0.15, self.lender_id, "offset") + (_DEARER[self.kind] if self.kind is not Kind.SPECIALIST else 0)
        dearer = _DEARER[Kind.SPECIALIST] if self.kind is Kind.SPECIALIST else 0
        return min(max(drawn, _MIN_OFFSET), _MAX_OFFSET) + dearer

    @property
    def buy_to_let_offset(self) -> float:
        """Return the difference of its buy-to-let rates from their average, in points."""
        return min(max(normal(0.15, self.lender_id, "buy-to-let offset"), _MIN_OFFSET), _MAX_OFFSET)

    @property
    def follow_on_offset(self) -> float:
        """Return the difference of its follow-on rate from the average, in points: a dear lender stays dear."""
        return self.offset + min(max(normal(0.2, self.lender_id, "follow-on"), -0.4), 0.4)

    def follow_on_rates(self, middle: float) -> tuple[float, float]:
        """Return its residential and its higher buy-to-let follow-on rate in percent."""
        home = round(middle + self.follow_on_offset, 2)
        return home, round(home + 0.25 + 0.5 * uniform(self.lender_id, "buy-to-let follow-on"), 2)

    @property
    def least_loan(self) -> int:
        """Return the smallest loan it makes, in pounds."""
        return choice(_MIN_LOANS[self.kind], self.lender_id, "least loan")

    @property
    def lends_interest_only(self) -> bool:
        return uniform(self.lender_id, "interest only") < 0.35


def read_directory(folder: Path) -> Iterator[LenderProfile]:
    """Yield the lenders of a market folder, in the order of the file; raises OSError where it is missing."""
    for row in read_table(folder / DIRECTORY_FILE, _COLUMNS).to_dict("records"):
        yield LenderProfile(**{**row, "kind": Kind(row["kind"])})


_LADDERS = {2: (2, 1), 3: (3, 2, 1), 5: (5, 4, 3, 2, 1)}
"""The early repayment charge of a fixed deal, percent of the balance by year."""

_MAX_LOANS = {60: 2_000_000, 65: 1_500_000, 75: 1_500_000, 80: 1_000_000, 85: 1_000_000, 90: 750_000, 95: 500_000}
_MAX_LOAN_PART = {Kind.BANK: 1.0, Kind.SOCIETY: 0.6, Kind.SPECIALIST: 0.8}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fee:
    """A product's fee, in pounds or in percent of the loan; `shift` is its effect on the rate, in points."""

    pounds: int = 0
    percent: int = 0
    shift: float

    @property
    def name(self) -> str:
        """Return the name in ids and seeds: `999`, `3pc`."""
        return f"{self.percent}pc" if self.percent else str(self.pounds)


MeanShifts = Mapping[tuple[int, int], float]
"""Mean difference from the published average in points, by years and LTV."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductLine:
    """A lender's products that differ in LTV only."""

    lender: LenderProfile
    market: str
    purpose: str
    rate_type: str
    years: int
    fee: Fee

    @property
    def buy_to_let(self) -> bool:
        return self.market == BUY_TO_LET

    @property
    def key(self) -> tuple[object, ...]:
        """Return the seed that all fees of this line share."""
        return (self.lender.lender_id, self.market, self.purpose, self.rate_type, self.years)

    @property
    def bands(self) -> tuple[int, ...]:
        """Return the maximum LTVs of its products, rising: homes to 95% (remortgages to 90%), let property to 80%."""
        if self.buy_to_let:
            return (60, 65, 75, 80) if uniform(self.lender.lender_id, "80% LTV") < 0.6 else (60, 65, 75)
        most = 95 if self.purpose == PURCHASE and self.lender.kind is not Kind.SPECIALIST else 90
        return tuple(band for band in (60, 75, 80, 85, 90, 95) if band <= most)

    @property
    def months(self) -> int:
        """Return the initial period in months: whole years, or up to 3 months more for one fixed product in seven."""
        dated = self.rate_type == FIXED and uniform(*self.key, self.fee.name, "dated") < 0.15
        return self.years * 12 + (choice((1, 2, 3), *self.key, self.fee.name, "months") if dated else 0)

    def rates(self, benchmarks: BenchmarkRates, shifts: MeanShifts) -> Iterator[tuple[int, float]]:
        """Yield each LTV with its rate in percent, to 2 decimals; the rates never fall as the LTV rises."""
        least = 0.0
        for band in self.bands:
            mean = shifts[self.years, band] if self.is_published else 0
            rate = self._average(benchmarks, band) + self.shift(band) - mean
            least = max(least, round(rate, 2))
            yield band, least

    @property
    def is_published(self) -> bool:
        """Return whether there are published averages of such products: fixed home loans."""
        return self.rate_type == FIXED and not self.buy_to_let

    def _average(self, benchmarks: BenchmarkRates, band: int) -> float:
        if self.rate_type == VARIABLE:
            return benchmarks.tracker(band, buy_to_let=self.buy_to_let)
        return (benchmarks.buy_to_let if self.buy_to_let else benchmarks.residential)(self.years, band)

    def shift(self, band: int) -> float:
        """Return the difference from the average in points, before the mean of all differences is taken off."""
        lender = self.lender.buy_to_let_offset if self.buy_to_let else self.lender.offset
        chance = normal(0.04, *self.key, "line") + normal(0.03, *self.key, band)
        remortgage = 0.05 if self.purpose == REMORTGAGE else 0
        # lenders differ less in their tracker margins than in their fixed rates
        return (lender + chance + self.fee.shift) * (0.35 if self.rate_type == VARIABLE else 1) + remortgage


def product_lines(lender: LenderProfile) -> Iterator[ProductLine]:
    if lender.residential:
        for purpose, rate_type, years in product((PURCHASE, REMORTGAGE), (FIXED, VARIABLE), (2, 3, 5)):
            for fee in _home_fees(lender, rate_type):
                yield ProductLine(
                    lender=lender, market=RESIDENTIAL, purpose=purpose, rate_type=rate_type, years=years, fee=fee
                )
    if lender.buy_to_let:
        deals = ((FIXED, 2), (FIXED, 3), (FIXED, 5), (VARIABLE, 2))
        for purpose, (rate_type, years) in product((PURCHASE, REMORTGAGE), deals):
            for fee in _let_fees(lender):
                yield ProductLine(
                    lender=lender, market=BUY_TO_LET, purpose=purpose, rate_type=rate_type, years=years, fee=fee
                )


def mean_shifts(lines: Iterable[ProductLine]) -> MeanShifts:
    """Return the mean of the fixed home loans of banks and building societies, whose rates the Bank averages."""
    shifts: dict[tuple[int, int], list[float]] = defaultdict(list)
    for line in lines:
        if line.is_published and line.lender.kind is not Kind.SPECIALIST:
            for band in line.bands:
                shifts[line.years, band].append(line.shift(band))
    return {key: fmean(found) for key, found in shifts.items()}


def _home_fees(lender: LenderProfile, rate_type: str) -> list[Fee]:
    """Return the fees of a lender's home loans, rising: always none, one near £999 and one near £1,499."""
    some = (lender.lender_id, "fees", rate_type)
    menu = [Fee(shift=0.20)]
    if uniform(*some, 499) < (0.85 if rate_type == FIXED else 0.45):
        menu.append(Fee(pounds=499, shift=0.04))
    middle = choice((899, 995, 999, 999), lender.lender_id, "middle fee")
    if middle != 899 and uniform(*some, 899) < 0.25:
        menu.append(Fee(pounds=899, shift=-0.07))
    menu.append(Fee(pounds=middle, shift=-0.10))
    menu.append(Fee(pounds=choice((1_495, 1_499), lender.lender_id, "high fee"), shift=-0.15))
    if uniform(*some, 1_995) < (0.65 if rate_type == FIXED else 0.3):
        menu.append(Fee(pounds=1_995, shift=-0.19))
    return menu


def _let_fees(lender: LenderProfile) -> list[Fee]:
    """Return the fees of a lender's let property: in pounds, and more often in percent for specialists."""
    by_share = Fee(percent=3, shift=-0.60) if lender.kind is not Kind.SOCIETY else Fee(percent=1, shift=-0.10)
    menu = [
        choice((Fee(pounds=995, shift=0.05), Fee(pounds=1_495, shift=-0.05)), lender.lender_id, "let fee"),
        by_share,
    ]
    if uniform(lender.lender_id, "let fee free") < 0.5:
        menu.insert(0, Fee(shift=0.30))
    if lender.kind is Kind.SPECIALIST:
        menu += [Fee(percent=1, shift=-0.12), Fee(pounds=1_995, shift=-0.10)]
    return menu


def yearly_charges(line: ProductLine) -> tuple[int, ...]:
    """Return the early repayment charge of each year, in percent of the balance; most trackers have none."""
    if line.rate_type == FIXED:
        return _LADDERS[line.years]
    return (1,) * line.years if uniform(*line.key, "charge") < 0.25 else ()


def incentives(line: ProductLine) -> Incentives:
    """Return what a line offers: 5% of homes to buy are for first-time buyers, who always get money back."""
    key = (*line.key, line.fee.name)
    is_home = not line.buy_to_let
    is_first = is_home and line.purpose == PURCHASE and uniform(*key, "first-time buyers") < 0.05
    amounts = (500, 1_000) if is_first else (250, 500)
    has_cashback = is_first or uniform(*key, "cashback") < 0.2
    return Incentives(
        cashback=choice(amounts, *key, "amount") if has_cashback else 0,
        free_valuation=uniform(*key, "valuation") < 0.45,
        free_legal_work=line.purpose != PURCHASE and uniform(*line.key, "legal work") < 0.6,
        overpayment_percent=_overpayment_percent(line),
        is_portable=is_home and uniform(line.lender.lender_id, line.rate_type, "portable") < 0.85,
        eligibility=FIRST_TIME_BUYERS_ONLY if is_first else "",
    )


def _overpayment_percent(line: ProductLine) -> float:
    """Return the share of the balance that may be repaid in a year: 10%, a few lenders 20%, any without a charge."""
    if not yearly_charges(line):
        return ANY_AMOUNT
    return 20 if uniform(line.lender.lender_id, "overpayments") < 0.1 else 10


def product_id(line: ProductLine, band: int) -> str:
    """Return the id: `halifax-purchase-2-year-fixed-75-ltv-999-fee`, or `halifax-buy-to-let-purchase-...`."""
    let = "-buy-to-let" if line.buy_to_let else ""
    return f"{line.lender.slug}{let}-{line.purpose}-{line.years}-year-{line.rate_type}-{band}-ltv-{line.fee.name}-fee"


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketSize:
    lenders: int
    products: int


def generate(source: Path, target: Path) -> MarketSize:
    """Read the averages and the directory in `source`, write the market into `target`, and return its size."""
    benchmarks = read_benchmark_rates(source)
    profiles = sorted(read_directory(source), key=lambda lender: lender.lender_id)
    lines = [line for lender in profiles for line in product_lines(lender)]
    shifts = mean_shifts(lines)
    products = pd.DataFrame(row for line in lines for row in _products(line, benchmarks, shifts))
    lenders = _lenders(profiles, benchmarks)
    target.mkdir(parents=True, exist_ok=True)
    (target / LENDERS).write_bytes(_written(lenders, LENDER_COLUMNS))
    (target / PRODUCTS).write_bytes(gzip.compress(_written(products, PRODUCT_COLUMNS), 9, mtime=0))
    return MarketSize(lenders=len(lenders), products=len(products))


def _lenders(profiles: Sequence[LenderProfile], benchmarks: BenchmarkRates) -> pd.DataFrame:
    middle = benchmarks.reversion - fmean(
        lender.follow_on_offset for lender in profiles if lender.kind is not Kind.SPECIALIST
    )
    known = [name for name in LENDER_COLUMNS if name not in ("follow_on_rate", "buy_to_let_follow_on_rate")]
    table = pd.DataFrame({name: getattr(lender, name) for name in known} for lender in profiles)
    table["follow_on_rate"], let = zip(*(lender.follow_on_rates(middle) for lender in profiles), strict=True)
    return table.assign(buy_to_let_follow_on_rate=pd.Series(let).where(table["buy_to_let"]))


def _written(table: pd.DataFrame, columns: Mapping[str, Any]) -> bytes:
    """Return a table as CSV, rates with two decimals, whole numbers without and booleans as 1 and 0."""
    flags = {name: int for name, kind in columns.items() if kind is bool}
    return table[list(columns)].astype(flags).to_csv(index=False, float_format="%.2f", lineterminator="\n").encode()


def _products(line: ProductLine, benchmarks: BenchmarkRates, shifts: MeanShifts) -> Iterator[dict[str, object]]:
    charges, offered = ";".join(map(str, yearly_charges(line))), incentives(line)
    for band, rate in line.rates(benchmarks, shifts):
        yield {
            "product_id": product_id(line, band),
            "lender_id": line.lender.lender_id,
            "rate_type": line.rate_type,
            "initial_rate": rate,
            "initial_months": line.months,
            "purpose": line.purpose,
            "market": line.market,
            "interest_only": _interest_only(line, band),
            "most_ltv": band,
            "fee": line.fee.pounds,
            "fee_percent": line.fee.percent,
            "least_loan": line.lender.least_loan,
            "most_loan": int(_MAX_LOANS[band] * _MAX_LOAN_PART[line.lender.kind]),
            "yearly_charges": charges,
            "cashback": int(offered.cashback),
            "free_valuation": offered.free_valuation,
            "free_legal_work": offered.free_legal_work,
            "overpayment_percent": int(offered.overpayment_percent or 0),
            "portable": offered.is_portable or False,
            "first_time_buyers": bool(offered.eligibility),
        }


def _interest_only(line: ProductLine, band: int) -> bool:
    """Return whether a product may be interest only: mostly for let property, rarely for homes, to 75% LTV."""
    if line.buy_to_let:
        return uniform(*line.key, "repayment only") > 0.1
    return band <= 75 and line.lender.lends_interest_only


def main() -> None:
    """Generate the market in the data folder, or in the folder of `--into`."""
    parser = argparse.ArgumentParser(description="Make the embedded sample market.")
    market = read_settings().data_dir / "market"
    parser.add_argument("--into", type=Path, default=market, help="folder to write to")
    try:
        size = generate(market, parser.parse_args().into)
    except (OSError, BankFileError) as error:
        sys.exit(f"Nothing was written: {error}")
    sys.stdout.write(f"{size.lenders} lenders, {size.products:,} products\n")


if __name__ == "__main__":
    main()
