"""Requests of people about their data: what is held, a copy as JSON or PDF, a correction, and deletion."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, time

from broker import routes
from broker.clock import UK, uk_date, utc_now
from broker.documents.document import Document, Section, Table
from broker.duties.complaint import NotDone, parse_day
from broker.duties.complaints import CORRECT, or_not_done
from broker.duties.person_data import DataRequest, Person, RequestKind, Wanted, parse_correction, parse_wanted
from broker.duties.person_store import PersonStore
from broker.duties.person_view import field_words
from broker.enquiries.contact_details import parse_word, problems_of
from broker.enquiries.service import months_after

NOTHING_TYPED = "Enter a UK telephone number or an email address"
NOBODY = "Nothing is held under this"
NEEDS_OWNER = "An owner deletes a person’s data. Record the request, and an owner sees it here"
NOT_CONFIRMED = "Type the reference, the telephone number or the email address as it is shown, to delete"
CHANGED = "Something changed meanwhile, and nothing was deleted. Find it again, and delete if it is right"

ANSWER_MONTHS = 1
"""Months within which a request is answered (Article 12(3) of the UK GDPR)."""

_VERSION = 1
"""Raised with every incompatible change of the JSON file."""

_LONGEST = 1_500
"""Characters of a value in the PDF; the JSON file has all."""

_TITLES: Mapping[str, str] = {
    "enquiries": "Enquiries",
    "enquiry_notes": "Notes, calls and replies",
    "note_drafts": "Drafts of notes",
    "appointments": "Appointments",
    "desk_undo": "Changes that can be undone",
    "mail": "Mail",
    "watches": "Watches",
    "complaints": "Complaints",
    "complaint_letters": "Letters about complaints",
    "data_requests": "Requests about data",
    "suppressed_addresses": "Addresses to which no mail is sent",
    "audit": "What staff did",
}


class PersonService:
    """A person's data, for staff; failures are values, never exceptions.

    `who` is the account that acts, authenticated by the caller; all other arguments come from a page, and are checked.
    """

    def __init__(self, store: PersonStore, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._store, self._clock = store, clock

    @property
    def today(self) -> date:
        """Return the day in the UK."""
        return uk_date(self._clock())

    async def find(self, text: object) -> Person | NotDone:
        """Return what is held under the telephone numbers and email addresses in a text."""
        wanted = parse_wanted(text)
        if not wanted:
            return NotDone(words=NOTHING_TYPED)
        found = await or_not_done(self._store.find(wanted, now=self._clock()))
        return found if isinstance(found, NotDone) or found.held else NotDone(words=NOBODY)

    async def export(self, text: object, *, form: str, who: str) -> Person | NotDone:
        """Return what is held with its records, once the audit record lists the export as `JSON` or `PDF`."""
        wanted = parse_wanted(text)
        if not wanted:
            return NotDone(words=NOTHING_TYPED)

        async def work() -> Person:
            person = await self._store.find(wanted, now=self._clock(), with_records=True)
            await self._store.record_export(person, form=form, who=who, at=self._clock())
            return person

        return await or_not_done(work())

    async def correct(self, wanted: Wanted, form: Mapping[str, object], *, who: str) -> Person | NotDone:
        """Correct name, telephone number and email address wherever they stand."""
        correction = parse_correction(form)
        if isinstance(correction, tuple):
            return NotDone(words=CORRECT, problems=correction)
        return await or_not_done(self._store.correct(wanted, correction, who=who, at=self._clock()))

    async def delete(self, person: Person, typed: object, *, who: str, is_owner: bool) -> Person | NotDone:
        """Delete what need not be kept of a person as it was shown; only an owner may.

        `typed` repeats a reference, or what the person is found by.
        """
        if not is_owner:
            return NotDone(words=NEEDS_OWNER)
        known = {each.casefold() for each in (*person.references, *person.wanted.words)}
        if not isinstance(typed, str) or typed.strip().casefold() not in known:
            return NotDone(words=NOT_CONFIRMED)

        async def work() -> Person | NotDone:
            now = await self._store.find(person.wanted, now=self._clock())
            if (now.deleted, now.references) != (person.deleted, person.references):
                return NotDone(words=CHANGED)
            return await self._store.delete(person.wanted, who=who, at=self._clock())

        return await or_not_done(work())

    async def ask(self, wanted: Wanted, form: Mapping[str, object], *, who: str) -> NotDone | None:
        """Record what a person asks for, to be answered within a month; None once it is recorded."""
        kind, asked = parse_word(form.get("kind"), RequestKind), parse_day(form.get("asked"))
        reasons = {
            "kind": "" if kind else "Choose what they ask for",
            "asked": "" if asked and asked <= self.today else "Enter a date that is not in the future",
        }
        problems = problems_of(reasons)
        if problems or not (kind and asked):
            return NotDone(words=CORRECT, problems=problems)
        due = months_after(datetime.combine(asked, time(), UTC), ANSWER_MONTHS).date()
        added = self._store.add_request(kind, wanted, asked=asked, due=due, who=who, at=self._clock())
        return await or_not_done(added)

    async def answered(self, id_: int, *, who: str) -> NotDone | None:
        """Record that a request was answered."""
        return await or_not_done(self._store.close_request(id_, who=who, at=self._clock()))

    async def requests(self) -> tuple[DataRequest, ...] | NotDone:
        """Return the requests that are not answered, the first due first."""
        return await or_not_done(self._store.requests())


def person_json(person: Person) -> str:
    """Return all that is held as JSON; times are ISO 8601."""
    kept = [
        {"what": each.kind.value, "count": each.count, "until": each.until and each.until.isoformat(), "why": each.why}
        for each in person.held
        if each.is_kept
    ]
    held = {
        "version": _VERSION,
        "made": person.found_at.astimezone(UTC).isoformat(),
        "found_by": person.wanted.words,
        "kept_after_a_deletion": kept,
        "records": person.records,
    }
    return json.dumps(held, ensure_ascii=False, indent=1)


def person_document(person: Person) -> Document:
    """Return all that is held as a document; long values are cut, and attached results are in the JSON file alone."""
    sections = (
        Section(title=_TITLES.get(name, name), parts=tuple(_table(number, each) for number, each in enumerate(rows, 1)))
        for name, rows in person.records.items()
    )
    made = person.found_at.astimezone(UK)
    return Document(
        title="Personal data that we hold",
        subtitle=f"Found by {', '.join(person.wanted.words)} on {made:%-d %B %Y}",
        sections=tuple(sections),
        remarks=("Long texts are cut here. The file in JSON holds everything, with attached results in full.",),
        address=routes.HOME,
        file_name=export_name(person, "pdf"),
    )


def export_name(person: Person, form: str) -> str:
    """Return the name of a file, with the UK date and nothing of the person."""
    return f"personal-data-{person.found_at.astimezone(UK):%Y-%m-%d}.{form}"


def _table(number: int, record: Mapping[str, object]) -> Table:
    rows = tuple((name, words) for name, words in _lines(record) if words)
    return Table(heads=(f"Record {number}", ""), rows=rows, words=(1,), is_figures=False)


def _lines(value: object, *names: str) -> Iterator[tuple[str, str]]:
    """Yield the values below a value, each by its names in words; answers are by their questions."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            if key == "lines":
                yield from ((label, _cut(str(words))) for label, words in each)
            elif key != "attachment" and not (key == "answers" and "lines" in value):
                yield from _lines(each, *names, str(key))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _lines(each, *names)
    elif value is not None:
        yield field_words(names), _cut(str(value))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
