"""Complaints in words for staff: the table with its clocks, one complaint, the half-year table, and the CSV file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import pandas as pd

from broker import routes
from broker.documents.spreadsheet import csv_text, guarded
from broker.duties.complaint import (
    CAUSES,
    LETTERS,
    OUTCOMES,
    Clock,
    Complaint,
    ComplaintState,
    HalfYear,
    LetterKind,
    Subject,
    half_year,
    half_year_counts,
)
from broker.duties.form_view import SUBJECTS
from broker.enquiries.contact_details import isolated
from broker.lending.money import counted
from broker.staff.times import Fact, moment_fact
from broker.staff.times import clock as clock_time

TONES: Mapping[ComplaintState, str] = {
    ComplaintState.OPEN: "orange",
    ComplaintState.DUE: "red",
    ComplaintState.LATE: "red",
    ComplaintState.SETTLED: "green",
    ComplaintState.CLOSED: "gray",
}

_SHORT: Mapping[LetterKind, str] = {
    LetterKind.ACKNOWLEDGEMENT: "Ack.",
    LetterKind.SUMMARY: "Summary letter",
    LetterKind.HOLDING: "Holding letter",
    LetterKind.FINAL: "Final response",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockLine:
    """A clock in words, with the part of it that is over (`33%`) and the tone of its bar."""

    words: str
    width: str = ""
    tone: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplaintLine:
    """A row of the table."""

    number: int
    label: str
    who: str
    about: str
    received: str
    summary: ClockLine
    clocks: tuple[ClockLine, ...]
    letters: str
    assigned: str
    state: str
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseLine:
    cause: str
    counts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfYearView:
    """A half-year table; `words` says its period, `vulnerable` how many of the people were vulnerable."""

    words: str = ""
    lines: tuple[CauseLine, ...] = ()
    vulnerable: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressing:
    """What is due next: the complaint's number, and what is said of it."""

    number: int = 0
    title: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplaintsView:
    lines: tuple[ComplaintLine, ...] = ()
    count: str = ""
    warning: Pressing = Pressing()
    half_years: tuple[HalfYearView, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplaintView:
    """One complaint; number 0 is none. `case_href` leads to its enquiry, empty for none."""

    number: int = 0
    label: str = ""
    who: str = ""
    state: str = ""
    tone: str = ""
    facts: tuple[Fact, ...] = ()
    matter: str = ""
    letters: tuple[Fact, ...] = ()
    case_href: str = ""
    is_open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenComplaint:
    """What is said on a case of an open complaint: a link to it, and how it stands."""

    label: str
    words: str
    href: str


def open_complaint(complaint: Complaint, today: date) -> OpenComplaint:
    """Return what is said of an open complaint; nothing is due once the letter of each clock is sent."""
    due = complaint.due()
    is_due = "was due" if due and due < today else "due"
    left = f": {_due_letter(complaint)} {is_due} {day(due, today)}" if due else ""
    return OpenComplaint(
        label=f"Complaint {complaint.label}", words=f" is open{left}", href=routes.staff_complaint_of(complaint.number)
    )


def complaints_view(complaints: Sequence[Complaint], today: date, *, closed: bool) -> ComplaintsView:
    """Return the table, of open complaints alone unless `closed` ones are asked for too."""
    shown = [each for each in complaints if closed or not each.ending]
    count = sum(not each.ending for each in complaints)
    period = half_year(today)
    return ComplaintsView(
        lines=tuple(complaint_line(each, today) for each in shown),
        count=f"{count} open" if count else "none open",
        warning=_warning(complaints, today),
        half_years=tuple(half_year_view(complaints, each, today) for each in (period, period.before)),
    )


def complaint_line(complaint: Complaint, today: date) -> ComplaintLine:
    record, state = complaint.record, complaint.state(today)
    return ComplaintLine(
        number=complaint.number,
        label=complaint.label,
        who=record.person.name,
        about=f"{CAUSES[record.cause]}: {record.about}",
        received=day(complaint.received, today),
        summary=_summary_line(complaint, today),
        clocks=tuple(_clock_line(clock, today, closed=complaint.closed) for clock in complaint.clocks),
        letters=_letters_words(complaint, today),
        assigned=record.assigned,
        state=state_words(complaint, today),
        tone=TONES[state],
    )


def complaint_view(complaint: Complaint, today: date, *, now: datetime) -> ComplaintView:
    record = complaint.record
    person, ending = record.person, complaint.ending
    kept = complaint.keep_until.year - complaint.received.year
    facts = [
        ("Received", day(complaint.received, today)),
        ("About", f"{SUBJECTS[record.subject].partition(':')[0]}. {CAUSES[record.cause]}: {record.about}"),
        ("Telephone", person.telephone_shown),
        ("Email", person.email),
        ("Support", "In vulnerable circumstances" if person.vulnerable else ""),
        ("With", record.assigned or "Nobody"),
        *_clock_facts(complaint, today),
        ("Outcome", OUTCOMES[ending.outcome] if ending else ""),
        ("Closed", day(ending.closed, today) if ending else ""),
        ("Redress", f"£{ending.redress:,}" if ending and ending.redress else ""),
        ("What was done", ending.remedy if ending else ""),
        ("Kept until", f"{day(complaint.keep_until, today)}: DISP 1.9, {kept} years from receipt"),
        (
            "Last changed",
            f"{moment_fact(complaint.changed_at, now)} by {complaint.changed_by}" if complaint.changed_at else "",
        ),
    ]
    reference = record.reference
    return ComplaintView(
        number=complaint.number,
        label=complaint.label,
        who=person.name,
        state=state_words(complaint, today),
        tone=TONES[complaint.state(today)],
        facts=tuple(Fact(label=label, words=words) for label, words in facts if words),
        matter=record.matter,
        letters=tuple(
            Fact(label=f"{LETTERS[each.kind]}, {day(each.sent, today)}, {each.who}", words=each.words)
            for each in complaint.letters
        ),
        case_href=routes.with_query(routes.STAFF_ENQUIRY, {"reference": reference}) if reference else "",
        is_open=ending is None,
    )


def overtaken_words(complaint: Complaint) -> str:
    """Return who changed a complaint meanwhile."""
    at = f" at {clock_time(complaint.changed_at)}" if complaint.changed_at else ""
    return (
        f"{complaint.changed_by} changed {complaint.label}{at}, and nothing of yours was saved. It is shown as it is "
        "now. What you typed is still here: save again if it is right"
    )


def half_year_view(complaints: Sequence[Complaint], period: HalfYear, today: date) -> HalfYearView:
    counts = half_year_counts(complaints, period, today)
    lines = tuple(
        CauseLine(
            cause=CAUSES[each.cause],
            counts=tuple(map(str, (each.total, each.in_three_days, each.in_eight_weeks, each.late))),
        )
        for each in counts
    )
    total, vulnerable = sum(each.total for each in counts), sum(each.vulnerable for each in counts)
    words = f"{period.first:%-d %B} to {period.last:%-d %B %Y}"
    nil = "" if total else ": none, a nil return"
    return HalfYearView(
        words=f"{words}{', so far' if today <= period.last else ''}{nil}",
        lines=lines,
        vulnerable=f"{vulnerable} of {total} from people in vulnerable circumstances" if total else "",
    )


def state_words(complaint: Complaint, today: date) -> str:
    state = complaint.state(today)
    if state is ComplaintState.OPEN:
        return "Data, 30 days" if complaint.record.subject is Subject.DATA else "Open"
    if state is ComplaintState.DUE:
        return f"{_due_letter(complaint).capitalize()} due"
    return state.capitalize()


def day(wanted: date, today: date) -> str:
    """Return a day: `Wed 25 Nov`, with the year of another year."""
    return f"{wanted:%a %-d %b}" if wanted.year == today.year else f"{wanted:%a %-d %b %Y}"


_COLUMNS: Mapping[str, Callable[[Complaint], str]] = {
    "Number": lambda one: one.label,
    "Received": lambda one: one.received.isoformat(),
    "Name": lambda one: one.record.person.name,
    "Telephone": lambda one: one.record.person.telephone_shown,
    "Email": lambda one: one.record.person.email,
    "Vulnerable": lambda one: "yes" if one.record.person.vulnerable else "no",
    "Enquiry": lambda one: one.record.reference,
    "Clocks": lambda one: one.record.subject.value,
    "Root cause": lambda one: CAUSES[one.record.cause],
    "In a few words": lambda one: one.record.about,
    "What they say": lambda one: one.record.matter,
    "With": lambda one: one.record.assigned,
    "3 business days end": lambda one: _ends(one.summary_clock),
    "8 weeks end": lambda one: _ends(one.final_clock),
    "30 days end": lambda one: _ends(one.data_clock),
    "Letters": lambda one: "\n".join(
        f"{each.sent.isoformat()} {LETTERS[each.kind]} {each.who}: {each.words}" for each in one.letters
    ),
    "Closed": lambda one: one.closed.isoformat() if one.closed else "",
    "Outcome": lambda one: OUTCOMES[one.ending.outcome] if one.ending else "",
    "Redress in pounds": lambda one: str(one.ending.redress) if one.ending else "",
    "What was done": lambda one: one.ending.remedy if one.ending else "",
    "Kept until": lambda one: one.keep_until.isoformat(),
}


def complaints_csv(complaints: Sequence[Complaint]) -> str:
    """Return a CSV row for each complaint; no text is a formula."""
    rows = [[guarded(read(each)) for read in _COLUMNS.values()] for each in complaints]
    return csv_text(pd.DataFrame(rows, columns=list(_COLUMNS)), quoted=True)


def _ends(clock: Clock | None) -> str:
    return clock.ends.isoformat() if clock else ""


def _summary_line(complaint: Complaint, today: date) -> ClockLine:
    clock = complaint.summary_clock
    if clock is None:
        return ClockLine(words="does not apply")
    if complaint.is_settled:
        return ClockLine(words=f"settled on day {clock.day(today)}", width=_width(clock, today), tone="green")
    if complaint.ending or clock.is_late(today):
        return ClockLine(words=f"passed {_short(clock.ends, today)}", width="100%", tone="gray")
    words = f"{clock.day(today)} of {clock.total}, ends {_near(clock.ends, today)}"
    return ClockLine(words=words, width=_width(clock, today))


def _clock_line(clock: Clock, today: date, *, closed: date | None) -> ClockLine:
    if clock.is_late(today):
        late = ((clock.stopped or today) - clock.ends).days
        return ClockLine(words=f"late by {counted(late, 'day')}", width="100%", tone="red")
    if clock.stopped:
        words = f"closed {_short(closed, today)}" if closed else f"answered {_short(clock.stopped, today)}"
        return ClockLine(words=words, width="100%", tone="green")
    tone = "red" if (clock.ends - today).days <= 7 else "orange" if clock.day(today) * 3 >= clock.total * 2 else ""
    words = f"day {clock.day(today)} of {clock.total}, {_near(clock.ends, today)}"
    return ClockLine(words=words, width=_width(clock, today), tone=tone)


def _clock_facts(complaint: Complaint, today: date) -> tuple[tuple[str, str], ...]:
    clocks = {
        "3 business days": complaint.summary_clock,
        "8 weeks": complaint.final_clock,
        "30 days for data": complaint.data_clock,
    }
    return tuple((name, f"until {day(clock.ends, today)}") for name, clock in clocks.items() if clock)


def _letters_words(complaint: Complaint, today: date) -> str:
    """Return the letters that were sent, and that the first or the last one is due."""
    sent = [f"{_SHORT[each.kind]} {_short(each.sent, today)}" for each in complaint.letters]
    if complaint.ending:
        return "; ".join(sent)
    if not sent:
        return "Acknowledge it"
    final, pressing = complaint.final_clock, {ComplaintState.DUE, ComplaintState.LATE}
    is_due = final and not final.stopped and complaint.state(today) in pressing
    return "; ".join([*sent, "final due"] if is_due else sent)


def _warning(complaints: Sequence[Complaint], today: date) -> Pressing:
    """Return the complaint that is late, or due within a week, and ends first."""
    pressing = [
        (due, each)
        for each in complaints
        if each.state(today) in {ComplaintState.DUE, ComplaintState.LATE} and (due := each.due())
    ]
    if not pressing:
        return Pressing()
    due, first = min(pressing, key=lambda pair: pair[0])
    left = (due - today).days
    when = f"{due:%A %-d %B}"
    name = isolated(first.record.person.name)
    title = f"{first.label}: the {_due_letter(first)} to {name} {'was' if left < 0 else 'is'} due on {when}"
    away = {0: "today", 1: "tomorrow"}.get(left, f"in {left} days")
    words = (
        "It is late: send a letter that says why" if left < 0 else f"That is {away}. Late needs a letter that says why"
    )
    return Pressing(number=first.number, title=title, words=words)


def _due_letter(complaint: Complaint) -> str:
    """Return the letter that stops the clock which ends first."""
    final = complaint.final_clock
    return "final response" if final and final.ends == complaint.due() else "acknowledgement"


def _width(clock: Clock, today: date) -> str:
    return f"{round(100 * clock.day(today) / clock.total)}%"


def _short(wanted: date, today: date) -> str:
    return f"{wanted:%-d %b}" if wanted.year == today.year else f"{wanted:%-d %b %Y}"


def _near(wanted: date, today: date) -> str:
    """Return a day of this week by its weekday: `Mon 30`, another as `20 Jan`."""
    return f"{wanted:%a %-d}" if 0 <= (wanted - today).days <= 7 else f"{wanted:%-d %b}"
