"""What pages weigh as HTML, before compression: 60 kB at most, but for the search over all deals."""

from __future__ import annotations

from pathlib import Path

from broker import routes
from broker.web.export.finish import pages

MOST = 60_000
MORE = {routes.TEST: 144_000, routes.RATES: 78_000}
"""The sheet of every block, which nobody visits, and the search over the deals of every kind, a tool."""


def test_no_page_weighs_more_than_it_may(site: Path) -> None:
    sizes = {path: file.stat().st_size for path, file in pages(site).items()}
    assert {path: size for path, size in sizes.items() if size > MORE.get(path, MOST)} == {}
