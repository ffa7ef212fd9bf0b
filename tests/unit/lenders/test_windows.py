import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from broker.lenders.directory import LenderDirectory
from broker.lenders.lender import KnownLender
from broker.lenders.windows import (
    WindowEntryError,
    WindowsFileError,
    load_windows,
    parse_windows,
    read_windows,
    window_of,
)
from broker.lending.transfer_window import USUAL_MONTHS, USUAL_WINDOW

DATA = Path(__file__).parents[3] / "data"

WINDOWS = read_windows(DATA)

ENTRY: dict[str, Any] = {
    "names": ["Alder"],
    "earliest": "4 months",
    "latest": "90 days",
    "swap": "You may change it.",
    "sources": [{"name": "Alder’s page", "date": "undated"}],
    "checked": "",
}


def text_of(*entries: object) -> str:
    return json.dumps({"collected": "2026-11-26", "windows": entries})


def test_file_has_the_lenders_of_the_facts_with_a_source_each() -> None:
    names = {name for each in WINDOWS for name in each.names}
    assert {"Halifax", "Nationwide", "NatWest", "Leek Building Society", "Kent Reliance", "Bank of Ireland UK"} <= names
    assert (len(WINDOWS), len(names)) == (22, 25)
    assert all(date for each in WINDOWS for _, date in each.sources)


@pytest.mark.parametrize(
    ("name", "opens"),
    [
        ("Halifax", (4, 0, 4, 0)),
        ("Lloyds", (4, 0, 4, 0)),
        ("HSBC", (0, 120, 0, 90)),
        ("NatWest", (6, 0, 4, 0)),
        ("The Mortgage Works", (0, 91, 0, 91)),
        ("Virgin Money", (USUAL_MONTHS, 0, USUAL_MONTHS, 0)),
        ("first direct", (USUAL_MONTHS, 0, USUAL_MONTHS, 0)),
    ],
)
def test_window_has_the_earlier_and_the_later_value(name: str, opens: tuple[int, int, int, int]) -> None:
    found = window_of(name, WINDOWS)
    assert (found.months, found.days, found.later_months, found.later_days) == opens


def test_words_name_the_sources_and_when_they_were_read() -> None:
    assert window_of("NatWest", WINDOWS).words == (
        "Sources disagree on how early NatWest lets you book: 6 months or 4 months before your deal ends. You may "
        "change it until it starts. From MoneySavingExpert and press, four months (December 2024); two pages for "
        "brokers, six months and likely older (undated), read on 26 November 2026. Check with your lender."
    )
    assert window_of("Virgin Money", WINDOWS).words.startswith("We don’t know how early Virgin Money lets you book.")
    assert window_of("first direct", WINDOWS).words.startswith("We hold no dates for first direct. Ask how early")
    assert window_of("", WINDOWS) == USUAL_WINDOW


def test_checked_value_says_its_source_and_day() -> None:
    (entry,) = parse_windows(text_of({**ENTRY, "latest": "4 months", "checked": "2026-12-01"}))
    assert entry.checked == date(2026, 12, 1)
    assert entry.window("Alder").words == (
        "Alder lets you book from 4 months before your deal ends. You may change it. "
        "From Alder’s page (undated), checked on 1 December 2026."
    )


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"earliest": "4 mnths"}, "earliest and latest"),
        ({"latest": ""}, "earliest and latest"),
        ({"earliest": "30 days"}, "earliest, 30 days, is after latest, 90 days"),
        ({"names": []}, "names are one name at least"),
        ({"names": "Alder"}, "names is no list"),
        ({"sources": [{"name": "Alder"}]}, "sources are one at least"),
        ({"checked": "soon"}, "checked is a day"),
        ({"swap": None}, "swap is no str"),
        ({"more": 1}, "and nothing else"),
    ],
)
def test_wrong_entry_is_named(changes: dict[str, Any], fault: str) -> None:
    other = {**ENTRY, "names": ["Birch"]}
    with pytest.raises(WindowEntryError, match=fault) as found:
        parse_windows(text_of(other, {**ENTRY, **changes}))
    assert found.value.entry == 2


def test_lender_with_two_entries_is_refused() -> None:
    with pytest.raises(WindowEntryError, match="has another entry"):
        parse_windows(text_of(ENTRY, {**ENTRY, "names": ["ALDER Bank"]}))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"collected": "soon", "windows": []}', '{"collected": 1}'])
def test_file_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(WindowsFileError):
        parse_windows(text)


def test_missing_file_is_a_fault_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(WindowsFileError, match="cannot be read"):
        read_windows(tmp_path)
    assert load_windows(tmp_path) == ()


def test_window_is_that_of_the_lender_with_an_id() -> None:
    known = (KnownLender(lender_id=1, name="Leeds Building Society", slug="leeds"),)
    directory = LenderDirectory(known, windows=WINDOWS)
    assert (directory.window(1).months, directory.window(1).later_months) == (6, 4)
    assert directory.window(0) == directory.window(9) == USUAL_WINDOW
