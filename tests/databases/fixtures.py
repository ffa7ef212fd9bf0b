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
    """An SQLite file with all tables and no rows, to be copied."""
    file = tmp_path_factory.mktemp("sqlite") / "template.db"
    asyncio.run(migrated(f"sqlite:///{file}"))
    return file


@pytest.fixture
def sqlite_url(tmp_path: Path, sqlite_template: Path) -> str:
    """The address of an SQLite file with all tables and no rows."""
    file = shutil.copyfile(sqlite_template, tmp_path / "enquiries.db")
    return f"sqlite:///{file}"


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """The address of a database with all tables and no rows."""
    return sqlite_url


@pytest.fixture
def db_settings(database_url: str, tmp_path: Path) -> Settings:
    """The settings of a site that stores enquiries in a database of the test's own."""
    return Settings(state_dir=tmp_path / "state", database_url=database_url, secret_keys=(KEY,))


async def migrated(url: str) -> None:
    """Create all tables of a database."""
    database = Database(database_address(url))
    await migrate(database)
    await database.close()
