from datetime import timedelta
from typing import Any

from broker.cases.case import CloseReason, NoteKind, Outcome, Refused, Stage, WaitingFor
from broker.cases.changes import (
    CLOSED_ALREADY,
    DUE_PAST,
    DUE_TOO_LATE,
    LATEST_DUE,
    NEEDS_REASON,
    NOTHING_NEW,
    CallRecord,
    CaseChange,
    call_recorded,
    closed,
    due_set,
    moved,
    staged,
    taken,
)
from broker.enquiries.enquiry import EnquiryState
from broker.enquiries.working_time import OFFICE_WEEK
from tests.unit.cases.cases import NOW, head

HOUR = timedelta(hours=1)


def called(call: CallRecord, **fields: Any) -> CaseChange | Refused:
    return call_recorded(head(**fields), call, who="ada", now=NOW, week=OFFICE_WEEK)


def made(change: CaseChange | Refused) -> CaseChange:
    assert isinstance(change, CaseChange)
    return change


def test_call_changes_outcome_note_and_next_action_together() -> None:
    change = made(called(CallRecord(outcome=Outcome.REACHED, note="Likes five", due=NOW + HOUR)))
    wanted = {"state": EnquiryState.CALLED, "outcome": Outcome.REACHED, "next_due": NOW + HOUR, "first_call_at": NOW}
    assert {name: change.values[name] for name in wanted} == wanted
    assert change.note
    assert (change.note.text, change.note.kind, change.note.outcome) == ("Likes five", NoteKind.CALL, Outcome.REACHED)
    assert change.detail == "reached"


def test_first_call_counts_and_a_case_stays_with_whom_it_is() -> None:
    later = made(called(CallRecord(outcome=Outcome.NO_ANSWER), first_call_at=NOW - HOUR, assigned="bob", attempts=1))
    assert (later.values["first_call_at"], later.values["assigned"], later.values["attempts"]) == (NOW - HOUR, "bob", 2)
    assert made(called(CallRecord(outcome=Outcome.NO_ANSWER))).values["assigned"] == "ada"


def test_call_that_closes_a_case_needs_its_reason_and_leaves_nothing_due() -> None:
    assert called(CallRecord(outcome=Outcome.NOT_OURS)) == Refused(words=NEEDS_REASON)
    change = made(called(CallRecord(outcome=Outcome.NOT_OURS, reason=CloseReason.ELSEWHERE, due=NOW + HOUR)))
    left = {name: change.values[name] for name in ("state", "close_reason", "next_due", "next_action")}
    assert left == {
        "state": EnquiryState.CLOSED,
        "close_reason": CloseReason.ELSEWHERE,
        "next_due": None,
        "next_action": "",
    }


def test_stage_has_the_time_since_when_only_when_it_changes() -> None:
    assert made(called(CallRecord(outcome=Outcome.OFFER))).values["stage_since"] == NOW
    assert "stage_since" not in made(called(CallRecord(outcome=Outcome.OFFER), stage=Stage.OFFER)).values


def test_due_time_is_ahead_and_within_five_years() -> None:
    for due, words in ((NOW, DUE_PAST), (NOW + LATEST_DUE + HOUR, DUE_TOO_LATE)):
        assert called(CallRecord(outcome=Outcome.REACHED, due=due)) == Refused(words=words)
        assert due_set(head(), due, "", NOW) == Refused(words=words)
    change = made(due_set(head(next_action="Payslips"), NOW + HOUR, "", NOW))
    assert change.values == {"next_due": NOW + HOUR, "next_action": "Payslips"}
    again = head(next_action="Payslips", next_due=NOW + HOUR)
    assert due_set(again, NOW + HOUR, "", NOW) == Refused(words=NOTHING_NEW)


def test_case_is_taken_from_nobody_only() -> None:
    assert made(taken(head(), "ada")).values == {"assigned": "ada"}
    assert taken(head(assigned="bob"), "ada") == Refused(words="bob has this case already")
    assert isinstance(taken(head(assigned="ada"), "ada"), Refused)


def test_closed_case_has_a_reason_and_loses_it_when_opened_again() -> None:
    change = made(closed(head(next_due=NOW), CloseReason.SPAM))
    assert (change.values["next_due"], change.detail) == (None, "it is spam")
    spam = head(state=EnquiryState.CLOSED, close_reason=CloseReason.SPAM)
    assert closed(spam, CloseReason.SPAM) == Refused(words=CLOSED_ALREADY)
    assert made(moved(spam, EnquiryState.NEW)).values == {"state": EnquiryState.NEW, "close_reason": None}


def test_stage_is_set_with_whom_we_wait_for() -> None:
    change = staged(head(), Stage.OFFER, waiting_for=WaitingFor.SOLICITOR, waiting_note="the deed", now=NOW)
    assert made(change).detail == "offer, waiting for solicitor"
    assert made(change).values["stage_since"] == NOW
    same = staged(head(), Stage.ENQUIRY, waiting_for=WaitingFor.US, waiting_note="", now=NOW)
    assert same == Refused(words=NOTHING_NEW)
