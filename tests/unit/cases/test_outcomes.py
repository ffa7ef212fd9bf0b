from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Any

import pytest

from broker.cases.case import CloseReason, NoteKind, Outcome, StaffNote, Stage, WaitingFor
from broker.cases.outcomes import OutcomePlan, after_outcome, is_mail_proposed
from broker.clock import UK
from broker.enquiries.enquiry import EnquiryState
from broker.enquiries.working_time import OFFICE_WEEK
from broker.mail.mail import ReturnedMail
from tests.unit.cases.cases import CONTACT, NOW, case, head

TUESDAY = datetime(2026, 3, 3, 10, 18, tzinfo=UTC)
NEW, CALLED, BOOKED, CLOSED = EnquiryState


def plan(outcome: Outcome, now: datetime = TUESDAY, **fields: Any) -> OutcomePlan:
    return after_outcome(outcome, head(**fields), now, week=OFFICE_WEEK)


def uk(*moment: int) -> datetime:
    return datetime(*moment, tzinfo=UK)  # pyright: ignore[reportArgumentType] - year, month, day, hour, minute


TRIES = {
    "the first, four open hours later": (0, uk(2026, 3, 3, 10, 18), uk(2026, 3, 3, 14, 30)),
    "the first, over the evening": (0, uk(2026, 3, 3, 16, 0), uk(2026, 3, 4, 11, 0)),
    "the first, over a weekend and in summer time after": (0, uk(2026, 3, 27, 17, 0), uk(2026, 3, 30, 12, 0)),
    "the first, over Good Friday and Easter Monday": (0, uk(2026, 4, 2, 16, 45), uk(2026, 4, 7, 12, 0)),
    "the first, at the very end of the day": (0, uk(2026, 3, 3, 14, 0), uk(2026, 3, 4, 9, 0)),
    "the second, after a call in the morning": (1, uk(2026, 3, 3, 10, 18), uk(2026, 3, 4, 15, 30)),
    "the second, after a call in the afternoon": (1, uk(2026, 3, 6, 14, 0), uk(2026, 3, 9, 10, 30)),
    "the third": (2, uk(2026, 3, 3, 14, 0), uk(2026, 3, 6, 10, 30)),
    "a later one": (7, uk(2026, 12, 24, 10, 0), uk(2026, 12, 31, 15, 30)),
}


@pytest.mark.parametrize("name", TRIES)
def test_call_without_an_answer_is_tried_again_by_rule(name: str) -> None:
    attempts, now, due = TRIES[name]
    tried = plan(Outcome.NO_ANSWER, now, attempts=attempts)
    assert (tried.due[0], tried.attempts) == (due, attempts + 1)
    assert len(set(tried.due)) == 4
    assert all(at > now and OFFICE_WEEK.open_hours(at.date()) for at in tried.due)


def test_mail_is_proposed_from_the_third_call_without_an_answer() -> None:
    called: dict[str, Any] = {"state": EnquiryState.CALLED}
    assert [is_mail_proposed(case(attempts=count, **called)) for count in range(6)] == [False] * 3 + [True] * 3
    assert not is_mail_proposed(case(attempts=4, state=EnquiryState.CLOSED))
    assert not is_mail_proposed(case(attempts=4, contact=replace(CONTACT, email=""), **called))
    returned = ReturnedMail(count=1, last_at=NOW, is_complaint=False)
    assert not is_mail_proposed(replace(case(attempts=4, **called), returned=returned))


def test_mail_is_proposed_again_after_a_call_that_follows_a_mail() -> None:
    call, reply, note = (
        StaffNote(at=NOW, who="ada", text="", kind=each) for each in (NoteKind.CALL, NoteKind.REPLY, NoteKind.NOTE)
    )

    def proposed(*notes: StaffNote) -> bool:
        return is_mail_proposed(case(*notes, attempts=4, state=EnquiryState.CALLED))

    assert [proposed(call, note), proposed(call, reply, note), proposed(call, reply, call)] == [True, False, True]


def test_call_without_an_answer_leaves_whose_turn_it_is() -> None:
    """Their papers, or the lender, are still what the case waits for."""
    assert {each: plan(Outcome.NO_ANSWER, waiting_for=each).waiting_for for each in WaitingFor} == {
        each: each for each in WaitingFor
    }


def test_answer_ends_the_count_of_tries() -> None:
    assert {plan(each, attempts=2).attempts for each in Outcome if each is not Outcome.NO_ANSWER} == {0}


AFTER = {
    Outcome.REACHED: (CALLED, Stage.ENQUIRY, WaitingFor.US),
    Outcome.NO_ANSWER: (CALLED, Stage.ENQUIRY, WaitingFor.US),
    Outcome.APPOINTMENT: (BOOKED, Stage.ENQUIRY, WaitingFor.US),
    Outcome.ADVICE_GIVEN: (CALLED, Stage.ADVICE, WaitingFor.CLIENT),
    Outcome.APPLICATION: (CALLED, Stage.APPLICATION, WaitingFor.LENDER),
    Outcome.OFFER: (CALLED, Stage.OFFER, WaitingFor.SOLICITOR),
    Outcome.COMPLETED: (CLOSED, Stage.COMPLETION, WaitingFor.CLIENT),
    Outcome.NOT_NOW: (CALLED, Stage.REVIEW, WaitingFor.CLIENT),
    Outcome.NOT_OURS: (CLOSED, Stage.ENQUIRY, WaitingFor.US),
}


def test_outcome_says_state_stage_and_whose_turn_it_is() -> None:
    plans = {outcome: plan(outcome) for outcome in Outcome}
    assert {outcome: (each.state, each.stage, each.waiting_for) for outcome, each in plans.items()} == AFTER
    assert [outcome for outcome, each in plans.items() if each.needs_reason] == [Outcome.NOT_OURS]
    assert plans[Outcome.COMPLETED].close_reason is CloseReason.COMPLETED


def test_everything_but_a_case_that_is_not_ours_has_a_next_action_and_four_times() -> None:
    for outcome in Outcome:
        followed = plan(outcome)
        if outcome is Outcome.NOT_OURS:
            assert (followed.next_action, followed.due) == ("", ())
        else:
            assert followed.next_action
            assert len(followed.due) == 4


def test_stage_goes_on_and_never_back() -> None:
    for before, after in pairwise(Stage):
        assert plan(Outcome.ADVICE_GIVEN, stage=after).stage is (Stage.ADVICE if before is Stage.ENQUIRY else after)
    assert plan(Outcome.OFFER, stage=Stage.EXCHANGE).stage is Stage.EXCHANGE


def test_case_with_an_appointment_is_due_at_it() -> None:
    at = uk(2026, 3, 5, 16, 20)
    assert plan(Outcome.APPOINTMENT, appointment=at).due[0] == at
    assert plan(Outcome.APPOINTMENT, appointment=uk(2026, 3, 2, 9, 0)).due[0] == uk(2026, 3, 4, 10, 30)


def test_client_who_is_reached_before_the_appointment_is_called_at_it() -> None:
    at = uk(2026, 3, 5, 16, 20)
    reached = plan(Outcome.REACHED, appointment=at)
    assert (reached.next_action, reached.due[0], reached.state) == ("Appointment", at, BOOKED)
    over = plan(Outcome.REACHED, appointment=uk(2026, 3, 3, 10, 0))
    assert (over.next_action, over.due[0]) == ("Call again", uk(2026, 3, 6, 10, 30))


def test_completed_case_is_reviewed_four_months_before_its_deal_ends() -> None:
    assert plan(Outcome.COMPLETED, deal_ends=date(2028, 6, 30)).due[0] == uk(2028, 3, 2, 10, 30)
    assert plan(Outcome.COMPLETED).due[0] == uk(2027, 9, 2, 10, 30)
    assert plan(Outcome.COMPLETED, deal_ends=date(2026, 3, 30)).due[0] == uk(2027, 9, 2, 10, 30)  # that is past
