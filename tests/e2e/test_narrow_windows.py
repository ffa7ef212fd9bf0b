"""Small windows: guides, doors and lenders on a phone."""

import pytest
from playwright.sync_api import Page

from broker import routes
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.pages import NARROW, visit
from tests.e2e.test_every_page import SPACED

TOO_WIDE = """(all, selector) => all.filter(each => {
    const words = document.createRange();
    words.selectNodeContents(selector ? each.querySelector(selector) : each);
    return words.getBoundingClientRect().right > each.getBoundingClientRect().right - 2;
}).map(each => each.innerText)"""


def test_tables_of_guides_fit_a_phone(open_page: OpenPage) -> None:
    page = open_page(PHONE, scripts=False)
    page.goto(routes.GUIDES)
    links = page.locator("main a[href^='/mortgage-guides/']")
    guides = sorted(set(links.evaluate_all("all => all.map(each => each.pathname)")))
    wide = "() => [...document.querySelectorAll('.scroll-x')].some(each => each.scrollWidth > each.clientWidth)"
    found = []
    for guide in guides:
        page.goto(guide)
        found += [guide] if page.evaluate(wide) else []
    assert (found, len(guides) > 20) == ([], True)


def test_names_of_services_fit_beside_their_doors(phone: Page) -> None:
    visit(phone, routes.HOME)
    for width in (320, 360, 390):
        phone.set_viewport_size({"width": width, "height": 844})
        assert (width, phone.locator(".doors a").evaluate_all(TOO_WIDE, "h3")) == (width, [])


def test_deals_of_a_lender_have_their_size_at_once_and_each_aprc_stays_in_its_plate(phone: Page) -> None:
    phone.goto(routes.lender("halifax"))
    heights = phone.locator(".best-deal > .btn").evaluate_all("all => all.map(each => each.offsetHeight)")
    assert heights == [48, 48, 48]
    visit(phone, routes.lender("halifax"))
    for width in (320, 390, 640, 768, 920, 1280):
        phone.set_viewport_size({"width": width, "height": 900})
        assert (width, phone.locator(".plate.two").evaluate_all(TOO_WIDE, "")) == (width, [])


PAST_EDGE = """all => all.filter(each => each.scrollWidth > each.clientWidth + 1
    || each.getBoundingClientRect().right > innerWidth).map(each => each.innerText)"""


@pytest.mark.parametrize(
    ("path", "selector"),
    [
        (routes.LENDERS, "#lender-filter .seg"),
        (routes.calculator("affordability"), ".slim > span > span"),
        (routes.BUYING_PLAN, ".axes .ends span"),
    ],
)
def test_short_texts_are_whole_in_the_narrowest_window_when_spaced(
    open_page: OpenPage, path: str, selector: str
) -> None:
    page = open_page(NARROW)
    visit(page, path)
    for opener in page.locator("#lender-filter summary").all():
        opener.click()
    page.locator(selector).first.scroll_into_view_if_needed()
    assert page.locator(selector).evaluate_all(PAST_EDGE) == []
    page.add_style_tag(content=SPACED)
    assert page.locator(selector).evaluate_all(PAST_EDGE) == []
