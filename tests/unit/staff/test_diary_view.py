"""The diary as staff see it: a table of times by day, and the words of times, absences and changes."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest

from broker.appointments.appointment import Appointment, AppointmentState, Medium, Slot
from broker.appointments.slots import Absence, TimeRange
from broker.clock import UK
from broker.staff.diary_view import coverage_words, day_view, grid, meanwhile_words, span_words, week_view
from broker.staff.diary_workflow import DiaryDay, DiaryEntry

FRIDAY = date(2026, 11, 27)
NOW = datetime(2026, 11, 27, 10, 18, tzinfo=UTC)
MORNING = (TimeRange(opens=time(9), closes=time(12, 30)),)


def entry(at: str, minutes: int = 20, *, day: date = FRIDAY, id_: int = 1, **more: object) -> DiaryEntry:
    start = datetime.combine(day, time.fromisoformat(at), tzinfo=UK)
    slot = Slot(start=start.astimezone(UTC), minutes=minutes, medium=Medium.TELEPHONE)
    state = more.pop("state", AppointmentState.BOOKED)
    appointment = Appointment(
        id=id_,
        uid=str(id_),
        sequence=0,
        adviser="ada",
        slot=slot,
        state=AppointmentState(str(state)),
        reference="HG-7K3M-Q2XD",
        created=NOW,
        changed_by=str(more.pop("changed_by", "")),
        changed_at=NOW,
    )
    return DiaryEntry(appointment=appointment, name="Zebedee Quillfeather")


def day(*entries: DiaryEntry, at: date = FRIDAY, hours: tuple[TimeRange, ...] = MORNING, **more: object) -> DiaryDay:
    return DiaryDay(day=at, adviser="ada", hours=hours, entries=entries, **more)  # pyright: ignore[reportArgumentType] - fields by name


def stretches(one: DiaryDay) -> list[tuple[str, str]]:
    (column,) = grid([one], by_adviser=False, now=NOW).columns
    return [(each.time, each.words or each.entries[0].name) for each in column.stretches]


def test_day_is_what_is_booked_free_and_closed_in_order() -> None:
    assert stretches(day(entry("10:40"), entry("11:20", 40))) == [
        ("09:00", "Nothing until 10:15"),
        ("10:15", "Free until 10:40"),
        ("10:40", "Zebedee Quillfeather"),
        ("11:00", "Free until 11:20"),
        ("11:20", "Zebedee Quillfeather"),
        ("12:00", "Free until 12:30"),
        ("12:30", "No hours"),
    ]


def test_line_of_now_is_drawn_today_alone() -> None:
    days = [day(at=FRIDAY + timedelta(days=number)) for number in (-1, 0, 1)]
    columns = grid(days, by_adviser=False, now=NOW).columns
    assert [[each.time for each in column.stretches if each.is_now] for column in columns] == [[], ["10:15"], []]
    marked = [each.words for row in grid(days, by_adviser=False, now=NOW).rows for each in row.cells if each.is_now]
    assert marked == ["Free until 12:30"]


def test_absence_and_bank_holiday_take_the_hours() -> None:
    away = Absence(start=datetime(2026, 11, 27, 11, tzinfo=UK), end=datetime(2026, 11, 28, tzinfo=UK))
    assert stretches(day(absences=(away,)))[2:] == [("11:00", "Away")]
    assert stretches(day(is_holiday=True)) == [("09:00", "Bank holiday")]


def test_cancelled_appointment_takes_no_time_and_is_listed() -> None:
    cancelled = day(entry("10:40", state="cancelled"))
    assert [kind for _, kind in stretches(cancelled)][1:] == ["Free until 12:30", "No hours"]
    (listed,) = day_view([cancelled], ["ada"], adviser="ada", now=NOW).cancelled
    assert (listed.time, listed.tag) == ("10:40", "Cancelled")


def test_every_row_of_the_table_has_a_cell_and_the_columns_are_full() -> None:
    week = [day(at=FRIDAY - timedelta(days=ago)) for ago in (2, 1)] + [day(entry("10:40"), entry("12:00", 40))]
    table = grid(week, by_adviser=False, now=NOW)
    assert all(row.cells or row.hour for row in table.rows)
    assert sum(row.fives for row in table.rows) == 4 * 12
    assert sum(row.hour_rows for row in table.rows) == len(table.rows)
    assert sum(cell.rows for row in table.rows for cell in row.cells) == len(week) * len(table.rows)


def test_overlapping_appointments_share_a_cell() -> None:
    both = day(entry("10:40", 40), entry("11:00", id_=2))
    cells = [cell for row in grid([both], by_adviser=False, now=NOW).rows for cell in row.cells if cell.entries]
    assert [[each.time for each in cell.entries] for cell in cells] == [["10:40", "11:00"]]


def test_hour_that_the_clock_repeats_is_drawn_once() -> None:
    autumn = date(2026, 10, 25)
    early, late = (datetime(2026, 10, 25, hour, 30, tzinfo=UTC) for hour in (0, 1))
    entries = [entry("01:30", day=autumn, id_=number) for number in (1, 2)]
    assert early.astimezone(UK).time() == late.astimezone(UK).time()
    (column,) = grid([day(*entries, at=autumn, hours=())], by_adviser=False, now=NOW).columns
    assert [len(each.entries) for each in column.stretches if each.entries] == [2]


@pytest.mark.parametrize("sunday", [date(2026, 3, 29), date(2026, 10, 25), date(2027, 3, 28), date(2027, 10, 31)])
def test_week_of_a_clock_change_has_each_hour_once_and_appointments_at_theirs(sunday: date) -> None:
    whole = (TimeRange(opens=time(0), closes=time(23, 55)),)
    dates = [sunday + timedelta(days=number) for number in range(-6, 2)]
    days = [day(*(entry(at, day=one, id_=id_) for id_, at in enumerate(("03:00", "10:40"))), at=one) for one in dates]
    table = grid([replace(one, hours=whole) for one in days], by_adviser=False, now=NOW)
    hours = [row.hour for row in table.rows if row.hour]
    assert hours == [f"{hour:02}:00" for hour in range(24)]
    shown = [[each.time for cell in row.cells for each in cell.entries] for row in table.rows]
    assert [times for times in shown if times] == [["03:00"] * len(dates), ["10:40"] * len(dates)]
    starts = [row.hour for row, times in zip(table.rows, shown, strict=True) if times]
    assert starts == ["03:00", ""]


@pytest.mark.parametrize(
    ("at", "state", "tag"),
    [
        ("10:40", "booked", ""),
        ("10:00", "booked", "Now"),
        ("09:00", "booked", "To record"),
        ("09:00", "held", "Held"),
        ("09:00", "missed", "Did not come"),
    ],
)
def test_state_of_an_appointment_is_a_tag_unless_it_is_to_come(at: str, state: str, tag: str) -> None:
    (column,) = grid([day(entry(at, state=state))], by_adviser=False, now=NOW).columns
    (shown,) = (each for part in column.stretches for each in part.entries)
    assert shown.tag == tag


def test_week_leaves_out_an_empty_weekend_and_marks_today() -> None:
    days = [day(at=date(2026, 11, 23) + timedelta(days=number), hours=()) for number in range(7)]
    view = week_view(days, ["ada", "ben"], now=NOW)
    assert (view.heading, [each.title for each in view.grid.columns if each.is_today]) == (
        "23 to 27 November 2026",
        ["Fri 27"],
    )
    assert [each.words for each in view.advisers] == ["ada", "ben", "All, by day"]
    assert view.nav[2].href == "/staff/diary/?week=2026-11-30&adviser=ada"


def test_week_has_those_days_of_its_weekend_on_which_there_is_something_and_today() -> None:
    monday = date(2026, 11, 23)
    week = {monday + timedelta(days=number): day(at=monday + timedelta(days=number), hours=()) for number in range(7)}
    saturday, sunday = list(week)[5:]
    booked = entry("09:00", day=saturday)

    def weekend(*changed: DiaryDay, now: datetime = NOW) -> list[str]:
        days = [next((each for each in changed if each.day == at), plain) for at, plain in week.items()]
        return [each.title for each in week_view(days, ["ada"], now=now).grid.columns][5:]

    assert weekend(day(booked, at=saturday, hours=())) == ["Sat 28"]
    assert weekend(day(at=sunday)) == ["Sun 29"]
    assert weekend(day(booked, at=saturday, hours=()), day(at=sunday)) == ["Sat 28", "Sun 29"]
    assert weekend(now=NOW + timedelta(days=1)) == ["Sat 28"]
    assert weekend(now=NOW + timedelta(days=7)) == []


def test_day_of_all_has_a_column_for_each_adviser() -> None:
    view = day_view([day(free=3), day(entry("09:00"))], ["ada", "ben"], adviser="", now=NOW)
    assert [(each.title, each.summary) for each in view.grid.columns] == [("ada", "3 free"), ("ada", "1 booked")]


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        ("2026-11-30 00:00", "2026-12-01 00:00", "Monday 30 November"),
        ("2026-11-30 13:20", "2026-11-30 17:00", "Monday 30 November, 13:20 to 17:00"),
        ("2026-12-21 00:00", "2027-01-03 00:00", "Monday 21 December to Saturday 2 January 2027"),
        ("2026-11-27 13:20", "2026-12-01 00:00", "Today, 13:20, to Monday 30 November, 24:00"),
    ],
)
def test_absence_in_words(start: str, end: str, words: str) -> None:
    first, last = (datetime.fromisoformat(each).replace(tzinfo=UK) for each in (start, end))
    assert span_words(first, last, NOW) == words


def test_change_by_another_says_who_and_what_is_now() -> None:
    words = meanwhile_words(entry("10:40", changed_by="the visitor").appointment, who="ada", now=NOW)
    assert words == (
        "The visitor changed it today at 10:18. Booked: Today, 10:40 to 11:00, 20 minutes by telephone, with ada."
    )


def test_coverage_counts_what_is_left() -> None:
    assert coverage_words(0, 0) == "No appointment falls in it."
    assert (
        coverage_words(2, 1)
        == "2 appointments are passed on to colleagues who are free then; 1 left to move or cancel."
    )
    assert coverage_words(0, 1) == "No colleague is free; 1 left to move or cancel."
