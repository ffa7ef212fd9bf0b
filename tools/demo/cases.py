"""How the cases of the demo go on: calls with their outcomes, stages, and what is due."""

from collections.abc import Sequence
from dataclasses import dataclass

from broker.cases.case import CloseReason, Outcome, Stage, WaitingFor
from tools.demo.clients import Client


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What an adviser does some days after the step before.

    A call with its `outcome`, or a `stage` set by hand; or, with a `reason` alone, the case is closed.
    """

    days: float
    outcome: Outcome | None = None
    reason: CloseReason | None = None
    stage: Stage | None = None
    waiting_for: WaitingFor = WaitingFor.LENDER
    note: str = ""


_REACHED = Step(days=0, outcome=Outcome.REACHED, note="Income, deposit and plans. Sends payslips this week.")
_NO_ANSWER = Step(days=0, outcome=Outcome.NO_ANSWER, note="Rings out. Voicemail left.")

_WHOLE = (
    _REACHED,
    Step(
        days=2,
        outcome=Outcome.ADVICE_GIVEN,
        note="Wants certainty and a payment under £1,300. Compared two and five years, and the charges of leaving. "
        "Five years fits: may move in six, talked about porting. Next: decision in principle.",
    ),
    Step(days=1, stage=Stage.PRINCIPLE, note="decision letter"),
    Step(days=4, outcome=Outcome.APPLICATION, note="Papers complete, application sent."),
    Step(days=5, stage=Stage.VALUATION, waiting_for=WaitingFor.VALUER, note="report"),
    Step(days=7, outcome=Outcome.OFFER, note="Offer is here, valid for three months."),
    Step(days=11, stage=Stage.EXCHANGE, waiting_for=WaitingFor.SOLICITOR, note="date of completion"),
    Step(days=8, outcome=Outcome.COMPLETED, note="Keys handed over. Asked for a review in spring."),
)
_UNREACHED = (
    _NO_ANSWER,
    Step(days=1, outcome=Outcome.NO_ANSWER),
    Step(days=3, outcome=Outcome.NO_ANSWER, note="Third try."),
    Step(days=4, reason=CloseReason.NO_CONTACT),
)
_LATER = (_REACHED, Step(days=3, outcome=Outcome.NOT_NOW, note="Wants to wait until the deal ends. Review agreed."))
_ELSEWHERE = (*_WHOLE[:2], Step(days=8, reason=CloseReason.ELSEWHERE))
_REASONS = (CloseReason.DECLINED, CloseReason.NOT_ADVISED, CloseReason.DECLINED)


def steps_of(client: Client) -> Sequence[Step]:
    """Return the steps of a client's case, as far as they go with luck."""
    if client.luck < 0.12:
        return _UNREACHED
    if client.luck < 0.2:
        reason = _REASONS[client.number % len(_REASONS)]
        return (Step(days=0, outcome=Outcome.NOT_OURS, reason=reason, note="Explained why, and who may help."),)
    if client.luck < 0.3:
        return _LATER
    if client.luck < 0.46:
        return _ELSEWHERE
    if client.number % 4 == 0:  # reached at the second try
        return (_NO_ANSWER, Step(days=0.3, outcome=Outcome.REACHED, note=_REACHED.note), *_WHOLE[1:])
    return _WHOLE
