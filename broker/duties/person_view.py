"""A person's data in words for staff: what is held, what a deletion does to it, and open requests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from broker.cases.words import STAGE_WORDS
from broker.duties.complaint_view import day
from broker.duties.form_view import Choice, Field
from broker.duties.person_data import REQUESTS, DataRequest, Held, Kind, Person
from broker.enquiries.contact_details import MAX_EMAIL, isolated
from broker.lending.money import capitalised, counted

_ONE_MANY: Mapping[Kind, tuple[str, str]] = {
    Kind.ENQUIRIES: ("enquiry", "enquiries"),
    Kind.NOTES: ("note or change", "notes and changes"),
    Kind.MAILS: ("mail", "mails"),
    Kind.APPOINTMENTS: ("appointment", "appointments"),
    Kind.WATCHES: ("watch", "watches"),
    Kind.COMPLAINTS: ("record of a complaint", "records of a complaint"),
    Kind.ADVICE: ("record of advice", "records of advice"),
    Kind.REQUESTS: ("request about data", "requests about data"),
    Kind.SUPPRESSED: ("“Do not write” mark", "“Do not write” marks"),
    Kind.RECORD: ("entry of the record", "entries of the record"),
}

FIELD_WORDS: Mapping[str, str] = {
    "id": "number",
    "enquiry_id": "number of the enquiry",
    "watch_id": "number of the watch",
    "complaint_id": "number of the complaint",
    "lender_id": "number of the lender",
    "merged_into": "number of the enquiry that it is merged into",
    "uid": "name in calendars",
    "version": "number of the version",
    "sequence": "number of changes",
    "at": "time",
    "who": "by",
    "what": "what was done",
    "page": "from the page",
    "entry": "began at",
    "when": "when to call",
    "consent_text": "wording of the consent",
    "consent_words": "words of the consent",
    "consent_at": "consent given",
    "consent_page": "page of the consent",
    "marketing": "news allowed by",
    "delete_after": "kept until",
    "assigned": "assigned to",
    "changed_at": "changed",
    "needs": "support needs",
    "waiting_note": "what is waited for",
    "next_due": "next action due",
    "amount": "loan",
    "service": "about what",
    "close_reason": "why it was closed",
    "attempts": "tries",
    "first_call_at": "first call",
    "before": "before the change",
    "context": "words of the mail",
    "claimed_by": "sent by the process",
    "claimed_until": "being sent until",
    "remind_at": "reminder due",
    "sent_at": "sent",
    "given_up_at": "given up",
    "returned_at": "came back",
    "reminded_at": "reminder sent",
    "confirmed_at": "confirmed",
    "deal_month": "month of the end of the deal",
    "record": "what was found and told",
    "given": "day of the figures",
    "balance": "owed",
    "follow_on": "rate after the deal",
    "charge": "early repayment charge in",
    "legal": "legal fees",
    "tells": "told of",
    "saving_over": "saving over",
    "person": "details",
    "redress": "redress",
    "asked": "asked on",
    "done": "answered on",
    "last_at": "last time",
    "is_complaint": "reported as spam",
}
"""Words of the columns and encrypted values that are no words by themselves, for the document of a person's data."""


def field_words(names: Sequence[str]) -> str:
    """Return a column, or a value within one, in words: `Contact, when to call`."""
    return capitalised(", ".join(FIELD_WORDS.get(name, name.replace("_", " ")) for name in names))


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldLine:
    what: str
    which: str
    fate: str
    tone: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonView:
    """A person on screen; `found_by` is what is searched for, empty for nobody.

    `delete` is empty where there is nothing to delete. `under_way` are the cases that a deletion closes.
    """

    found_by: str = ""
    heading: str = ""
    also: str = ""
    lines: tuple[HeldLine, ...] = ()
    under_way: tuple[str, ...] = ()
    delete: str = ""
    example: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLine:
    id: int
    what: str
    who: str
    due: str
    tone: str


def person_view(person: Person) -> PersonView:
    count, kinds = person.deleted + person.kept, len({each.kind for each in person.held})
    name = ", ".join(map(isolated, person.names)) or "No name is held"
    return PersonView(
        found_by=", ".join(person.wanted.words),
        heading=f"{name}: {counted(count, 'record')} of {counted(kinds, 'kind')}",
        also=", ".join(person.also),
        lines=tuple(map(_line, person.held)),
        under_way=tuple(
            f"{reference} is at {STAGE_WORDS[stage]} with a lender: it will be closed"
            for reference, stage in person.under_way
        ),
        delete=f"Delete {counted(person.deleted, 'record')}, keep {person.kept}" if person.deleted else "",
        example=next(iter((*person.references, *person.wanted.words)), ""),
    )


def deleted_words(before: Person, left: Person | None) -> str:
    """Return what a deletion did; `left` is what is found after it, None where nothing leads to the person any more."""
    deleted = f"{counted(before.deleted, 'record')} {'is' if before.deleted == 1 else 'are'} deleted"
    if left is None:
        more = f"; {before.kept} are kept that no longer lead to this person" if before.kept else ""
        return deleted + more
    added = left.kept - before.kept
    own = f", {added} of them about this deletion itself" if added > 0 else ""
    return f"{deleted}, {left.kept} {'is' if left.kept == 1 else 'are'} kept{own}"


def request_lines(requests: Sequence[DataRequest], today: date) -> tuple[RequestLine, ...]:
    return tuple(
        RequestLine(
            id=each.id,
            what=REQUESTS[each.kind],
            who=", ".join(each.words),
            due=f"{'late since' if each.due < today else 'answer by'} {day(each.due, today)}",
            tone="red" if (each.due - today).days <= 7 else "orange",
        )
        for each in requests
    )


def correction_fields() -> tuple[Field, ...]:
    hint = "Empty stays as it is"
    return (
        Field(name="name", label="Right name", most=200, hint=hint),
        Field(name="telephone", label="Right telephone", most=40, hint=hint),
        Field(name="email", label="Right email", most=MAX_EMAIL, hint=hint),
    )


def request_fields(today: str) -> tuple[Field, ...]:
    choices = (Choice(value="", label="Choose"), *(Choice(value=kind, label=words) for kind, words in REQUESTS.items()))
    return (
        Field(name="kind", label="They ask for", kind="select", choices=choices),
        Field(name="asked", label="Asked", kind="date", value=today),
    )


def _line(held: Held) -> HeldLine:
    one, many = _ONE_MANY[held.kind]
    until = f" until {held.until:%-d %b %Y}" if held.until else ""
    return HeldLine(
        what=f"{held.count} {one if held.count == 1 else many}",
        which=held.which,
        fate=f"Stays{until}" if held.is_kept else "Would be deleted",
        tone="orange" if held.is_kept else "red",
        why=held.why,
    )
