"""Requests of people about their data: what is held, a copy as JSON or PDF, a correction, and deletion."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time

from broker.clock import uk_date, utc_now
from broker.duties.complaint import NotDone, parse_day
from broker.duties.complaints import CORRECT, or_not_done
from broker.duties.person_data import DataRequest, Person, RequestKind, Wanted, parse_correction, parse_wanted
from broker.duties.person_store import PersonStore
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
