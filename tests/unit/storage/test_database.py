import asyncio
import shutil
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.log_format import REQUEST_ID
from broker.settings import Settings, SettingsError
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import AuditStore
from broker.storage import database as database_module
from broker.storage.database import Database, database_address, database_for
from broker.storage.errors import StorageError
from broker.storage.migrations import migrate

ADDRESSES = {
    "PostgreSQL": ("postgresql://a:b@host/name", "postgresql+asyncpg://a:b@host/name"),
    "its short name": ("postgres://a:b@host/name", "postgresql+asyncpg://a:b@host/name"),
    "a driver of its own": ("postgresql+psycopg://host/name", "postgresql+asyncpg://host/name"),
    "encrypted": ("postgresql://host/name?sslmode=require", "postgresql+asyncpg://host/name?ssl=require"),
    "a socket": ("postgresql:///name?host=/run/pg", "postgresql+asyncpg:///name?host=%2Frun%2Fpg"),
    "a file": ("sqlite:////srv/a.db", "sqlite:////srv/a.db"),
}

OTHERS = ("", "host/name", "mysql://a:secret@host/name", "postgresql://host:port/secret")


def test_address_gets_the_async_driver() -> None:
    found = {name: database_address(url).render_as_string(hide_password=False) for name, (url, _) in ADDRESSES.items()}
    assert found == {name: used for name, (_, used) in ADDRESSES.items()}


def test_address_of_another_kind_is_refused_and_not_repeated() -> None:
    for url in OTHERS:
        with pytest.raises(SettingsError, match=r"^BROKER_DATABASE_URL takes postgresql://user:password@host/name$"):
            database_address(url)


def test_file_in_the_state_folder_is_the_default(tmp_path: Path) -> None:
    database = database_for(Settings(state_dir=tmp_path / "not" / "there"))
    assert (database.is_file, database.url.database) == (True, str(tmp_path / "not" / "there" / "enquiries.db"))


async def test_sqlite_connection_has_the_pragmas(tmp_path: Path) -> None:
    wanted = {"synchronous": 2, "foreign_keys": 1, "busy_timeout": 5_000, "secure_delete": 1}
    database = database_for(Settings(state_dir=tmp_path))

    async def ask(connection: AsyncConnection) -> dict[str, object]:
        return {name: (await connection.execute(text(f"PRAGMA {name}"))).scalar() for name in wanted}

    assert await database.read(ask) == wanted
    await database.close()


@asynccontextmanager
async def counting(database: Database) -> AsyncIterator[Database]:
    async def make(connection: AsyncConnection) -> None:
        await connection.execute(text("CREATE TABLE counts (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)"))
        await connection.execute(text("INSERT INTO counts VALUES (1, 0)"))

    if database.is_file:
        with closing(sqlite3.connect(database.url.database or "")) as setting:
            setting.execute("PRAGMA journal_mode=WAL")
    await database.write(make)
    yield database
    await database.close()


@pytest.fixture
async def counts(empty_database: str) -> AsyncIterator[Database]:
    async with counting(Database(database_address(empty_database))) as database:
        yield database


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncIterator[Database]:
    async with counting(database_for(Settings(state_dir=tmp_path))) as database:
        yield database


async def _count(connection: AsyncConnection) -> int:
    return (await connection.execute(text("SELECT n FROM counts"))).scalar_one()


async def _one_more(connection: AsyncConnection) -> None:
    await connection.execute(text("UPDATE counts SET n = n + 1"))


async def test_failed_work_is_rolled_back(counts: Database) -> None:
    class ChangedMindError(Exception):
        pass

    async def halfway(connection: AsyncConnection) -> None:
        await _one_more(connection)
        raise ChangedMindError

    with pytest.raises(ChangedMindError):
        await counts.write(halfway)
    await asyncio.gather(*(counts.write(_one_more) for _ in range(40)))
    assert await counts.read(_count) == 40


@pytest.mark.parametrize("writers", [1, 8])
async def test_writers_wait_so_long_in_all(sqlite: Database, monkeypatch: pytest.MonkeyPatch, writers: int) -> None:
    """Another process holds SQLite's lock: each writer gives up when its own time is over."""
    monkeypatch.setattr(database_module, "WAIT_SECONDS", 1.0)
    with closing(sqlite3.connect(sqlite.url.database or "", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        async with asyncio.timeout(7):
            outcomes = await asyncio.gather(*(sqlite.write(_one_more) for _ in range(writers)), return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {StorageError}
        other.execute("ROLLBACK")
    await sqlite.write(_one_more)
    assert await sqlite.read(_count) == 1


async def test_erased_words_are_in_no_file(sqlite: Database) -> None:
    async def note(connection: AsyncConnection) -> None:
        await connection.execute(text("CREATE TABLE notes (words TEXT)"))
        await connection.execute(text("INSERT INTO notes VALUES ('marmalade')"))

    async def forget(connection: AsyncConnection) -> None:
        await connection.execute(text("DELETE FROM notes"))

    file = Path(sqlite.url.database or "")
    await sqlite.write(note)
    assert any(b"marmalade" in each.read_bytes() for each in file.parent.glob(f"{file.name}*"))
    await sqlite.erase(forget)
    assert [each.name for each in file.parent.glob(f"{file.name}*") if b"marmalade" in each.read_bytes()] == []


async def test_files_are_their_owners_alone(tmp_path: Path) -> None:
    database = database_for(Settings(state_dir=tmp_path / "state"))
    await migrate(database)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "state").glob("enquiries.db*")}
    await database.close()
    assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700
    assert {mode for name, mode in modes.items() if not name.endswith(".lock")} == {0o600}


async def test_cancelled_write_is_committed(counts: Database) -> None:
    waiting = asyncio.create_task(counts.write(_one_more))
    await asyncio.sleep(0)  # it has begun
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await counts.close()
    again = Database(counts.url)
    assert await again.read(_count) == 1
    await again.close()


async def test_work_logs_the_number_of_its_request(counts: Database) -> None:
    async def number(connection: AsyncConnection) -> str:
        await _count(connection)
        return REQUEST_ID.get()

    REQUEST_ID.set("a request")
    assert [await counts.read(number), await counts.write(number)] == ["a request"] * 2


async def test_work_that_awaits_something_else_than_its_connection_is_an_error(sqlite: Database) -> None:
    async def wait(connection: AsyncConnection) -> None:
        await _one_more(connection)
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="may await nothing else"):
        await sqlite.write(wait)
    assert await sqlite.read(_count) == 0


async def test_cancelled_read_ends_before_its_database_is_closed(sqlite: Database) -> None:
    begun, go_on, ended = threading.Event(), threading.Event(), threading.Event()

    async def slowly(connection: AsyncConnection) -> None:
        begun.set()
        go_on.wait(10)
        await _count(connection)
        ended.set()

    waiting = asyncio.create_task(sqlite.read(slowly))
    await asyncio.to_thread(begun.wait, 10)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    go_on.set()
    await sqlite.close()
    assert ended.is_set()


async def test_integrity_error_is_raised_without_values(counts: Database) -> None:
    async def again(connection: AsyncConnection) -> None:
        await connection.execute(text("INSERT INTO counts VALUES (:id, :n)"), {"id": 1, "n": 987_654})

    with pytest.raises(IntegrityError) as refused:
        await counts.write(again)
    assert "987654" not in str(refused.value)


AWAY = {
    "no such folder": ("sqlite:////proc/none/a.db", "OperationalError"),
    "no server": ("postgresql://someone:secret@127.0.0.1:1/name", "ConnectionRefusedError"),
}


@pytest.mark.parametrize(("url", "kind"), AWAY.values(), ids=AWAY)
async def test_unavailable_database_is_named_without_its_address(
    url: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "mkdir", lambda *_, **__: None)

    with pytest.raises(StorageError) as away:
        database = Database(database_address(url))
        try:
            await database.read(_count)
        finally:
            await database.close()
    assert str(away.value) == f"the database cannot be used: {kind}"


async def test_write_to_a_file_that_was_removed_or_replaced_fails(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database, copy = database_for(Settings(state_dir=tmp_path)), tmp_path / "copy.db"
    await migrate(database)
    await database.check_writable()
    file = Path(str(database.url.database))
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    for suffix in ("", "-wal", "-shm"):
        file.with_name(file.name + suffix).unlink()
    for _ in range(2):
        with pytest.raises(StorageError, match="not the one that was opened"):
            await database.check_writable()
    copy.rename(file)
    with pytest.raises(StorageError, match="not the one that was opened"):
        await database.check_writable()
    await database.check_writable()
    await database.close()
    words = "the database's file was {} while it was open"
    assert caplog.messages == [words.format("removed"), words.format("removed"), words.format("replaced")]


def _without_log(file: Path, backup: bytes) -> None:
    for suffix in ("-wal", "-shm"):
        file.with_name(file.name + suffix).unlink()
    file.write_bytes(backup)


OVERWRITTEN: dict[str, Callable[[Path, bytes], object]] = {
    "with a backup": lambda file, backup: file.write_bytes(backup),
    "with a backup and without its log": _without_log,
    "with nothing": lambda file, _backup: file.write_bytes(b""),
    "with something else": lambda file, _backup: file.write_bytes(b"something else " * 9_000),
}


@pytest.mark.parametrize("overwrite", OVERWRITTEN.values(), ids=OVERWRITTEN)
async def test_write_to_an_overwritten_file_returns_only_if_it_can_be_read(
    tmp_path: Path, overwrite: Callable[[Path, bytes], object]
) -> None:
    database = database_for(Settings(state_dir=tmp_path / "state"))
    await migrate(database)
    store, file, stored = AuditStore(database), Path(str(database.url.database)), list[str]()
    await store.add(_entry("before"))
    await database.empty_log()
    backup = file.read_bytes()
    for number in range(20):
        await store.add(_entry(f"meanwhile {number}"))
    await database.empty_log()
    overwrite(file, backup)
    for number in range(5):
        with suppress(StorageError):
            await store.add(_entry(f"{number}"))
            stored.append(f"{number}")
    shutil.copytree(file.parent, tmp_path / "killed")  # what a server would find that starts after this one was killed
    await database.close()
    assert set(stored) <= _subjects(tmp_path / "killed" / file.name)


def _entry(about: str) -> AuditEntry:
    return AuditEntry(at=datetime(2026, 3, 31, tzinfo=UTC), who="ada", what=Act.SIGNED_IN, about=about)


def _subjects(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as connection:
        try:
            return {about for (about,) in connection.execute("SELECT about FROM audit")}
        except sqlite3.Error:
            return set()
