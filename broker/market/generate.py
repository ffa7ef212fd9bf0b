"""Generate the sample market: `python -m broker.market.generate` writes lenders.csv and products.csv.gz.

The same inputs give the same bytes.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from broker.market.benchmark_rates import BenchmarkRates, read_benchmark_rates
from broker.market.csv_tables import LENDER_COLUMNS, LENDERS, PRODUCT_COLUMNS, PRODUCTS, write_table
from broker.market.lender_directory import Kind, LenderProfile, read_directory
from broker.market.product_incentives import incentives, yearly_charges
from broker.market.product_recipe import ProductLine, product_lines
from broker.market.product_text import product_id
from broker.market.seeded_random import uniform
from broker.settings import read_settings

_MAX_LOANS = {60: 2_000_000, 65: 1_500_000, 75: 1_500_000, 80: 1_000_000, 85: 1_000_000, 90: 750_000, 95: 500_000}
_MAX_LOAN_PART = {Kind.BANK: 1.0, Kind.SOCIETY: 0.6, Kind.SPECIALIST: 0.8}


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketSize:
    """The number of generated lenders and products."""

    lenders: int
    products: int


def generate(source: Path, target: Path) -> MarketSize:
    """Read the averages and the directory in `source`, write the market into `target`, and return its size."""
    anchors = read_benchmark_rates(source)
    lenders = sorted(read_directory(source), key=lambda lender: lender.lender_id)
    products = [row for lender in lenders for line in product_lines(lender) for row in _products(line, anchors)]
    target.mkdir(parents=True, exist_ok=True)
    write_table(target / LENDERS, LENDER_COLUMNS, rows=map(_lender, lenders))
    write_table(target / PRODUCTS, PRODUCT_COLUMNS, rows=products)
    return MarketSize(lenders=len(lenders), products=len(products))


def _lender(lender: LenderProfile) -> Sequence[object]:
    return (
        lender.lender_id,
        lender.name,
        lender.slug,
        lender.kind,
        int(lender.residential),
        int(lender.buy_to_let),
        f"{lender.follow_on_rate:.2f}",
        f"{lender.buy_to_let_follow_on_rate:.2f}" if lender.buy_to_let else "",
    )


def _products(line: ProductLine, anchors: BenchmarkRates) -> Iterator[Sequence[object]]:
    charges, offered = ";".join(map(str, yearly_charges(line))), incentives(line)
    for band, rate in line.rates(anchors):
        yield (
            product_id(line, band),
            line.lender.lender_id,
            line.rate_type,
            f"{rate:.2f}",
            line.months,
            line.purpose,
            line.market,
            int(_interest_only(line, band)),
            band,
            line.fee.pounds,
            line.fee.percent,
            line.lender.least_loan,
            int(_MAX_LOANS[band] * _MAX_LOAN_PART[line.lender.kind]),
            charges,
            f"{offered.cashback:g}",
            int(offered.free_valuation),
            int(offered.free_legal_work),
            f"{offered.overpayment_percent:g}",
            int(offered.is_portable or False),
            int(bool(offered.eligibility)),
        )


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
    size = generate(market, parser.parse_args().into)
    sys.stdout.write(f"{size.lenders} lenders, {size.products:,} products\n")


if __name__ == "__main__":
    main()
