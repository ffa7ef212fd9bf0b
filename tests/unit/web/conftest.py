from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from broker.settings import Settings
from broker.web.serving.releases import LiveExport
from tests.unit.web.enquiry_pages import live_export
from tests.unit.web.site import LISTS, client


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    """A client of the small site, over http."""
    return client(tmp_path_factory.mktemp("export"))


@pytest.fixture(scope="module")
def secure_web(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    """A client of the small site, over https, with lists of its own below `/lists/`."""
    folder = tmp_path_factory.mktemp("export")
    return client(folder, site_url="https://broker.example", handlers=LISTS)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> LiveExport:
    """A small export with the pages of enquiries that the edge fills."""
    return live_export(tmp_path_factory.mktemp("export"))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The settings of a site with a file of its own for what is kept."""
    return Settings(state_dir=tmp_path)
