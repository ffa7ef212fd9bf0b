"""The PDF of a person's data, as the answer to a request for a copy (Article 15 of the UK GDPR)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

from broker import routes
from broker.appointments.appointment import AppointmentState
from broker.cases.case import CLOSE_REASONS, NoteKind
from broker.cases.case_view import did_words
from broker.cases.export import KIND_WORDS, STATE_WORDS
from broker.cases.words import OUTCOME_WORDS, SERVICE_WORDS, SOURCE_WORDS, STAGE_WORDS, WAITING_WORDS
from broker.clock import UK
from broker.documents.document import Document, Letterhead, Section, Table, Text
from broker.duties.complaint import CAUSES, LETTERS, OUTCOMES
from broker.duties.form_view import SUBJECTS
from broker.duties.person_data import REQUESTS, Person
from broker.duties.person_view import field_words
from broker.duties.record_words import entry_in_words
from broker.duties.retention_rules import RetentionRule
from broker.duties.support_needs import NEED_WORDS
from broker.enquiries.contact_details import uk_format
from broker.enquiries.enquiry import SPOKEN
from broker.enquiries.form_view import CALL_TIMES, CHANNELS
from broker.enquiries.summary import uk_clock
from broker.lending.days import month_text
from broker.lending.money import capitalised, pounds
from broker.mail.mail import KIND_WORDS as MAIL_WORDS
from broker.staff.audit import UNDONE, Act, AuditEntry
from broker.staff.diary_view import MEDIA
from broker.watches.form_view import DEAL_CHOICE, TELL_WORDS

_LONGEST = 1_500
"""Characters of a value; the JSON file has all."""

_TITLES: Mapping[str, str] = {
    "enquiries": "Your enquiries",
    "enquiry_notes": "Notes, calls and replies",
    "note_drafts": "Drafts of notes",
    "appointments": "Appointments",
    "desk_undo": "Changes that can be undone, as it was before",
    "mail": "Emails",
    "watches": "Watches on your mortgage",
    "complaints": "Complaints",
    "complaint_letters": "Letters about complaints",
    "data_requests": "Requests about your data",
    "suppressed_addresses": "Addresses to which no email is sent",
    "audit": "What our staff did",
}

_INTERNAL = {
    *("id", "enquiry_id", "watch_id", "complaint_id", "lender_id", "merged_into", "version", "sequence", "uid", "mail"),
    *("attempts", "claimed_by", "claimed_until", "attachment", "record"),
}
"""Numbers and names of the system, and what the JSON file alone has: attached results, and what a watch has found."""

_CONTAINERS = {"contact", "answers", "person", "figures", "words"}
"""Encrypted values whose names say nothing beside those within them."""

_STATES: Mapping[str, str] = {
    **STATE_WORDS,
    AppointmentState.CANCELLED: "Cancelled",
    AppointmentState.MISSED: "Missed",
    AppointmentState.HELD: "Held",
    "unconfirmed": "Not confirmed",
    "active": "Active",
    "paused": "Paused",
}

_NOTES: Mapping[str, str] = {
    NoteKind.NOTE: "A note",
    NoteKind.CALL: "A call",
    NoteKind.REPLY: "A reply by email",
    NoteKind.ANSWER: "An answer by email",
    NoteKind.SYSTEM: "A note of the system",
}

_KINDS: Mapping[str, Mapping[str, str]] = {
    "enquiries": {**KIND_WORDS},
    "enquiry_notes": _NOTES,
    "mail": {**MAIL_WORDS},
    "complaint_letters": {**LETTERS},
    "data_requests": {**REQUESTS},
    "watches": {**dict(DEAL_CHOICE.options)},
}
"""Words of the column `kind` of each table, or of what is encrypted in it."""

_WORDS: Mapping[str, Mapping[str, str]] = {
    "state": _STATES,
    "stage": {**STAGE_WORDS},
    "waiting_for": {each: capitalised(words) for each, words in WAITING_WORDS.items()},
    "outcome": {**OUTCOME_WORDS, **OUTCOMES},
    "service": {**SERVICE_WORDS, "other": "Other"},
    "source": {**SOURCE_WORDS},
    "close_reason": {each: capitalised(words) for each, words in CLOSE_REASONS.items()},
    "medium": {each: words.capitalize() for each, words in MEDIA.items()},
    "cause": {**CAUSES},
    "subject": {each: words.partition(":")[0] for each, words in SUBJECTS.items()},
    "when": {**CALL_TIMES},
    "needs": {**NEED_WORDS},
    "tells": {tell: words for tell, (words, _) in TELL_WORDS.items()},
    "charge": {"percent": "A percentage", "pounds": "In pounds"},
    "repay": {"repayment": "Repayment", "interest-only": "Interest only"},
    "home": {"home": "Lived in by its owner", "let": "Let to a tenant"},
    "what": {each: words[:1].upper() + words[1:] for each, words in UNDONE.items()},
    "consent_text": {SPOKEN: "Told by telephone"},
}
"""Words of values by the name of their column, or of what is encrypted in it."""

_POUNDS = {"amount", "redress", "balance", "value", "legal", "saving_over"}

_WHEN = ("at", "created", "received", "asked", "sent", "last_at", "starts")
"""Columns that say when a record is of; the first one that it has is in its heading."""

_PURPOSES = (
    ("You have asked us to, or we have a contract with you", "To answer you and arrange what you ask for"),
    (
        "We have a legal duty",
        "To follow the law and our regulator’s rules. This covers identity checks, records of advice, complaints, and "
        "requests about your information",
    ),
    ("We have a legitimate interest", "To run a safe website and improve our service"),
    ("You have agreed that we keep it", "To make a call easier for you, where you have said what you need"),
    ("You have said yes", "To watch your mortgage, and to send news and offers. You can change your mind at any time"),
)
"""Legal grounds and what for, as the privacy notice says."""

_RECIPIENTS = (
    (
        "Lenders, insurers, credit reference agencies and fraud prevention agencies",
        "Once you ask us to apply or to get an agreement in principle",
    ),
    ("Conveyancers and valuers", "Where they work on your case"),
    ("Firms that run our systems, such as our server and our email", "Under contract and only as we instruct"),
    ("Our regulator, the Financial Ombudsman Service, the police or a court", "Where the law requires it"),
)


def person_document(person: Person, firm: Letterhead, rules: Sequence[RetentionRule]) -> Document:
    """Return all that is held with what Article 15 asks to be said of it, in words and UK times.

    Long values are cut; attached results, internal numbers and what a watch has found are in the JSON file alone.
    """
    made = person.found_at.astimezone(UK)
    records = (
        Section(title=_TITLES.get(name, name), parts=_audit(rows) if name == "audit" else _tables(name, rows))
        for name, rows in person.records.items()
    )
    return Document(
        title="Personal data that we hold",
        subtitle=f"Found by {', '.join(person.wanted.words)} on {made:%-d %B %Y}",
        sections=(*_about(person, firm, rules), *records),
        remarks=(
            f"A text of more than {_LONGEST:,} characters is cut in this document. The file in JSON format, which we "
            "send you on request, holds everything in full, with results that you attached.",
        ),
        is_personal=True,
        address=routes.HOME,
        file_name=export_name(person, "pdf"),
    )


def export_name(person: Person, form: str) -> str:
    """Return the name of a file, with the UK date and nothing of the person."""
    return f"personal-data-{person.found_at.astimezone(UK):%Y-%m-%d}.{form}"


def _about(person: Person, firm: Letterhead, rules: Sequence[RetentionRule]) -> Iterator[Section]:
    """Yield what is said of the data as a whole, in the words of the privacy notice."""
    kept = tuple(rule.told for rule in rules if rule.told[0] and person.records.keys() & set(rule.tables))
    controller = (
        f"{firm.firm}, {firm.address}, decides how your personal information is used, and is responsible for it. The "
        f"law calls this the controller. Email {firm.email} or call {firm.telephone} about anything in this document."
    )
    source = (
        "It comes from you, and from what we wrote as we worked for you. While we act for you, we also receive "
        "information from lenders, insurers, credit reference agencies and your conveyancer."
    )
    backups = "What is deleted stays in our backups for up to thirty days. They are encrypted too."
    sharing = (
        "We do not sell your information. If a supplier keeps information outside the United Kingdom, we use the "
        "safeguards that UK law requires. We do not make automated decisions about you."
    )
    rights = (
        "You can ask us to correct your information, to delete it, to limit how we use it, to give it to you in a "
        "form that you can take elsewhere, and to stop sending you news and offers. You can object to how we use it. "
        "Some rights have limits: once we have advised you, we must keep who you are, what you sent us and our advice. "
        "We answer within one month, and it is free."
    )
    complaint = (
        f"Tell us first if you can: {firm.email} or {firm.telephone}. You can also complain to the Information "
        "Commissioner’s Office: https://ico.org.uk/make-a-complaint/, 0303 123 1113."
    )
    yield Section(title="Who holds it, and where it comes from", parts=(Text(text=controller), Text(text=source)))
    yield Section(title="Why we use it", parts=(_pairs(("Legal ground", "What for"), _PURPOSES),))
    yield Section(title="Who receives it", parts=(_pairs(("Who", "When and how"), _RECIPIENTS), Text(text=sharing)))
    yield Section(title="How long we keep it", parts=(_pairs(("What", "How long"), kept), Text(text=backups)))
    yield Section(title="Your rights", parts=(Text(text=rights), Text(title="How to complain", text=complaint)))


def _pairs(heads: tuple[str, str], rows: tuple[tuple[str, ...], ...]) -> Table:
    return Table(heads=heads, rows=rows, is_figures=False)


def _tables(name: str, rows: Sequence[Mapping[str, object]]) -> tuple[Table, ...]:
    return tuple(_table(name, record) for record in rows)


def _table(name: str, record: Mapping[str, object]) -> Table:
    titled = next((each for each in _WHEN if record.get(each)), "")
    what = (record.get("reference"), _value(name, "kind", record.get("kind"))) if "kind" in record else ()
    title = ", ".join(str(each) for each in (_value(name, titled, record.get(titled)), *what) if each)
    named = {titled, "kind"} | ({"reference"} if what else set())
    lines = _lines(name, {key: value for key, value in record.items() if key not in named})
    return Table(
        heads=(title or _TITLES.get(name, name),),
        rows=tuple((label, words) for label, words in lines if words),
        is_figures=False,
    )


def _audit(rows: Sequence[Mapping[str, object]]) -> tuple[Table]:
    """Return the entries of the record in one table."""
    entries = (
        AuditEntry(
            at=datetime.fromisoformat(str(row["at"])),
            who=str(row["who"]),
            what=Act(str(row["what"])),
            about=str(row["about"]),
            detail=str(row["detail"]),
        )
        for row in rows
    )
    lines = tuple((_moment(each.at), _done(each), each.who) for each in entries)
    return (Table(heads=("When", "What was done", "By"), rows=lines, words=(1,), is_figures=False),)


def _done(entry: AuditEntry) -> str:
    """Return what was done and to what, with UK dates."""
    words = did_words(entry_in_words(entry))
    named = words if entry.about in words else f"{entry.about}: {words}"
    return re.sub(r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b", lambda found: _plain(found[0]), named)


def _lines(table: str, value: object, *names: str) -> Iterator[tuple[str, str]]:
    """Yield the values below a value, each by its names in words; answers are by their questions."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            if key == "lines":
                yield from ((label, _cut(str(words))) for label, words in each)
            elif key not in _INTERNAL and not (key == "answers" and "lines" in value):
                yield from _lines(table, each, *(name for name in names if name not in _CONTAINERS), str(key))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _lines(table, each, *names)
    elif value is not None:
        yield field_words(names), _cut(_value(table, names[-1] if names else "", value))


def _value(table: str, name: str, value: object) -> str:
    """Return a value in words; a time is in UK time."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    text = str(value)
    known = _KINDS.get(table, {}) if name == "kind" else _WORDS.get(name, {})
    if text in known:
        return known[text]
    if isinstance(value, int) and name == "deal_month":
        return str(month_text(value))
    if isinstance(value, int | float) and name in _POUNDS:
        return str(pounds(value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if name == "delete_after" and "T" in text:
        last = datetime.fromisoformat(text) - timedelta(microseconds=1)
        return f"{last.astimezone(UK):%-d %B %Y}"
    if name == "marketing":
        return ", ".join(words for channel, words in CHANNELS.items() if channel.value in text.split(","))
    return _plain(text)


def _plain(text: str) -> str:
    """Return a text; a date, a time or a telephone number as it is written in the UK."""
    if re.fullmatch(r"\+44[0-9]{9,10}", text):
        return uk_format(text)
    if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T.+)?", text):
        try:
            at = datetime.fromisoformat(text) if "T" in text else date.fromisoformat(text)
        except ValueError:
            return text
        return _moment(at) if isinstance(at, datetime) else f"{at:%-d %B %Y}"
    return text


def _moment(at: datetime) -> str:
    """Return a moment in UK time: `20 October 2026, 4:11pm`."""
    known = at if at.tzinfo else at.replace(tzinfo=UTC)
    return f"{known.astimezone(UK):%-d %B %Y}, {uk_clock(known)}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
