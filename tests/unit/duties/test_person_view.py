"""A person's data on screen: nothing reads as done before it is."""

from datetime import UTC, date, datetime

from broker.duties.person_data import Held, Kind, Person, Wanted
from broker.duties.person_view import person_view


def test_what_a_deletion_would_do_is_not_said_as_done() -> None:
    held = (
        Held(kind=Kind.ENQUIRIES, count=1),
        Held(kind=Kind.ADVICE, count=1, is_kept=True, until=date(2029, 3, 3)),
        Held(kind=Kind.RECORD, count=2, is_kept=True),
    )
    view = person_view(Person(wanted=Wanted(), found_at=datetime(2026, 3, 3, tzinfo=UTC), held=held))
    assert [line.fate for line in view.lines] == ["Would be deleted", "Stays until 3 Mar 2029", "Stays"]
    assert view.delete == "Delete 1 record, keep 3"
