import asyncio
import subprocess
import sys
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel

from broker.storage.database import Database, database_address
from broker.storage.errors import StorageError
from broker.storage.migrations import REVISIONS, downgrade, held_revision, migrate
from tests.databases.fixtures import migrated

BY_HAND = """
import asyncio, sys
from broker.storage.database import Database, database_address
from broker.storage.migrations import migrate

async def migrated(database):
    await migrate(database)
    await database.close()

sys.stdin.readline()
asyncio.run(migrated(Database(database_address(sys.argv[1]))))
"""

ENQUIRY = """INSERT INTO enquiries (reference, submission, kind, state, version, created, delete_after, page, contact,
 answers, consent_text, consent_at, consent_page, marketing) VALUES ('HG-2222-3333', 'a', 'contact', 'new', 1,
 '2026-03-01 10:00:00', '2027-03-01 10:00:00', '/contact/', 'c', 'a', '1', '2026-03-01 10:00:00', '/contact/', '')"""


def differences(connection: Connection) -> list[Any]:
    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    return compare_metadata(context, SQLModel.metadata)


async def test_tables_are_as_the_models_say(database: Database) -> None:
    assert await database.read(lambda connection: connection.run_sync(differences)) == []


def test_tables_are_made_once_by_processes_that_start_at_once(empty_database: str) -> None:
    command = [sys.executable, "-W", "error", "-c", BY_HAND, empty_database]
    processes = [subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [process.stdin.write("go\n") for process in processes if process.stdin] == [3, 3, 3]
    assert [process.communicate(timeout=60)[1] for process in processes] == ["", "", ""]
    asyncio.run(migrated(empty_database))


async def test_older_tables_are_changed_with_what_is_in_them(empty_database: str) -> None:
    database = Database(database_address(empty_database))
    await migrate(database, "0001")

    async def fill(connection: AsyncConnection) -> None:
        await connection.execute(text(ENQUIRY))

    async def ask(connection: AsyncConnection) -> tuple[object, ...]:
        held = "reference, mail.kind, key, mail.attempts, problem, assigned, call_by = enquiries.created"
        joined = f"SELECT {held} FROM enquiries JOIN mail ON enquiry_id = enquiries.id"
        return tuple((await connection.execute(text(joined))).one())

    await database.write(fill)
    await migrate(database)
    assert await database.read(ask) == ("HG-2222-3333", "enquiry-note", "HG-2222-3333", 0, "", "", True)
    await database.close()


async def test_notes_that_wait_keep_their_attempts_and_message_id_in_both_directions(empty_database: str) -> None:
    database = Database(database_address(empty_database))
    await migrate(database, "0010")

    async def fill(connection: AsyncConnection) -> None:
        await connection.execute(text(ENQUIRY))
        columns = "enquiry_id, created, due, attempts, problem"
        values = "id, created, '2026-03-01 11:00:00', 3, '451' FROM enquiries"
        await connection.execute(text(f"INSERT INTO outbox ({columns}) SELECT {values}"))

    async def ask(connection: AsyncConnection, table: str, columns: str) -> tuple[object, ...]:
        found = await connection.execute(text(f"SELECT {columns}, attempts, problem FROM {table}"))
        return tuple(found.one())

    await database.write(fill)
    await migrate(database)
    held = await database.read(lambda one: ask(one, "mail", "key, recipient, sent_at"))
    await downgrade(database, "0010")
    back = await database.read(lambda one: ask(one, "outbox", "sent_at"))
    assert (held, back) == (("HG-2222-3333", None, None, 3, "451"), (None, 3, "451"))
    await database.close()


async def test_tables_go_back_to_those_of_an_earlier_release_with_their_rows(empty_database: str) -> None:
    database = Database(database_address(empty_database))
    await migrate(database)

    async def fill(connection: AsyncConnection) -> None:
        await connection.execute(text(ENQUIRY))

    async def ask(connection: AsyncConnection) -> object:
        return await connection.scalar(text("SELECT reference FROM enquiries"))

    await database.write(fill)
    for revision in reversed(REVISIONS):
        await downgrade(database, revision)
        assert (await held_revision(database), await database.read(ask)) == (revision, "HG-2222-3333")
    with pytest.raises(StorageError, match="cannot take them back to 9999"):
        await downgrade(database, "9999")
    with pytest.raises(StorageError, match=f"cannot take them back to {REVISIONS[-1]}"):
        await downgrade(database, REVISIONS[-1])
    await migrate(database)
    assert await database.read(ask) == "HG-2222-3333"
    await database.close()
