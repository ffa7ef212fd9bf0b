import csv
import io
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from broker.duties.complaint import Complaint, LetterKind, Subject
from broker.duties.complaint_view import complaint_line, complaint_view, complaints_csv, complaints_view, open_complaint
from tests.unit.duties.test_complaint import RECEIVED, TODAY, complaint

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)


def words(found: Complaint, today: date = TODAY) -> tuple[str, list[str], str, str]:
    line = complaint_line(found, today)
    return line.summary.words, [each.words for each in line.clocks], line.letters, line.state


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        pytest.param(
            complaint(RECEIVED, Subject.SERVICE, (LetterKind.ACKNOWLEDGEMENT, RECEIVED)),
            ("1 of 3, ends Mon 30", ["day 1 of 56, 20 Jan"], "Ack. 25 Nov", "Open"),
            id="new",
        ),
        pytest.param(
            complaint(date(2026, 11, 6), Subject.DATA),
            ("does not apply", ["day 20 of 30, 6 Dec"], "Acknowledge it", "Data, 30 days"),
            id="about data",
        ),
        pytest.param(
            complaint(date(2026, 10, 5), Subject.SERVICE, (LetterKind.ACKNOWLEDGEMENT, date(2026, 10, 6))),
            ("passed 8 Oct", ["day 52 of 56, Mon 30"], "Ack. 6 Oct; final due", "Final response due"),
            id="due in four days",
        ),
        pytest.param(
            complaint(
                date(2026, 9, 24), Subject.SERVICE, (LetterKind.SUMMARY, date(2026, 9, 25)), closed=date(2026, 9, 25)
            ),
            ("settled on day 1", ["closed 25 Sep"], "Summary letter 25 Sep", "Settled"),
            id="settled",
        ),
        pytest.param(
            complaint(date(2026, 9, 1), Subject.BOTH),
            ("passed 4 Sep", ["late by 30 days", "late by 56 days"], "Acknowledge it", "Late"),
            id="late on both clocks",
        ),
    ],
)
def test_row_says_how_a_complaint_stands(found: Complaint, shown: tuple[str, list[str], str, str]) -> None:
    assert words(found) == shown


def test_most_pressing_complaint_is_named_first() -> None:
    due, later = complaint(date(2026, 10, 5)), replace(complaint(date(2026, 10, 7)), number=2)
    found = complaints_view([later, due, replace(complaint(), number=3)], TODAY, closed=False)
    assert found.count == "3 open"
    assert (found.warning.number, found.warning.title) == (
        1,
        "C-0001: the final response to \u2068A. Example\u2069 is due on Monday 30 November",
    )
    assert found.warning.words.startswith("That is in 4 days")
    assert complaints_view([complaint()], TODAY, closed=False).warning.number == 0


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        (complaint(RECEIVED), " is open: final response due Wed 20 Jan 2027"),
        (complaint(date(2026, 11, 6), Subject.DATA), " is open: acknowledgement due Sun 6 Dec"),
        (complaint(date(2026, 9, 1)), " is open: final response was due Tue 27 Oct"),
        (complaint(RECEIVED, Subject.SERVICE, (LetterKind.FINAL, TODAY)), " is open"),
    ],
)
def test_case_says_what_is_due_to_an_open_complaint(found: Complaint, shown: str) -> None:
    said = open_complaint(found, TODAY)
    assert (said.label, said.words, said.href) == ("Complaint C-0001", shown, "/staff/duties/?complaint=1")


def test_closed_complaints_are_shown_where_they_are_asked_for() -> None:
    closed = complaint(RECEIVED, Subject.SERVICE, (LetterKind.FINAL, TODAY), closed=TODAY)
    assert not complaints_view([closed], TODAY, closed=False).lines
    assert len(complaints_view([closed], TODAY, closed=True).lines) == 1


def test_half_year_without_complaints_is_a_nil_return() -> None:
    now, before = complaints_view([complaint()], TODAY, closed=False).half_years
    assert now.words == "1 July to 31 December 2026, so far"
    assert now.vulnerable == "0 of 1 from people in vulnerable circumstances"
    assert before.words == "1 January to 30 June 2026: none, a nil return"


def test_complaint_says_until_when_it_is_kept() -> None:
    shown = complaint_view(complaint(), TODAY, now=NOW)
    facts = {each.label: each.words for each in shown.facts}
    assert facts["Kept until"].startswith("Sun 25 Nov 2029")
    assert (facts["8 weeks"], "Redress" in facts) == ("until Wed 20 Jan 2027", False)


def test_no_text_of_the_file_is_a_formula() -> None:
    found = complaint()
    person = replace(found.record.person, name='=HYPERLINK("https://example.com")', email="+a@example.com")
    written = complaints_csv(
        [replace(found, record=replace(found.record, person=person, about="@SUM(1)", matter="-1+1"))]
    )
    (row,) = csv.DictReader(io.StringIO(written, newline=""))
    assert [row[name][:1] for name in ("Name", "Email", "In a few words", "What they say")] == ["'"] * 4
    assert row["8 weeks end"] == (RECEIVED + timedelta(weeks=8)).isoformat()
