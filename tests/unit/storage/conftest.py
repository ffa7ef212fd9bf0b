"""Fixtures that run a storage test on SQLite and on PostgreSQL."""

import itertools
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from broker.storage.database import Database, database_address
from tests.databases.cluster import Cluster
from tests.databases.fixtures import TEMPLATE
from tests.unit.storage.stores import Stores, stores_of

KINDS = ("sqlite", "postgresql")

_numbers = itertools.count(1)


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
def other_database(request: pytest.FixtureRequest, database_url: str, tmp_path: Path) -> Iterator[str]:
    """Return the address of an empty database of the same kind as the first."""
    if database_url.startswith("sqlite"):
        yield f"sqlite:///{tmp_path / 'elsewhere' / 'enquiries.db'}"
    else:
        yield from _created(request, "template0")


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    database = Database(database_address(database_url))
    yield database
    await database.close()


@pytest.fixture
def stores(database: Database) -> Stores:
    return stores_of(database)


def _created(request: pytest.FixtureRequest, template: str) -> Iterator[str]:
    cluster: Cluster = request.getfixturevalue("cluster")
    name = f"test_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}_{next(_numbers)}"
    yield cluster.create(name, template=template)
    cluster.drop(name)
