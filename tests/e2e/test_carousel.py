"""Carousels: slides at each width, texts, keyboard, and use without scripts."""

from itertools import pairwise

from playwright.sync_api import Locator, Page, expect

from broker import routes
from broker.content.guides import truncate
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import visit
from tests.our_content import STORE

PAGE = routes.HOME
GUIDES, REVIEWS = "Guides in a row", "Reviews in a row"
BREAKPOINTS = [(320, 1), (600, 1), (640, 1), (767, 1), (768, 2), (919, 2), (920, 3), (1110, 3), (1280, 3)]
"""Width of the window, and the slides of a row (specification 2, "Slider layout")."""

SPACING = 20


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name)


def boxes(slides: Locator) -> list[tuple[float, float]]:
    """Return where each slide of a row begins and ends, in pixels from the row's left edge, unrounded."""
    return [
        (left, right)
        for left, right in slides.evaluate(
            """row => [...row.children].map(slide => {
                const box = slide.getBoundingClientRect(), edge = row.getBoundingClientRect().left;
                return [box.left - edge, box.right - edge];
            })"""
        )
    ]


def test_a_row_shows_as_many_slides_as_specified(open_page: OpenPage) -> None:
    page = open_page()
    page.goto(PAGE)
    shown: dict[tuple[int, str], tuple[int, set[float]]] = {}
    for width, _ in BREAKPOINTS:
        page.set_viewport_size({"width": width, "height": 800})
        for name in (GUIDES, REVIEWS):
            inside = row(page, name).evaluate("row => row.clientWidth")
            ends = boxes(row(page, name))
            gaps = {round(left - right, 1) for (_, right), (left, _) in pairwise(ends)}
            shown[width, name] = len([right for _, right in ends if right <= inside + 0.5]), gaps
    expected = {(width, name): (slides, {SPACING}) for width, slides in BREAKPOINTS for name in (GUIDES, REVIEWS)}
    assert shown == expected


def test_row_moves_by_its_arrows_and_by_the_keyboard(page: Page) -> None:
    visit(page, PAGE)
    page.emulate_media(reduced_motion="reduce")
    for name in (GUIDES, REVIEWS):
        shown, noun = row(page, name), name.partition(" ")[0].lower()
        fourth = shown.get_by_role("group").nth(3)
        expect(fourth).not_to_be_in_viewport()
        page.get_by_role("button", name=f"Next {noun}").click()
        expect(fourth).to_be_in_viewport(ratio=0.9)
        page.get_by_role("button", name=f"Previous {noun}").click()
        expect(fourth).not_to_be_in_viewport()
        shown.focus()
        for _ in range(12):
            page.keyboard.press("ArrowRight")
        expect(fourth).to_be_in_viewport()


def test_slides_have_the_words_and_the_number_that_are_specified(page: Page) -> None:
    visit(page, PAGE)
    expect(page.get_by_role("heading", name="Our Mortgage Guides")).to_be_visible()
    by_title = {guide.title: guide for guide in STORE.guides()}
    for slide in row(page, GUIDES).get_by_role("group").all():
        guide = by_title[slide.get_by_role("heading").inner_text()]
        expect(slide.locator("p")).to_have_text(truncate(guide.description))
        expect(slide.get_by_role("link")).to_have_attribute("href", routes.guide(guide.url))
        expect(slide.get_by_text("Read More")).to_be_visible()
    expect(page.get_by_role("link", name="See more guides", exact=True)).to_have_attribute("href", routes.GUIDES)
    for path, count in ((routes.HOME, 8), (routes.ABOUT, 6)):
        page.goto(path)
        expect(page.locator(".slides .quote")).to_have_count(count)


def test_without_scripts_a_row_scrolls_and_has_no_arrows(open_page: OpenPage) -> None:
    page = open_page((390, 800), scripts=False)
    page.goto(PAGE)
    expect(page.locator(".arrows").first).to_be_hidden()
    for name in (GUIDES, REVIEWS):
        last = row(page, name).get_by_role("group").last
        last.scroll_into_view_if_needed()
        expect(last).to_be_in_viewport(ratio=0.5)
