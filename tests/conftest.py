"""What every test may use: the built site, and browser tests last."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.databases.fixtures import cluster, database_url, db_settings, own_redis, sqlite_template, sqlite_url
from tools.build import build
from tools.project import Project

__all__ = ["cluster", "database_url", "db_settings", "own_redis", "sqlite_template", "sqlite_url"]
"""Fixtures that stand elsewhere."""

settings.register_profile("busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy machine")

E2E = Path(__file__).parent / "e2e"

SLOW = ("every_page", "css_subset", "live_failures", "resilience", "layout_shift", "enquiries", "accessibility")
"""The browser tests that take longest, `test_` left out: they begin, so that no worker waits long for another."""


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def project() -> Project:
    return Project()


@pytest.fixture(scope="session")
def site(project: Project) -> Path:
    """Return the folder of the exported site, built once and only when a source changed."""
    return build(project)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the browser tests, and order the files: one that needs the site, those that do not, the others, browsers.

    So one worker builds the site while another runs what can do without. Browser tests come last also because
    Playwright keeps an event loop, in which `asyncio.run` is refused; SLOW files come first, then those with the most
    tests.
    """
    browsers = Counter(item.path for item in items if item.path.is_relative_to(E2E))
    for item in items:
        if item.path in browsers:
            item.add_marker("e2e")
    built = {item.path for item in items if "site" in getattr(item, "fixturenames", ())} - browsers.keys()
    builder = next((item.path for item in items if item.path in built), None)

    def place(item: pytest.Item) -> tuple[bool, bool, int, bool, bool]:
        is_quick = item.path.stem.removeprefix("test_") not in SLOW
        return item.path in browsers, is_quick, -browsers[item.path], item.path != builder, item.path in built

    items.sort(key=place)
