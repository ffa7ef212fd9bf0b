from datetime import timedelta
from typing import Any

from broker.cases.case import CloseReason, Source, Stage, WaitingFor
from broker.cases.progress import progress_lines, progress_of
from broker.enquiries.enquiry import EnquiryState
from tests.unit.cases.cases import NOW, head

DAY = timedelta(days=1)


def lines(adviser: str = "", **fields: Any) -> dict[str, str]:
    progress = progress_of(head(**fields), adviser=adviser)
    return {line.label: line.words for line in progress_lines(progress, now=NOW)}


def test_new_enquiry_has_its_promised_call() -> None:
    assert lines() == {
        "Status": "Waiting for our call",
        "Waiting for": "Us",
        "We call by": "1pm on Tuesday 3 March 2026",
    }


def test_case_says_stage_whose_turn_it_is_next_date_and_adviser() -> None:
    case = {"state": EnquiryState.CALLED, "stage": Stage.OFFER, "stage_since": NOW - DAY}
    shown = lines("Ada Example", **case, waiting_for=WaitingFor.CLIENT, next_due=NOW + DAY, next_action="Chase them")
    assert shown == {
        "Status": "The lender has made you an offer",
        "Since": "Monday 2 March 2026",
        "Waiting for": "You",
        "Next date": "noon on Wednesday 4 March 2026",
        "Your adviser": "Ada",
    }


def test_date_that_is_past_and_adviser_without_a_name_are_left_out() -> None:
    shown = lines(state=EnquiryState.CALLED, next_due=NOW - DAY, assigned="ada")
    assert shown == {"Status": "We have called", "Waiting for": "Us"}


def test_visitor_who_called_is_not_told_that_we_did_until_we_try() -> None:
    caller: dict[str, Any] = {"state": EnquiryState.CALLED, "source": Source.TELEPHONE}
    assert lines(**caller)["Status"] == "You called us"
    assert lines(**caller, attempts=1)["Status"] == "We have called"
    assert lines(**caller, stage=Stage.ADVICE)["Status"] == "We are working out our advice to you"


def test_appointment_is_the_next_date() -> None:
    booked = lines(state=EnquiryState.BOOKED, appointment=NOW + DAY, next_due=NOW + 2 * DAY)
    assert booked["Next date"] == "noon on Wednesday 4 March 2026"


def test_outcome_to_record_is_no_date_of_the_visitors() -> None:
    case = {"state": EnquiryState.BOOKED, "next_action": "Record the outcome", "next_due": NOW + timedelta(hours=9)}
    assert "Next date" not in lines(**case)


def test_closed_case_says_nothing_of_why() -> None:
    case = {"state": EnquiryState.CLOSED, "close_reason": CloseReason.DECLINED, "next_due": NOW + DAY}
    assert lines("Ada", **case, stage=Stage.APPLICATION) == {"Status": "Closed"}
    assert lines("Ada", **case, stage=Stage.COMPLETION) == {"Status": "Your mortgage has completed"}


def test_nothing_that_staff_write_is_shown() -> None:
    for stage in Stage:
        for state in EnquiryState:
            shown = lines(state=state, stage=stage, waiting_note="zebra", next_action="zebra", assigned="zebra")
            assert "zebra" not in str(shown)
