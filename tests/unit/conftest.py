"""Services over a database of the test's own, and databases of each kind: SQLite and PostgreSQL."""

import itertools
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from broker.services import Services
from broker.settings import Settings
from broker.storage.database import Database, database_address
from tests.databases.cluster import Cluster
from tests.databases.fixtures import TEMPLATE
from tests.unit.enquiries.enquiring import Calendar, running
from tests.unit.rates.feed.changing_feed import Feed
from tests.unit.storage.stores import Stores, stores_of

KINDS = ("sqlite", "postgresql")
_numbers = itertools.count(1)


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture
async def services(db_settings: Settings, calendar: Calendar) -> AsyncIterator[Services]:
    async with running(db_settings, calendar) as opened:
        yield opened


@pytest.fixture
def feed() -> Feed:
    return Feed({})


@pytest.fixture(params=KINDS)
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'enquiries.db'}"
    else:
        yield from _created(request, "template0")


@pytest.fixture(params=KINDS)
def each_database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite_url")
    else:
        yield from _created(request, TEMPLATE)


@pytest.fixture
def other_database(request: pytest.FixtureRequest, each_database_url: str, tmp_path: Path) -> Iterator[str]:
    """Return the address of an empty database of the same kind as the first."""
    if each_database_url.startswith("sqlite"):
        yield f"sqlite:///{tmp_path / 'elsewhere' / 'enquiries.db'}"
    else:
        yield from _created(request, "template0")


@pytest.fixture
async def database(each_database_url: str) -> AsyncIterator[Database]:
    database = Database(database_address(each_database_url))
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
