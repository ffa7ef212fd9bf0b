"""The sample market itself: repeatable, large enough, and sensible."""

import gzip
import re
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

from broker.market.benchmark_rates import read_benchmark_rates
from broker.market.catalogue import lenders
from broker.market.csv_tables import LENDERS, PRODUCT_COLUMNS, PRODUCTS, read_table
from broker.market.generate import generate
from tests.unit.market.searching import MARKET, catalogue


def test_generate_gives_the_committed_market_and_the_same_bytes_twice(tmp_path: Path) -> None:
    generate(MARKET, tmp_path / "first")
    generate(MARKET, tmp_path / "second")
    assert (tmp_path / "first" / PRODUCTS).read_bytes() == (tmp_path / "second" / PRODUCTS).read_bytes()
    # Unpacked, because the packing itself may differ between versions of zlib.
    made, committed = [gzip.decompress((folder / PRODUCTS).read_bytes()) for folder in (tmp_path / "first", MARKET)]
    assert made == committed
    assert (tmp_path / "first" / LENDERS).read_bytes() == (MARKET / LENDERS).read_bytes()


def test_market_is_large_and_its_readme_says_how_large() -> None:
    market = catalogue()
    assert len(market) >= 12_000
    assert len(market.lenders) >= 60
    assert f"{len(market.lenders)} lenders, {len(market):,} products" in (MARKET / "README.md").read_text("utf-8")
    assert (MARKET / PRODUCTS).stat().st_size < 600_000


AVERAGES = {(2, 60): 3.94, (2, 75): 4.13, (2, 80): 4.19, (5, 75): 4.14, (5, 85): 4.2293, (3, 75): 4.155, (2, 95): 5.0}
"""Published rates by years and loan to value."""


def test_benchmarks_are_the_published_averages_and_others_follow_from_them() -> None:
    benchmarks = read_benchmark_rates(MARKET)
    assert {key: benchmarks.residential(*key) for key in AVERAGES} == pytest.approx(AVERAGES, abs=1e-4)
    assert benchmarks.buy_to_let(2, 75) == pytest.approx(4.13 + 0.45)
    assert benchmarks.tracker(75, buy_to_let=False) == pytest.approx(4.36)


def test_higher_ltv_is_never_cheaper() -> None:
    ladders: dict[str, list[tuple[int, float]]] = defaultdict(list)
    market = catalogue()
    for product_id, ltv, rate in zip(market.product_id, market.most_ltv, market.initial_rate, strict=True):
        ladders[re.sub(r"-\d+-ltv-", "-", product_id)].append((int(ltv), float(rate)))
    for ladder in ladders.values():
        assert all(low[1] <= high[1] for low, high in pairwise(sorted(ladder)))


def test_rates_stay_within_the_range_of_the_real_market() -> None:
    market = catalogue()
    assert (market.initial_rate.min() >= 3.3, market.initial_rate.max() <= 6.0) == (True, True)
    homes = [lender.follow_on_rate for lender in lenders(market)]
    let = [lender.buy_to_let_follow_on_rate for lender in lenders(market) if lender.buy_to_let]
    assert 6.25 <= min(homes) <= max(homes) <= 8.75
    assert max(let) <= 9.2


def test_lenders_are_listed_by_name_with_a_slug() -> None:
    listed = lenders(catalogue())
    assert [lender.name for lender in listed] == sorted((lender.name for lender in listed), key=str.casefold)
    assert {lender.lender_id: lender.slug for lender in listed}[50] == "hinckley-and-rugby-building-society"
    assert len({lender.slug for lender in listed}) == len(listed)


def test_home_loans_are_interest_only_to_75_percent_at_most() -> None:
    table = read_table(MARKET / PRODUCTS, PRODUCT_COLUMNS)
    may = (table["interest_only"] == 1) & (table["market"] == "residential")
    assert table["most_ltv"][may].max() == 75
    assert 0 < may.sum() < (table["market"] == "residential").sum() / 3


def test_early_repayment_charge_is_in_words() -> None:
    charges = set(catalogue().early_repayment_charge)
    assert {"None", "2% of the balance in year 1, then 1% in year 2, then none"} <= charges
    assert not [text for text in (*charges, *catalogue().notes, *catalogue().title) if "ERC" in text]


def test_one_deal_in_ten_ends_on_a_date() -> None:
    market = catalogue()
    dated = [title for title in market.title if " to 3" in title]
    assert 0.07 < len(dated) / len(market) < 0.13
    assert len(dated) == int((market.initial_months % 12 > 0).sum())
