import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from broker.lenders.logos.logo import MAX_VERSIONS, CleanPicture, LogoKind, LogoSource, picture_name
from broker.lenders.logos.reports import LogoResult
from broker.lenders.logos.store import LogoChange, LogoOutcome, LogoStore
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import AuditStore
from broker.storage.database import Database, database_address
from broker.storage.errors import StorageError
from tests.unit.storage.stores import Stores

NOW = datetime(2026, 3, 31, 12, 0, tzinfo=UTC)


def picture(content: str = "a") -> CleanPicture:
    return CleanPicture.of(content.encode(), width=100, height=40)


UPLOAD = LogoChange(lender_id=42, made_to=0, picture=picture(), who="ann", at=NOW, file_name="a.png")
REMOVAL = LogoChange(lender_id=42, made_to=1, kind=LogoKind.HIDDEN, who="bob", at=NOW)
FED = replace(UPLOAD, source=LogoSource.FEED, made_to=None, who="feed")


def no_entries(_outcomes: Sequence[LogoOutcome]) -> tuple[AuditEntry, ...]:
    return ()


async def made(store: LogoStore, *changes: LogoChange) -> list[LogoResult]:
    found = [await store.change([change], entries=no_entries) for change in changes]
    return [outcome.result for (outcome,) in found]


async def test_picture_and_version_come_back_as_they_were_stored(stores: Stores) -> None:
    (outcome,) = await stores.logos.change([UPLOAD], entries=no_entries)
    assert outcome.is_stored
    version = outcome.newest
    assert version
    name = picture_name(42, picture().digest)
    assert (version.number, version.picture, version.kind) == (1, name, LogoKind.PICTURE)
    assert (version.who, version.at, version.file_name) == ("ann", NOW, "a.png")
    assert (await stores.logos.versions(42), await stores.logos.newest()) == ((version,), (version,))
    assert (await stores.logos.png(name), await stores.logos.png("42-000000000000.png")) == (b"a", None)


async def test_last_versions_are_kept_with_their_pictures_and_no_others(stores: Stores) -> None:
    count = MAX_VERSIONS + 3
    await made(stores.logos, FED)
    changes = [replace(UPLOAD, made_to=number, picture=picture(f"p{number}")) for number in range(count)]
    assert await made(stores.logos, *changes) == [LogoResult.ADDED, *[LogoResult.REPLACED] * (count - 1)]
    assert [one.number for one in await stores.logos.versions(42)] == list(range(count, 3, -1))
    kept = [await stores.logos.png(picture_name(42, picture(f"p{number}").digest)) for number in range(count)]
    assert kept == [None] * 3 + [f"p{number}".encode() for number in range(3, count)]
    assert await stores.logos.png(picture_name(42, picture().digest)) == b"a"
    old = replace(REMOVAL, made_to=count, restores=3)
    assert await made(stores.logos, old, replace(old, restores=4)) == [LogoResult.TOO_OLD, LogoResult.RESTORED]


async def test_feed_counts_for_itself(stores: Stores) -> None:
    gone = replace(FED, picture=None, kind=LogoKind.UNTOUCHED)
    assert await made(stores.logos, FED, UPLOAD, FED, replace(FED, picture=picture("b")), gone, gone) == [
        *(LogoResult.ADDED, LogoResult.ADDED, LogoResult.SAME),
        *(LogoResult.REPLACED, LogoResult.REPLACED, LogoResult.SAME),
    ]
    newest = {one.source: (one.number, bool(one.picture)) for one in await stores.logos.newest()}
    assert newest == {LogoSource.FEED: (3, False), LogoSource.STAFF: (1, True)}
    assert [one.source for one in await stores.logos.versions(42)] == [LogoSource.STAFF]


async def test_stamp_rises_with_every_change(stores: Stores) -> None:
    stamps = [await stores.logos.stamp()]
    changes = [replace(UPLOAD, made_to=number, picture=picture(f"p{number}")) for number in range(14)]
    for change in (*changes, FED, replace(FED, lender_id=7)):
        await made(stores.logos, change)
        stamps.append(await stores.logos.stamp())
    assert stamps == list(range(17))


async def test_changes_and_their_lines_of_the_record_are_stored_together(each_database_url: str) -> None:
    def told(outcomes: Sequence[LogoOutcome]) -> list[AuditEntry]:
        said = ", ".join(outcome.result for outcome in outcomes)
        return [AuditEntry(at=NOW, who="ann", what=Act.LOGOS_BULK, detail=said)]

    database = Database(database_address(each_database_url))
    store, audit = LogoStore(database), AuditStore(database)
    await store.change([UPLOAD], entries=no_entries)
    found = await store.change([replace(UPLOAD, lender_id=9), UPLOAD, replace(UPLOAD, lender_id=7)], entries=told)
    assert [outcome.result for outcome in found] == [LogoResult.ADDED, LogoResult.CONFLICT, LogoResult.ADDED]
    assert [entry.detail for entry in await audit.latest(9)] == ["added, conflict, added"]
    await database.close()


async def test_nothing_is_stored_where_the_record_cannot_be_written(stores: Stores) -> None:
    def told(_outcomes: Sequence[LogoOutcome]) -> list[AuditEntry]:
        raise StorageError("away")

    with pytest.raises(StorageError, match="away"):
        await stores.logos.change([UPLOAD, FED, replace(UPLOAD, lender_id=7)], entries=told)
    assert await stores.logos.newest() == ()


async def test_many_at_once_end_in_one_change_and_no_mixture(each_database_url: str) -> None:
    databases = [Database(database_address(each_database_url)) for _ in range(3)]
    stores = [LogoStore(database) for database in databases] * 4
    changes = [
        [replace(UPLOAD, lender_id=lender_id, picture=picture(f"{who}"), who=str(who)) for lender_id in (7, 9, 42)]
        for who in range(len(stores))
    ]
    # half of them in another order, as two zip files may have it
    turned = [each if place % 2 else each[::-1] for place, each in enumerate(changes)]
    found = await asyncio.gather(
        *(store.change(each, entries=no_entries) for store, each in zip(stores, turned, strict=True))
    )
    winners = [place for place, outcomes in enumerate(found) if outcomes[0].is_stored]
    assert len(winners) == 1
    assert {outcome.result for outcome in found[winners[0]]} == {LogoResult.ADDED}
    others = {outcome.result for place, each in enumerate(found) if place != winners[0] for outcome in each}
    assert others == {LogoResult.CONFLICT}
    assert {one.who for one in await stores[0].newest()} == {str(winners[0])}
    for database in databases:
        await database.close()


async def test_feeds_of_several_servers_meet_without_harm(each_database_url: str) -> None:
    databases = [Database(database_address(each_database_url)) for _ in range(4)]
    changes = [replace(FED, lender_id=lender_id) for lender_id in range(1, 20)]
    found = await asyncio.gather(*(LogoStore(database).change(changes, entries=no_entries) for database in databases))
    for database in databases:
        await database.close()
    results = [outcome.result for outcomes in found for outcome in outcomes]
    assert (results.count(LogoResult.ADDED), results.count(LogoResult.SAME)) == (19, 57)
