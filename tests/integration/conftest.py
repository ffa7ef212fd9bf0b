"""The exported pages: their text, and what a strict parser reads in them, both once for all tests."""

import fcntl
import os
import pickle
from pathlib import Path

import pytest

from broker.web.export.finish import pages
from tests.integration.reading import ReadPage, read_page


@pytest.fixture(scope="session")
def html(site: Path) -> dict[str, str]:
    """The text of every page, by path."""
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
