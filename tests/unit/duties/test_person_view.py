"""A person's data on screen: nothing reads as done before it is."""

from dataclasses import replace
from datetime import UTC, date, datetime

from broker.cases.case import Stage
from broker.duties.person_data import Held, Kind, Person, Wanted
from broker.duties.person_view import deleted_words, person_view


def test_what_a_deletion_would_do_is_not_said_as_done() -> None:
    held = (
        Held(kind=Kind.ENQUIRIES, count=1),
        Held(kind=Kind.ADVICE, count=1, is_kept=True, until=date(2029, 3, 3)),
        Held(kind=Kind.RECORD, count=2, is_kept=True),
    )
    view = person_view(Person(wanted=Wanted(), found_at=datetime(2026, 3, 3, tzinfo=UTC), held=held))
    assert [line.fate for line in view.lines] == ["Would be deleted", "Stays until 3 Mar 2029", "Stays"]
    assert view.delete == "Delete 1 record, keep 3"


def person(*held: Held, under_way: tuple[tuple[str, Stage], ...] = ()) -> Person:
    return Person(wanted=Wanted(), found_at=datetime(2026, 3, 3, tzinfo=UTC), held=held, under_way=under_way)


def test_cases_under_way_are_named_before_a_deletion() -> None:
    view = person_view(person(Held(kind=Kind.NOTES, count=2), under_way=(("HG-MRKJ-N4RY", Stage.EXCHANGE),)))
    assert view.under_way == ("HG-MRKJ-N4RY is at Exchange with a lender: it will be closed",)


def test_nothing_to_delete_is_no_deletion() -> None:
    assert person_view(person(Held(kind=Kind.RECORD, count=27, is_kept=True))).delete == ""


def test_number_kept_is_that_of_the_next_search() -> None:
    """The deletion adds entries to the record, which the search after it counts."""
    record = Held(kind=Kind.RECORD, count=24, is_kept=True)
    before, left = person(Held(kind=Kind.NOTES, count=6), record), person(replace(record, count=27))
    assert deleted_words(before, left) == "6 records are deleted, 27 are kept, 3 of them about this deletion itself"
    assert deleted_words(before, before) == "6 records are deleted, 24 are kept"
    assert deleted_words(before, None) == "6 records are deleted; 24 are kept that no longer lead to this person"
