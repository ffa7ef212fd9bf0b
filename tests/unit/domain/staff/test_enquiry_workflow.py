"""What staff may do with an enquiry, by the rules alone."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from broker.domain.enquiries.contact_details import ContactDetails
from broker.domain.enquiries.enquiry import EnquiryKind
from broker.domain.enquiries.stored_records import EnquiryState
from broker.domain.staff.enquiry_workflow import (
    MAX_NOTE,
    MOVES,
    REASONS,
    DeleteReason,
    EnquiryFilter,
    EnquirySummary,
    Refused,
    matches,
    move_problem,
    parse_account,
    parse_note,
)

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)
HEAD = EnquirySummary(
    reference="HG-7K3M-Q2XD",
    kind=EnquiryKind.CALLBACK,
    state=EnquiryState.NEW,
    version=1,
    created=NOON,
    delete_after=NOON + timedelta(days=365),
    page="/",
    contact=ContactDetails(name="Zoë van der Ångström", telephone="+447700900123", email="zoe@quill.example"),
    call_by=NOON,
)
NEW, CALLED, BOOKED, CLOSED = EnquiryState


def test_enquiry_goes_step_by_step_and_back_and_is_closed_from_anywhere() -> None:
    allowed = {(old, new) for old, to in MOVES.items() for new in to}
    on_and_back = {(NEW, CALLED), (CALLED, BOOKED), (CALLED, NEW), (BOOKED, CALLED)}
    closed = {(NEW, CLOSED), (CALLED, CLOSED), (BOOKED, CLOSED), (CLOSED, NEW), (CLOSED, CALLED), (CLOSED, BOOKED)}
    assert allowed == on_and_back | closed
    assert {(old, new) for old in EnquiryState for new in EnquiryState if not move_problem(old, new)} == allowed


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (NEW, BOOKED, "An enquiry that is new can become called or closed"),
        (CLOSED, CLOSED, "This enquiry is closed already"),
    ],
)
def test_move_that_is_none_is_told_in_a_sentence(old: EnquiryState, new: EnquiryState, sentence: str) -> None:
    assert move_problem(old, new) == sentence


@pytest.mark.parametrize(
    ("state", "call_by", "overdue"),
    [
        (NEW, NOON - timedelta(seconds=1), True),
        (NEW, NOON, False),
        (CALLED, NOON - timedelta(days=1), False),
        (CLOSED, NOON - timedelta(days=1), False),
    ],
)
def test_new_enquiry_is_overdue_once_its_promise_is_broken(
    state: EnquiryState, call_by: datetime, overdue: bool
) -> None:
    assert replace(HEAD, state=state, call_by=call_by).is_overdue(NOON) is overdue


FOUND = {
    "part of a name": ("ngstr", True),
    "any letter case": ("ZOË", True),
    "words in any order": ("ångström zoë", True),
    "a word too many": ("zoë quillfeather", False),
    "an email address": ("ZOE@quill", True),
    "a number as it is said": ("07700 900 123", True),
    "the end of a number": ("0123", True),
    "a number from abroad": ("+44 7700 900123", True),
    "a number from abroad, the other way": ("00447700", True),
    "another number": ("07700 900124", False),
    "too few digits for a number": ("77", False),
    "part of a reference": ("7k3m", True),
    "digits of a reference with letters": ("m-q2", True),
    "nobody": ("nobody", False),
}


@pytest.mark.parametrize(("text", "found"), FOUND.values(), ids=FOUND)
def test_words_are_looked_for_in_what_tells_who_it_is(text: str, found: bool) -> None:
    assert matches(text, HEAD) is found


def test_enquiry_that_no_key_opens_is_found_by_its_reference_alone() -> None:
    sealed = replace(HEAD, contact=None)
    assert [matches(text, sealed) for text in ("Q2XD", "zoë", "0123")] == [True, False, False]


NOTES = {
    "lines": (" Rang at 4.\r\nCall again\u202e \0tomorrow ", "Rang at 4.\nCall again tomorrow"),
    "nothing": ("  \n ", Refused(words="Write a note first")),
    "no text": (None, Refused(words="Write a note first")),
    "too much": ("x" * (MAX_NOTE + 1), Refused(words="Write at most 2,000 characters")),
    "just enough": ("x" * MAX_NOTE, "x" * MAX_NOTE),
}


@pytest.mark.parametrize(("given", "taken"), NOTES.values(), ids=NOTES)
def test_note_is_visible_text_of_some_length(given: object, taken: object) -> None:
    assert parse_note(given) == taken


@pytest.mark.parametrize(
    ("given", "taken"), [("ada", "ada"), (" ", ""), (None, ""), ("x" * 81, Refused(words="Choose one of the accounts"))]
)
def test_account_is_a_short_line(given: object, taken: object) -> None:
    assert parse_account(given) == taken


def test_words_of_a_filter_hold_nothing_of_a_visitor() -> None:
    everything = EnquiryFilter(
        state=NEW, kind=EnquiryKind.CONTACT, text="Zoë", assigned="ada", unassigned=True, overdue=True
    )
    assert everything.words == "state new, kind contact, assigned to ada, assigned to nobody, overdue, by words"
    assert EnquiryFilter(text=" ").words == "all"


def test_every_reason_to_delete_has_its_words() -> None:
    assert set(REASONS) == set(DeleteReason)
