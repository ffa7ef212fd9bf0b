"""What each change by staff makes of a case, from the case as it is; stored by `change_store`."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any

from broker.appointments.appointment import NEXT_ACTION
from broker.cases.case import (
    CLOSE_REASONS,
    ONLY_ADVICE,
    CloseReason,
    EnquirySummary,
    NoteKind,
    Outcome,
    Refused,
    Service,
    StaffNote,
    Stage,
    WaitingFor,
)
from broker.cases.origin import NOT_POUNDS, day_in, pounds_in
from broker.cases.outcomes import CALL_AGAIN, REVIEW_ACTION, after_outcome, review_before
from broker.enquiries.contact_details import (
    EMAIL,
    NAME,
    TELEPHONE,
    WHEN,
    ContactDetails,
    Problem,
    parse_word,
    single_line,
)
from broker.enquiries.enquiry import EnquiryState
from broker.enquiries.working_time import WorkingWeek
from broker.staff.audit import Act, uk_detail

LATEST_DUE = timedelta(days=41 * 366)
"""The longest time ahead of a next action, and from today to the end of a deal, past or to come.

A rate may be fixed for 40 years, and the review is due before it ends."""

SERVICE, AMOUNT, DEAL_ENDS = "service", "amount", "deal_ends"
"""Fields of the form of figures."""

NOT_A_SERVICE = "Choose one of the services"
NEEDS_REASON = "Choose why this case is closed"
CLOSED_ALREADY = "This case is closed already"
NOTHING_NEW = "Nothing is different"
DUE_PAST = "Choose a time that is still to come"
DUE_TOO_LATE = "Choose a time in the next 40 years"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseChange:
    """New values of a case, by the names of the fields of `EnquirySummary`, and a note to its timeline.

    `what` and `detail` are of the entry in the audit record; `detail` has nothing personal.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    what: Act
    detail: str = ""
    note: StaffNote | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """A call as staff record it: what came of it, a note, and when to go on, by default the time by rule.

    `reason` belongs to an outcome that closes the case. An empty `next_action` is that of the outcome.
    """

    outcome: Outcome
    note: str = ""
    due: datetime | None = None
    reason: CloseReason | None = None
    next_action: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFigures:
    """What a case is about, its loan in pounds, and the day on which the deal ends; None where it is not known."""

    service: Service = Service.OTHER
    amount: int | None
    deal_ends: date | None


def parse_figures(given: Mapping[str, object], today: date) -> CaseFigures | tuple[Problem, ...]:
    """Return the figures of a form, or the problem of each invalid field; one that is missing is invalid."""
    sent = (given.get(AMOUNT), given.get(DEAL_ENDS))
    amount, day = (single_line(each, 40) if isinstance(each, str) else None for each in sent)
    service = parse_word(given.get(SERVICE), Service)
    figures = CaseFigures(service=service or Service.OTHER, amount=pounds_in(amount or ""), deal_ends=day_in(day or ""))
    problems: list[Problem] = []
    if service is None:
        problems.append(Problem(field=SERVICE, reason=NOT_A_SERVICE))
    if amount != "" and figures.amount is None:
        problems.append(Problem(field=AMOUNT, reason=NOT_POUNDS))
    if day != "" and figures.deal_ends is None:
        problems.append(Problem(field=DEAL_ENDS, reason="Choose a day, or leave it empty"))
    if figures.deal_ends and abs(figures.deal_ends - today) > LATEST_DUE:
        problems.append(Problem(field=DEAL_ENDS, reason="Choose a day within 40 years"))
    return tuple(problems) or figures


def due_problem(due: datetime, now: datetime) -> str:
    """Return why something cannot be due at a time, empty if it can."""
    if due <= now:
        return DUE_PAST
    return DUE_TOO_LATE if due > now + LATEST_DUE else ""


def call_recorded(
    case: EnquirySummary, call: CallRecord, *, who: str, now: datetime, week: WorkingWeek
) -> CaseChange | Refused:
    """Return the change by a call; a case that nobody has becomes that of the caller."""
    if case.only_advice_since:
        return Refused(words=ONLY_ADVICE)
    plan = after_outcome(call.outcome, case, now, week=week)
    if plan.needs_reason and call.reason is None:
        return Refused(words=NEEDS_REASON)
    due = (call.due or plan.due[0]) if plan.due else None
    if call.due and due and (problem := due_problem(due, now)):
        return Refused(words=problem)
    # a call at another time than the one that is booked is no appointment
    is_other = plan.next_action == NEXT_ACTION and case.appointment in plan.due and due != case.appointment
    action = call.next_action or (CALL_AGAIN if is_other else plan.next_action)
    closed = plan.state is EnquiryState.CLOSED
    values: dict[str, Any] = {
        "state": plan.state,
        "waiting_for": plan.waiting_for,
        "waiting_note": "" if plan.waiting_for is not case.waiting_for else case.waiting_note,
        "outcome": call.outcome,
        "next_action": action if due else "",
        "next_due": due,
        "attempts": plan.attempts,
        "first_call_at": case.first_call_at or now,
        "close_reason": (call.reason or plan.close_reason) if closed else None,
        "assigned": case.assigned or who,
    }
    if plan.stage is not case.stage:
        values |= {"stage": plan.stage, "stage_since": now}
    note = StaffNote(at=now, who=who, text=call.note, kind=NoteKind.CALL, outcome=call.outcome)
    return CaseChange(values=values, what=Act.CALL_RECORDED, detail=call.outcome.value, note=note)


def assigned(case: EnquirySummary, account: str) -> CaseChange | Refused:
    """Return the change of whose case it is, an empty name for nobody's."""
    if case.assigned == account:
        return Refused(words=f"This enquiry is {account or 'nobody'}’s already")
    detail = f"to {account or 'nobody'}" + (f", before to {case.assigned}" if case.assigned else "")
    return CaseChange(values={"assigned": account}, what=Act.ENQUIRY_ASSIGNED, detail=detail)


def taken(case: EnquirySummary, who: str) -> CaseChange | Refused:
    """Return the change of a case that nobody has to one of `who`."""
    if case.assigned and case.assigned != who:
        return Refused(words=f"{case.assigned} has this case already")
    return assigned(case, who)


def closed(case: EnquirySummary, reason: CloseReason) -> CaseChange | Refused:
    """Return the change to a closed case, which nothing is due of."""
    if case.only_advice_since:
        return Refused(words=ONLY_ADVICE)
    if case.state is EnquiryState.CLOSED and case.close_reason is reason:
        return Refused(words=CLOSED_ALREADY)
    values = {"state": EnquiryState.CLOSED, "close_reason": reason, "next_action": "", "next_due": None}
    return CaseChange(values=values, what=Act.CASE_CLOSED, detail=CLOSE_REASONS[reason])


def due_set(case: EnquirySummary, due: datetime, action: str, now: datetime) -> CaseChange | Refused:
    """Return the change of when something is due next; an empty `action` is the one there is."""
    if case.only_advice_since:
        return Refused(words=ONLY_ADVICE)
    if problem := due_problem(due, now):
        return Refused(words=problem)
    words = action or case.next_action
    if (due, words) == (case.next_due, case.next_action):
        return Refused(words=NOTHING_NEW)
    detail = uk_detail(due)
    return CaseChange(values={"next_due": due, "next_action": words}, what=Act.CASE_DUE, detail=detail)


def contact_corrected(case: EnquirySummary, contact: ContactDetails) -> CaseChange | Refused:
    """Return the change of contact details; the entry names what is different, not how."""
    fields = {NAME: "name", TELEPHONE: "telephone", EMAIL: "email", WHEN: "when to call", "extension": "extension"}
    different = [words for name, words in fields.items() if getattr(case.contact, name, None) != getattr(contact, name)]
    if not different:
        return Refused(words=NOTHING_NEW)
    return CaseChange(values={"contact": contact}, what=Act.CONTACT_CORRECTED, detail=", ".join(different))


def figures_set(
    case: EnquirySummary, figures: CaseFigures, *, now: datetime, week: WorkingWeek
) -> CaseChange | Refused:
    """Return the change of what it is about and of its figures.

    The review of a completed case goes to before the new end of its deal.
    """
    words = {SERVICE: "what it is about", AMOUNT: "loan", DEAL_ENDS: "end of the deal"}
    values = {name: getattr(figures, name) for name in words if getattr(figures, name) != getattr(case, name)}
    if not values:
        return Refused(words=NOTHING_NEW)
    detail = ", ".join(words[name] for name in values)
    is_reviewed = case.next_action == REVIEW_ACTION and DEAL_ENDS in values
    if is_reviewed and (due := review_before(case, figures.deal_ends, now, week=week)):
        values["next_due"] = due
    return CaseChange(values=values, what=Act.CASE_FIGURES, detail=detail)


def merged(kept: EnquirySummary, other: EnquirySummary) -> dict[str, Any]:
    """Return the new values of a case that another is merged into: nothing that is due or known of either is lost.

    What is due is the earlier of both. A closed case that an open one is merged into is open again. The email address
    of the other fills a missing one.
    """
    values: dict[str, Any] = {"delete_after": max(kept.delete_after, other.delete_after)}
    if kept.contact and other.contact and other.contact.email and not kept.contact.email:
        values["contact"] = replace(kept.contact, email=other.contact.email)
    if kept.state is EnquiryState.CLOSED is not other.state:
        values |= {"state": other.state, "close_reason": None}
        values |= {"call_by": other.call_by, "next_due": other.next_due, "next_action": other.next_action}
        values |= {"assigned": kept.assigned or other.assigned}
        return values
    if other.state is not EnquiryState.CLOSED and other.due and (not kept.due or other.due < kept.due):
        values |= {"next_due": other.due, "next_action": other.next_action or kept.next_action or "Call, asked again"}
    known = ("amount", "deal_ends", "first_call_at", "assigned")
    values |= {name: getattr(other, name) for name in known if not getattr(kept, name) and getattr(other, name)}
    if kept.service is Service.OTHER is not other.service:
        values["service"] = other.service
    return values


def staged(
    case: EnquirySummary, stage: Stage, *, waiting_for: WaitingFor, waiting_note: str, now: datetime
) -> CaseChange | Refused:
    """Return the change of the stage of a case, and of whom it waits for and for what."""
    if case.only_advice_since:
        return Refused(words=ONLY_ADVICE)
    before = (case.stage, case.waiting_for, case.waiting_note)
    if (stage, waiting_for, waiting_note) == before:
        return Refused(words=NOTHING_NEW)
    values: dict[str, Any] = {"stage": stage, "waiting_for": waiting_for, "waiting_note": waiting_note}
    if stage is not case.stage:
        values["stage_since"] = now
    return CaseChange(values=values, what=Act.CASE_STAGE, detail=f"{stage}, waiting for {waiting_for}")
