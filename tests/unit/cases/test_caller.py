from datetime import timedelta
from typing import Any

import pytest

from broker.cases.caller import NOTE, SOURCE, Caller, caller_enquiry, parse_caller
from broker.cases.case import MAX_NOTE, NoteKind, Outcome, Service, Source
from broker.cases.changes import AMOUNT, SERVICE
from broker.enquiries.contact_details import EMAIL, NAME, TELEPHONE
from broker.enquiries.enquiry import PRIVACY, EnquiryKind
from broker.enquiries.store import NewEnquiry
from broker.enquiries.working_time import OFFICE_WEEK
from tests.unit.cases.cases import NOW

FORM: dict[str, object] = {
    NAME: "A. Example",
    TELEPHONE: "07700 900123",
    SERVICE: "remortgage",
    AMOUNT: "£148,000",
    PRIVACY: "on",
}


def caller(**fields: object) -> Caller:
    found = parse_caller({**FORM, **fields})
    assert isinstance(found, Caller)
    return found


def enquiry(found: Caller, **fields: Any) -> NewEnquiry:
    usual: dict[str, Any] = {"who": "ada", "now": NOW, "delete_after": NOW + timedelta(days=365), "week": OFFICE_WEEK}
    return caller_enquiry(found, **{**usual, **fields})


def test_caller_has_contact_service_amount_and_what_they_said() -> None:
    found = caller(**{NOTE: "Rang about a deal", EMAIL: "a.example@example.com"})
    assert (found.contact.telephone, found.contact.email) == ("+447700900123", "a.example@example.com")
    assert (found.service, found.amount, found.note) == (Service.REMORTGAGE, 148_000, "Rang about a deal")
    assert (found.source, caller(**{SOURCE: "watch"}).source) == (Source.TELEPHONE, Source.WATCH)
    assert caller(**{SOURCE: "plans"}).source is Source.TELEPHONE


WRONG = {NAME: "", TELEPHONE: "12", SERVICE: "everything", AMOUNT: "a lot", NOTE: "x" * (MAX_NOTE + 1), PRIVACY: ""}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_field_is_said(name: str) -> None:
    problems = parse_caller({**FORM, name: WRONG[name]})
    assert isinstance(problems, tuple)
    assert [problem.field for problem in problems] == [name]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "Enter the caller’s name"),
        ("x" * 500, "Enter the caller’s name in at most 100 characters"),
        ("www.example.com", "Enter the caller’s name, without a link"),
    ],
)
def test_staff_are_told_whose_name_is_missing(name: str, said: str) -> None:
    problems = parse_caller({**FORM, NAME: name})
    assert isinstance(problems, tuple)
    assert [problem.reason for problem in problems] == [said]


def test_no_field_of_a_caller_speaks_to_the_caller() -> None:
    problems = parse_caller({**WRONG, EMAIL: "nobody"})
    assert isinstance(problems, tuple)
    assert {problem.field for problem in problems} == {*WRONG, EMAIL}
    assert [problem.reason for problem in problems if "your" in problem.reason] == []


def test_case_of_a_caller_is_called_and_says_by_whom_they_were_told() -> None:
    new = enquiry(caller(**{NOTE: "Rang about a deal"}))
    entered = new.entered
    assert entered
    assert (new.enquiry.kind, new.enquiry.consent.marketing, new.enquiry.consent.at) == (
        EnquiryKind.CALL,
        frozenset(),
        NOW,
    )
    assert [(note.who, note.kind, note.outcome) for note in entered.notes] == [
        ("ada", NoteKind.SYSTEM, None),
        ("ada", NoteKind.CALL, Outcome.REACHED),
    ]
    assert entered.next_due > NOW


def test_form_sent_twice_in_ten_minutes_is_one() -> None:
    first, again = enquiry(caller()), enquiry(caller(), now=NOW + timedelta(minutes=9))
    assert set(first.submissions) & set(again.submissions)
    others = (
        enquiry(caller(), now=NOW + timedelta(minutes=21)),
        enquiry(caller(), who="bob"),
        enquiry(caller(**{NAME: "B. Example"})),
    )
    assert [set(first.submissions) & set(each.submissions) for each in others] == [set()] * 3
