"""What pages weigh as HTML, before compression: content pages 60 kB at most."""

from __future__ import annotations

from pathlib import Path

from broker import routes
from broker.web.export import pages

MOST = 60_000
TEST_SHEET, RATES, DEALS, BOTH = 160_000, 89_000, 81_500, 81_500
"""The sheet of every block, the rates search, the deals of a customer type, and pages with deals and calculators."""

WITH_BOTH = {"/first-time-buyer/", "/remortgaging/"}
"""Services that show deals, two long calculators, questions, reviews and guides; so do lenders' pages."""


def limit(path: str) -> int:
    """Return the bytes that a page may weigh."""
    if path == routes.TEST:
        return TEST_SHEET
    if path == routes.RATES:
        return RATES
    if path.endswith("/rates/"):
        return DEALS
    is_lender = path.startswith(routes.LENDERS) and path.count("/") == 3
    return BOTH if is_lender or path in WITH_BOTH else MOST


def test_no_page_weighs_more_than_it_may(site: Path) -> None:
    sizes = {path: file.stat().st_size for path, file in pages(site).items()}
    assert {path: size for path, size in sizes.items() if size > limit(path)} == {}
