"""The audit record for staff: who did what and when, in sentences, a day after another, newest first."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from broker import routes
from broker.domain.enquiries.references import parse_reference
from broker.domain.enquiries.working_time import UK
from broker.domain.staff.audit import AuditEntry
from broker.presenters.staff.audit_search import NAMED
from broker.presenters.staff.times import clock, day_words


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordLine:
    """One act; if its enquiry exists, `reference` stands between `before` and `after`, and `href` leads to it."""

    number: int
    at: str
    moment: str
    who: str
    before: str
    reference: str = ""
    href: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordDay:
    """What was done on one day of UK time."""

    title: str
    lines: tuple[RecordLine, ...]


def record_days(entries: Sequence[AuditEntry], *, existing: Collection[str], now: datetime) -> tuple[RecordDay, ...]:
    """Return lines of the record by day; `existing` are the references whose enquiries are still there."""
    days: list[RecordDay] = []
    for _, of_day in groupby(entries, key=lambda entry: entry.at.astimezone(UK).date()):
        listed = tuple(of_day)
        title, lines = day_words(listed[0].at, now), tuple(_line(entry, existing=existing) for entry in listed)
        days.append(RecordDay(title=title[:1].upper() + title[1:], lines=lines))
    return tuple(days)


def tally(shown: int, *, has_more: bool, is_narrowed: bool) -> str:
    """Return in a sentence how much of the record is on screen."""
    if not shown:
        return "Nothing in the record fits" if is_narrowed else "Nothing is in the record yet"
    lines = "1 line" if shown == 1 else f"{shown:,} lines"
    return f"{lines}, and there are older ones" if has_more else f"{lines}, and none older"


def _line(entry: AuditEntry, *, existing: Collection[str]) -> RecordLine:
    reference = parse_reference(entry.about)
    linked = reference if reference in existing and reference in entry.sentence else ""
    before, _, after = entry.sentence.partition(linked) if linked else (entry.sentence, "", "")
    return RecordLine(
        number=entry.number,
        at=clock(entry.at),
        moment=entry.at.isoformat(timespec="seconds"),
        who=NAMED.get(entry.who, entry.who),
        before=before,
        reference=linked,
        href=routes.staff_enquiry(linked) if linked else "",
        after=after,
    )
