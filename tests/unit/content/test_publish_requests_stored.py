import asyncio
from datetime import timedelta

from sqlalchemy import func, select

from broker.content.publish_requests import ContentChangeStore
from broker.content.publishing import ContentChange
from broker.storage.database import Database
from broker.storage.tables import ContentChangeRow
from tests.unit.storage.stores import NOON

KEPT = timedelta(minutes=15)


def change(minutes: int = 0, by: str = "the content service") -> ContentChange:
    return ContentChange(at=NOON + timedelta(minutes=minutes, microseconds=7), by=by)


async def test_signature_is_accepted_once_by_workers_at_once(database: Database) -> None:
    workers = [ContentChangeStore(database) for _ in range(5)]
    accepted = await asyncio.gather(*(one.add(change(), signature="a" * 64, max_age=KEPT) for one in workers))
    assert sorted(accepted) == [False] * 4 + [True]
    assert await workers[0].add(change(1), signature="b" * 64, max_age=KEPT)


async def test_last_change_is_found_as_it_was_stored(database: Database) -> None:
    store = ContentChangeStore(database)
    assert await store.latest() is None
    await store.add(change(), signature="a" * 64, max_age=KEPT)
    await store.add(change(1, by="ada"), signature="b" * 64, max_age=KEPT)
    assert await store.latest() == change(1, by="ada")


async def test_old_signatures_are_forgotten(database: Database) -> None:
    store = ContentChangeStore(database)
    for minutes in (0, 5, 16):
        await store.add(change(minutes), signature=f"{minutes:064}", max_age=KEPT)
    count = select(func.count()).select_from(ContentChangeRow)

    assert (await database.read(lambda connection: connection.execute(count))).scalar_one() == 2
    assert not await store.add(change(17), signature=f"{5:064}", max_age=KEPT)
