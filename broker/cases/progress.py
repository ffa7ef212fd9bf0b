"""How far a case is, in visitors' words: nothing that staff write about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from broker.appointments.appointment import OUTCOME_ACTION
from broker.cases.case import EnquirySummary, Source, Stage, WaitingFor
from broker.enquiries.enquiry import EnquiryState
from broker.enquiries.summary import STATES, uk_day, uk_moment
from broker.questionnaire.answers import Line

_STAGES: Mapping[Stage, str] = {
    Stage.ADVICE: "We are working out our advice to you",
    Stage.PRINCIPLE: "A lender decides in principle",
    Stage.APPLICATION: "Your application is with the lender",
    Stage.VALUATION: "The property is being valued",
    Stage.OFFER: "The lender has made you an offer",
    Stage.EXCHANGE: "Contracts are exchanged",
    Stage.COMPLETION: "Your mortgage has completed",
    Stage.REVIEW: "You asked us to get in touch later",
}
"""Stages after the enquiry, which is said by its state."""

_WAITING: Mapping[WaitingFor, str] = {
    WaitingFor.US: "Us",
    WaitingFor.CLIENT: "You",
    WaitingFor.LENDER: "The lender",
    WaitingFor.SOLICITOR: "The solicitor",
    WaitingFor.VALUER: "The valuer",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a case is; `adviser` is a first name, empty where the account of the adviser has none.

    `they_called`: the visitor telephoned us, and we have not called in vain since.
    """

    state: EnquiryState
    stage: Stage
    stage_since: datetime | None
    waiting_for: WaitingFor
    next_at: datetime | None
    adviser: str = ""
    they_called: bool = False


def progress_of(case: EnquirySummary, *, adviser: str) -> Progress:
    """Return the progress of a case; of `adviser`, the name of the person who has it, the first word is shown.

    An outcome that is to be recorded is no date of the visitor's.
    """
    return Progress(
        state=case.state,
        stage=case.stage,
        stage_since=case.stage_since,
        waiting_for=case.waiting_for,
        next_at=case.appointment or (case.due if case.next_action != OUTCOME_ACTION else None),
        adviser=(adviser.split() or [""])[0],
        they_called=case.source is Source.TELEPHONE and not case.attempts,
    )


def progress_lines(progress: Progress, *, now: datetime) -> tuple[Line, ...]:
    """Return the lines of the visitor's page, without empty ones; a closed case has its status alone."""
    is_closed, status = progress.state is EnquiryState.CLOSED, _STAGES.get(progress.stage)
    if status is None or (is_closed and progress.stage is not Stage.COMPLETION):
        is_theirs = progress.they_called and progress.state is EnquiryState.CALLED
        status = "You called us" if is_theirs else STATES[progress.state]
    lines = [Line(label="Status", words=status)]
    if progress.stage_since and progress.stage is not Stage.ENQUIRY and not is_closed:
        lines.append(Line(label="Since", words=uk_day(progress.stage_since)))
    if not is_closed:
        is_ahead = progress.next_at and progress.next_at > now
        next_words = uk_moment(progress.next_at) if progress.next_at and is_ahead else ""
        label = "We call by" if progress.state is EnquiryState.NEW else "Next date"
        lines += [
            Line(label="Waiting for", words=_WAITING[progress.waiting_for]),
            Line(label=label, words=next_words),
            Line(label="Your adviser", words=progress.adviser),
        ]
    return tuple(line for line in lines if line.words)
