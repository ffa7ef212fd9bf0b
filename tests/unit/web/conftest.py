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
def settings(db_settings: Settings) -> Settings:
    """The settings of a site with a database of its own."""
    return db_settings
