"""A page on paper: a footer that is low, and nothing that only leads elsewhere."""

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import visit

PAPER = (703, 1032)
"""What the margins leave of a sheet of A4, in pixels."""

MAX_FOOTER = PAPER[1] / 6


def printed(open_page: OpenPage, path: str) -> Page:
    page = open_page(PAPER)
    visit(page, path)
    page.emulate_media(media="print")
    return page


@pytest.mark.parametrize("path", [routes.guide("what-is-ltv"), routes.town("ealing"), routes.CONTACT])
def test_printed_footer_is_low_and_has_the_regulation_without_the_sitemap(open_page: OpenPage, path: str) -> None:
    footer = printed(open_page, path).get_by_role("contentinfo")
    box = footer.bounding_box()
    assert box and box["height"] <= MAX_FOOTER, box
    expect(footer).to_contain_text("authorised and regulated by the Financial Conduct Authority")
    expect(footer.get_by_role("link", name="Sitemap")).to_be_hidden()


def test_what_leads_elsewhere_is_not_printed(open_page: OpenPage) -> None:
    expect(printed(open_page, routes.guide("what-is-ltv")).locator(".cta")).to_be_hidden()
    expect(printed(open_page, routes.calculator("repayment")).locator(".calc-list")).to_be_hidden()
