"""The lowest rate of each day in a live feed's lists, stored for the chart of averages."""

import logging
from datetime import date, timedelta
from pathlib import Path

import pytest

from broker.rates.daily_lowest import KEPT_DAYS, NO_LOWEST, DailyLowestFile, lowest_of
from broker.rates.product import RateType
from tests.unit.rates.products import priced

HEADS = "day,years,ltv,rate\n"
DAY = date(2026, 11, 26)


@pytest.fixture
def file(tmp_path: Path) -> DailyLowestFile:
    return DailyLowestFile(tmp_path / "state" / "daily-lowest.csv")


def test_lowest_fixed_rate_of_each_length_and_loan_to_value_is_found() -> None:
    products = (
        priced("1", rate=4.6),
        priced("2", rate=4.4),
        priced("3", rate=4.1, months=60),
        priced("4", rate=3.9, rate_type=RateType.VARIABLE),
        priced("5", rate=3.8, interest_only=True),
        priced("6", rate=3.7, months=120),
    )
    assert lowest_of([(75, products), (50, products), (60, products[:1])]) == {(2, 75): 4.4, (5, 75): 4.1, (2, 60): 4.6}


def test_days_are_stored_and_read_again(file: DailyLowestFile) -> None:
    assert not file.current()
    file.record(DAY - timedelta(days=1), {(2, 75): 4.4, (5, 75): 4.1})
    assert file.current().of(2, 75) == {DAY - timedelta(days=1): 4.4}
    file.record(DAY, {(2, 75): 4.35})
    found = file.current()
    assert found.of(2, 75) == {DAY - timedelta(days=1): 4.4, DAY: 4.35}
    assert found.of(5, 75) == {DAY - timedelta(days=1): 4.1}
    assert found.of(3, 75) == {}
    assert found.first == DAY - timedelta(days=1)
    assert found.by_month(2, 75) == {2026 * 12 + 10: 4.35}
    assert file.current() is found


def test_lowest_rate_of_a_day_stays_whichever_process_stores_last(file: DailyLowestFile) -> None:
    for rate in (4.4, 4.35, 4.5):
        file.record(DAY, {(2, 75): rate})
    assert file.current().of(2, 75) == {DAY: 4.35}


def test_more_than_a_year_is_kept_and_no_more_than_that(file: DailyLowestFile) -> None:
    first = DAY - timedelta(days=KEPT_DAYS)
    for day in (first, first + timedelta(days=1), DAY):
        file.record(day, {(2, 75): 4.4})
    assert list(file.current().of(2, 75)) == [first + timedelta(days=1), DAY]
    assert KEPT_DAYS > 366


def test_no_lists_change_nothing(file: DailyLowestFile) -> None:
    file.record(DAY, {})
    assert file.current() is NO_LOWEST


@pytest.mark.parametrize(
    "content", ["", "day,years\n2026-11-26,2\n", f"{HEADS}2026-11-26,2,75,\n", f"{HEADS}yesterday,2,75,4\n"]
)
def test_damaged_file_is_set_aside_and_logged(
    file: DailyLowestFile, tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "state" / "daily-lowest.csv"
    path.parent.mkdir()
    path.write_text(content)
    with caplog.at_level(logging.WARNING):
        assert not file.current()
    assert "begin again" in caplog.text
    assert path.with_suffix(".damaged").read_text() == content
    file.record(DAY, {(2, 75): 4.4})
    assert file.current().of(2, 75) == {DAY: 4.4}


def test_full_disk_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    with caplog.at_level(logging.WARNING):
        DailyLowestFile(tmp_path / "state" / "daily-lowest.csv").record(DAY, {(2, 75): 4.4})
    assert "not stored" in caplog.text
