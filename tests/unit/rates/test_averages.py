"""Published averages: every point as its source has it, and files that cannot be right."""

import csv
import shutil
from datetime import date, datetime
from pathlib import Path

import pytest

from broker.lending.days import day_number, month_of
from broker.rates.averages import (
    BANK_RATE_FILE,
    FILES,
    FIVE_YEARS,
    REVERSION,
    THREE_YEARS,
    TWO_YEARS,
    RateHistory,
    read_history,
)
from broker.rates.market.bank_of_england import BankFileError

DATA = Path(__file__).parents[3] / "data" / "market" / "bank_of_england"
_, LATER_PUBLISHED = FILES


@pytest.fixture(scope="module")
def history() -> RateHistory:
    return read_history(DATA)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DATA, tmp_path / "bank_of_england"))


def _day(text: str) -> date:
    return datetime.strptime(text, "%d %b %Y").date()


def _month(text: str) -> int:
    return month_of(day_number(_day(text)))


def _published() -> dict[tuple[str, int], float]:
    """Return every figure of the files by series and month, the later publication over the earlier."""
    found: dict[tuple[str, int], float] = {}
    for name in FILES:
        with (DATA / name).open() as lines:
            for row in csv.DictReader(lines):
                month = _month(row.pop("DATE"))
                found |= {(code, month): float(cell) for code, cell in row.items() if cell}
    return found


def test_every_average_is_that_of_its_source(history: RateHistory) -> None:
    read = {(code, month): rate for code, months in history.averages.items() for month, rate in months.items()}
    assert read == _published()
    assert len(read) == 894


def test_every_bank_rate_is_that_of_its_source(history: RateHistory) -> None:
    with (DATA / BANK_RATE_FILE).open() as lines:
        source = [(_day(row["DATE"]), float(row["IUDBEDR"])) for row in csv.DictReader(lines)]
    assert list(history.bank_rates) == source


@pytest.mark.parametrize(
    ("code", "month", "rate"),
    [
        (TWO_YEARS[75], "31 Aug 2026", 4.92),
        (THREE_YEARS[75], "31 Aug 2026", 4.77),
        (FIVE_YEARS[75], "31 Aug 2026", 4.78),
        (REVERSION, "31 Aug 2026", 6.58),
        (TWO_YEARS[75], "28 Feb 2026", 3.97),
        (TWO_YEARS[75], "31 Aug 2025", 4.10),  # revised from 4.13
        (FIVE_YEARS[75], "31 Aug 2025", 4.11),  # revised from 4.14
        (FIVE_YEARS[60], "28 Feb 2019", 1.96),
        (TWO_YEARS[95], "30 Sep 2017", 4.01),
    ],
)
def test_figures_that_the_bank_is_known_for(history: RateHistory, code: str, month: str, rate: float) -> None:
    assert history.of(code)[_month(month)] == rate


def test_history_runs_from_the_first_to_the_last_month(history: RateHistory) -> None:
    assert (history.first, history.last) == (_month("30 Sep 2017"), _month("31 Aug 2026"))
    assert 85 not in FIVE_YEARS


@pytest.mark.parametrize(
    ("day", "rate"),
    [
        (date(2016, 8, 3), None),
        (date(2020, 3, 18), 0.25),
        (date(2020, 3, 19), 0.1),
        (date(2023, 8, 3), 5.25),
        (date(2025, 12, 17), 4.0),
        (date(2026, 8, 31), 3.75),
    ],
)
def test_bank_rate_of_a_day(history: RateHistory, day: date, rate: float | None) -> None:
    assert history.bank_rate(day) == rate


@pytest.mark.parametrize("cell", ["", ".."])
def test_month_without_an_average_is_missing(folder: Path, cell: str) -> None:
    file = folder / LATER_PUBLISHED
    file.write_text(file.read_text().replace("31 Mar 2026,4.45", f"31 Mar 2026,{cell}"))
    assert read_history(folder).missing(TWO_YEARS[75]) == (_month("31 Mar 2026"),)


def test_series_without_figures_has_no_missing_month(history: RateHistory) -> None:
    assert history.missing("") == ()
    assert history.missing(TWO_YEARS[75]) == ()


@pytest.mark.parametrize(
    ("name", "before", "after", "problem"),
    [
        (LATER_PUBLISHED, "31 Mar 2026,4.45", "31 Mar 2026,four", "line 16, column IUMBV34: 'four' is no rate"),
        (LATER_PUBLISHED, "31 Mar 2026", "30 Mar 2026", "30 Mar 2026 is not the last day of a month"),
        (LATER_PUBLISHED, "30 Apr 2026", "31 Mar 2026", "31 Mar 2026 is there twice"),
        (BANK_RATE_FILE, "03 Feb 2022", "2022-02-03", "is no day"),
        (BANK_RATE_FILE, "IUDBEDR", "IUDOTHER", "column IUDBEDR: the series is missing"),
    ],
)
def test_wrong_files_are_refused(folder: Path, name: str, before: str, after: str, problem: str) -> None:
    file = folder / name
    assert before in file.read_text()
    file.write_text(file.read_text().replace(before, after))
    with pytest.raises(BankFileError, match=problem):
        read_history(folder)


@pytest.mark.parametrize("name", [*FILES, BANK_RATE_FILE])
def test_absent_and_empty_files_are_refused(folder: Path, name: str) -> None:
    (folder / name).write_text("")
    with pytest.raises(BankFileError, match=name):
        read_history(folder)
    (folder / name).unlink()
    with pytest.raises(FileNotFoundError, match=name):
        read_history(folder)
