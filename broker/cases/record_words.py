"""Details of the audit record about cases in the words of the desk; they are stored by their names in code."""

from collections.abc import Mapping
from dataclasses import replace

from broker.appointments.appointment import AppointmentState
from broker.cases.case import Outcome, Stage, WaitingFor
from broker.cases.words import OUTCOME_WORDS, STAGE_WORDS, WAITING_WORDS
from broker.enquiries.contact_details import parse_word
from broker.staff.audit import Act, AuditEntry

_RECORDED: Mapping[AppointmentState, str] = {
    AppointmentState.BOOKED: "not recorded",
    AppointmentState.HELD: "held",
    AppointmentState.MISSED: "did not come",
    AppointmentState.CANCELLED: "cancelled",
}


def case_entry_in_words(entry: AuditEntry) -> AuditEntry:
    """Return an entry with its detail in words; one that is unknown stays as it is."""
    match entry.what:
        case Act.CALL_RECORDED:
            outcome = parse_word(entry.detail, Outcome)
            return replace(entry, detail=OUTCOME_WORDS[outcome].lower()) if outcome else entry
        case Act.CASE_STAGE:
            return replace(entry, detail=_stage(entry.detail))
        case Act.APPOINTMENT_CLOSED:
            return replace(entry, detail=_recorded(entry.detail))
        case _:
            return entry


def _stage(detail: str) -> str:
    """Return a detail like `principle, waiting for lender` in words: `In principle, waiting for the lender`."""
    stage, _, waiting_for = detail.partition(", waiting for ")
    known = parse_word(stage, Stage), parse_word(waiting_for, WaitingFor)
    return f"{STAGE_WORDS[known[0]]}, waiting for {WAITING_WORDS[known[1]]}" if known[0] and known[1] else detail


def _recorded(detail: str) -> str:
    """Return a detail like `held to missed` in words: `did not come, before: held`; the first one without "before"."""
    first, _, then = detail.partition(" to ")
    before, after = parse_word(first, AppointmentState), parse_word(then, AppointmentState)
    if before is None or after is None:
        return detail
    return _RECORDED[after] + ("" if before is AppointmentState.BOOKED else f", before: {_RECORDED[before]}")
