import asyncio
import itertools
import shutil
import stat
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel

from broker.questionnaire.journey_store import StoredJourney
from broker.staff.audit import Act, AuditEntry
from broker.storage import backup
from broker.storage.backup import BackupError, has_rows, libpq_variables, restore_backup, write_backup
from broker.storage.database import Database, database_address
from broker.storage.errors import StorageError
from broker.storage.migrations import NEWEST, held_revision, migrate
from tests.unit.storage.stores import LATER, NOON, Stores, new, stores_of

Rows = Mapping[str, list[tuple[Any, ...]]]


@pytest.fixture
async def elsewhere(other_database: str) -> AsyncIterator[Database]:
    database = Database(database_address(other_database))
    yield database
    await database.close()


async def rows_of(database: Database) -> Rows:
    async def work(connection: AsyncConnection) -> Rows:
        found = {name: await connection.execute(table.select()) for name, table in SQLModel.metadata.tables.items()}
        return {name: sorted((tuple(row) for row in rows), key=repr) for name, rows in found.items()}

    return await database.read(work)


async def execute(database: Database, statement: str) -> None:
    async def work(connection: AsyncConnection) -> None:
        await connection.execute(text(statement))

    await database.write(work)


async def filled(stores: Stores, first: int = 0) -> None:
    """Store an enquiry, with its note to staff, a journey, and an entry of the audit record."""
    await stores.enquiries.add(new(first))
    written = StoredJourney(
        flow="", entry="q1", answers={"q1": "buy"}, written={"q1": 1}, version=1, delete_after=LATER
    )
    await stores.journeys.add(f"token {first}", written, now=NOON)
    await stores.audit.add(AuditEntry(at=NOON, who="ada", what=Act.SIGNED_IN))


@contextmanager
def writing(url: str, last: int) -> Iterator[None]:
    """Store enquiries from another thread, as fast as they are taken, from one of some number on."""
    begun, ended = threading.Event(), threading.Event()

    async def work() -> None:
        stores = stores_of(Database(database_address(url)))
        for number in itertools.count(last):
            await stores.enquiries.add(new(number))
            begun.set()
            if ended.is_set():
                break
        await stores.database.close()

    thread = threading.Thread(target=asyncio.run, args=(work(),))
    thread.start()
    assert begun.wait(timeout=30)
    try:
        yield
    finally:
        ended.set()
        thread.join()


async def test_every_row_of_one_moment_is_restored(
    stores: Stores, each_database_url: str, elsewhere: Database, tmp_path: Path
) -> None:
    await filled(stores)
    before = await rows_of(stores.database)
    with writing(each_database_url, 1):
        assert await write_backup(stores.database, tmp_path / "backup") == NEWEST
    after = await rows_of(stores.database)
    await restore_backup(elsewhere, tmp_path / "backup", replace=False)
    found = await rows_of(elsewhere)
    assert all(set(rows) <= set(found[name]) <= set(after[name]) for name, rows in before.items())
    enquiries = len(found["enquiries"])
    assert 1 < enquiries <= len(after["enquiries"])
    assert sorted(row[0] for row in found["enquiries"]) == list(range(1, enquiries + 1))
    assert len(found["mail"]) == enquiries


async def test_restored_database_goes_on(stores: Stores, elsewhere: Database, tmp_path: Path) -> None:
    await filled(stores)
    await write_backup(stores.database, tmp_path / "backup")
    await restore_backup(elsewhere, tmp_path / "backup", replace=False)
    await migrate(elsewhere)
    await filled(stores_of(elsewhere), 1)
    rows = await rows_of(elsewhere)
    assert sorted(row[0] for row in rows["enquiries"]) == [1, 2]
    with pytest.raises((StorageError, IntegrityError)):
        await execute(elsewhere, "DELETE FROM audit")


async def test_backup_is_for_its_owner_alone_and_overwrites_nothing(stores: Stores, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    await write_backup(stores.database, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert {each.name for each in tmp_path.iterdir() if each.name.startswith("backup")} == {"backup"}
    before = file.read_bytes()
    with pytest.raises(StorageError, match="there already"):
        await write_backup(stores.database, file)
    assert file.read_bytes() == before


async def test_backup_that_fails_leaves_no_file(
    stores: Stores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(StorageError, match="cannot be written: No such file or directory"):
        await write_backup(stores.database, tmp_path / "nowhere" / "backup")

    def full(*_: object) -> None:
        raise BackupError("no space")

    monkeypatch.setattr(backup, "_dump_postgres", full)
    monkeypatch.setattr(backup, "_copy_sqlite", full)
    with pytest.raises(BackupError, match="no space"):
        await write_backup(stores.database, tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


@pytest.mark.parametrize("each_database_url", ["postgresql"], indirect=True)
async def test_missing_program_is_named_and_how_to_get_it(
    stores: Stores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(BackupError, match="pg_dump is not installed: apt-get install postgresql-client"):
        await write_backup(stores.database, tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


@pytest.mark.parametrize("each_database_url", ["postgresql"], indirect=True)
async def test_problem_of_a_program_is_one_line_of_it(stores: Stores, each_database_url: str, tmp_path: Path) -> None:
    await write_backup(stores.database, tmp_path / "backup")
    away = Database(database_address(each_database_url.replace("@/", "@/not_")))
    with pytest.raises(BackupError, match=r"^The database could not be replaced, and is as before: psql: error: .+$"):
        backup._restore_postgres(away.url, tmp_path / "backup")


async def test_database_with_rows_is_replaced_only_where_that_is_said(stores: Stores, tmp_path: Path) -> None:
    await filled(stores)
    at_the_time = await rows_of(stores.database)
    await write_backup(stores.database, tmp_path / "backup")
    await filled(stores, 1)
    before = await rows_of(stores.database)
    with pytest.raises(StorageError, match="--replace"):
        await restore_backup(stores.database, tmp_path / "backup", replace=False)
    assert await rows_of(stores.database) == before
    await restore_backup(stores.database, tmp_path / "backup", replace=True)
    assert await rows_of(stores.database) == at_the_time


async def test_tables_of_a_later_release_are_replaced_by_those_of_the_backup(
    database: Database, elsewhere: Database, tmp_path: Path
) -> None:
    await migrate(elsewhere, "0006")
    await write_backup(elsewhere, tmp_path / "backup")
    await filled(stores_of(database))
    await restore_backup(database, tmp_path / "backup", replace=True)
    assert (await held_revision(database), await has_rows(database)) == ("0006", False)
    await migrate(database)
    await filled(stores_of(database))


async def test_file_that_is_not_whole_is_refused_and_nothing_is_lost(stores: Stores, tmp_path: Path) -> None:
    await filled(stores)
    before, whole, file = await rows_of(stores.database), tmp_path / "whole", tmp_path / "backup"
    await write_backup(stores.database, whole)
    size = whole.stat().st_size
    for kept in (20, size // 3, size // 2, size - 1_000, size - 1):
        file.write_bytes(whole.read_bytes()[:kept])
        with pytest.raises(StorageError, match=r"^\S+ is damaged or not whole, and the database is as before"):
            await restore_backup(stores.database, file, replace=True)
    for other in (b"", b"something else, that is long enough"):
        file.write_bytes(other)
        with pytest.raises(StorageError, match="is not a backup of"):
            await restore_backup(stores.database, file, replace=True)
    with pytest.raises(StorageError, match="cannot be read: No such file"):
        await restore_backup(stores.database, tmp_path / "nothing", replace=True)
    assert await rows_of(stores.database) == before


async def test_damaged_database_is_restored_once_it_is_moved_away(
    sqlite_url: str, sqlite_template: Path, tmp_path: Path
) -> None:
    shutil.copyfile(sqlite_template, tmp_path / "backup")
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    file.write_bytes(b"garbage" * 1_000)
    database = Database(database_address(sqlite_url))
    with pytest.raises(BackupError, match=f"where {file} is damaged, move it away and restore again"):
        await restore_backup(database, tmp_path / "backup", replace=True)
    await database.close()
    file.unlink()
    database = Database(database_address(sqlite_url))
    await restore_backup(database, tmp_path / "backup", replace=False)
    assert await held_revision(database) == NEWEST
    await database.close()


async def test_backup_of_a_newer_release_is_refused(stores: Stores, elsewhere: Database, tmp_path: Path) -> None:
    await execute(stores.database, "UPDATE alembic_version SET version_num = '9999'")
    await write_backup(stores.database, tmp_path / "backup")
    with pytest.raises(StorageError, match="is of a newer release"):
        await restore_backup(elsewhere, tmp_path / "backup", replace=True)


async def test_database_without_tables_has_no_backup(elsewhere: Database, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="no tables yet"):
        await write_backup(elsewhere, tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


def test_programs_get_the_address_and_the_password_as_variables() -> None:
    address = database_address("postgresql://ada:p%40ss@db.example:5433/site?sslmode=require")
    assert libpq_variables(address) == {
        "PGHOST": "db.example",
        "PGPORT": "5433",
        "PGUSER": "ada",
        "PGPASSWORD": "p@ss",
        "PGDATABASE": "site",
        "PGSSLMODE": "require",
        "PGCONNECT_TIMEOUT": "5",
    }
    assert libpq_variables(database_address("postgresql:///site?host=/run/pg"))["PGHOST"] == "/run/pg"
