from datetime import timedelta

from broker.staff.audit import Act, AuditEntry
from broker.staff.enquiry_view import (
    Meanwhile,
    changes,
    history_lines,
    newest_number,
    refused_meanwhile,
    seen_meanwhile,
)
from tests.unit.staff.staff_cases import NOW, head


def entry(number: int, who: str, what: Act, detail: str = "") -> AuditEntry:
    return AuditEntry(at=NOW - timedelta(hours=9 - number), who=who, what=what, detail=detail, number=number)


RECORD = (
    entry(7, "ben", Act.ENQUIRY_ASSIGNED, "to ada"),
    entry(6, "ada", Act.ENQUIRY_NOTE),
    entry(5, "ben", Act.ENQUIRY_READ),
    entry(4, "ben", Act.ENQUIRY_STATE, "new to called"),
    entry(3, "ada", Act.ENQUIRY_READ),
    entry(2, "ada", Act.ENQUIRY_READ),
    entry(1, "ben", Act.ENQUIRY_READ),
)
"""Newest first, as the record gives it."""


def test_history_is_newest_first_and_reading_again_is_one_line() -> None:
    assert [f"{line.did}: {line.at}" for line in history_lines(RECORD, who="ada", now=NOW)] == [
        "ben gave it to ada: today at 10:00",
        "You wrote a note: today at 09:00",
        "ben read it: today at 08:00",
        "ben moved it from new to called: today at 07:00",
        "You read it 2 times, last: today at 06:00",
        "ben read it: today at 04:00",
    ]


def test_changes_since_then_are_oldest_first_without_what_was_only_read() -> None:
    assert changes(RECORD, after=2, who="ada", now=NOW) == (
        "ben moved it from new to called, today at 07:00",
        "You, in another window, wrote a note, today at 09:00",
        "ben gave it to ada, today at 10:00",
    )
    assert changes(RECORD, after=4, who="ada", now=NOW, mine=False) == ("ben gave it to ada, today at 10:00",)
    assert changes(RECORD, after=newest_number(RECORD), who="ada", now=NOW) == ()
    assert newest_number(()) == 0


def test_refused_change_names_who_changed_the_enquiry_meanwhile() -> None:
    changed = head(changed_by="ben", changed_at=NOW)
    refused = refused_meanwhile(changed, ("ben did this",), who="ada", wanted="State: Closed", now=NOW)
    assert (refused.heading, refused.lines) == ("Nothing was changed: ben changed it meanwhile", ("ben did this",))
    alone = refused_meanwhile(changed, (), who="ben", wanted="State: Closed", now=NOW)
    assert alone.heading == "Nothing was changed: you changed it in another window meanwhile"
    assert alone.lines == ("It was changed today at 12:00",)
    assert seen_meanwhile(()) == Meanwhile()
    assert seen_meanwhile(("ben did this",)).lines == ("ben did this",)
