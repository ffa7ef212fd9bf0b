import shutil
from datetime import date, timedelta
from pathlib import Path

import pytest

from broker.calculators.buying.purchase import MARKET_RATE
from broker.calculators.remortgage import FOLLOW_ON_RATE
from broker.rates.market.bank_of_england import BankFileError, read_series
from broker.rates.market.benchmark_rates import MAX_AGE, read_benchmark_rates
from tests.unit.rates.market.searching import BENCHMARKS, MARKET

PUBLISHED = {(2, 75): 4.92, (3, 75): 4.77, (5, 75): 4.78}
"""Averages of August 2026 by years and loan to value."""

FROM_AUGUST_2025 = {
    (2, 60): 4.92 + 3.94 - 4.13,
    (2, 85): 4.92 + 4.25 - 4.13,
    (2, 90): 4.92 + 4.56 - 4.13,
    (2, 95): 4.92 + 5.00 - 4.13,
    (5, 60): 4.78 + 4.07 - 4.14,
    (5, 90): 4.78 + 4.46 - 4.14,
    (5, 95): 4.78 + 4.86 - 4.14,
}
"""The average at 75% and the distance from it in August 2025."""

BETWEEN = {(2, 80): 4.98, (5, 85): 4.8693, (5, 80): 4.8247, (3, 60): 4.64, (3, 90): 5.145}
"""Interpolated averages."""


def test_level_is_the_newest_month_and_other_ltvs_keep_their_distance() -> None:
    expected = PUBLISHED | FROM_AUGUST_2025 | BETWEEN
    assert {key: BENCHMARKS.residential(*key) for key in expected} == pytest.approx(expected, abs=1e-4)
    assert (BENCHMARKS.reversion, BENCHMARKS.as_of) == (6.58, date(2026, 8, 31))
    assert (BENCHMARKS.bank_rate, BENCHMARKS.bank_rate_since) == (3.75, date(2025, 12, 18))
    assert BENCHMARKS.buy_to_let(2, 75) == pytest.approx(4.92 + 0.45)
    assert BENCHMARKS.tracker(75, buy_to_let=False) == pytest.approx(3.75 + 0.36)


def test_calculators_begin_with_the_published_averages() -> None:
    """After `make market` with newer figures, change these two constants, and the method page that states them."""
    assert (BENCHMARKS.fixed[2, 75], BENCHMARKS.reversion) == (MARKET_RATE, FOLLOW_ON_RATE)


def market(folder: Path) -> Path:
    shutil.copytree(MARKET / "bank_of_england", folder / "bank_of_england")
    return folder


def test_newer_download_with_every_series_needs_no_older_file(tmp_path: Path) -> None:
    codes = "DATE,IUMZICQ,IUMBV34,IUMZICR,IUMB482,IUM2WTL,IUMBV37,IUMZO27,IUMBV42,IUMZO28,IUM5WTL,IUMTLMV\n"
    september = "30 Sep 2026,4.5,4.7,4.9,5.1,5.5,4.6,4.4,4.5,4.9,5.3,6.5\n"
    october = "31 Oct 2026,..,4.6,..,..,..,4.5,..,4.4,..,..,6.4\n"
    folder = market(tmp_path)
    (folder / "bank_of_england" / "quoted_rates.csv").write_text(codes + september + october, encoding="utf-8")
    found = read_benchmark_rates(folder)
    expected = {(2, 75): 4.6, (2, 60): 4.4, (2, 95): 5.4, (3, 75): 4.5, (5, 75): 4.4, (5, 60): 4.3, (5, 90): 4.8}
    assert {key: found.fixed[key] for key in expected} == pytest.approx(expected)
    assert (found.reversion, found.as_of) == (6.4, date(2026, 10, 31))


def test_month_with_a_missing_series_is_left_out(tmp_path: Path) -> None:
    folder = market(tmp_path)
    with (folder / "bank_of_england" / "quoted_rates.csv").open("a", encoding="utf-8") as file:
        file.write("30 Sep 2026,4.9,..,4.8,6.5\n")
    assert read_benchmark_rates(folder) == BENCHMARKS


def test_bank_rate_may_be_a_row_a_day_and_holds_since_its_first_day(tmp_path: Path) -> None:
    folder = market(tmp_path)
    daily = "DATE,IUDBEDR\n16 Sep 2026,3.75\n17 Sep 2026,3.5\n18 Sep 2026,3.5\n21 Sep 2026,3.5\n22 Sep 2026,\n"
    (folder / "bank_of_england" / "bank_rate.csv").write_text(daily, encoding="utf-8")
    found = read_benchmark_rates(folder)
    assert (found.bank_rate, found.bank_rate_since) == (3.5, date(2026, 9, 17))


REFUSED = {
    "quoted_rates.csv": {
        "DATE,IUMBV34,IUMBV42,IUMTLMV\n31 Aug 2026,4,4,6\n": "line 1, column IUMBV37: the series is missing",
        "DATE,IUMBV34,IUMBV37,IUMBV42,IUMTLMV\n31 Aug 2026,4,,4,6\n": "line 2, column IUMBV34: no day has a value of "
        "IUMBV34, IUMBV37, IUMBV42, IUMTLMV",
    },
    "bank_rate.csv": {"DATE,OTHER\n1 Aug 2026,4\n": "line 1, column IUDBEDR: the series is missing"},
    "quoted_rates_to_august_2025.csv": {
        "DATE,IUMBV34\n31 Aug 2025,4\n": "line 1, column IUMZICQ: the series is missing",
        "DATE,IUMBV34,IUMZICQ\n31 Aug 2025,4,\n31 Jul 2025,,4\n": "line 2, column IUMZICQ: no day has a value of "
        "IUMZICQ, IUMBV34",
    },
}


@pytest.mark.parametrize(
    ("file", "text", "fault"), [(file, *each) for file, faults in REFUSED.items() for each in faults.items()]
)
def test_file_without_what_the_market_needs_is_named(tmp_path: Path, file: str, text: str, fault: str) -> None:
    folder = market(tmp_path)
    (folder / "bank_of_england" / file).write_text(text, encoding="utf-8")
    with pytest.raises(BankFileError) as refused:
        read_benchmark_rates(folder)
    assert str(refused.value) == f"{file}, {fault}"


def test_notice_comes_once_the_averages_are_older_than_sixty_days() -> None:
    last = BENCHMARKS.as_of + timedelta(days=60)
    assert timedelta(days=60) == MAX_AGE
    assert BENCHMARKS.renewal_notice(last) == ""
    assert BENCHMARKS.renewal_notice(last + timedelta(days=1)) == (
        "The sample rates are those of August 2026, 61 days old: "
        "data/market/README.md says how to bring them up to date."
    )


COUNTS = dict.fromkeys(("IUMZICQ", "IUMBV34", "IUMZICR", "IUMB482", "IUM2WTL", "IUMBV42", "IUM5WTL"), 96)
COUNTS |= {"IUMZO27": 79, "IUMZO28": 79}  # since February 2019
"""Months of each series in the older file, as many as the Bank published."""


def test_committed_files_are_whole() -> None:
    older = read_series(MARKET / "bank_of_england" / "quoted_rates_to_august_2025.csv")
    newest = read_series(MARKET / "bank_of_england" / "quoted_rates.csv")
    assert {code: (min(days), max(days), len(days)) for code, days in newest.items()} == dict.fromkeys(
        ("IUMBV34", "IUMBV37", "IUMBV42", "IUMTLMV"), (date(2025, 1, 31), date(2026, 8, 31), 20)
    )
    assert {max(days) for days in older.values()} == {date(2025, 8, 31)}
    assert {code: len(days) for code, days in older.items()} == COUNTS
