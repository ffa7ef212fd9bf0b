"""What follows from the outcome of a call: the state and stage of the case, whose turn it is, and when to go on."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from broker.appointments.appointment import NEXT_ACTION
from broker.cases.case import Case, CloseReason, EnquirySummary, NoteKind, Outcome, Stage, WaitingFor
from broker.clock import UK, uk_date
from broker.enquiries.contact_details import CallTime
from broker.enquiries.enquiry import EnquiryState
from broker.enquiries.working_time import WorkingWeek

CALL_AGAIN = "Call again"

MAX_NEXT_ACTION = 80
"""Characters of a next action."""

FIRST_RETRY = timedelta(hours=4)
"""Open hours after a first call without an answer."""

TRIES_BEFORE_MAIL = 3
"""Calls without an answer after which a mail is proposed."""

_NOON, _MORNING, _AFTERNOON = time(12), time(10, 30), time(15, 30)
"""The times of day of a second try: the other half of the day."""

_HALVES: Mapping[CallTime, time] = {CallTime.MORNING: _MORNING, CallTime.AFTERNOON: _AFTERNOON}
"""The time of day of a call to somebody who asked for a part of the day."""

_STEP = timedelta(minutes=30)

_REVIEW_BEFORE, _REVIEW_AFTER = timedelta(days=120), timedelta(days=548)
"""A completed case is looked at again so long before its deal ends, or after so long (18 months) if that is unknown."""

REVIEW_ACTION = "Review before the deal ends"
"""The next action of a completed case."""

_STAGE_ORDER = tuple(Stage)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomePlan:
    """What a case becomes by an outcome; `due` has the time by rule and three others, none if nothing follows.

    `needs_reason`: a reason of the close has to be given.
    """

    state: EnquiryState
    stage: Stage
    waiting_for: WaitingFor
    next_action: str
    due: tuple[datetime, ...]
    attempts: int = 0
    close_reason: CloseReason | None = None
    needs_reason: bool = False


STAGES: Mapping[Outcome, Stage] = {
    Outcome.ADVICE_GIVEN: Stage.ADVICE,
    Outcome.APPLICATION: Stage.APPLICATION,
    Outcome.OFFER: Stage.OFFER,
    Outcome.COMPLETED: Stage.COMPLETION,
    Outcome.NOT_NOW: Stage.REVIEW,
}
"""The stage that a case reaches by an outcome; it stays at a later one, unless it is completed or put off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """What an outcome leads to: whose turn it is, and the working days until the next action."""

    next_action: str
    days: tuple[int, ...]
    waiting_for: WaitingFor = WaitingFor.CLIENT
    state: EnquiryState = EnquiryState.CALLED


_STEPS: Mapping[Outcome, _Step] = {
    Outcome.REACHED: _Step(next_action=CALL_AGAIN, days=(3, 1, 5, 10), waiting_for=WaitingFor.US),
    Outcome.APPOINTMENT: _Step(
        next_action=NEXT_ACTION, days=(1, 2, 3, 5), waiting_for=WaitingFor.US, state=EnquiryState.BOOKED
    ),
    Outcome.ADVICE_GIVEN: _Step(next_action="Ask what they decided", days=(3, 1, 5, 10)),
    Outcome.APPLICATION: _Step(next_action="Ask the lender", days=(5, 2, 3, 10), waiting_for=WaitingFor.LENDER),
    Outcome.OFFER: _Step(next_action="Ask the solicitor", days=(10, 5, 15, 20), waiting_for=WaitingFor.SOLICITOR),
}


def after_outcome(outcome: Outcome, case: EnquirySummary, now: datetime, *, week: WorkingWeek) -> OutcomePlan:
    """Return what a case becomes by the outcome of a call.

    A stage never goes back by an outcome. Times are within the firm's hours, and those of calls to the client in the
    part of the day that was asked for. After a call without an answer the next try is 4 open hours later, then on the
    next working day in the other half of the day, then 3 working days later; whose turn it is stays. A client who is
    booked is called at the appointment, and after a call without an answer not before it.
    """
    if outcome is Outcome.NO_ANSWER:
        return _no_answer(case, now, week)
    if outcome is Outcome.NOT_OURS:
        return OutcomePlan(
            state=EnquiryState.CLOSED,
            stage=case.stage,
            waiting_for=WaitingFor.US,
            next_action="",
            due=(),
            needs_reason=True,
        )
    if outcome in (Outcome.COMPLETED, Outcome.NOT_NOW):
        return _reviewed(outcome, case, now, week)
    coming = _coming(case, now)
    step = _STEPS[Outcome.APPOINTMENT if coming and outcome is Outcome.REACHED else outcome]
    when = _asked(case) if step.waiting_for in (WaitingFor.US, WaitingFor.CLIENT) else CallTime.ANY
    due = tuple(_working_day(week, now, days, _MORNING, when) for days in step.days)
    if coming and step.next_action == NEXT_ACTION:
        due = (coming, *due[:3])
    return OutcomePlan(
        state=EnquiryState.BOOKED if case.state is EnquiryState.BOOKED else step.state,
        stage=max(case.stage, STAGES.get(outcome, case.stage), key=_STAGE_ORDER.index),
        waiting_for=step.waiting_for,
        next_action=step.next_action,
        due=due,
    )


def is_mail_proposed(case: Case) -> bool:
    """Return whether a mail is proposed: three calls or more without an answer, and none written since the last."""
    talks = [note.kind for note in case.notes if note.kind in (NoteKind.CALL, NoteKind.REPLY)]
    may_write = case.kept.enquiry.contact.email and not case.returned and case.head.state is not EnquiryState.CLOSED
    return bool(may_write and case.head.attempts >= TRIES_BEFORE_MAIL and talks[-1:] != [NoteKind.REPLY])


def after_first_call(now: datetime, *, week: WorkingWeek, when: CallTime) -> tuple[str, datetime]:
    """Return what is to be done next, and when, of a case that begins with a call that was answered."""
    step = _STEPS[Outcome.REACHED]
    return step.next_action, _working_day(week, now, step.days[0], _MORNING, when)


def _asked(case: EnquirySummary) -> CallTime:
    """Return the part of the day in which the client asked to be called."""
    return case.contact.when if case.contact else CallTime.ANY


def _coming(case: EnquirySummary, now: datetime) -> datetime | None:
    """Return the start of the case's appointment, None if that is past or there is none."""
    return case.appointment if case.appointment and case.appointment > now else None


def _no_answer(case: EnquirySummary, now: datetime, week: WorkingWeek) -> OutcomePlan:
    attempts, coming, when = case.attempts + 1, _coming(case, now), _asked(case)
    begin = coming or now
    other_half = _MORNING if begin.astimezone(UK).time() >= _NOON else _AFTERNOON
    soon = week.next_wanted(_rounded_up(week, week.after_hours(now, FIRST_RETRY)), when)
    next_day, later, *others = (_working_day(week, begin, days, other_half, when) for days in (1, 3, 5, 10))
    by_rule = coming or {1: soon, 2: next_day}.get(attempts, later)
    tries = (by_rule, *(() if coming else (soon,)), next_day, later, *others)
    names = {1: "Second try", 2: "Third try"}
    return OutcomePlan(
        state=EnquiryState.CALLED if case.state in (EnquiryState.NEW, EnquiryState.CLOSED) else case.state,
        stage=case.stage,
        waiting_for=case.waiting_for,
        next_action=NEXT_ACTION if coming else names.get(attempts, "Try again"),
        due=tuple(dict.fromkeys(tries))[:4],
        attempts=attempts,
    )


def _reviewed(outcome: Outcome, case: EnquirySummary, now: datetime, week: WorkingWeek) -> OutcomePlan:
    """Return the plan of a case that is looked at again after months."""
    is_done = outcome is Outcome.COMPLETED
    here = uk_date(now)
    in_months = [here + timedelta(days=days) for days in ((548, 365, 730, 1_095) if is_done else (91, 30, 182, 365))]
    due = [_on_working_day(week, day, _asked(case)) for day in in_months]
    if before_end := review_before(case, case.deal_ends, now, week=week):
        due = [before_end, *due[:3]]
    return OutcomePlan(
        state=EnquiryState.CLOSED if is_done else EnquiryState.CALLED,
        stage=STAGES[outcome],
        waiting_for=WaitingFor.CLIENT,
        next_action=REVIEW_ACTION if is_done else "Ask again",
        due=tuple(due),
        close_reason=CloseReason.COMPLETED if is_done else None,
    )


def review_before(case: EnquirySummary, deal_ends: date | None, now: datetime, *, week: WorkingWeek) -> datetime | None:
    """Return when a case is looked at again before its deal ends, None if that is past or not known."""
    day = deal_ends - _REVIEW_BEFORE if deal_ends else None
    return _on_working_day(week, day, _asked(case)) if day and day > uk_date(now) else None


def _working_day(week: WorkingWeek, now: datetime, days: int, at: time, when: CallTime) -> datetime:
    """Return a time of the working day that is a number of working days ahead, within its hours.

    Where a part of the day was asked for, the time is of that part.
    """
    at = _HALVES.get(when, at)
    day, hours = week.working_day(uk_date(now), days)
    moment = datetime.combine(day, at if hours.opens <= at < hours.closes else hours.opens, tzinfo=UK)
    return week.next_wanted(moment, when)


def _on_working_day(week: WorkingWeek, day: date, when: CallTime) -> datetime:
    """Return a time of a date, or of the next working day."""
    return _working_day(week, datetime.combine(day - timedelta(days=1), _NOON, tzinfo=UK), 1, _MORNING, when)


def _rounded_up(week: WorkingWeek, at: datetime) -> datetime:
    """Return the next full half hour at which the firm is open."""
    past = timedelta(minutes=at.minute % 30, seconds=at.second, microseconds=at.microsecond)
    return week.after_hours(at + (_STEP - past if past else timedelta()), timedelta())
