import gzip
import re
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from broker.rates.market.catalogue import LENDERS, PRODUCTS, lenders, read_benchmark_rates
from broker.rates.market.generate import generate
from broker.rates.market.rate_source import price_rows
from broker.rates.product import ANY_AMOUNT, NO_CHARGE, RateProduct
from broker.rates.query import RatesQuery
from tests.unit.rates.market.searching import MARKET, catalogue


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


def _products() -> tuple[RateProduct, ...]:
    """Return every product of the market, priced for a loan."""
    return price_rows(catalogue(), RatesQuery(), np.arange(len(catalogue())))[:]


def test_early_repayment_charge_is_in_words() -> None:
    products = _products()
    charges = {product.early_repayment_charge for product in products}
    assert {
        NO_CHARGE,
        "2% of the balance in year 1, then 1% in year 2, then none",
        "2% of the balance in the first 13 months, then 1% until month 25, then none",
        "1% of the balance until the deal ends, then none",
    } <= charges
    assert not [text for text in (*charges, *(product.title for product in products)) if "ERC" in text]


def test_no_text_of_a_product_has_a_date() -> None:
    texts = {text for each in _products() for text in (each.title, each.early_repayment_charge, each.description)}
    assert not [text for text in texts if re.search(r"20[0-9]{2}|January|June|September|December", text)]


def test_one_deal_in_ten_does_not_last_whole_years() -> None:
    products = _products()
    uneven = [product for product in products if "-month " in product.title]
    assert 0.07 < len(uneven) / len(products) < 0.13
    assert all(
        product.title.lower().startswith(("buy to let ", f"{product.initial_months}-month")) for product in uneven
    )


def test_market_has_incentives_of_every_kind() -> None:
    offered = {product.product_id: product.incentives for product in _products()}
    assert {each.cashback for each in offered.values()} == {0, 250, 500, 1_000}
    assert {each.overpayment_percent for each in offered.values()} == {10, 20, ANY_AMOUNT}
    assert {(each.free_valuation, each.free_legal_work, each.is_portable) for each in offered.values()} >= {
        (True, True, True),
        (False, False, False),
    }
    firsts = [product_id for product_id, each in offered.items() if each.eligibility]
    assert firsts
    assert all("-purchase-" in each and "buy-to-let" not in each for each in firsts)
    assert not [each for each, given in offered.items() if given.free_legal_work and "-purchase-" in each]
