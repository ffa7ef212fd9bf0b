from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from broker.appointments.appointment import Appointment, AppointmentState, Medium, Slot
from broker.cases.case import (
    MAX_NOTE,
    REASONS,
    DeleteReason,
    EnquirySummary,
    Refused,
    appointment_shown,
    deletion_refused,
    parse_account,
    parse_note,
)
from broker.enquiries.contact_details import ContactDetails
from broker.enquiries.enquiry import EnquiryKind, EnquiryState

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


def test_new_enquiry_is_late_once_its_promise_is_broken() -> None:
    early, late = timedelta(seconds=1), timedelta(days=1)
    cases = {(NEW, early): True, (NEW, timedelta()): False, (CALLED, late): False, (CLOSED, late): False}
    found = {(state, since): replace(HEAD, state=state, call_by=NOON - since).is_late(NOON) for state, since in cases}
    assert found == cases


EMPTY, LONG = Refused(words="Write a note first"), Refused(words="Write at most 2,000 characters")
NOTES: dict[str | None, object] = {
    "  \n ": EMPTY,
    None: EMPTY,
    "x" * (MAX_NOTE + 1): LONG,
    "x" * MAX_NOTE: "x" * MAX_NOTE,
}
NOTES |= {" Rang at 4.\r\nCall again\u202e \0tomorrow ": "Rang at 4.\nCall again tomorrow"}
ACCOUNTS = {"ada": "ada", " ": "", None: "", "x" * 81: Refused(words="Choose one of the accounts")}


def test_note_is_visible_text_and_account_a_short_line() -> None:
    assert {typed: parse_note(typed) for typed in NOTES} == NOTES
    assert {typed: parse_account(typed) for typed in ACCOUNTS} == ACCOUNTS


def test_every_reason_of_a_deletion_has_words() -> None:
    assert set(REASONS) == set(DeleteReason)


def test_adviser_deletes_own_cases_and_those_of_nobody_and_an_owner_any() -> None:
    found = {
        (assigned, is_owner): deletion_refused(
            DeleteReason.SPAM, who="bob", is_owner=is_owner, assigned=assigned, kept_until=None, years=3
        )
        for assigned in ("", "bob", "ada")
        for is_owner in (False, True)
    }
    of_ada = Refused(words="This case is ada’s. They delete it, or an owner does")
    assert {key: refused for key, refused in found.items() if refused} == {("ada", False): of_ada}


def test_only_an_owner_deletes_a_case_with_advice_and_only_as_a_test() -> None:
    allowed = {
        (reason, is_owner)
        for reason in DeleteReason
        for is_owner in (False, True)
        if not deletion_refused(
            reason, who="bob", is_owner=is_owner, assigned="bob", kept_until=date(2029, 3, 31), years=3
        )
    }
    assert allowed == {(DeleteReason.TEST, True)}


def appointment(days: float, state: AppointmentState = AppointmentState.BOOKED) -> Appointment:
    return Appointment(
        id=1,
        uid="u",
        sequence=0,
        adviser="ada",
        slot=Slot(start=NOON + timedelta(days=days), minutes=20, medium=Medium.TELEPHONE),
        state=state,
        reference=HEAD.reference,
        created=NOON,
    )


def test_case_made_of_several_shows_the_next_appointment_to_come_else_the_latest() -> None:
    soon, later, now = appointment(1), appointment(5), appointment(-0.01)
    held, missed = appointment(-2, AppointmentState.HELD), appointment(-9, AppointmentState.MISSED)
    unrecorded, cancelled = appointment(-3), appointment(2, AppointmentState.CANCELLED)

    def shown(*appointments: Appointment) -> Appointment | None:
        return appointment_shown(appointments, NOON)

    assert shown(later, soon) == shown(soon, later) == shown(unrecorded, held, soon, cancelled) == soon
    assert shown(soon, now) == now
    assert shown(missed, held, cancelled) == shown(held, unrecorded) == held
    assert shown(missed, unrecorded) == unrecorded
    assert (shown(cancelled), shown()) == (cancelled, None)
