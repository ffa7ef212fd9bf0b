import asyncio
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from broker.cases.case import Outcome, Stage
from broker.clock import UK
from broker.settings import DEMO_MARK, Settings
from tools.demo.__main__ import make
from tools.demo.clients import CLIENTS
from tools.demo.story import ACCOUNTS, ADVISERS
from tools.project import ToolError

NOW = datetime(2026, 11, 26, 10, 18, tzinfo=UK)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    asyncio.run(make(Settings(state_dir=folder), password="a few plain words", now=NOW))
    return folder


def rows(state: Path, query: str) -> list[tuple[Any, ...]]:
    with sqlite3.connect(state / "enquiries.db") as connection:
        return connection.execute(query).fetchall()


def test_the_demo_has_staff_clients_appointments_logos_and_visitors(state: Path) -> None:
    assert {name for (name,) in rows(state, "SELECT name FROM staff")} == set(ACCOUNTS)
    assert rows(state, "SELECT count(*) FROM enquiries") == [(CLIENTS,)]
    assert {each for (each,) in rows(state, "SELECT state FROM appointments")} >= {"booked", "held", "missed"}
    for table in ("enquiry_notes", "logo_versions", "daily_counts", "adviser_absences", "complaints", "watches"):
        assert rows(state, f"SELECT count(*) FROM {table}") > [(0,)], table


def test_cases_of_the_demo_are_at_every_point(state: Path) -> None:
    outcomes = {outcome for (outcome,) in rows(state, "SELECT outcome FROM enquiry_notes WHERE outcome <> ''")}
    assert outcomes == set(Outcome) - {Outcome.APPOINTMENT}
    assert {stage for (stage,) in rows(state, "SELECT stage FROM enquiries")} >= {Stage.ENQUIRY, Stage.COMPLETION}
    late, waiting = rows(
        state,
        f"SELECT sum(next_due < '{NOW:%Y-%m-%d %H:%M}'), sum(assigned = '') FROM enquiries WHERE state <> 'closed'",
    )[0]
    assert 1 <= late <= 12
    assert rows(state, "SELECT count(*) FROM enquiries WHERE merged_into IS NOT NULL") == [(1,)]
    assert rows(state, "SELECT count(*) FROM enquiries WHERE needs IS NOT NULL") > [(0,)]
    assert rows(state, "SELECT count(*) FROM mail WHERE kind = 'case-reply'") > [(0,)]
    assert waiting == 3


def unrecorded(state: Path, now: datetime) -> list[tuple[Any, ...]]:
    """Return the advisers of appointments that are over and have no outcome, which are due of their cases."""
    return rows(
        state,
        "SELECT DISTINCT adviser FROM appointments JOIN enquiries ON enquiries.id = enquiry_id "
        "WHERE appointments.state = 'booked' AND assigned = adviser AND next_due = starts "
        f"AND starts < '{now.astimezone(UTC) - timedelta(minutes=20):%Y-%m-%d %H:%M}' ORDER BY adviser",
    )


def test_each_adviser_of_the_demo_has_an_appointment_to_record(state: Path) -> None:
    assert unrecorded(state, NOW) == [(name,) for name in ADVISERS]


def test_there_is_something_to_record_at_a_weekend(tmp_path: Path) -> None:
    sunday = datetime(2026, 11, 29, 9, 5, tzinfo=UK)
    asyncio.run(make(Settings(state_dir=tmp_path), password="a few plain words", now=sunday))
    assert unrecorded(tmp_path, sunday) == [(name,) for name in ADVISERS]


def test_the_record_of_the_demo_is_in_the_order_of_its_times(state: Path) -> None:
    times = [at for (at,) in rows(state, "SELECT at FROM audit ORDER BY id")]
    assert times == sorted(times)
    assert times[-1] <= f"{NOW.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def test_a_demo_says_that_it_is_one_and_mails_nothing(state: Path) -> None:
    assert Settings(state_dir=state).is_demo
    assert "Everything here is made up" in (state / DEMO_MARK).read_text(encoding="utf-8")
    assert not Settings(state_dir=state.parent).is_demo


def test_a_database_with_anything_is_refused(state: Path) -> None:
    before = rows(state, "SELECT count(*) FROM audit")
    with pytest.raises(ToolError, match="something already"):
        asyncio.run(make(Settings(state_dir=state), password="a few plain words", now=NOW))
    assert rows(state, "SELECT count(*) FROM audit") == before


def test_the_same_demo_is_made_again(state: Path, tmp_path: Path) -> None:
    asyncio.run(make(Settings(state_dir=tmp_path), password="other plain words", now=NOW))
    for query in ("SELECT created, page, state, assigned FROM enquiries", "SELECT at, who, what FROM audit"):
        assert rows(tmp_path, query) == rows(state, query)
