from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from broker.server.releases import LiveExport
from broker.settings import Settings
from tests.unit.server.enquiry_pages import live_export
from tests.unit.server.site import LISTS, client
from tests.unit.server.staff_web import Browser, staff_web


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    return client(tmp_path_factory.mktemp("export"))


@pytest.fixture(scope="module")
def secure_web(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    folder = tmp_path_factory.mktemp("export")
    return client(folder, site_url="https://broker.example", handlers=LISTS)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> LiveExport:
    return live_export(tmp_path_factory.mktemp("export"))


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with staff_web(tmp_path) as browser:
        yield browser


@pytest.fixture
def settings(db_settings: Settings) -> Settings:
    return db_settings
