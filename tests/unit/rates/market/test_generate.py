import gzip
import re
import shutil
import sys
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

from broker.rates.market import generate as command
from broker.rates.market.catalogue import BUY_TO_LET, FIXED, LENDERS, PRODUCTS, RESIDENTIAL, VARIABLE, lenders
from broker.rates.market.generate import generate
from broker.rates.market.rate_source import price_rows
from broker.rates.product import ANY_AMOUNT, NO_CHARGE, RateProduct
from broker.rates.query import RatesQuery
from tests.unit.rates.market.searching import BENCHMARKS, MARKET, catalogue


def test_generate_gives_the_committed_market_and_the_same_bytes_twice(tmp_path: Path) -> None:
    generate(MARKET, tmp_path / "first")
    generate(MARKET, tmp_path / "second")
    assert (tmp_path / "first" / PRODUCTS).read_bytes() == (tmp_path / "second" / PRODUCTS).read_bytes()
    # Unpacked, because the packing itself may differ between versions of zlib.
    made, committed = [gzip.decompress((folder / PRODUCTS).read_bytes()) for folder in (tmp_path / "first", MARKET)]
    assert made == committed
    assert (tmp_path / "first" / LENDERS).read_bytes() == (MARKET / LENDERS).read_bytes()


def test_command_refuses_a_broken_file_and_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(MARKET, tmp_path / "market")
    file = tmp_path / "market" / "bank_of_england" / "quoted_rates.csv"
    file.write_bytes(file.read_bytes().replace(b",4.92,", b",4,92,"))
    before = {path.name: path.read_bytes() for path in (tmp_path / "market").glob("*.*")}
    monkeypatch.setenv("BROKER_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["generate"])
    with pytest.raises(SystemExit) as stopped:
        command.main()
    assert stopped.value.code == ("Nothing was written: quoted_rates.csv, line 21, column 6: 6 cells, the header has 5")
    assert {path.name: path.read_bytes() for path in (tmp_path / "market").glob("*.*")} == before


def test_market_is_large_and_its_readme_says_how_large() -> None:
    market = catalogue()
    assert len(market) >= 12_000
    assert len(market.lenders) >= 60
    assert f"{len(market.lenders)} lenders, {len(market):,} products" in (MARKET / "README.md").read_text("utf-8")
    assert (MARKET / PRODUCTS).stat().st_size < 600_000


def _averages(*, market: str, rate_type: str) -> dict[tuple[int, int], float]:
    """Return the mean rate of products of banks and building societies, by years and LTV."""
    mainstream = {lender.lender_id for lender in lenders(catalogue()) if lender.kind != "specialist"}
    rates: dict[tuple[int, int], list[float]] = defaultdict(list)
    for row in catalogue().products.to_dict("records"):
        if row["lender_id"] in mainstream and (row["market"], row["rate_type"]) == (market, rate_type):
            rates[row["years"], row["most_ltv"]].append(row["initial_rate"])
    return {key: fmean(found) for key, found in rates.items()}


def test_fixed_home_loans_average_what_is_published_at_every_length_and_ltv() -> None:
    found = _averages(market=RESIDENTIAL, rate_type=FIXED)
    expected = {key: BENCHMARKS.residential(*key) for key in found}
    assert sorted(found) == [(years, ltv) for years in (2, 3, 5) for ltv in (60, 75, 80, 85, 90, 95)]
    assert found == pytest.approx(expected, abs=0.005)


def test_follow_on_rates_average_the_published_reversion_rate() -> None:
    rates = [lender.follow_on_rate for lender in lenders(catalogue()) if lender.kind != "specialist"]
    assert fmean(rates) == pytest.approx(BENCHMARKS.reversion, abs=0.005)


def test_trackers_follow_bank_rate() -> None:
    for market, least in ((RESIDENTIAL, 0.0), (BUY_TO_LET, 0.4)):
        found = _averages(market=market, rate_type=VARIABLE)
        expected = {key: BENCHMARKS.tracker(key[1], buy_to_let=market == BUY_TO_LET) for key in found}
        assert found == pytest.approx(expected, abs=0.06)
        trackers = catalogue().products.query("rate_type == 'variable' and market == @market")["initial_rate"]
        assert min(trackers.tolist()) > BENCHMARKS.bank_rate + least


def test_higher_ltv_is_never_cheaper() -> None:
    ladders: dict[str, list[tuple[int, float]]] = defaultdict(list)
    market = catalogue()
    for product_id, ltv, rate in zip(market.product_id, market.most_ltv, market.initial_rate, strict=True):
        ladders[re.sub(r"-\d+-ltv-", "-", product_id)].append((int(ltv), float(rate)))
    for ladder in ladders.values():
        assert all(low[1] <= high[1] for low, high in pairwise(sorted(ladder)))


def test_rates_stay_within_the_range_of_the_real_market() -> None:
    market = catalogue()
    assert 3.8 <= market.initial_rate.min() <= market.initial_rate.max() <= 6.5
    homes = [lender.follow_on_rate for lender in lenders(market)]
    let = [lender.buy_to_let_follow_on_rate for lender in lenders(market) if lender.buy_to_let]
    assert 5.8 <= min(homes) <= max(homes) <= 7.9
    assert max(let) <= 8.6


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
