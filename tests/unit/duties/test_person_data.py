"""The proof: what is planted in every table that can hold personal data is exported, and deleted or named as kept."""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel, col

from broker.cases.case import Changed, Outcome, Stage
from broker.cases.changes import CallRecord
from broker.cases.search_store import CaseSearch
from broker.documents.document import Document, Table
from broker.duties import person_store
from broker.duties.complaint import NotDone
from broker.duties.people import CHANGED, NEEDS_OWNER, NOBODY, NOT_CONFIRMED, NOTHING_TYPED, person_json
from broker.duties.person_data import Kind, Person, parse_wanted
from broker.duties.person_document import person_document
from broker.duties.person_store import PERSONAL, PersonStore
from broker.services import Services
from broker.settings import Settings
from broker.staff.account_store import StaffStore
from broker.staff.audit import COMMAND_LINE, Act, AuditEntry
from broker.storage.database import Database, database_address
from broker.storage.encryption import SecretKeys, decrypted_columns
from broker.storage.tables import (
    AppointmentRow,
    ComplaintRow,
    DeskUndoRow,
    EnquiryRow,
    NoteDraftRow,
    NoteRow,
    SuppressedAddressRow,
    WatchRow,
)
from broker.watches.service import WatchStarted
from tests.databases.fixtures import KEY
from tests.our_content import letterhead_of_site
from tests.unit.duties.test_complaints import saved
from tests.unit.enquiries.enquiring import BEGINNING, Calendar, running, sent, thanked
from tests.unit.watches.watching import sent as watch_sent

KEYS = SecretKeys((KEY,))
PHONE, EMAIL, NAME = "07700 900456", "Marked@example.com", "Marked Example"
OTHER_PHONE, OTHER_EMAIL, OTHER_NAME = "07700 900789", "other@example.com", "Other Example"
MARKS = ("7700900456", "marked")
"""What of the planted person may stand in a row, in small letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A site in which a person and another one have left something in every table that can hold it."""

    services: Services
    database: Database
    calendar: Calendar
    reference: str

    async def find(self, typed: str = f"{PHONE}, {EMAIL}") -> Person:
        found = await self.services.duties.people.find(typed)
        assert isinstance(found, Person), found
        return found

    async def delete(self) -> Person:
        found = await self.services.duties.people.delete(await self.find(), self.reference, who="olga", is_owner=True)
        assert isinstance(found, Person), found
        return found

    async def dump(self) -> dict[str, list[str]]:
        """Return every row of every table by the table's name, in small letters, with nothing encrypted."""
        tables = {each.class_.__tablename__: each.class_ for each in SQLModel._sa_registry.mappers}

        async def work(connection: AsyncConnection) -> dict[str, list[str]]:
            found = dict[str, list[str]]()
            for name, table in tables.items():
                rows = [row._asdict() for row in await connection.execute(select(table))]
                opened = ({**row, **decrypted_columns(table, row, KEYS)} for row in rows)
                found[str(name)] = [str(row).casefold() for row in opened]
            return found

        return await self.database.read(work)

    async def marked(self) -> set[str]:
        """Return the tables with a row that names the person."""
        dumped = await self.dump()
        return {name for name, rows in dumped.items() if any(mark in row for row in rows for mark in MARKS)}


@pytest.fixture
async def planted(each_database_url: str, db_settings: Settings) -> AsyncIterator[Planted]:
    settings, calendar = db_settings.changed(database_url=each_database_url), Calendar()
    database = Database(database_address(each_database_url))
    async with running(settings, calendar) as services:
        entry = AuditEntry(at=BEGINNING, who=COMMAND_LINE, what=Act.ACCOUNT_ADDED, about="ada")
        await StaffStore(database).add("ada", "hash", entry=entry)
        await plant(services, database, OTHER_NAME, OTHER_PHONE, OTHER_EMAIL)
        reference = await plant(services, database, NAME, PHONE, EMAIL)
        yield Planted(services=services, database=database, calendar=calendar, reference=reference)
    await database.close()


async def plant(services: Services, database: Database, name: str, phone: str, email: str) -> str:
    """Leave something of a person in every table of `PERSONAL`, and return the reference of their enquiry."""
    given = {"name": name, "telephone": phone, "email": email}
    needs = {"needs_words": f"{name} reads large print", "needs_agreed": "on"}
    reference = thanked(await services.enquiries.submit(sent(message=f"I am {name}", **given, **needs))).reference
    await services.cases.add_note(reference, f"{name} likes tea", who="ada")
    form = {**given, "subject": "both", "cause": "manner", "received": "2026-03-31", "about": f"{name} was cut off"}
    complaint = saved(await services.duties.complaints.add(form, who="ada"))
    letter = {"letter": "acknowledgement", "sent": "2026-03-31", "words": f"Dear {name}"}
    saved(await services.duties.complaints.add_letter(complaint, letter, who="ada"))
    asked = {"kind": "deletion", "asked": "2026-03-31"}
    assert await services.duties.people.ask(parse_wanted(f"{phone}, {email}"), asked, who="ada") is None

    watch = await services.watches.start(watch_sent(email=email, mayCall="yes", telephone=phone))
    assert isinstance(watch, WatchStarted), watch

    async def work(connection: AsyncConnection) -> None:
        enquiry = (await connection.execute(select(EnquiryRow).where(col(EnquiryRow.reference) == reference))).one()
        slot = {"adviser": "ada", "starts": BEGINNING + timedelta(days=2, minutes=enquiry.id), "minutes": 30}
        appointment = {"uid": reference, "enquiry_id": enquiry.id, "medium": "telephone", "state": "booked", **slot}
        stamp = {"sequence": 0, "created": BEGINNING, "changed_by": ""}
        await connection.execute(insert(AppointmentRow).values({**appointment, **stamp}))
        before = KEYS.cipher_for("desk undo").encrypt(json.dumps({"waiting_note": name}).encode())
        undo = {"batch": reference, "enquiry_id": enquiry.id, "who": "ada", "at": BEGINNING, "what": "x", "version": 1}
        await connection.execute(insert(DeskUndoRow).values({**undo, "before": before}))
        draft = KEYS.cipher_for("note draft").encrypt(name.encode())
        drafted = {"enquiry_id": enquiry.id, "who": "ada", "at": BEGINNING, "text": draft}
        await connection.execute(insert(NoteDraftRow).values(drafted))
        digest = PersonStore(database, KEYS)._mails.digests(email)[0]
        suppressed = {"digest": digest, "times": 1, "last_at": BEGINNING, "is_complaint": False}
        await connection.execute(insert(SuppressedAddressRow).values(suppressed))

    await database.write(work)
    return reference


async def change(planted: Planted, *statements: Any) -> None:
    async def work(connection: AsyncConnection) -> None:
        for statement in statements:
            await connection.execute(statement)

    await planted.database.write(work)


WITHOUT_PERSONAL_DATA = {
    "journeys": "answers of a questionnaire that was not sent: no name, and no key leads to a person",
    "appointment_cells": "five minutes of an adviser; the appointment that takes them is found",
    "open_cases": "which account has a case open, for minutes",
    "retention": "when retention ran",
    "watch_checks": "when watches were checked",
    "daily_counts": "numbers a day",
    "promotions": "texts of public pages, and who approved them",
    "reply_templates": "texts of staff; nothing in them is about a visitor",
    "saved_filters": "filters without search words",
    "logo_pictures": "pictures of lenders",
    "logo_versions": "accounts of staff",
    "lender_windows": "accounts of staff",
    "content_changes": "accounts of staff",
    "adviser_hours": "accounts of staff",
    "adviser_absences": "accounts of staff",
    "calendar_feeds": "accounts of staff",
    "staff": "accounts of staff",
    "staff_sessions": "accounts of staff",
    "staff_invites": "accounts of staff",
    "staff_recovery_codes": "accounts of staff",
    "staff_passkeys": "accounts of staff",
    "staff_challenges": "accounts of staff",
}
"""Each table that holds nothing of a visitor or nothing that leads to one, with the reason."""


def test_every_table_is_personal_or_named_as_not() -> None:
    tables, personal = set(SQLModel.metadata.tables), {str(table.__tablename__) for table in PERSONAL}
    assert (personal | set(WITHOUT_PERSONAL_DATA)) == tables
    assert not personal & set(WITHOUT_PERSONAL_DATA)


async def test_all_that_was_planted_is_exported(planted: Planted) -> None:
    found = await planted.services.duties.people.export(f"{PHONE}, {EMAIL}", form="JSON", who="ada")
    assert isinstance(found, Person)
    assert set(found.records) == {str(table.__tablename__) for table in PERSONAL}
    written = person_json(found).casefold()
    for mark in (
        *MARKS,
        planted.reference.casefold(),
        "likes tea",
        "reads large print",
        "i am marked",
        "dear marked",
        "was cut off",
    ):
        assert mark in written, mark
    assert "7700900789" not in written
    assert OTHER_NAME.casefold() not in written
    # every row that names the person is one of the export, and no other table names them
    assert await planted.marked() <= set(found.records)
    dumped = await planted.dump()
    for table in PERSONAL:
        name = str(table.__tablename__)
        named = sum(any(mark in row for mark in MARKS) for row in dumped[name])
        assert len(found.records[name]) >= named, name
    entry = (await planted.services.audit.latest(1))[0]
    assert (entry.what, entry.who, entry.detail.endswith("records as JSON")) == (Act.PERSON_EXPORTED, "ada", True)
    assert not any(mark in f"{entry.about} {entry.detail}".casefold() for mark in MARKS)


async def test_no_secret_that_opens_a_page_is_exported(planted: Planted) -> None:
    found = await planted.services.duties.people.export(f"{PHONE}, {EMAIL}", form="JSON", who="ada")
    assert isinstance(found, Person)
    (watch,) = found.records["watches"]
    contact: Any = watch["contact"]
    assert set(contact) == {"email", "telephone"}
    assert not {"link", "stop", "submission", "address", "phone_digest"} & {
        key for row in found.records.values() for one in row for key in one
    }


@pytest.mark.parametrize("typed", [PHONE, "+44 7700 900456", EMAIL.upper(), f"{EMAIL}\n{PHONE}"])
async def test_person_is_found_by_either(planted: Planted, typed: str) -> None:
    found = await planted.find(typed)
    kinds = {each.kind for each in found.held}
    assert {Kind.ENQUIRIES, Kind.NOTES, Kind.MAILS, Kind.APPOINTMENTS, Kind.WATCHES, Kind.COMPLAINTS} <= kinds
    assert (found.names, found.references) == ((NAME,), (planted.reference,))


async def test_what_else_is_known_of_a_person_is_named(planted: Planted) -> None:
    assert (await planted.find(PHONE)).also == ("marked@example.com",)
    assert (await planted.find(f"{PHONE}, {EMAIL}")).also == ()


async def test_deletion_leaves_what_was_named_as_kept_and_nothing_else(planted: Planted) -> None:
    before = await planted.dump()
    found = await planted.delete()
    kept = {each.kind for each in found.held if each.is_kept}
    assert kept == {Kind.COMPLAINTS, Kind.REQUESTS, Kind.SUPPRESSED, Kind.RECORD}
    assert await planted.marked() == {"complaints", "complaint_letters"}
    after = await planted.dump()
    for mark in ("7700900789", "other@example.com", OTHER_NAME.casefold()):
        for name, rows in before.items():
            assert sum(mark in row for row in rows) == sum(mark in row for row in after[name]), name
    left = await planted.find()
    assert {each.kind for each in left.held} <= kept
    entries = [each for each in await planted.services.audit.latest(20) if each.who == "olga"]
    assert {each.what for each in entries} == {Act.ENQUIRY_DELETED, Act.PERSON_DELETED}
    assert not any(mark in each.sentence.casefold() for mark in MARKS for each in entries)


async def test_complaint_goes_with_its_time(planted: Planted) -> None:
    await change(planted, update(ComplaintRow).values(closed=BEGINNING.date(), outcome="withdrawn"))
    assert {each.until for each in (await planted.find()).held if each.kind is Kind.COMPLAINTS} == {
        BEGINNING.date().replace(year=2029)
    }
    planted.calendar.forward(days=4 * 365)
    await planted.delete()
    assert await planted.marked() == set()


async def test_advice_is_kept_for_the_years_of_the_setting(planted: Planted) -> None:
    await change(planted, update(NoteRow).where(col(NoteRow.id) == 2).values(outcome="advice-given", kind="call"))
    store = PersonStore(planted.database, KEYS, advice_years=6)
    assert await store.hold_advice(planted.calendar()) == 1
    person = await store.find(parse_wanted(f"{PHONE}, {EMAIL}"), now=planted.calendar())
    (advice,) = [each for each in person.held if each.kind is Kind.ADVICE]
    assert (advice.until, advice.why) == (BEGINNING.date().replace(year=2032), "MCOB 4.7A.25R: 6 years")


async def test_advice_is_kept_for_three_years_with_who_it_is(planted: Planted) -> None:
    advised = update(NoteRow).where(col(NoteRow.id) == 2).values(outcome="advice-given", kind="call")
    await change(
        planted,
        advised,
        update(ComplaintRow).values(closed=BEGINNING.date(), delete_after=BEGINNING.date().replace(year=2025)),
    )
    (advice,) = [each for each in (await planted.find()).held if each.kind is Kind.ADVICE]
    assert (advice.until, advice.why) == (BEGINNING.date().replace(year=2029), "MCOB 4.7A.25R: 3 years")
    await planted.delete()
    assert await planted.marked() == {"enquiries", "enquiry_notes"}
    left = await planted.find()
    assert left.references == (planted.reference,)
    kept = {each.kind for each in left.held if each.is_kept}
    assert kept == {Kind.ADVICE, Kind.SUPPRESSED, Kind.RECORD}
    assert {each.kind for each in left.held} == kept
    await planted.services.retention.delete_due()
    planted.calendar.forward(days=3 * 365 + 10)
    await planted.services.retention.delete_overdue(who="olga")
    assert await planted.marked() == set()


async def test_open_case_with_a_lender_is_under_way(planted: Planted) -> None:
    assert (await planted.find()).under_way == ()
    advised = update(EnquiryRow).where(col(EnquiryRow.reference) == planted.reference)
    await change(planted, advised.values(stage="exchange", stage_since=BEGINNING))
    assert (await planted.find()).under_way == ((planted.reference, Stage.EXCHANGE),)
    await planted.delete()
    assert (await planted.find()).under_way == ()


async def test_search_finds_no_note_that_was_deleted_beside_advice(planted: Planted) -> None:
    form = sent(message="Again", name=NAME, telephone=PHONE, email=EMAIL)
    second = thanked(await planted.services.enquiries.submit(form)).reference
    await planted.services.cases.add_note(second, "Likes cocoa", who="ada")
    record = CallRecord(outcome=Outcome.ADVICE_GIVEN, note="Needs and reasons")
    assert isinstance(await planted.services.cases.record(second, record, version=1, who="ada"), Changed)
    search = CaseSearch(planted.database, KEYS)
    assert await search.find("cocoa")
    await planted.delete()
    assert (await search.find("cocoa"), len(await search.find("reasons"))) == (frozenset(), 1)


async def test_merged_enquiries_are_one_person(planted: Planted) -> None:
    moved = update(EnquiryRow).where(col(EnquiryRow.id) == 1).values(merged_into=2)
    await change(planted, moved)
    assert set((await planted.find()).names) == {NAME, OTHER_NAME}


async def test_enquiries_of_former_releases_have_no_hash_and_are_found(planted: Planted) -> None:
    await change(planted, update(EnquiryRow).values(phone_digest="", email_digest=""))
    assert (await planted.find(PHONE)).references == (planted.reference,)
    assert (await planted.find(EMAIL)).references == (planted.reference,)


async def test_complaints_and_watches_are_found_once_the_key_of_their_hashes_is_gone(planted: Planted) -> None:
    lost = "0" * 64
    await change(
        planted,
        update(ComplaintRow).values(reference=""),
        update(WatchRow).where(col(WatchRow.id) == 2).values(address=lost),
    )
    for typed in (PHONE, EMAIL):
        assert {Kind.COMPLAINTS, Kind.WATCHES} <= {each.kind for each in (await planted.find(typed)).held}


async def test_person_is_corrected_wherever_they_stand(planted: Planted) -> None:
    people = planted.services.duties.people
    wanted = parse_wanted(f"{PHONE}, {EMAIL}")
    form = {"name": "ع. مثال", "telephone": "07700 900111", "email": "new@example.com"}
    assert isinstance(await people.correct(wanted, form, who="ada"), Person)
    found = await planted.find("07700 900111, new@example.com")
    assert (found.names, found.references) == (("ع. مثال",), (planted.reference,))
    assert {Kind.COMPLAINTS, Kind.WATCHES, Kind.MAILS} <= {each.kind for each in found.held}
    dumped = await planted.dump()
    for table in ("enquiries", "complaints", "watches", "mail"):
        assert "7700900456" not in " ".join(dumped[table]), table


async def test_correction_with_a_mistake_changes_nothing(planted: Planted) -> None:
    people, wanted = planted.services.duties.people, parse_wanted(PHONE)
    for form in ({}, {"telephone": "12"}, {"email": "nobody"}, {"name": "A" * 101}):
        assert isinstance(await people.correct(wanted, form, who="ada"), NotDone)
    assert (await planted.find(PHONE)).names == (NAME,)


async def test_deletion_needs_an_owner_the_right_words_and_what_was_seen(planted: Planted) -> None:
    people, seen = planted.services.duties.people, await planted.find()
    refused = [
        (planted.reference, False, NEEDS_OWNER),
        ("HG-AAAA-AAAA", True, NOT_CONFIRMED),
        (None, True, NOT_CONFIRMED),
    ]
    for typed, is_owner, words in refused:
        assert await people.delete(seen, typed, who="ada", is_owner=is_owner) == NotDone(words=words)
    await planted.services.cases.add_note(planted.reference, "They called again", who="ada")
    assert await people.delete(seen, PHONE, who="olga", is_owner=True) == NotDone(words=CHANGED)
    assert "enquiries" in await planted.marked()


async def test_nothing_is_found_under_nonsense(planted: Planted) -> None:
    people = planted.services.duties.people
    for typed, words in (
        ("", NOTHING_TYPED),
        (None, NOTHING_TYPED),
        ("Marked", NOTHING_TYPED),
        ("07700 900999", NOBODY),
    ):
        assert await people.find(typed) == NotDone(words=words)


async def test_request_is_due_in_a_month(planted: Planted) -> None:
    people = planted.services.duties.people
    requests = await people.requests()
    assert not isinstance(requests, NotDone)
    assert [(each.due.isoformat(), each.words) for each in requests] == [
        ("2026-04-30", ("07700 900789", "other@example.com")),
        ("2026-04-30", (PHONE, "Marked@example.com")),
    ]
    await people.answered(requests[0].id, who="ada")
    await planted.delete()
    assert await people.requests() == ()


async def test_look_up_reads_by_hash(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred thousand enquiries are not decrypted one by one."""
    store: Any = planted.services.duties.people._store
    opened: list[int] = []
    contact = store._enquiries.contact
    monkeypatch.setattr(store._enquiries, "contact", lambda row: opened.append(row.id) or contact(row))
    await planted.find(PHONE)
    assert set(opened) == {2}


async def document_of(planted: Planted) -> Document:
    duties = planted.services.duties
    found = await duties.people.export(PHONE, form="PDF", who="ada")
    assert isinstance(found, Person)
    return person_document(found, letterhead_of_site(), duties.rules)


async def test_document_has_every_record_in_words(planted: Planted) -> None:
    found = await planted.services.duties.people.export(PHONE, form="PDF", who="ada")
    assert isinstance(found, Person)
    document = person_document(found, letterhead_of_site(), planted.services.duties.rules)
    assert document.file_name == "personal-data-2026-03-31.pdf"
    assert "likes tea" in str(document.sections)
    rows = rows_of(document)
    assert sum(len(row) == 3 for row in rows) == len(found.records["audit"])
    tables = [part for section in document.sections[5:] for part in section.parts]
    assert len(tables) == sum(len(rows) for name, rows in found.records.items() if name != "audit") + 1
    labels = {row[0] for row in rows if len(row) == 2}
    assert {"Kept until", "When to call", "Message", "Name"} <= labels
    columns = {name for table in PERSONAL for name in table.model_fields if "_" in name or name in ("id", "uid", "at")}
    assert not {label for label in labels if "_" in label or label.casefold().replace(" ", "_") in columns - WORDED}
    words = str(document.sections)
    assert not re.search("[0-9]{4}-[0-9]{2}-[0-9]{2}|[+]44|[Nn]umber of|[0-9]T[0-9]|UTC|enquiry-note", words)
    assert "31 March 2026, 1" in words


async def test_document_answers_a_request_for_a_copy(planted: Planted) -> None:
    """Article 15(1): who holds the data, why, who receives them, how long, the rights, and where to complain."""
    document = await document_of(planted)
    assert [section.title for section in document.sections[:5]] == [
        "Who holds it, and where it comes from",
        "Why we use it",
        "Who receives it",
        "How long we keep it",
        "Your rights",
    ]
    words, firm = str(document.sections[:5]), letterhead_of_site()
    assert all(each in words for each in (firm.firm, firm.address, firm.email, firm.telephone))
    assert "12 months from when we received them" in words
    assert "3 years from when we received them, and until they are closed" in words
    assert all(each in words for each in ("correct", "delete", "object", "ico.org.uk/make-a-complaint"))
    assert "JSON" in " ".join(document.remarks)


def rows_of(document: Document) -> list[tuple[str, ...]]:
    parts = (part for section in document.sections[5:] for part in section.parts)
    return [row for part in parts if isinstance(part, Table) for row in part.rows]


WORDED = {"call_by", "waiting_for", "next_action", "stage_since", "changed_by", "deal_ends", "may_call"}
"""Columns whose names are words."""


def test_answers_of_a_questionnaire_are_by_their_questions_in_the_document() -> None:
    answers = {"message": "", "answers": {"q1": "a"}, "lines": [["When?", "Soon"]], "attachment": {"a": 1}}
    person = Person(wanted=parse_wanted(PHONE), found_at=BEGINNING, records={"enquiries": ({"answers": answers},)})
    assert rows_of(person_document(person, letterhead_of_site(), ())) == [("When?", "Soon")]


def test_what_a_watch_tells_and_its_choices_are_in_words_in_the_document() -> None:
    figures = {"tells": ["three-months", "fell"], "kind": "5-years-fixed", "charge": "percent", "home": "let"}
    person = Person(wanted=parse_wanted(PHONE), found_at=BEGINNING, records={"watches": ({"figures": figures},)})
    assert [words for _, words in rows_of(person_document(person, letterhead_of_site(), ()))] == [
        "Three months before my deal ends",
        "I have applied for a deal: when a lower rate appears before I complete",
        "5 years fixed",
        "A percentage",
        "Let to a tenant",
    ]


def test_values_are_in_words_and_uk_times_in_the_document() -> None:
    enquiry = {
        "id": 22,
        "reference": "HG-MRKJ-N4RY",
        "kind": "call",
        "state": "called",
        "version": 11,
        "created": "2026-10-20T15:11:00+00:00",
        "delete_after": "2029-11-13T00:00:00+00:00",
        "contact": {"telephone": "+447700900121", "when": "any"},
        "stage": "exchange",
        "waiting_for": "solicitor",
        "amount": 133000,
        "service": "other",
        "outcome": "advice-given",
    }
    person = Person(wanted=parse_wanted(PHONE), found_at=BEGINNING, records={"enquiries": (enquiry,)})
    document = person_document(person, letterhead_of_site(), ())
    (table,) = document.sections[5].parts
    assert isinstance(table, Table)
    assert table.heads == ("20 October 2026, 4:11pm, HG-MRKJ-N4RY, Telephone call",)
    assert table.rows == (
        ("State", "Called"),
        ("Kept until", "12 November 2029"),
        ("Telephone", "07700 900121"),
        ("When to call", "Any time"),
        ("Stage", "Exchange"),
        ("Waiting for", "The solicitor"),
        ("Loan", "£133,000"),
        ("About what", "Other"),
        ("Outcome", "Advice given"),
    )


async def test_case_with_advice_outlives_the_months_of_an_enquiry(planted: Planted) -> None:
    advised = update(EnquiryRow).where(col(EnquiryRow.reference) == planted.reference)
    await change(planted, advised.values(stage="offer", stage_since=BEGINNING))
    await planted.services.retention.delete_due()
    planted.calendar.forward(days=400)
    await planted.services.retention.delete_overdue(who="olga")
    assert (await planted.find()).references == (planted.reference,)
    assert isinstance(await planted.services.duties.people.find(OTHER_PHONE), Person)
    assert OTHER_NAME.casefold() not in " ".join((await planted.dump())["enquiries"])
    planted.calendar.forward(days=2 * 365)
    await planted.services.retention.delete_overdue(who="olga")
    assert (await planted.dump())["enquiries"] == []


async def test_advice_of_a_merged_enquiry_keeps_its_case(planted: Planted) -> None:
    await change(
        planted,
        update(EnquiryRow).where(col(EnquiryRow.id) == 2).values(merged_into=1, stage="offer", stage_since=BEGINNING),
    )
    await planted.services.retention.delete_due()
    planted.calendar.forward(days=400)
    await planted.services.retention.delete_overdue(who="olga")
    assert len((await planted.find()).references) == 2
    planted.calendar.forward(days=2 * 365)
    await planted.services.retention.delete_overdue(who="olga")
    assert (await planted.dump())["enquiries"] == []


async def test_deletion_keeps_the_case_of_a_merged_enquiry_with_advice(planted: Planted) -> None:
    await change(
        planted,
        update(EnquiryRow).where(col(EnquiryRow.id) == 2).values(merged_into=1),
        update(NoteRow).where(col(NoteRow.id) == 2).values(outcome="advice-given", kind="call"),
    )
    kept = [each for each in (await planted.delete()).held if each.kind is Kind.ADVICE]
    assert {each.until for each in kept} == {BEGINNING.date().replace(year=2029)}
    await planted.services.retention.delete_due()
    assert len((await planted.find()).references) == 2
    (note,) = (await planted.dump())["enquiry_notes"]
    assert f"{NAME} likes tea".casefold() in note


async def test_keeping_advice_writes_nothing_where_nothing_is_kept_longer(
    planted: Planted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks at every case of the firm: visitors who send a form would wait for its turn to write."""
    monkeypatch.setattr(person_store, "_BATCH", 1)
    await change(planted, update(EnquiryRow).values(stage="offer", stage_since=BEGINNING))
    store = PersonStore(planted.database, KEYS)
    assert await store.hold_advice(BEGINNING) == 2
    monkeypatch.setattr(Database, "write", None)
    assert await store.hold_advice(BEGINNING) == 0


def test_change_that_can_be_undone_is_in_words_in_the_document() -> None:
    undo = {"what": Act.CALL_RECORDED.value, "at": BEGINNING.isoformat()}
    person = Person(wanted=parse_wanted(PHONE), found_at=BEGINNING, records={"desk_undo": (undo,)})
    rows = rows_of(person_document(person, letterhead_of_site(), ()))
    assert rows == [("What was done", "The outcome of a call")]
