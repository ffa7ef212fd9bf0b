"""View of one enquiry for staff: contact, answers, attached result, history and notes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

from broker import routes
from broker.cases.case import (
    CLOSE_REASONS,
    NOT_OURS_REASONS,
    REASONS,
    Case,
    EnquirySummary,
    Gone,
    MailState,
    NoteKind,
    Outcome,
    Service,
    Source,
    StaffNote,
    Stage,
    Undone,
)
from broker.cases.changes import AMOUNT, DEAL_ENDS, SERVICE
from broker.cases.list_view import NO_KEY
from broker.cases.outcomes import OutcomePlan, is_mail_proposed
from broker.cases.record_words import case_entry_in_words
from broker.cases.words import OUTCOME_WORDS, SERVICE_WORDS, STAGE_WORDS, WAITING_WORDS, action_words
from broker.clock import UK, uk_date
from broker.documents.document import BarChart, Document, LineChart, Links, Part, Section, Steps, Table, Text
from broker.enquiries.contact_details import EMAIL, NAME, TELEPHONE, WHEN
from broker.enquiries.enquiry import SPOKEN, Attachment, Consent, EnquiryKind, EnquiryState, StoredEnquiry
from broker.enquiries.form_view import CALL_TIMES, CHANNELS
from broker.enquiries.summary import uk_day
from broker.lending.money import capitalised
from broker.mail.mail import ReturnedMail
from broker.questionnaire.answers import Line
from broker.staff.accounts import account_tone, initials
from broker.staff.audit import VISITOR, Act, AuditEntry
from broker.staff.diary_view import appointment_words
from broker.staff.times import clock, day_words, due_badge, due_moment, moment_fact, moment_words, short_day

_ACTIONS: Mapping[Act, str] = {
    Act.ENQUIRY_READ: "read it",
    Act.ENQUIRY_STATE: "moved it from {detail}",
    Act.ENQUIRY_NOTE: "wrote a note",
    Act.ENQUIRY_ASSIGNED: "gave it {detail}",
    Act.ENQUIRY_DELETED: "deleted it: {detail}",
    Act.ADVICE_KEPT: "deleted all but the record of advice: {detail}",
    Act.CALL_RECORDED: "recorded a call: {detail}",
    Act.CASE_CLOSED: "closed it: {detail}",
    Act.CASE_DUE: "set when it is due next: {detail}",
    Act.CASE_STAGE: "set its stage: {detail}",
    Act.CONTACT_CORRECTED: "corrected the contact details: {detail}",
    Act.CASE_FIGURES: "corrected {detail}",
    Act.CASE_ADDED: "entered it by hand",
    Act.CASE_MERGED: "merged it: {detail}",
    Act.REPLY_SENT: "sent a reply",
}


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
        f"{name} {did_words(entry)}, {moment_words(entry.at, now)}" for name, entry in zip(names, listed, strict=True)
    )


def merged_words(before: str, kept: str) -> str:
    """Return what is said where the case that is open, `before`, was merged into another."""
    return f"{before} is part of {kept} now, and this page shows that case"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictView:
    """Two changes of one case: who made the one that stands and what it did, and the one that was not made.

    `left` says what is done where the first one is left.
    """

    theirs_by: str = ""
    theirs: tuple[str, ...] = ()
    mine: str = ""
    leave: str = ""
    left: str = ""


def conflict_view(
    head: EnquirySummary, lines: Sequence[str], *, mine: str, who: str, now: datetime, is_call: bool = True
) -> ConflictView:
    """Return both changes; `lines` are what others did, `mine` is the change that was prevented, by default a call."""
    by = "You, in another window" if head.changed_by == who else head.changed_by
    at = f", {clock(head.changed_at)}" if head.changed_at else ""
    outcome = (f"Outcome: {OUTCOME_WORDS[head.outcome].lower()}",) if head.outcome else ()
    due = (f"Next: {due_moment(head.next_due, now, capital=True)}",) if head.next_due else ()
    note, kept = (", keep my note", ", and your note is kept") if is_call else ("", "")
    return ConflictView(
        theirs_by=f"{by}{at}",
        theirs=(*lines, *outcome, *due),
        mine=mine,
        leave=f"Leave {by}’s{note}",
        left=f"Their change stands{kept}",
    )


def did_words(entry: AuditEntry) -> str:
    """Return an action of the record in words, after its actor and without its case: `set its stage: Offer, ...`."""
    if entry.what is Act.ENQUIRY_ASSIGNED and entry.detail == f"to {entry.who}":
        return "took it"
    entry = case_entry_in_words(entry)
    words = entry.sentence.replace(f" of enquiry {entry.about}", "").replace(f" enquiry {entry.about}", " it")
    return _ACTIONS.get(entry.what, words).replace("{detail}", entry.detail)


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


DELETE_REASONS = tuple((reason.value, capitalised(words)) for reason, words in REASONS.items())
"""The choices of the form, each value with its words."""

OUTCOMES = tuple((outcome.value, words) for outcome, words in OUTCOME_WORDS.items())
STAGES = tuple((stage.value, words) for stage, words in STAGE_WORDS.items())
WAITING = tuple((each.value, capitalised(words)) for each, words in WAITING_WORDS.items())
"""Choices of the forms, each value with its words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageStep:
    """A stage of the stepper; `look` is `d` for one that is done, `h` for the present one, else empty."""

    words: str
    look: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A colleague who has the case open."""

    initials: str
    tone: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEntry:
    """An entry of the timeline; the first of a day has the `day` above it."""

    key: str
    day: str
    icon: str
    who: str
    did: str
    time: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanChoice:
    """A button that saves an outcome: with a date in ISO format and UTC, or with a reason."""

    words: str
    due: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanView:
    """What may follow a pressed outcome, for the version of a case in `stamp`; empty where none is pressed."""

    outcome: str = ""
    stamp: str = ""
    label: str = ""
    choices: tuple[PlanChoice, ...] = ()
    has_dates: bool = False
    is_booking: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseView:
    """A case in full; `stamp` is its reference and version, `assigned` an account or empty.

    `returned` says that mail to the address comes back, empty where none does. `deleted` says that only the record of
    advice is kept. `appointment` is empty without one.
    `closed` is why it is closed, `twins_count` how many other enquiries there are of this person, or empty.
    """

    stamp: str = ""
    reference: str = ""
    also: str = ""
    service: str = ""
    service_value: str = ""
    name: str = ""
    telephone: str = ""
    tel: str = ""
    email: str = ""
    mailto: str = ""
    returned: str = ""
    deleted: str = ""
    when: str = ""
    when_value: str = ""
    agreed: str = ""
    promise: str = ""
    promise_tone: str = "gray"
    is_closed: bool = False
    closed: str = ""
    assigned: str = ""
    needs: str = ""
    stages: tuple[StageStep, ...] = ()
    stage: str = ""
    stage_value: str = ""
    stage_place: str = ""
    since: str = ""
    waiting: str = ""
    waiting_value: str = ""
    waiting_note: str = ""
    waiting_text: str = ""
    next_action: str = ""
    next_due: str = ""
    next_look: str = ""
    proposed: str = ""
    message: str = ""
    lines: tuple[Line, ...] = ()
    figures: tuple[Line, ...] = ()
    amount: str = ""
    deal_ends: str = ""
    results: tuple[ResultView, ...] = ()
    record: tuple[Line, ...] = ()
    timeline: tuple[TimelineEntry, ...] = ()
    appointment: str = ""
    appointment_href: str = ""
    book_href: str = ""
    complaint_href: str = ""


def case_view(case: Case, entries: Sequence[AuditEntry], *, who: str, now: datetime, needs: str = "") -> CaseView:
    """Return the view of a case; `entries` are those of the audit record about it, `needs` what helps in a call."""
    head, enquiry, contact = case.head, case.kept.enquiry, case.kept.enquiry.contact
    held = case.appointment
    booked = held if held and held.is_live and not held.is_over(now) else None
    promise, tone = _promise(head, now)
    return CaseView(
        stamp=stamp_of(head.reference, head.version),
        reference=head.reference,
        also=", ".join(case.references[1:]),
        service_value=head.service.value,
        service="" if head.service is Service.OTHER else SERVICE_WORDS[head.service],
        name=contact.name,
        telephone=contact.telephone_shown,
        tel=contact.telephone,
        email=contact.email,
        mailto=_mailto(contact.email, head.reference) if contact.email else "",
        returned=_returned_words(case.returned, now) if case.returned else "",
        deleted=_deleted_words(head),
        when=CALL_TIMES[contact.when],
        when_value=contact.when.value,
        agreed=_agreed(enquiry.consent),
        promise=promise,
        promise_tone=tone,
        is_closed=head.state is EnquiryState.CLOSED,
        closed=_closed(head),
        assigned=head.assigned,
        needs=needs,
        stages=tuple(_steps(head.stage)),
        stage=STAGE_WORDS[head.stage],
        stage_value=head.stage.value,
        stage_place=f", {tuple(Stage).index(head.stage) + 1} of {len(Stage)}",
        since=f" since {short_day(head.stage_since, now)}." if head.stage_since else ".",
        waiting=WAITING_WORDS[head.waiting_for],
        waiting_value=head.waiting_for.value,
        waiting_note=f": {head.waiting_note}" if head.waiting_note else "",
        waiting_text=head.waiting_note,
        next_action=action_words(head),
        next_due=due_moment(head.due, now) if head.due else "",
        next_look="late" if head.is_late(now) else "",
        proposed=f"No answer {head.attempts} times. A mail may reach them:" if is_mail_proposed(case) else "",
        message=enquiry.message,
        lines=tuple(line for each in case.sent for line in each.enquiry.lines),
        figures=tuple(_figures(head, now)),
        amount=f"{head.amount:,}" if head.amount else "",
        deal_ends=head.deal_ends.isoformat() if head.deal_ends else "",
        results=tuple(view for each in case.sent for view in result_views(each.enquiry.attachment, each.reference)),
        record=(*_consent(enquiry.consent, now), *_record(case, now)),
        timeline=timeline(case, entries, who=who, now=now),
        appointment=_appointment(case, now),
        appointment_href=routes.staff_appointment(case.appointment.id) if case.appointment else "",
        book_href=routes.staff_appointment(booked.id) if booked else routes.staff_book(head.reference),
        complaint_href=routes.staff_complaint(head.reference),
    )


def _appointment(case: Case, now: datetime) -> str:
    """Return the appointment of a case in words, and whether it waits for an adviser; empty without one."""
    if case.appointment is None:
        return ""
    words = appointment_words(case.appointment, now)
    is_waiting = case.is_uncovered and case.appointment.slot.start > now
    return f"{words}, who is away: it waits for an adviser" if is_waiting else words


_BEGINNINGS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "stage": {
        "stage": ("Stage", "stage_value"),
        "waiting": ("Waiting for", "waiting_value"),
        "waiting_note": ("What for", "waiting_text"),
    },
    "contact": {
        NAME: ("Name", "name"),
        TELEPHONE: ("Telephone", "telephone"),
        EMAIL: ("Email", "email"),
        WHEN: ("Best time", "when_value"),
    },
    "figures": {
        SERVICE: ("What it is about", "service_value"),
        AMOUNT: ("Loan", "amount"),
        DEAL_ENDS: ("Deal ends", "deal_ends"),
    },
}
"""Labels of the fields of each dialog that changes a case, and what of `CaseView` they begin with."""

_CHOICES: Mapping[str, Mapping[Any, str]] = {
    "stage": STAGE_WORDS,
    "waiting": WAITING_WORDS,
    WHEN: CALL_TIMES,
    SERVICE: SERVICE_WORDS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """Those fields of a dialog that are not as it began, with what is typed into them."""

    panel: str
    fields: Mapping[str, str]

    @property
    def words(self) -> str:
        """Return the fields in words, for whoever typed them."""
        labels = _BEGINNINGS[self.panel]
        shown = {name: _CHOICES.get(name, {}).get(text, text) or "nothing" for name, text in self.fields.items()}
        return "; ".join(f"{labels[name][0]}: {text}" for name, text in shown.items())

    def over(self, found: CaseView) -> dict[str, str]:
        """Return the form of the dialog as it begins with another view of the case, with what is typed."""
        return {**_beginning(self.panel, found), **self.fields}


def typed(panel: str, form: Mapping[str, object], began: CaseView) -> Typed:
    """Return what is typed into a dialog that began with a view of the case."""
    before = _beginning(panel, began)
    given = {name: text.strip() for name in before if isinstance(text := form.get(name), str)}
    return Typed(panel=panel, fields={name: text for name, text in given.items() if text != before[name]})


def _beginning(panel: str, found: CaseView) -> dict[str, str]:
    return {name: getattr(found, held) for name, (_, held) in _BEGINNINGS[panel].items()}


def _promise(head: EnquirySummary, now: datetime) -> tuple[str, str]:
    """Return the words of the call that is due first, and the colour of its badge; empty for none."""
    if head.state is EnquiryState.CLOSED or head.due is None:
        return "", "gray"
    badge, tone = due_badge(head.due, now)
    words = f"{'call by' if head.due == head.call_by else 'next:'} {due_moment(head.due, now)}"
    return f"{words}, {badge}" if badge else words, tone


def _steps(present: Stage) -> Iterator[StageStep]:
    place = tuple(Stage).index(present)
    for index, stage in enumerate(Stage):
        yield StageStep(words=STAGE_WORDS[stage], look="h" if index == place else "d" if index < place else "")


def _figures(head: EnquirySummary, now: datetime) -> Iterator[Line]:
    if head.amount is not None:
        yield Line(label="Loan", words=f"£{head.amount:,}")
    if head.deal_ends is not None:
        days = (head.deal_ends - uk_date(now)).days
        left = f", {days} day{'' if days == 1 else 's'}" if 0 < days < 1_000 else ""
        yield Line(label="Deal ends", words=f"{head.deal_ends:%-d %b %Y}{left}")


_NOTE_ICONS: Mapping[NoteKind, str] = {
    NoteKind.NOTE: "pen",
    NoteKind.CALL: "phone",
    NoteKind.REPLY: "mail",
    NoteKind.ANSWER: "mail",
    NoteKind.SYSTEM: "clock",
}

_NOTE_DID: Mapping[NoteKind, str] = {
    NoteKind.NOTE: "wrote",
    NoteKind.CALL: "called",
    NoteKind.REPLY: "replied by mail",
    NoteKind.ANSWER: "answered by mail",
    NoteKind.SYSTEM: "noted",
}

_MAIL_WORDS: Mapping[MailState, str] = {
    MailState.WAITING: ", not sent yet",
    MailState.GIVEN_UP: ", which could not be sent",
    MailState.RETURNED: ", which came back",
}

_UNLISTED = frozenset((Act.ENQUIRY_READ, Act.ENQUIRY_NOTE, Act.CALL_RECORDED, Act.REPLY_SENT))
"""Entries of the audit record that are no lines of the timeline: reads, and what a note stands there for."""


def timeline(case: Case, entries: Sequence[AuditEntry], *, who: str, now: datetime) -> tuple[TimelineEntry, ...]:
    """Return what happened in a case by day, newest first: notes, calls, replies, and what staff changed."""
    changed = (each for each in entries if each.what not in _UNLISTED)
    asked = (_asked(each, case) for each in case.sent)
    entered = frozenset(each.created for each in case.sent if each.enquiry.kind is EnquiryKind.CALL)
    noted = (_noted(note, entered) for note in case.notes)
    found = sorted((*noted, *map(_changed, changed), *asked), key=lambda one: one.at, reverse=True)
    lines, day = list[TimelineEntry](), ""
    for number, one in enumerate(found):
        of_day = day_words(one.at, now)
        name = "You" if one.who == who else one.who
        lines.append(
            TimelineEntry(
                key=f"{one.at.timestamp()}-{len(found) - number}",
                day=capitalised(of_day) if of_day != day else "",
                icon=one.icon,
                who=name,
                did=one.did,
                time=clock(one.at),
                text=one.text,
            )
        )
        day = of_day
    return tuple(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Happened:
    at: datetime
    who: str
    did: str
    icon: str
    text: str = ""


def _noted(note: StaffNote, entered: frozenset[datetime]) -> _Happened:
    """Return a note; the call with which somebody was `entered` by hand at a time is theirs."""
    did = _NOTE_DID[note.kind]
    if note.kind is NoteKind.CALL and note.at in entered:
        did = "spoke to them"
    elif note.outcome:
        did += f", {OUTCOME_WORDS[note.outcome].lower()}"
    if note.mail_state:
        did += _MAIL_WORDS.get(note.mail_state, "")
    return _Happened(at=note.at, who=note.who, did=did, icon=_NOTE_ICONS[note.kind], text=note.text)


def _changed(entry: AuditEntry) -> _Happened:
    icon = "person" if entry.what is Act.ENQUIRY_ASSIGNED else "clock"
    return _Happened(at=entry.at, who=entry.who, did=did_words(entry), icon=icon)


def _asked(sent: StoredEnquiry, case: Case) -> _Happened:
    """Return an enquiry of a case, its own or one that is merged into it, as it came."""
    enquiry = sent.enquiry
    if enquiry.kind is EnquiryKind.CALL:
        is_watch = sent is case.kept and case.head.source is Source.WATCH
        did = "was called about a watch" if is_watch else "telephoned"
    else:
        with_result = ", with a result attached" if enquiry.attachment and enquiry.attachment.document else ""
        did = f"asked for a call from {sent.page}{with_result}"
    return _Happened(at=sent.created, who=enquiry.contact.name, did=did, icon="flag", text=enquiry.message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """A case beside another that may be of the same person.

    The marks say what becomes of its telephone number and address once it is merged into the other: SAME, TAKEN_OVER,
    NOT_USED or empty.
    """

    reference: str
    href: str
    name: str
    telephone: str
    email: str
    who: str
    came: str
    stage: str
    kind: str
    next_action: str
    readers: str = ""
    telephone_mark: str = ""
    email_mark: str = ""
    stage_mark: str = ""


SAME, TAKEN_OVER, NOT_USED = "same", "taken over", "not used"
"""Marks of a telephone number, an address or a stage that is compared."""


def twin_of(head: EnquirySummary, beside: EnquirySummary, *, now: datetime) -> Twin:
    """Return a case to compare with another, which may be itself."""
    contact = head.contact
    other = beside.contact if head.reference != beside.reference else None
    is_further = head.state is not EnquiryState.CLOSED and _place(head) > _place(beside)
    return Twin(
        reference=head.reference,
        href=routes.staff_enquiry(head.reference),
        name=contact.name if contact else NO_KEY,
        telephone=contact.telephone_shown if contact else "",
        email=(contact.email or "none") if contact else "",
        who=head.assigned or "nobody",
        came=f"{head.created.astimezone(UK):%-d %b %Y}",
        stage=f"{STAGE_WORDS[head.stage]}{f', {_closed(head)}' if head.state is EnquiryState.CLOSED else ''}",
        kind=SERVICE_WORDS[head.service],
        next_action=", ".join(filter(None, (action_words(head), head.due and due_moment(head.due, now)))) or "none",
        telephone_mark=_mark(contact.telephone, other.telephone) if contact and other else "",
        email_mark=_mark(contact.email.casefold(), other.email.casefold()) if contact and other else "",
        stage_mark=NOT_USED if is_further else "",
    )


def _place(head: EnquirySummary) -> int:
    return tuple(Stage).index(head.stage)


def _closed(head: EnquirySummary) -> str:
    return f"closed: {CLOSE_REASONS[head.close_reason]}" if head.close_reason else "closed"


def _mark(merged: str, kept: str) -> str:
    if not merged:
        return ""
    return SAME if merged == kept else NOT_USED if kept else TAKEN_OVER


def twins_words(others: Sequence[EnquirySummary]) -> tuple[str, str]:
    """Return how many other cases this person has, and the rest of the sentence; empty for none."""
    if not others:
        return "", ""
    return f"{len(others)} other {'enquiry' if len(others) == 1 else 'enquiries'}", " of this telephone or address"


def readers_of(names: Iterable[str]) -> tuple[Reader, ...]:
    """Return the colleagues who have a case open."""
    return tuple(
        Reader(initials=initials(name), tone=account_tone(name), words=f"{name} is reading this") for name in names
    )


def undone_words(undone: Undone) -> str:
    count = len(undone.references)
    words = "Undone" if count == 1 else f"Undone for {count} cases"
    return ". ".join(filter(None, (words, left_undone(undone))))


def left_undone(undone: Undone) -> str:
    """Return what is not as it was before a change that was undone; empty where all is."""
    freed, are_more = len(undone.to_nobody), len(undone.references) > 1
    which, whom = (f"{freed} of them", "them" if freed > 1 else "it") if are_more else ("it", "it")
    nobody = f"Nobody has {which}: who had {whom} can no longer sign in" if freed else ""
    return ". ".join(filter(None, (nobody, STILL_BOOKED if undone.is_still_booked else "")))


STILL_BOOKED = "The appointment stays booked: cancel or move it in the diary"


def plan_view(
    plan: OutcomePlan, outcome: Outcome, stamp: str, *, now: datetime, appointment: datetime | None
) -> PlanView:
    """Return the choices of a pressed outcome: reasons where one is needed, else the time by rule and others."""
    if plan.needs_reason:
        reasons = tuple(
            PlanChoice(words=capitalised(CLOSE_REASONS[reason]), reason=reason.value) for reason in NOT_OURS_REASONS
        )
        return PlanView(outcome=outcome.value, stamp=stamp, label="Because:", choices=reasons)
    is_kept = appointment in plan.due
    rule = ", booked" if is_kept else ", by rule" if outcome is Outcome.NO_ANSWER else ""
    choices = tuple(
        PlanChoice(
            words=due_moment(at, now, capital=True) + (rule if place == 0 else ""), due=at.astimezone(UTC).isoformat()
        )
        for place, at in enumerate(plan.due)
    )
    if not choices:
        choices = (PlanChoice(words="Save"),)
    return PlanView(
        outcome=outcome.value,
        stamp=stamp,
        label="Next:" if is_kept else f"{plan.next_action}:" if plan.next_action else "Then:",
        choices=choices,
        has_dates=bool(plan.due),
        is_booking=outcome is Outcome.APPOINTMENT and appointment is None,
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


def _agreed(consent: Consent) -> str:
    channels = [CHANNELS[channel].removeprefix("By ") for channel in CHANNELS if channel in consent.marketing]
    by = " and ".join(", ".join(channels).rsplit(", ", 1))
    return f"a call; news by {by}" if by else "a call; no news"


def _last_day(end: datetime) -> datetime:
    """Return a moment of the last day before a deletion is due."""
    return end - timedelta(microseconds=1)


def _deleted_words(head: EnquirySummary) -> str:
    """Return what is said of a case of which only the record of advice is kept; empty for any other."""
    if head.only_advice_since is None:
        return ""
    deleted_at, end = head.only_advice_since, _last_day(head.delete_after)
    day, until = (f"{at.astimezone(UK):%-d %B %Y}" for at in (deleted_at, end))
    return f"Their data was deleted on {day}. Only the record of advice is kept, until {until}. Do not contact them."


def _consent(consent: Consent, now: datetime) -> tuple[Line, ...]:
    if consent.text_version == SPOKEN:
        return (Line(label="Privacy notice", words=f"Told by telephone, {moment_words(consent.at, now)}"),)
    return (
        Line(label="Privacy notice", words=f"Version {consent.text_version}, ticked {moment_words(consent.at, now)}"),
        Line(label="On the page", words=consent.page),
    )


def _record(case: Case, now: datetime) -> Iterator[Line]:
    head = case.head
    if head.kind is EnquiryKind.CALL:
        yield Line(label="Received", words=f"{moment_fact(head.created, now)}, by telephone")
    else:
        yield Line(label="Received", words=moment_fact(head.created, now))
        yield Line(label="From the page", words=head.page)
    if head.changed_at:
        yield Line(label="Changed last", words=f"{moment_fact(head.changed_at, now)}, by {head.changed_by}")
    yield Line(label="Kept until", words=f"{uk_day(_last_day(head.delete_after))}, then deleted automatically")
