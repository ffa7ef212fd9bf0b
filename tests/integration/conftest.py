"""The exported pages: their text, and what a strict parser reads in them, both once for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from broker.web.export.finish import pages
from tests.integration.reading import ReadPage, read_page


@pytest.fixture(scope="session")
def html(site: Path) -> dict[str, str]:
    """The text of every page, by path."""
    return {path: file.read_text("utf-8") for path, file in pages(site).items()}


@pytest.fixture(scope="session")
def read(html: dict[str, str]) -> dict[str, ReadPage]:
    """What every page holds, by path: some ten seconds for all of them."""
    return {path: read_page(page) for path, page in html.items()}
