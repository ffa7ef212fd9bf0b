"""One enquiry in full for staff: who it is, what they sent in their own words, and how far it has come."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from broker.domain.enquiries.enquiry import Consent
from broker.domain.enquiries.stored_records import EnquiryState
from broker.domain.questionnaire.answers import Line
from broker.domain.staff.audit import VISITOR
from broker.domain.staff.enquiry_workflow import MOVES, REASONS, Case, Gone, StaffNote
from broker.presenters.enquiry_form import CALL_TIMES, CHANNELS
from broker.presenters.enquiry_summary import day
from broker.presenters.staff.enquiries import TONES, promised
from broker.presenters.staff.enquiry_export import KIND_WORDS, STATE_WORDS
from broker.presenters.staff.enquiry_result import ResultView, result_views
from broker.presenters.staff.times import moment_fact, moment_words

DELETE_REASONS = tuple((reason.value, f"{words[0].upper()}{words[1:]}") for reason, words in REASONS.items())
"""Why an enquiry may be deleted, each value with its words."""

_TO: Mapping[EnquiryState, str] = {
    EnquiryState.NEW: "Back to new",
    EnquiryState.CALLED: "Mark as called",
    EnquiryState.BOOKED: "Mark as booked",
    EnquiryState.CLOSED: "Close it",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A state that the enquiry may go to, and the words of its button."""

    state: str
    label: str
    look: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteView:
    """A note of staff: who wrote it and when, in one line, and its text."""

    by: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryView:
    """An enquiry in full; `stamp` names it and its version, `assigned` is the account that has it, or empty."""

    stamp: str = ""
    reference: str = ""
    kind: str = ""
    name: str = ""
    telephone: str = ""
    tel: str = ""
    email: str = ""
    mailto: str = ""
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


def enquiry_view(case: Case, *, who: str, now: datetime) -> EnquiryView:
    """Return an enquiry in words for somebody of staff."""
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
        when=CALL_TIMES[contact.when],
        state=STATE_WORDS[head.state],
        tone=TONES[head.state],
        promise=promised(head, now),
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
    )


def _mailto(email: str, reference: str) -> str:
    return f"mailto:{quote(email, safe='@')}?subject={quote(f'Your enquiry {reference}')}"


def stamp_of(reference: str, version: int) -> str:
    """Return what names an enquiry as it stands: `HG-7K3M-Q2XD:4`."""
    return f"{reference}:{version}"


def stamp_in(value: object) -> tuple[str, int]:
    """Return the reference and the version that a page sends back; an empty one and 0 where it is none."""
    parts = value.split(":") if isinstance(value, str) and len(value) < 40 else []
    if len(parts) != 2 or not (parts[1].isascii() and parts[1].isdigit()):
        return "", 0
    return parts[0], int(parts[1])


def gone_words(reference: str, gone: Gone, *, who: str, now: datetime) -> tuple[str, str]:
    """Return that an enquiry is not there, as a title and a sentence, by whom it was deleted as far as that is told."""
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
    yield Line(label="Kept until", words=f"{day(head.delete_after)}, then deleted automatically")


def _note(note: StaffNote, *, who: str, now: datetime) -> NoteView:
    by = "You" if note.who == who else note.who
    return NoteView(by=f"{by}, {moment_words(note.at, now)}", text=note.text)


def _moves(state: EnquiryState) -> Iterator[Move]:
    for place, to in enumerate(MOVES[state]):
        again = state is EnquiryState.CLOSED and to is EnquiryState.NEW
        look = "s" if place == 0 else "s line"
        yield Move(state=to.value, label="Open it again" if again else _TO[to], look=look)
