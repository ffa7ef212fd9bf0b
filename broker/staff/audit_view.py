"""View of the audit record: one sentence an entry, by day, newest first."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from broker import routes
from broker.clock import uk_date
from broker.enquiries.contact_details import parse_word, single_line
from broker.enquiries.enquiry import parse_reference
from broker.lending.money import capitalised
from broker.staff.audit import (
    COMMAND_LINE,
    MAX_ACTOR_LENGTH,
    MAX_SUBJECT_LENGTH,
    UNKNOWN_ACTOR,
    VISITOR,
    ActKind,
    AuditEntry,
    AuditFilter,
)
from broker.staff.times import clock, day_words

WHO, ABOUT, KIND, BEFORE = "who", "about", "kind", "before"
"""Parameters of the address."""

NAMED: Mapping[str, str] = {UNKNOWN_ACTOR: "Somebody unknown", COMMAND_LINE: "The command line", VISITOR: "The visitor"}
"""Words for the actors that are no accounts."""

KINDS = (
    ("", "Everything"),
    (ActKind.ENQUIRIES.value, "Enquiries"),
    (ActKind.DIARY.value, "Diary"),
    (ActKind.DUTIES.value, "Duties"),
    (ActKind.LOGOS.value, "Logos"),
    (ActKind.WINDOWS.value, "When lenders let borrowers book"),
    (ActKind.SOURCES.value, "Sources read again"),
    (ActKind.SIGN_INS.value, "Signing in and out"),
    (ActKind.FAILURES.value, "Failures to sign in"),
    (ActKind.ACCOUNTS.value, "Accounts"),
)
"""The choices of the form, each value with its words."""


def filter_in(parameters: Mapping[str, object]) -> AuditFilter:
    """Return the filter of an address, without invalid parameters."""
    before = parameters.get(BEFORE)
    is_number = isinstance(before, str) and before.isascii() and before.isdigit() and len(before) < 16
    return AuditFilter(
        who=single_line(parameters.get(WHO), MAX_ACTOR_LENGTH) or "",
        about=single_line(parameters.get(ABOUT), MAX_SUBJECT_LENGTH) or "",
        kind=parse_word(parameters.get(KIND), ActKind),
        before=int(str(before)) if is_number else 0,
    )


def address_of(wanted: AuditFilter) -> str:
    parameters = {
        WHO: wanted.who,
        ABOUT: wanted.about,
        KIND: wanted.kind or "",
        BEFORE: str(wanted.before) if wanted.before else "",
    }
    return routes.with_query(routes.STAFF_RECORD, {name: str(value) for name, value in parameters.items() if value})


def form_of(wanted: AuditFilter) -> dict[str, str]:
    return {WHO: wanted.who, ABOUT: wanted.about, KIND: wanted.kind or ""}


def who_choices(names: Sequence[str], chosen: str) -> list[tuple[str, str]]:
    """Return the choices of actors, with the chosen one."""
    known = [*names, *([chosen] if chosen and chosen not in names else [])]
    return [("", "Anybody"), *((name, NAMED.get(name, name)) for name in known)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordLine:
    """An entry; if its enquiry exists, `reference` is between `before` and `after` and links to `href`."""

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
    """The entries of one day, UK time."""

    title: str
    lines: tuple[RecordLine, ...]


def record_days(entries: Sequence[AuditEntry], *, existing: Collection[str], now: datetime) -> tuple[RecordDay, ...]:
    """Return entries by day; `existing` are the references that are linked."""
    days: list[RecordDay] = []
    for _, of_day in groupby(entries, key=lambda entry: uk_date(entry.at)):
        listed = tuple(of_day)
        title, lines = day_words(listed[0].at, now), tuple(_line(entry, existing=existing) for entry in listed)
        days.append(RecordDay(title=capitalised(title), lines=lines))
    return tuple(days)


def tally(shown: int, *, has_more: bool, is_narrowed: bool) -> str:
    """Return how many entries are shown, in words."""
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
