from datetime import UTC, datetime

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.staff.audit import MAX_ACTOR_LENGTH, MAX_DETAIL_LENGTH, MAX_SUBJECT_LENGTH, Act, AuditEntry
from broker.staff.audit_log import MAX_ENTRIES, add_entry
from broker.storage.errors import StorageError
from tests.unit.storage.stores import Stores

NOON = datetime(2026, 3, 2, 12, 0, 0, 7, tzinfo=UTC)


def entry(who: str = "ada", what: Act = Act.SIGNED_IN, about: str = "", detail: str = "") -> AuditEntry:
    return AuditEntry(at=NOON, who=who, what=what, about=about, detail=detail)


async def test_entries_come_newest_first_as_they_were_added(stores: Stores) -> None:
    await stores.audit.add(entry())
    await stores.audit.add(entry("bob", Act.ENQUIRY_STATE, "HG-2222-3333", "new to called"))
    second, first = list(await stores.audit.latest(10))
    assert (first.at, first.who, first.what) == (NOON, "ada", Act.SIGNED_IN)
    assert (second.about, second.detail) == ("HG-2222-3333", "new to called")
    assert second.number > first.number > 0


async def test_record_is_read_page_by_page_and_narrowed(stores: Stores) -> None:
    for number in range(5):
        who = "ada" if number % 2 == 0 else "bob"
        await stores.audit.add(entry(who, Act.ENQUIRY_READ, f"HG-{number % 2}", str(number)))
    first = await stores.audit.latest(2)
    found = (
        first,
        await stores.audit.latest(2, before=first[-1].number),
        await stores.audit.latest(10, who="bob"),
        await stores.audit.latest(10, about="HG-0", before=first[0].number),
        await stores.audit.latest(0),
        await stores.audit.latest(-1),
    )
    assert [[each.detail for each in page] for page in found] == [
        ["4", "3"],
        ["2", "1"],
        ["3", "1"],
        ["2", "0"],
        [],
        [],
    ]


async def test_at_most_so_many_are_read_at_once(stores: Stores) -> None:
    async def fill(connection: AsyncConnection) -> None:
        for _ in range(MAX_ENTRIES + 1):
            await add_entry(connection, entry())

    await stores.database.write(fill)
    assert len(await stores.audit.latest(10 * MAX_ENTRIES)) == MAX_ENTRIES


CHANGES = {
    "change": "UPDATE audit SET who = 'eve'",
    "change without a difference": "UPDATE audit SET who = who",
    "delete": "DELETE FROM audit",
    "delete by number": "DELETE FROM audit WHERE id = 1",
}
OF_SQLITE = {
    "replace": "INSERT OR REPLACE INTO audit (id, at, who, what, about, detail)"
    " VALUES (1, '2026-03-02 12:00:00', 'eve', 'signed-in', '', '')",
    "upsert": "INSERT INTO audit (id, at, who, what, about, detail) VALUES (1, '2026-03-02 12:00:00', 'eve',"
    " 'signed-in', '', '') ON CONFLICT (id) DO UPDATE SET who = 'eve'",
}
OF_POSTGRESQL = {
    "truncate": "TRUNCATE audit",
    "upsert": "INSERT INTO audit (id, at, who, what, about, detail) VALUES (1, now(), 'eve', 'signed-in', '', '')"
    " ON CONFLICT (id) DO UPDATE SET who = 'eve'",
}


async def test_database_refuses_every_change(stores: Stores) -> None:
    await stores.audit.add(entry())
    for statement in (CHANGES | (OF_SQLITE if stores.database.is_file else OF_POSTGRESQL)).values():

        async def change(connection: AsyncConnection, statement: str = statement) -> None:
            await connection.execute(text(statement))

        with pytest.raises((IntegrityError, StorageError)):
            await stores.database.write(change)
    assert [(each.who, each.what) for each in await stores.audit.latest(10)] == [("ada", Act.SIGNED_IN)]


async def test_hostile_words_are_stored_shortened_and_readable(stores: Stores) -> None:
    await stores.audit.add(entry("a\0d\ud800a" * 900, Act.SIGN_IN_FAILED, "\u202e" + "x" * 900, "one\ntwo" * 900))
    kept = (await stores.audit.latest(1))[0]
    assert (len(kept.who), len(kept.detail)) == (MAX_ACTOR_LENGTH, MAX_DETAIL_LENGTH)
    assert kept.who.startswith("adaada")
    assert kept.about == "x" * MAX_SUBJECT_LENGTH
    assert kept.detail.startswith("one twoone two")
