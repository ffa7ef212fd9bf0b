import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from broker.cases.case import StaffNote
from broker.enquiries.store import EnquiryStore
from broker.questionnaire.journey_store import StoredJourney
from broker.storage.encryption import SecretKeys
from broker.storage.errors import StorageError
from tests.databases.cluster import Cluster
from tests.databases.fixtures import KEY
from tests.unit.storage.stores import LATER, NOON, Stores, new

NAME, TOKEN = "Zwickensteen", "t" * 43
MARKS = (NAME.encode(), NAME.encode().hex().encode(), NAME.encode("utf-16-le"), b"marmalade", TOKEN.encode())


async def fill(stores: Stores) -> str:
    enquiry = replace(new(1, name=NAME), enquiry=replace(new(1, name=NAME).enquiry, message="marmalade"))
    reference = await stores.enquiries.add(enquiry)
    values = StoredJourney(flow="", entry="q1", answers={"q1": NAME}, written={"q1": 1}, version=1, delete_after=LATER)
    await stores.journeys.add(TOKEN, values, now=NOON)
    await stores.changes.add_note(reference, StaffNote(at=NOON, who="ada", text="marmalade"))
    await stores.enquiries.delete(await stores.enquiries.add(replace(enquiry, submissions=("other",))), at=NOON)
    taken = EnquiryStore(stores.database, SecretKeys((KEY,)), reference=lambda: reference)
    with pytest.raises(StorageError):
        await taken.add(replace(enquiry, submissions=("third",)))
    return reference


async def test_files_and_logs_hold_no_personal_data(
    stores: Stores, each_database_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    reference = await fill(stores)
    await stores.database.close()
    files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    if "postgresql" in each_database_url:
        cluster: Cluster = request.getfixturevalue("cluster")
        files = await asyncio.to_thread(cluster.files, each_database_url)
    assert {path: mark for path, content in files.items() for mark in MARKS if mark.lower() in content.lower()} == {}
    assert any(reference.encode() in content for content in files.values())


async def test_journey_is_found_until_its_time_and_then_deleted(stores: Stores) -> None:
    await fill(stores)
    found = await stores.journeys.find(TOKEN, NOON)
    assert found
    due = [await stores.journeys.delete_due(NOON), await stores.journeys.delete_due(LATER)]
    enquiries = [
        await stores.enquiries.delete_due(LATER),
        await stores.enquiries.delete_due(LATER + timedelta(days=400)),
    ]
    assert await stores.journeys.find(TOKEN, NOON) is None
    assert [found.answers, *due, *enquiries] == [{"q1": NAME}, 0, 1, 0, 1]
