"""Complaints: their clocks, letters and outcome, and the half-year table.

DISP 1 of the FCA's handbook, and section 164A of the Data Protection Act 2018 for complaints about personal data: any
dissatisfaction counts, spoken too. One mail may start both clocks. Days are UK dates.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from broker.enquiries.contact_details import (
    MAX_EMAIL,
    Problem,
    email_problem,
    parse_word,
    problems_of,
    single_line,
    uk_format,
    uk_telephone,
    visible_text,
)
from broker.enquiries.enquiry import parse_reference
from broker.enquiries.working_time import bank_holidays

SUMMARY_DAYS, FINAL_DAYS, DATA_DAYS = 3, 56, 30
"""Business days for a summary resolution, days for a final response, and days to acknowledge a data complaint."""

NEAR_DAYS = 7
"""Days before the end of a clock from which it is shown as due."""

MAX_NAME, MAX_ABOUT, MAX_MATTER, MAX_REDRESS = 200, 100, 4_000, 10_000_000
"""Characters of a name, of the matter in short and in full; pounds of redress."""

NOT_REDRESS = f"Enter whole pounds up to {MAX_REDRESS:,}, for example 250, or leave it empty"

NAME, TELEPHONE, EMAIL = "name", "telephone", "email"
SUBJECT, CAUSE, RECEIVED, ABOUT, MATTER = "subject", "cause", "received", "about", "matter"
ASSIGNED, REFERENCE, VULNERABLE = "assigned", "reference", "vulnerable"
LETTER, SENT, WORDS = "letter", "sent", "words"
OUTCOME, CLOSED, REDRESS, REMEDY = "outcome", "closed", "redress", "remedy"
"""Names of fields in forms and problems."""


class Subject(StrEnum):
    """What a complaint is about, which decides its clocks."""

    SERVICE = "service"
    DATA = "data"
    BOTH = "both"


class RootCause(StrEnum):
    """A cause, as the half-year table counts complaints."""

    ADVICE = "advice"
    DELAY = "delay"
    INFORMATION = "information"
    MANNER = "manner"
    DATA = "data"
    OTHERS = "others"


CAUSES: Mapping[RootCause, str] = {
    RootCause.ADVICE: "Advice and suitability",
    RootCause.DELAY: "Delay, administration",
    RootCause.INFORMATION: "Information and disclosure",
    RootCause.MANNER: "Manner",
    RootCause.DATA: "Data protection",
    RootCause.OTHERS: "Lender, solicitor or valuer",
}


class LetterKind(StrEnum):
    """A letter of DISP 1.6 and 1.5, or the answer to a data complaint."""

    ACKNOWLEDGEMENT = "acknowledgement"
    SUMMARY = "summary"
    HOLDING = "holding"
    FINAL = "final"


LETTERS: Mapping[LetterKind, str] = {
    LetterKind.ACKNOWLEDGEMENT: "Acknowledgement",
    LetterKind.SUMMARY: "Summary resolution",
    LetterKind.HOLDING: "Holding letter, why it is late",
    LetterKind.FINAL: "Final response",
}


class ComplaintOutcome(StrEnum):
    UPHELD = "upheld"
    PARTLY = "partly"
    NOT_UPHELD = "not-upheld"
    WITHDRAWN = "withdrawn"


OUTCOMES: Mapping[ComplaintOutcome, str] = {
    ComplaintOutcome.UPHELD: "Upheld",
    ComplaintOutcome.PARTLY: "Partly upheld",
    ComplaintOutcome.NOT_UPHELD: "Not upheld",
    ComplaintOutcome.WITHDRAWN: "Withdrawn",
}


class ComplaintState(StrEnum):
    """How a complaint stands, from its clocks and its end."""

    OPEN = "open"
    DUE = "due"
    LATE = "late"
    SETTLED = "settled"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A time limit from the day of receipt to the last day, `total` days counted from the day after receipt.

    Days are business days where `business` says so. `stopped` is the day of what was asked for, None while it runs.
    """

    begins: date
    ends: date
    total: int
    business: bool = False
    stopped: date | None = None

    def is_late(self, today: date) -> bool:
        """Return whether the last day passed before it was stopped."""
        return (self.stopped or today) > self.ends

    def day(self, today: date) -> int:
        """Return the number of the day on which it stands, 0 on the day of receipt, at most `total`."""
        last = min(self.stopped or today, self.ends)
        passed = business_days(self.begins, last) if self.business else (last - self.begins).days
        return max(0, passed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A letter that was sent to a complainant; `words` says what it said, in short."""

    kind: LetterKind
    sent: date
    who: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Complainant:
    """Who complains: the telephone number is +44 and digits, it and the email address may be empty.

    `vulnerable` counts in the half-year return of PS25/19.
    """

    name: str
    telephone: str = ""
    email: str = ""
    vulnerable: bool = False

    @property
    def telephone_shown(self) -> str:
        return uk_format(self.telephone) if self.telephone else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewComplaint:
    """A complaint to record: `about` in a few words, `matter` in full; `reference` is of its enquiry, or empty."""

    subject: Subject
    cause: RootCause
    received: date
    person: Complainant
    about: str
    matter: str = ""
    assigned: str = ""
    reference: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a complaint was closed; `redress` is in pounds, `remedy` says what was done."""

    outcome: ComplaintOutcome
    closed: date
    redress: int = 0
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """A recorded complaint; `version` counts its changes, `letters` are by day.

    `keep_until` is the last day for which it must be kept.
    """

    number: int
    version: int
    record: NewComplaint
    keep_until: date
    letters: tuple[Letter, ...] = ()
    ending: Ending | None = None
    changed_by: str = ""
    changed_at: datetime | None = None

    @property
    def label(self) -> str:
        return complaint_label(self.number)

    @property
    def received(self) -> date:
        return self.record.received

    @property
    def closed(self) -> date | None:
        return self.ending.closed if self.ending else None

    @property
    def summary_clock(self) -> Clock | None:
        """Return the clock of a summary resolution, stopped by its letter; None for a data complaint."""
        if self.record.subject is Subject.DATA:
            return None
        ends = after_business_days(self.received, SUMMARY_DAYS)
        stopped = self._sent(LetterKind.SUMMARY)
        return Clock(begins=self.received, ends=ends, total=SUMMARY_DAYS, business=True, stopped=stopped)

    @property
    def final_clock(self) -> Clock | None:
        """Return the clock of the final response, stopped by it, a summary resolution or the end; None for data."""
        if self.record.subject is Subject.DATA:
            return None
        stopped = self._sent(LetterKind.FINAL, LetterKind.SUMMARY) or self.closed
        return _days_clock(self.received, FINAL_DAYS, stopped)

    @property
    def data_clock(self) -> Clock | None:
        """Return the clock of the acknowledgement of a data complaint, stopped by any letter; None for others."""
        if self.record.subject is Subject.SERVICE:
            return None
        return _days_clock(self.received, DATA_DAYS, self._sent(*LetterKind) or self.closed)

    @property
    def clocks(self) -> tuple[Clock, ...]:
        """Return the clocks that may be missed: settling within three business days is no duty."""
        return tuple(clock for clock in (self.final_clock, self.data_clock) if clock)

    @property
    def is_settled(self) -> bool:
        """Return whether it was resolved and accepted by the end of the third business day after receipt."""
        clock = self.summary_clock
        if not clock or not clock.stopped or not self.closed:
            return False
        return max(clock.stopped, self.closed) <= clock.ends

    def is_late(self, today: date) -> bool:
        return any(clock.is_late(today) for clock in self.clocks)

    def due(self) -> date | None:
        """Return the nearest end of a clock that runs."""
        return min((clock.ends for clock in self.clocks if not clock.stopped), default=None)

    def state(self, today: date) -> ComplaintState:
        if self.ending:
            return ComplaintState.SETTLED if self.is_settled else ComplaintState.CLOSED
        due = self.due()
        if due and due < today:
            return ComplaintState.LATE
        return ComplaintState.DUE if due and (due - today).days <= NEAR_DAYS else ComplaintState.OPEN

    def _sent(self, *kinds: LetterKind) -> date | None:
        """Return the day of the first letter of some kinds."""
        return min((letter.sent for letter in self.letters if letter.kind in kinds), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """The complaint after a change."""

    complaint: Complaint


@dataclass(frozen=True, slots=True, kw_only=True)
class Overtaken:
    """The complaint as it is, where it has changed since it was read and nothing was done."""

    complaint: Complaint


@dataclass(frozen=True, slots=True, kw_only=True)
class NotDone:
    """Why nothing was done, with the problem of each invalid field of a form."""

    words: str
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfYear:
    """A reporting period: 1 January to 30 June, or 1 July to 31 December."""

    first: date
    last: date

    @property
    def before(self) -> "HalfYear":
        return half_year(self.first - timedelta(days=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseCount:
    """Complaints received in a half-year, by cause.

    Closed within three business days, closed later within 8 weeks, and late: each counts in one of them, and in none
    while it is open and in time. `vulnerable` are those of people in vulnerable circumstances.
    """

    cause: RootCause
    total: int = 0
    in_three_days: int = 0
    in_eight_weeks: int = 0
    late: int = 0
    vulnerable: int = 0


def complaint_label(number: int) -> str:
    """Return the number of a complaint as it is written: `C-0001`."""
    return f"C-{number:04d}"


def is_business_day(day: date) -> bool:
    """Return whether a day is no Saturday, Sunday or bank holiday of England and Wales."""
    return day.weekday() < 5 and day not in bank_holidays(day.year)


def after_business_days(day: date, count: int) -> date:
    """Return the last of some business days that follow a day."""
    while count:
        day += timedelta(days=1)
        count -= is_business_day(day)
    return day


def business_days(after: date, until: date) -> int:
    """Return how many business days follow a day, until another and with it."""
    days = (until - after).days
    return sum(is_business_day(after + timedelta(days=passed)) for passed in range(1, days + 1))


def kept_until(day: date, years: int) -> date:
    """Return the same day some years later; 28 February for 29 February."""
    year = day.year + years
    return day.replace(year=year, day=28) if (day.month, day.day) == (2, 29) else day.replace(year=year)


def half_year(day: date) -> HalfYear:
    """Return the half-year of a day."""
    if day.month <= 6:
        return HalfYear(first=date(day.year, 1, 1), last=date(day.year, 6, 30))
    return HalfYear(first=date(day.year, 7, 1), last=date(day.year, 12, 31))


def half_year_counts(complaints: Iterable[Complaint], period: HalfYear, today: date) -> tuple[CauseCount, ...]:
    """Return the counts of each cause, in the order of `RootCause`, all 0 for a nil return."""
    received = [each for each in complaints if period.first <= each.received <= period.last]
    return tuple(
        _cause_count(cause, [each for each in received if each.record.cause is cause], today) for cause in RootCause
    )


def _cause_count(cause: RootCause, complaints: Sequence[Complaint], today: date) -> CauseCount:
    late = [each for each in complaints if each.is_late(today)]
    settled = [each for each in complaints if each.is_settled]
    closed = [each for each in complaints if each.closed and each not in late and each not in settled]
    return CauseCount(
        cause=cause,
        total=len(complaints),
        in_three_days=len(settled),
        in_eight_weeks=len(closed),
        late=len(late),
        vulnerable=sum(each.record.person.vulnerable for each in complaints),
    )


def parse_complaint(given: Mapping[str, object], *, today: date) -> NewComplaint | tuple[Problem, ...]:
    """Return the complaint of a form, or the problem of each invalid field.

    A telephone number or an email address may be missing: a complaint may come by letter, or from a passer-by.
    """
    name, email = single_line(given.get(NAME), MAX_NAME), single_line(given.get(EMAIL), MAX_EMAIL)
    about, matter = single_line(given.get(ABOUT), MAX_ABOUT), visible_text(given.get(MATTER), MAX_MATTER)
    subject, cause = parse_word(given.get(SUBJECT), Subject), parse_word(given.get(CAUSE), RootCause)
    telephone, received = uk_telephone(given.get(TELEPHONE))[0], parse_day(given.get(RECEIVED))
    reference = parse_reference(given.get(REFERENCE))
    reasons = {
        NAME: "" if name else f"Enter who complains, in at most {MAX_NAME} characters",
        TELEPHONE: "" if telephone or not given.get(TELEPHONE) else "Enter a UK telephone number, or leave it empty",
        EMAIL: email_problem(email),
        SUBJECT: "" if subject else "Choose what it is about",
        CAUSE: "" if cause else "Choose a root cause",
        RECEIVED: _past_problem(received, today),
        ABOUT: "" if about else f"Say in at most {MAX_ABOUT} characters what it is about",
        MATTER: f"Write at most {MAX_MATTER:,} characters" if matter is None else "",
        REFERENCE: "" if reference or not given.get(REFERENCE) else "Enter a reference like HG-7K3M-Q2XD, or none",
    }
    problems = problems_of(reasons)
    if problems or not (subject and cause and received):
        return problems
    person = Complainant(
        name=name or "",
        telephone=telephone,
        email=email or "",
        vulnerable=given.get(VULNERABLE) in ("on", "true", True),
    )
    return NewComplaint(
        subject=subject,
        cause=cause,
        received=received,
        person=person,
        about=about or "",
        matter=matter or "",
        assigned=single_line(given.get(ASSIGNED), 80) or "",
        reference=reference,
    )


def parse_letter(
    given: Mapping[str, object], *, complaint: Complaint, who: str, today: date
) -> Letter | tuple[Problem, ...]:
    """Return the letter of a form, or the problem of each invalid field."""
    kind, sent = parse_word(given.get(LETTER), LetterKind), parse_day(given.get(SENT))
    words = visible_text(given.get(WORDS), MAX_MATTER)
    reasons = {
        LETTER: "" if kind else "Choose one of the letters",
        SENT: _past_problem(sent, today) or _after_problem(sent, complaint.received),
        WORDS: f"Write at most {MAX_MATTER:,} characters" if words is None else "",
    }
    problems = problems_of(reasons)
    if problems or not (kind and sent):
        return problems
    return Letter(kind=kind, sent=sent, who=who, words=words or "")


def parse_ending(given: Mapping[str, object], *, complaint: Complaint, today: date) -> Ending | tuple[Problem, ...]:
    """Return how a form closes a complaint, or the problem of each invalid field.

    It ends with a letter: a summary resolution or a final response, unless it was withdrawn.
    """
    outcome, closed = parse_word(given.get(OUTCOME), ComplaintOutcome), parse_day(given.get(CLOSED))
    remedy = visible_text(given.get(REMEDY), MAX_MATTER)
    redress = _pounds(given.get(REDRESS))
    last = {LetterKind.SUMMARY, LetterKind.FINAL}
    answered = outcome is ComplaintOutcome.WITHDRAWN or any(letter.kind in last for letter in complaint.letters)
    reasons = {
        OUTCOME: "" if outcome else "Choose an outcome",
        CLOSED: _past_problem(closed, today) or _after_problem(closed, complaint.received),
        REDRESS: "" if redress is not None else NOT_REDRESS,
        REMEDY: f"Write at most {MAX_MATTER:,} characters" if remedy is None else "",
        LETTER: "" if answered else "Record the summary resolution or the final response first",
    }
    problems = problems_of(reasons)
    if problems or not (outcome and closed):
        return problems
    return Ending(outcome=outcome, closed=closed, redress=redress or 0, remedy=remedy or "")


def parse_day(value: object) -> date | None:
    """Return the day of a field, `2026-11-25`; None for anything else."""
    try:
        return date.fromisoformat(value) if isinstance(value, str) and len(value) == len("2026-11-25") else None
    except ValueError:
        return None


def _pounds(value: object) -> int | None:
    """Return whole pounds, 0 for an empty field; None for anything else, and over MAX_REDRESS."""
    line = single_line(value, 20)
    text = "" if line is None else line.removeprefix("£").replace(",", "") or "0"
    return int(text) if text.isascii() and text.isdigit() and int(text) <= MAX_REDRESS else None


def _past_problem(day: date | None, today: date) -> str:
    if day is None:
        return "Enter a date"
    return "Enter a date that is not in the future" if day > today else ""


def _after_problem(day: date | None, received: date) -> str:
    return "Enter a date on or after the day of receipt" if day and day < received else ""


def _days_clock(received: date, days: int, stopped: date | None) -> Clock:
    return Clock(begins=received, ends=received + timedelta(days=days), total=days, stopped=stopped)
