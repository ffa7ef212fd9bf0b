"""Fixtures that run a storage test on SQLite and on PostgreSQL."""

import asyncio
import itertools
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from broker.storage.database import Database, database_address
from tests.databases.cluster import Cluster, shared
from tests.databases.fixtures import migrated
from tests.unit.storage.stores import Stores, stores_of

KINDS = ("sqlite", "postgresql")
TEMPLATE = "template_with_tables"

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with shared(folder / "postgresql.json", prepare=_create_template) as cluster:
        yield cluster


@pytest.fixture(params=KINDS)
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'enquiries.db'}"
    else:
        yield from _created(request, "template0")


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite_url")
    else:
        yield from _created(request, TEMPLATE)


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    database = Database(database_address(database_url))
    yield database
    await database.close()


@pytest.fixture
def stores(database: Database) -> Stores:
    return stores_of(database)


def _create_template(cluster: Cluster) -> None:
    asyncio.run(migrated(cluster.create(TEMPLATE)))


def _created(request: pytest.FixtureRequest, template: str) -> Iterator[str]:
    cluster: Cluster = request.getfixturevalue("cluster")
    name = f"test_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}_{next(_numbers)}"
    yield cluster.create(name, template=template)
    cluster.drop(name)
