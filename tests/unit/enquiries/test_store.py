from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.calculators.registry import CALCULATORS
from broker.documents.plans import calculator_document
from broker.enquiries.contact_details import ContactDetails
from broker.enquiries.enquiry import Attachment, Consent, Enquiry, EnquiryKind, parse_reference
from broker.enquiries.enquiry_cipher import read_attachment
from broker.enquiries.store import EnquiryStore, JourneyChangedError, NewEnquiry, new_reference
from broker.questionnaire.answers import Line
from broker.questionnaire.journey_store import JourneyStore, StoredJourney
from broker.storage.database import Database
from broker.storage.encryption import SecretKeys
from broker.storage.errors import StorageError
from broker.storage.tables import EnquiryRow
from tests.databases.fixtures import KEY

NOW = datetime(2026, 3, 31, 12, 0, 0, 123_456, tzinfo=UTC)
TOKEN = "t" * 43
NEW = NewEnquiry(
    enquiry=Enquiry(
        kind=EnquiryKind.CALLBACK,
        contact=ContactDetails(name="Zoë Ångström-李", telephone="+442079460123"),
        consent=Consent(marketing=frozenset(), text_version="1", at=NOW, page="/"),
    ),
    page="/",
    submissions=("first",),
    created=NOW,
    delete_after=NOW + timedelta(days=365),
)
WRITE = StoredJourney(flow="", entry="q1", answers={"q1": "buy"}, written={"q1": 1}, version=1, delete_after=NOW.max)


def store(database: Database, *references: str) -> EnquiryStore:
    return EnquiryStore(database, SecretKeys((KEY,)), reference=iter(references).__next__)


async def test_reference_that_is_taken_is_passed_over(database: Database) -> None:
    enquiries = store(database, "A", "A", "A", "B")
    assert [await enquiries.add(NEW), await enquiries.add(replace(NEW, submissions=("second",)))] == ["A", "B"]


async def test_references_that_are_all_taken_are_an_error(database: Database) -> None:
    enquiries = store(database, *"AAAAAA")
    await enquiries.add(NEW)
    with pytest.raises(StorageError, match="refuses an enquiry"):
        await enquiries.add(replace(NEW, submissions=("second",)))
    assert await enquiries.reference_of(("second", "first")) == "A"


async def test_enquiry_that_a_new_connection_cannot_read_is_not_stored(database: Database) -> None:
    enquiries = store(database, *"ABC")
    await enquiries.add(NEW)
    if not database.is_file:
        return
    await database.empty_log()
    Path(str(database.url.database)).write_bytes(b"")
    for _ in range(2):
        with pytest.raises(StorageError):
            await enquiries.add(replace(NEW, submissions=("second",)))


async def test_journey_that_moved_on_or_is_gone_leaves_nothing_stored(database: Database) -> None:
    enquiries, journeys = store(database, *"ABC"), JourneyStore(database, SecretKeys((KEY,)))
    await journeys.add(TOKEN, replace(WRITE, delete_after=NOW + timedelta(days=30)), now=NOW)
    for token, version in ((TOKEN, 2), ("u" * 43, 1)):
        with pytest.raises(JourneyChangedError):
            await enquiries.add(replace(NEW, journey=token, journey_version=version))
    nothing = await enquiries.reference_of(NEW.submissions)
    stored = await enquiries.add(replace(NEW, journey=TOKEN, journey_version=1))
    assert (nothing, stored, await journeys.find(TOKEN, NOW)) == ("", "C", None)


async def test_moment_without_its_zone_is_refused(database: Database) -> None:
    with pytest.raises(StorageError):
        await store(database, "A").add(replace(NEW, created=NOW.replace(tzinfo=None)))


async def test_older_version_of_a_journey_is_never_written(database: Database) -> None:
    journeys = JourneyStore(database, SecretKeys((KEY,)))
    first = replace(WRITE, delete_after=NOW + timedelta(days=30))
    await journeys.add(TOKEN, first, now=NOW)
    written = [await journeys.save(TOKEN, replace(first, version=version), now=NOW) for version in (2, 2, 4, 3, 1)]
    with pytest.raises(StorageError, match="taken"):
        await journeys.add(TOKEN, first, now=NOW)
    assert written == [True, False, False, True, False]


def test_references_are_unlike_each_other() -> None:
    made = {new_reference() for _ in range(1_000)}
    assert (len(made), {parse_reference(each) for each in made}) == (1_000, made)


async def test_every_letter_microsecond_and_attached_document_comes_back(database: Database) -> None:
    enquiries = store(database, *"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    documents = [found for each in CALCULATORS if (found := calculator_document(each, {}))]
    kinds = {part.kind for found in documents for section in found.sections for part in section.parts}
    assert kinds == {"table", "bars", "lines", "steps", "text", "links"}
    attachments = [None, Attachment(), *(Attachment(document=found) for found in documents)]
    for number, each in enumerate(attachments):
        new = replace(NEW, submissions=(f"{number}",), enquiry=replace(NEW.enquiry, attachment=each))
        found = await enquiries.find(await enquiries.add(new))
        assert found is not None
        assert (found.enquiry, found.created) == (new.enquiry, NOW)


def test_attachment_of_another_shape_is_one_without_a_document() -> None:
    whole = {"title": "A", "address": "/", "file_name": "a", "sections": []}
    assert read_attachment(whole) != Attachment()
    shapes = [
        {"title": 1},
        {**whole, "sections": [{"title": "", "parts": [{"kind": "film"}]}]},
        {**whole, "title": 7},
        [],
    ]
    assert [read_attachment(each) for each in shapes] == [Attachment()] * 4


async def test_digests_and_origin_of_earlier_enquiries_are_filled_in(database: Database) -> None:
    enquiries = store(database, "A", "B", "C")
    lines = (Line(label="Mortgage for", words="Remortgage"), Line(label="Mortgage left", words="£150,000"))
    answered = replace(NEW, enquiry=replace(NEW.enquiry, lines=lines))
    for number, new in enumerate((NEW, answered, NEW)):
        await enquiries.add(replace(new, submissions=(f"form {number}",)))
    columns = ("phone_digest", "email_digest", "service", "amount")

    async def read(connection: AsyncConnection) -> list[tuple[object, ...]]:
        wanted = select(*(col(getattr(EnquiryRow, name)) for name in columns)).order_by(col(EnquiryRow.id))
        return [tuple(row) for row in await connection.execute(wanted)]

    async def empty(connection: AsyncConnection) -> None:
        values = {"phone_digest": "", "service": "other", "amount": None}
        await connection.execute(update(EnquiryRow).where(col(EnquiryRow.reference) != "C").values(values))

    before = await database.read(read)
    await database.write(empty)
    others = EnquiryStore(database, SecretKeys(("another key, that is long enough too",)))
    assert (await others.fill_in(), await enquiries.fill_in(), await enquiries.fill_in()) == (0, 2, 0)
    assert await database.read(read) == before
    assert (before[1][2:], before[0][0] == before[1][0], len(str(before[0][0]))) == (("remortgage", 150_000), True, 64)
    assert await enquiries.fill_in(every=True) == 3
    assert await database.read(read) == before
