"""Fixtures of databases in SQLite files, and of a PostgreSQL."""

import asyncio
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from broker.settings import Settings
from broker.storage.database import Database, database_address
from broker.storage.migrations import migrate
from tests.databases.cluster import Cluster, shared
from tests.databases.redis_server import RedisServer, redis_server

TEMPLATE = "template_with_tables"
KEY = "a key of the tests that is long enough"


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("sqlite") / "template.db"
    asyncio.run(migrated(f"sqlite:///{file}"))
    return file


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with shared(folder / "postgresql.json", prepare=_create_template) as cluster:
        yield cluster


@pytest.fixture
def own_redis() -> Iterator[RedisServer]:
    """Return a Redis that a test may stop."""
    with redis_server() as server:
        yield server


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


def _create_template(cluster: Cluster) -> None:
    with ThreadPoolExecutor(1) as thread:  # Playwright keeps an event loop in this one
        thread.submit(asyncio.run, migrated(cluster.create(TEMPLATE))).result()


async def migrated(url: str) -> None:
    database = Database(database_address(url))
    await migrate(database)
    await database.close()
