"""The exported pages, read, parsed and answered once for all tests."""

import fcntl
import os
import pickle
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from broker.settings import read_settings
from broker.web.export.finish import pages
from broker.web.serving.edge import api_transformer
from broker.web.serving.exported_site import Export, read_export
from broker.web.serving.releases import LiveExport
from tests.integration.reading import ReadPage, read_page


@pytest.fixture(scope="session")
def html(site: Path) -> dict[str, str]:
    return {path: file.read_text("utf-8") for path, file in pages(site).items()}


@pytest.fixture(scope="session")
def read(html: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, ReadPage]:
    """Return what every page holds, by path: parsed in about ten seconds by one process, which the others wait for."""
    folder = tmp_path_factory.getbasetemp()
    shared = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "read-pages"
    with shared.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if file.tell():
            file.seek(0)
            return pickle.load(file)
        parsed = {path: read_page(page) for path, page in html.items()}
        pickle.dump(parsed, file)
    return parsed


@pytest.fixture(scope="session")
def export(site: Path) -> Export:
    return read_export(site, read_settings().site_url)


@pytest.fixture(scope="session")
def edge(site: Path) -> ASGIApp:
    settings = read_settings()
    assert site.is_relative_to(settings.releases_dir.resolve())
    return api_transformer(settings, LiveExport(settings.releases_dir, settings.site_url))(Starlette())


@pytest.fixture(scope="session")
def web(edge: ASGIApp) -> Iterator[TestClient]:
    with TestClient(edge, follow_redirects=False) as client:
        yield client


@pytest.fixture(scope="session")
def answers(html: dict[str, str], web: TestClient) -> dict[str, httpx2.Response]:
    return {path: web.get(path) for path in html}
