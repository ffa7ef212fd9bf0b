"""How much there is to scroll on a phone once every part is laid out, and that words fit beside the doors."""

import pytest

from broker import routes
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.pages import visit

MAX_HEIGHTS = {routes.HOME: 8_060, "/first-time-buyer/": 8_800, routes.lender("halifax"): 7_100, routes.GUIDES: 9_000}
MAX_HEIGHTS |= {routes.HOW_WE_CALCULATE: 19_800}
"""Pixels at 390 px, by page.

A page of a service has one row of reviews (specification 9), the home page and a lender's the opening hours beside
the call button, and the method page the source, version and date of each figure.
"""


@pytest.mark.parametrize("path", MAX_HEIGHTS)
def test_page_is_no_longer_than_it_may_be(open_page: OpenPage, path: str) -> None:
    page = open_page(PHONE)
    visit(page, path)
    page.add_style_tag(content="* { content-visibility: visible !important }")
    width, height = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert (width, height <= MAX_HEIGHTS[path]) == (PHONE[0], True), height


def test_names_of_services_fit_beside_their_doors(open_page: OpenPage) -> None:
    page = open_page(PHONE)
    visit(page, routes.HOME)
    too_wide = """all => all.filter(card => {
      const words = document.createRange();
      words.selectNodeContents(card.querySelector("h3"));
      return words.getBoundingClientRect().right > card.getBoundingClientRect().right - 2;
    }).map(card => card.innerText)"""
    for width in (320, 360, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert (width, page.locator(".doors a").evaluate_all(too_wide)) == (width, [])
