"""View of one enquiry for staff: contact, answers, attached result, history and notes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from urllib.parse import quote

from broker import routes
from broker.cases.case import MOVES, REASONS, Case, EnquirySummary, Gone, StaffNote
from broker.cases.export import KIND_WORDS, STATE_WORDS
from broker.cases.list_view import TONES, call_words
from broker.documents.document import BarChart, Document, LineChart, Links, Part, Section, Steps, Table, Text
from broker.enquiries.enquiry import Attachment, Consent, EnquiryState
from broker.enquiries.form_view import CALL_TIMES, CHANNELS
from broker.enquiries.summary import uk_day
from broker.mail.mail import ReturnedMail
from broker.questionnaire.answers import Line
from broker.staff.audit import VISITOR, Act, AuditEntry
from broker.staff.diary_view import appointment_words
from broker.staff.times import moment_fact, moment_words

_ACTIONS: Mapping[Act, str] = {
    Act.ENQUIRY_READ: "read it",
    Act.ENQUIRY_STATE: "moved it from {detail}",
    Act.ENQUIRY_NOTE: "wrote a note",
    Act.ENQUIRY_ASSIGNED: "gave it {detail}",
    Act.ENQUIRY_DELETED: "deleted it: {detail}",
    Act.CALL_RECORDED: "recorded a call: {detail}",
    Act.CASE_CLOSED: "closed it: {detail}",
    Act.CASE_DUE: "set when it is due next: {detail}",
    Act.CASE_STAGE: "set its stage: {detail}",
    Act.CONTACT_CORRECTED: "corrected the contact details",
    Act.CASE_ADDED: "entered it by hand",
    Act.CASE_MERGED: "merged it: {detail}",
    Act.CHANGE_UNDONE: "undid a change: {detail}",
    Act.REPLY_SENT: "sent a reply",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    did: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Meanwhile:
    """Changes since an enquiry was opened; `wanted` is the action that they prevented, or empty."""

    heading: str = ""
    lines: tuple[str, ...] = ()
    wanted: str = ""


def history_lines(entries: Sequence[AuditEntry], *, who: str, now: datetime) -> tuple[HistoryLine, ...]:
    """Return the history of an enquiry, newest first; consecutive reads by one account are one line."""
    lines: list[HistoryLine] = []
    for (by, what), same in groupby(entries, key=lambda entry: (entry.who, entry.what)):
        name, listed = "You" if by == who else by, list(same)
        if what is not Act.ENQUIRY_READ:
            lines += (HistoryLine(did=f"{name} {_action(each)}", at=moment_words(each.at, now)) for each in listed)
        else:
            times = f" {len(listed)} times, last" if len(listed) > 1 else ""
            lines.append(HistoryLine(did=f"{name} read it{times}", at=moment_words(listed[0].at, now)))
    return tuple(lines)


def newest_number(entries: Sequence[AuditEntry]) -> int:
    """Return the number of the newest entry, 0 for none."""
    return max((entry.number for entry in entries), default=0)


def changes(
    entries: Sequence[AuditEntry], *, after: int, who: str, now: datetime, mine: bool = True
) -> tuple[str, ...]:
    """Return the changes after an audit entry, oldest first; unless `mine`, without those of `who`."""
    done = [entry for entry in reversed(entries) if entry.number > after and entry.what is not Act.ENQUIRY_READ]
    listed = [entry for entry in done if mine or entry.who != who]
    names = ["You, in another window," if entry.who == who else entry.who for entry in listed]
    return tuple(
        f"{name} {_action(entry)}, {moment_words(entry.at, now)}" for name, entry in zip(names, listed, strict=True)
    )


def refused_meanwhile(head: EnquirySummary, lines: Sequence[str], *, who: str, wanted: str, now: datetime) -> Meanwhile:
    """Return the message of a change that conflicts with another's."""
    by = "you changed it in another window" if head.changed_by == who else f"{head.changed_by} changed it"
    when = (f"It was changed {moment_words(head.changed_at, now)}",) if head.changed_at else ()
    return Meanwhile(heading=f"Nothing was changed: {by} meanwhile", lines=tuple(lines) or when, wanted=wanted)


def seen_meanwhile(lines: Sequence[str]) -> Meanwhile:
    """Return the message of changes while an enquiry was open; empty for no changes."""
    heading = "This enquiry was changed while you had it open" if lines else ""
    return Meanwhile(heading=heading, lines=tuple(lines))


def _action(entry: AuditEntry) -> str:
    return _ACTIONS.get(entry.what, entry.sentence).replace("{detail}", entry.detail)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPart:
    """A part of a document: a table, steps or a text. The first of its section has `heading`."""

    heading: str = ""
    caption: str = ""
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    steps: tuple[str, ...] = ()
    title: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView:
    """An attached result, or the `problem` for which it was not attached.

    `address` is its page with the same figures, `pdf` the document as sent.
    """

    problem: str = ""
    title: str = ""
    subtitle: str = ""
    label: str = ""
    figure: str = ""
    per: str = ""
    caption: str = ""
    figures: tuple[Line, ...] = ()
    parts: tuple[ResultPart, ...] = ()
    remarks: tuple[str, ...] = ()
    address: str = ""
    pdf: str = ""


def result_views(attachment: Attachment | None, reference: str) -> tuple[ResultView, ...]:
    """Return the attached result of an enquiry, if any.

    A tuple, since every page of the site loads the default values of staff's states.
    """
    if attachment is None:
        return ()
    if attachment.document is None:
        lost = "They wanted to attach a result, which could not be worked out when they sent this."
        return (ResultView(problem=lost),)
    return (_document_view(attachment.document, reference),)


def _document_view(document: Document, reference: str) -> ResultView:
    result, sections = document.result, (Section(parts=document.beside), *document.sections)
    return ResultView(
        title=document.title,
        subtitle=document.subtitle,
        label=result.label if result else "",
        figure=result.figure if result else "",
        per=result.per if result else "",
        caption=result.caption if result else "",
        figures=tuple(Line(label=name, words=value) for name, value in document.figures),
        parts=tuple(part for section in sections for part in _parts(section)),
        remarks=document.remarks,
        address=document.address,
        pdf=routes.with_query(routes.STAFF_RESULT, {"reference": reference}),
    )


def _parts(section: Section) -> list[ResultPart]:
    parts = [shown for part in section.parts if (shown := _part(part))]
    return [replace(part, heading=section.title if part is parts[0] else "") for part in parts]


def _part(part: Part) -> ResultPart | None:
    match part:
        case Table():
            return ResultPart(caption=part.caption, heads=part.heads, rows=part.rows)
        case BarChart():
            return ResultPart(rows=tuple((bar.label, bar.figure) for bar in part.bars))
        case LineChart():
            return None  # the table after it has its figures
        case Steps():
            return ResultPart(steps=part.steps)
        case Text():
            return ResultPart(title=part.title, text=part.text)
        case Links():
            return ResultPart(title=part.title, rows=tuple((name, rest) for name, _, rest in part.links))


DELETE_REASONS = tuple((reason.value, f"{words[0].upper()}{words[1:]}") for reason, words in REASONS.items())
"""The choices of the form, each value with its words."""

_TO: Mapping[EnquiryState, str] = {
    EnquiryState.NEW: "Back to new",
    EnquiryState.CALLED: "Mark as called",
    EnquiryState.BOOKED: "Mark as booked",
    EnquiryState.CLOSED: "Close it",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A button that changes the state."""

    state: str
    label: str
    look: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteView:
    """A note; `by` has its author and time."""

    by: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryView:
    """An enquiry in full; `stamp` is its reference and version, `assigned` an account or empty.

    `returned` says that mail to the address comes back, empty where none does. `appointment` is empty without one.
    """

    stamp: str = ""
    reference: str = ""
    kind: str = ""
    name: str = ""
    telephone: str = ""
    tel: str = ""
    email: str = ""
    mailto: str = ""
    returned: str = ""
    when: str = ""
    state: str = ""
    tone: str = ""
    promise: str = ""
    is_overdue: bool = False
    assigned: str = ""
    is_mine: bool = False
    message: str = ""
    lines: tuple[Line, ...] = ()
    results: tuple[ResultView, ...] = ()
    consent: tuple[Line, ...] = ()
    record: tuple[Line, ...] = ()
    notes: tuple[NoteView, ...] = ()
    moves: tuple[Move, ...] = ()
    appointment: str = ""
    appointment_href: str = ""


def enquiry_view(case: Case, *, who: str, now: datetime) -> EnquiryView:
    head, enquiry, contact = case.head, case.kept.enquiry, case.kept.enquiry.contact
    return EnquiryView(
        stamp=stamp_of(head.reference, head.version),
        reference=head.reference,
        kind=KIND_WORDS[head.kind],
        name=contact.name,
        telephone=contact.telephone_shown,
        tel=contact.telephone,
        email=contact.email,
        mailto=_mailto(contact.email, head.reference) if contact.email else "",
        returned=_returned_words(case.returned, now) if case.returned else "",
        when=CALL_TIMES[contact.when],
        state=STATE_WORDS[head.state],
        tone=TONES[head.state],
        promise=call_words(head, now),
        is_overdue=head.is_overdue(now),
        assigned=head.assigned,
        is_mine=head.assigned == who,
        message=enquiry.message,
        lines=enquiry.lines,
        results=result_views(enquiry.attachment, head.reference),
        consent=_consent(enquiry.consent, now),
        record=tuple(_record(case, now)),
        notes=tuple(_note(note, who=who, now=now) for note in reversed(case.notes)),
        moves=tuple(_moves(head.state)),
        appointment=appointment_words(case.appointment, now) if case.appointment else "",
        appointment_href=routes.staff_appointment(case.appointment.id) if case.appointment else "",
    )


def _returned_words(returned: ReturnedMail, now: datetime) -> str:
    times = "once," if returned.count == 1 else f"{returned.count} times, last"
    at = moment_words(returned.last_at, now)
    if returned.is_complaint:
        return f"Our mail to this address was reported as spam, so we send none ({times} {at})"
    return f"Mail to this address comes back, so we send none ({times} {at})"


def _mailto(email: str, reference: str) -> str:
    return f"mailto:{quote(email, safe='@')}?subject={quote(f'Your enquiry {reference}')}"


def stamp_of(reference: str, version: int) -> str:
    """Return the reference and version of an enquiry as one text: `HG-7K3M-Q2XD:4`."""
    return f"{reference}:{version}"


def stamp_in(value: object) -> tuple[str, int]:
    """Parse a stamp that a page sends back; an empty reference and 0 for an invalid one."""
    parts = value.split(":") if isinstance(value, str) and len(value) < 40 else []
    if len(parts) != 2 or not (parts[1].isascii() and parts[1].isdigit()):
        return "", 0
    return parts[0], int(parts[1])


def gone_words(reference: str, gone: Gone, *, who: str, now: datetime) -> tuple[str, str]:
    """Return the title and the sentence for an enquiry that does not exist, with who deleted it, if recorded."""
    if not gone.by or gone.at is None:
        words = "Its time may be over, or the reference is not right."
        return f"There is no enquiry {reference}" if reference else "There is no such enquiry", words
    by = "You" if gone.by == who else "Its sender" if gone.by == VISITOR else gone.by
    because = f", because {gone.reason}" if gone.reason else ""
    words = f"{by} deleted it {moment_words(gone.at, now)}{because}."
    return (f"{reference} is deleted", f"{words} Its answers and notes are gone; the audit record keeps the reference.")


def _consent(consent: Consent, now: datetime) -> tuple[Line, ...]:
    channels = [CHANNELS[channel].removeprefix("By ") for channel in CHANNELS if channel in consent.marketing]
    by = " and ".join(", ".join(channels).rsplit(", ", 1))
    return (
        Line(label="Privacy notice", words="Ticked as read"),
        Line(label="News and offers", words=f"By {by}" if by else "None allowed"),
        Line(label="Given", words=moment_fact(consent.at, now)),
        Line(label="On the page", words=consent.page),
        Line(label="Wording", words=f"Version {consent.text_version}"),
    )


def _record(case: Case, now: datetime) -> Iterator[Line]:
    head = case.head
    yield Line(label="Received", words=moment_fact(head.created, now))
    yield Line(label="From the page", words=head.page)
    if head.changed_at:
        yield Line(label="Changed last", words=f"{moment_fact(head.changed_at, now)}, by {head.changed_by}")
    yield Line(label="Kept until", words=f"{uk_day(head.delete_after)}, then deleted automatically")


def _note(note: StaffNote, *, who: str, now: datetime) -> NoteView:
    by = "You" if note.who == who else note.who
    return NoteView(by=f"{by}, {moment_words(note.at, now)}", text=note.text)


def _moves(state: EnquiryState) -> Iterator[Move]:
    for place, to in enumerate(MOVES[state]):
        again = state is EnquiryState.CLOSED and to is EnquiryState.NEW
        look = "s" if place == 0 else "s line"
        yield Move(state=to.value, label="Open it again" if again else _TO[to], look=look)
