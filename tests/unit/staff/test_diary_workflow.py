"""The forms of the diary: hours, absences and sentences to visitors, as staff type them."""

from datetime import UTC, date, datetime

import pytest

from broker.appointments.slots import AdviserHours
from broker.clock import UK
from broker.staff.diary_workflow import (
    Absence,
    hours_values,
    parse_absence,
    parse_adviser_hours,
    parse_day,
    parse_sentence,
)

NOW = datetime(2026, 11, 27, 10, 18, tzinfo=UTC)


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("9:00 to 12:30, 13:30 to 17:00", "09:00 to 12:30, 13:30 to 17:00"),
        ("1.30pm to 5pm and 9am - 12.30pm", "09:00 to 12:30, 13:30 to 17:00"),
        ("  ", ""),
    ],
)
def test_hours_are_read_as_people_write_them(typed: str, stored: str) -> None:
    hours = parse_adviser_hours({"monday": typed})
    assert isinstance(hours, AdviserHours)
    assert hours_values(hours)["monday"] == stored


@pytest.mark.parametrize(
    "typed",
    ["all day", "17:00 to 9:00", "9 to 25", "9:00", "9 to 12 lunch", "9:03 to 10:00", "9 to 12, 11 to 15", "9" * 500],
)
def test_nonsense_in_hours_is_said_beside_its_day(typed: str) -> None:
    problems = parse_adviser_hours({"monday": "9 to 17", "tuesday": typed})
    assert isinstance(problems, dict)
    assert list(problems) == ["tuesday"]


def absence(**given: str) -> Absence | dict[str, str]:
    return parse_absence({name.replace("_", "-").removeprefix("-"): text for name, text in given.items()}, now=NOW)


def test_absence_of_whole_days_ends_with_its_last_day() -> None:
    found = absence(**{"from": "2026-12-21", "to": "31/12/2026"})
    assert found == Absence(start=datetime(2026, 12, 21, tzinfo=UK), end=datetime(2027, 1, 1, tzinfo=UK))


def test_absence_of_hours_is_in_uk_time() -> None:
    found = absence(**{"from": "2027-06-01", "from_time": "13.20", "to": "2027-06-01", "to_time": "17:00"})
    assert isinstance(found, Absence)
    assert (found.start.astimezone(UTC).hour, found.end.astimezone(UTC).hour) == (12, 16)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"from": "soon", "to": "2026-12-01"}, "from"),
        ({"from": "2026-12-01", "to": ""}, "to"),
        ({"from": "2026-12-01", "to": "2026-11-30"}, "to"),
        ({"from": "2026-11-01", "to": "2026-11-02"}, "to"),
        ({"from": "2026-12-01", "to": "2026-12-01", "from_time": "noon"}, "from-time"),
        ({"from": "2026-12-01", "to": "2026-12-01", "to_time": "25:00"}, "to-time"),
        ({"from": "9999-12-31", "to": "9999-12-31"}, "to"),
        ({"from": "0001-01-01", "to": "2026-12-01"}, "to"),
    ],
)
def test_nonsense_in_an_absence_is_said_beside_its_field(given: dict[str, str], field: str) -> None:
    problems = absence(**given)
    assert isinstance(problems, dict), problems
    assert list(problems) == [field]


def test_day_is_read_in_both_forms() -> None:
    assert parse_day("2026-11-27") == parse_day(" 27/11/2026 ") == date(2026, 11, 27)
    assert [parse_day(text) for text in ("", "27 November", "2026-02-30", None, "9" * 99)] == [None] * 5


def test_sentence_is_one_line_of_at_most_300_characters() -> None:
    assert parse_sentence("Sorry,\r\nI am ill. ") == ("Sorry, I am ill.", "")
    assert parse_sentence("x" * 301) == ("", "Use 300 characters or fewer")
    assert parse_sentence(" ", is_needed=True) == ("", "Write a sentence to the visitor")
