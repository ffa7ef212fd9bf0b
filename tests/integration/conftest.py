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

from broker import routes
from broker.server.data_pages import DataPages, data_page_handlers
from broker.server.edge import api_transformer
from broker.server.export.finish import pages
from broker.server.exported_site import Export, read_export
from broker.server.releases import LiveExport
from broker.settings import read_settings
from tests.data_pages import data_pages, drawn_on_request, filled
from tests.integration.reading import ReadPage, read_page


@pytest.fixture(scope="session")
def html(site: Path, of_data: DataPages) -> dict[str, str]:
    """Return every page by its path: those of the export, and those of data, filled as the server fills them."""
    return {path: file.read_text("utf-8") for path, file in pages(site).items()} | filled(of_data)


@pytest.fixture(scope="session")
def of_data(live: LiveExport) -> DataPages:
    return data_pages(live)


@pytest.fixture(scope="session")
def live(site: Path) -> LiveExport:
    settings = read_settings()
    assert site.is_relative_to(settings.releases_dir.resolve())
    live = LiveExport(settings.releases_dir, settings.site_url)
    live.open()
    return live


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
def edge(live: LiveExport, of_data: DataPages) -> ASGIApp:
    handlers = data_page_handlers(of_data) | {f"{routes.ART}*": drawn_on_request()}
    wrap = api_transformer(read_settings(), live, handlers=handlers, data_pages=of_data)
    return wrap(Starlette())


@pytest.fixture(scope="session")
def web(edge: ASGIApp) -> Iterator[TestClient]:
    with TestClient(edge, follow_redirects=False) as client:
        yield client


@pytest.fixture(scope="session")
def answers(html: dict[str, str], web: TestClient) -> dict[str, httpx2.Response]:
    return {path: web.get(path) for path in html}
