"""Fixtures of databases in SQLite files; `tests/unit/storage` runs its tests on PostgreSQL too."""

import asyncio
import shutil
from pathlib import Path

import pytest

from broker.settings import Settings
from broker.storage.database import Database, database_address
from broker.storage.migrations import migrate

KEY = "a key of the tests that is long enough"


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("sqlite") / "template.db"
    asyncio.run(migrated(f"sqlite:///{file}"))
    return file


@pytest.fixture
def sqlite_url(tmp_path: Path, sqlite_template: Path) -> str:
    file = shutil.copyfile(sqlite_template, tmp_path / "enquiries.db")
    return f"sqlite:///{file}"


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    return sqlite_url


@pytest.fixture
def db_settings(database_url: str, tmp_path: Path) -> Settings:
    return Settings(state_dir=tmp_path / "state", database_url=database_url, secret_keys=(KEY,))


async def migrated(url: str) -> None:
    database = Database(database_address(url))
    await migrate(database)
    await database.close()
