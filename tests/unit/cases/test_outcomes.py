from dataclasses import replace
from datetime import UTC, date, datetime, time
from itertools import pairwise
from typing import Any

import pytest

from broker.cases.case import CloseReason, NoteKind, Outcome, StaffNote, Stage, WaitingFor
from broker.cases.outcomes import OutcomePlan, after_outcome, is_mail_proposed
from broker.clock import UK
from broker.enquiries.contact_details import CallTime, ContactDetails
from broker.enquiries.enquiry import EnquiryState
from broker.enquiries.working_time import OFFICE_WEEK, Hours, WorkingWeek
from broker.mail.mail import ReturnedMail
from tests.unit.cases.cases import CONTACT, NOW, case, head

TUESDAY = datetime(2026, 3, 3, 10, 18, tzinfo=UTC)
NEW, CALLED, BOOKED, CLOSED = EnquiryState


ANY_TIME, MORNING, AFTERNOON = (replace(CONTACT, when=when) for when in CallTime)


def plan(outcome: Outcome, now: datetime = TUESDAY, *, week: WorkingWeek = OFFICE_WEEK, **fields: Any) -> OutcomePlan:
    return after_outcome(outcome, head(**{"contact": ANY_TIME, **fields}), now, week=week)


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


@pytest.mark.parametrize("hour", range(9, 18))
@pytest.mark.parametrize("attempts", range(4))
def test_next_try_is_at_the_time_of_day_that_was_asked_for(attempts: int, hour: int) -> None:
    now = uk(2026, 3, 3, hour, 20)
    mornings, afternoons, no_contact = (
        plan(Outcome.NO_ANSWER, now, attempts=attempts, contact=contact).due for contact in (MORNING, AFTERNOON, None)
    )
    assert all(at.hour < 12 for at in mornings)
    assert all(at.hour >= 12 for at in afternoons)
    assert no_contact == plan(Outcome.NO_ANSWER, now, attempts=attempts).due
    for due in (mornings, afternoons, no_contact):
        assert len(set(due)) == 4
        assert all(at > now and OFFICE_WEEK.open_hours(at.date()) for at in due)


def test_first_retry_waits_for_the_part_of_the_day_that_was_asked_for() -> None:
    def first(contact: ContactDetails, hour: int) -> datetime:
        return plan(Outcome.NO_ANSWER, uk(2026, 3, 3, hour, 0), contact=contact).due[0]

    assert (first(AFTERNOON, 9), first(AFTERNOON, 15)) == (uk(2026, 3, 3, 13, 0), uk(2026, 3, 4, 12, 0))
    assert (first(MORNING, 9), first(MORNING, 15)) == (uk(2026, 3, 4, 9, 0), uk(2026, 3, 4, 10, 0))


def test_time_asked_for_at_which_the_firm_is_never_open_is_left_out() -> None:
    mornings = WorkingWeek(hours=dict.fromkeys(range(5), Hours(opens=time(9), closes=time(12))))
    assert plan(Outcome.NO_ANSWER, week=mornings, contact=AFTERNOON).due == plan(Outcome.NO_ANSWER, week=mornings).due


@pytest.mark.parametrize("outcome", [Outcome.REACHED, Outcome.ADVICE_GIVEN, Outcome.COMPLETED, Outcome.NOT_NOW])
def test_client_is_called_again_at_the_time_of_day_that_was_asked_for(outcome: Outcome) -> None:
    assert all(at.hour >= 12 for at in plan(outcome, contact=AFTERNOON, deal_ends=date(2028, 6, 30)).due)
    assert all(at.hour < 12 for at in plan(outcome, contact=MORNING, deal_ends=date(2028, 6, 30)).due)


@pytest.mark.parametrize("attempts", range(4))
def test_no_try_is_proposed_before_an_appointment_that_is_booked(attempts: int) -> None:
    at = uk(2026, 3, 12, 16, 20)
    tried = plan(Outcome.NO_ANSWER, attempts=attempts, appointment=at, state=BOOKED)
    assert (tried.next_action, tried.due[0], tried.state, tried.attempts) == ("Appointment", at, BOOKED, attempts + 1)
    assert (len(set(tried.due)), min(tried.due)) == (4, at)
    assert plan(Outcome.NO_ANSWER, appointment=uk(2026, 3, 3, 10, 0)) == plan(Outcome.NO_ANSWER)


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
