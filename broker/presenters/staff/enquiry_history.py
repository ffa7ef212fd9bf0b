"""What the record tells of one enquiry, in words: its history, and what others did while somebody looked at it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from broker.domain.staff.audit import Act, AuditEntry
from broker.domain.staff.enquiry_workflow import EnquirySummary
from broker.presenters.staff.times import moment_words

_DID: Mapping[Act, str] = {
    Act.ENQUIRY_READ: "read it",
    Act.ENQUIRY_STATE: "moved it from {detail}",
    Act.ENQUIRY_NOTE: "wrote a note",
    Act.ENQUIRY_ASSIGNED: "gave it {detail}",
    Act.ENQUIRY_DELETED: "deleted it: {detail}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """What somebody did, and when."""

    did: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Meanwhile:
    """What others did since somebody read an enquiry; `wanted` is what was not done because of it, or empty."""

    heading: str = ""
    lines: tuple[str, ...] = ()
    wanted: str = ""


def history_lines(entries: Sequence[AuditEntry], *, who: str, now: datetime) -> tuple[HistoryLine, ...]:
    """Return the record of an enquiry, newest first; what somebody read again and again is one line."""
    lines: list[HistoryLine] = []
    for (by, what), same in groupby(entries, key=lambda entry: (entry.who, entry.what)):
        name, listed = "You" if by == who else by, list(same)
        if what is not Act.ENQUIRY_READ:
            lines += (HistoryLine(did=f"{name} {_did(each)}", at=moment_words(each.at, now)) for each in listed)
        else:
            times = f" {len(listed)} times, last" if len(listed) > 1 else ""
            lines.append(HistoryLine(did=f"{name} read it{times}", at=moment_words(listed[0].at, now)))
    return tuple(lines)


def newest_number(entries: Sequence[AuditEntry]) -> int:
    """Return the place of the newest line in the record, 0 where there is none."""
    return max((entry.number for entry in entries), default=0)


def changes(
    entries: Sequence[AuditEntry], *, after: int, who: str, now: datetime, mine: bool = True
) -> tuple[str, ...]:
    """Return what was changed after an entry of the record, oldest first; unless `mine`, without what `who` did."""
    done = [entry for entry in reversed(entries) if entry.number > after and entry.what is not Act.ENQUIRY_READ]
    return tuple(
        f"{'You, in another window,' if entry.who == who else entry.who} {_did(entry)}, {moment_words(entry.at, now)}"
        for entry in done
        if mine or entry.who != who
    )


def refused_meanwhile(head: EnquirySummary, lines: Sequence[str], *, who: str, wanted: str, now: datetime) -> Meanwhile:
    """Return why a change was not made: who changed the enquiry, and what they did to it."""
    by = "you changed it in another window" if head.changed_by == who else f"{head.changed_by} changed it"
    when = (f"It was changed {moment_words(head.changed_at, now)}",) if head.changed_at else ()
    return Meanwhile(heading=f"Nothing was changed: {by} meanwhile", lines=tuple(lines) or when, wanted=wanted)


def seen_meanwhile(lines: Sequence[str]) -> Meanwhile:
    """Return what was done while somebody had the enquiry open; nothing for nothing."""
    heading = "This enquiry was changed while you had it open" if lines else ""
    return Meanwhile(heading=heading, lines=tuple(lines))


def _did(entry: AuditEntry) -> str:
    return _DID.get(entry.what, entry.sentence).replace("{detail}", entry.detail)
