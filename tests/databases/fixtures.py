"""Fixtures: a test that takes one of these runs on each kind of database."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from broker.settings import Settings
from broker.storage.database import Database, database_address
from broker.storage.migrations import migrate
from tests.databases.cluster import Cluster, running

KINDS = ("sqlite", "postgresql")
KEY = "a key of the tests that is long enough"

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL of the tests' own, started by the first test that needs one."""
    with running() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def template(cluster: Cluster) -> str:
    """The name of a PostgreSQL database with all the tables."""
    url = cluster.create("template_for_tests")
    asyncio.run(migrated(url))
    return "template_for_tests"


@pytest.fixture(params=KINDS)
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database without tables."""
    yield from _fresh(request, tmp_path, like="template0")


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database with all its tables, and nothing in them."""
    like = request.getfixturevalue("template") if request.param == "postgresql" else ""
    for url in _fresh(request, tmp_path, like=like):
        if request.param == "sqlite":
            asyncio.run(migrated(url))
        yield url


@pytest.fixture
def db_settings(database_url: str, tmp_path: Path) -> Settings:
    """The settings of a site that keeps what visitors send in a database of the test's own."""
    return Settings(state_dir=tmp_path / "state", database_url=database_url, secret_keys=(KEY,))


async def migrated(url: str) -> None:
    """Make all the tables of a database."""
    database = Database(database_address(url))
    await migrate(database)
    await database.close()


def _fresh(request: pytest.FixtureRequest, folder: Path, *, like: str) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{folder / 'enquiries.db'}"
        return
    cluster: Cluster = request.getfixturevalue("cluster")
    name = f"test_{next(_numbers)}"
    yield cluster.create(name, template=like)
    cluster.drop(name)
