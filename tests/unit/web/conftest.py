from __future__ import annotations

import pytest
from starlette.testclient import TestClient

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
