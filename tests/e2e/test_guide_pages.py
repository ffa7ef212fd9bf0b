"""Guides in a browser: those saved while the site runs, as a document and after a link inside the site."""

from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.live import LiveSite, until
from tests.e2e.pages import NARROW, Problems, sized, visit
from tests.standin import Published
from tests.timeouts import ANSWER_TIMEOUT

TEXT = "<h2>What it is</h2><p>A short loan on a home.</p><h2>What it costs</h2><p>More than a mortgage.</p>"
KNOWN = Published(slug="bridging-loans", html=TEXT)
HOSTILE = Published(
    slug="hostile-guide",
    title="{{ 7 * 7 }} {% raw %} \u2028 </script><script>hacked = 1</script>",
    description="{{ 7 * 7 }} {% raw %} </script><script>hacked = 2</script> <!--",
    html=(
        "<h2>What it is</h2><p>{{ 7 * 7 }} {% raw %} {# #} \u2028 &lt;/script&gt;</p><script>hacked = 3</script>"
        '<img src="x" onerror="hacked = 4"><iframe srcdoc="<script>parent.hacked = 5</script>"></iframe>'
        '<p onclick="hacked = 6"><a href="javascript:hacked = 7">A link</a></p><svg onload="hacked = 8"></svg>'
    ),
)
LATER = tuple(Published(slug=f"later-guide-{place}", title=f"Later guide {place}", html=TEXT) for place in range(3))
PIXELS = """async image => {
    const file = new Image();
    file.src = image.currentSrc;
    await file.decode();
    return [image.currentSrc, image.clientWidth, file.naturalWidth];
}"""
"""Returns the address of the file that the browser chose, the width on the page, and that of the file."""
UNKNOWN = routes.guide("nobody-wrote-this")


@pytest.fixture
def published(live: LiveSite) -> LiveSite:
    """Return the site over a live feed, once it knows guides that were not copied, with their pictures."""
    live.standin.publish(KNOWN, *LATER)
    address, pictures = f"{live.url}{routes.guide(KNOWN.slug)}", routes.guide_pictures(KNOWN.slug)
    until(lambda: pictures in httpx.get(address, timeout=ANSWER_TIMEOUT).text)
    return live


def follow(page: Page, path: str) -> None:
    """Go where a link inside the site would lead, without asking the server for a page."""
    page.evaluate("path => { history.pushState({}, '', path); dispatchEvent(new PopStateEvent('popstate')) }", path)


def expect_guide(page: Page, guide: Published = KNOWN) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(guide.title)
    expect(page.get_by_role("heading", level=2, name="What it costs")).to_be_visible()
    expect(page.get_by_text("By Sam Sample. Updated on 21 November, 2026. 1-minute read")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_new_guide_is_a_page_like_any_other(
    published: LiveSite, open_page: OpenPage, axe: Callable[[Page], list[str]], scripts: bool
) -> None:
    page = open_page(PHONE, base=published.url, scripts=scripts)
    answer = page.goto(routes.guide(KNOWN.slug))
    assert answer is not None and answer.status == 200
    expect_guide(page)
    expect(page).to_have_title(f"{KNOWN.title} | Hearthgate Mortgages")
    expect(page.locator("main img").first).to_have_attribute("alt", "A street (sample)")
    expect(page.locator("footer")).to_contain_text("Hearthgate")
    for size in (DESKTOP, NARROW, PHONE) if scripts else ():
        assert (size, axe(sized(page, size))) == (size, [])
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    if scripts:
        sized(page, DESKTOP).locator("#what-it-costs").evaluate("heading => heading.scrollIntoView()")
        expect(page.locator(".toc [aria-current]")).to_have_text("What it costs")
        expect(page.locator(".toc [aria-current]")).to_have_css("font-weight", "650")
    page.get_by_role("link", name="See more guides").click()
    expect(page).to_have_url(routes.GUIDES)


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
@pytest.mark.parametrize("inside", [False, True], ids=["page", "link inside"])
def test_picture_of_a_new_guide_is_no_larger_than_it_is_shown_twice(
    published: LiveSite, open_page: OpenPage, size: tuple[int, int], inside: bool
) -> None:
    page = open_page(size, base=published.url)
    if inside:
        visit(page, routes.GUIDES)
        follow(page, routes.guide(KNOWN.slug))
    else:
        page.goto(routes.guide(KNOWN.slug))
    expect_guide(page)
    expect(page.locator("main img").first).to_have_js_property("complete", True)
    address, drawn, pixels = page.locator("main img").first.evaluate(PIXELS)
    assert f"/guide-pictures/{KNOWN.slug}/" in address
    assert drawn / 2 < pixels <= 2 * drawn


def test_link_inside_the_site_shows_a_new_guide(
    published: LiveSite, open_page: OpenPage, axe: Callable[[Page], list[str]]
) -> None:
    page = open_page(base=published.url)
    visit(page, routes.GUIDES)
    follow(page, routes.guide(KNOWN.slug))
    expect_guide(page)
    expect(page).to_have_title(f"{KNOWN.title} | Hearthgate Mortgages")
    assert axe(page) == []
    page.get_by_role("link", name="What it costs").click()
    expect(page).to_have_url(f"{routes.guide(KNOWN.slug)}#what-it-costs")
    page.reload()
    expect_guide(page)


@pytest.mark.parametrize("inside", [False, True], ids=["page", "link inside"])
def test_hostile_guide_stays_a_text_in_the_document_and_after_react(
    published: LiveSite, open_page: OpenPage, inside: bool
) -> None:
    published.standin.publish(KNOWN, *LATER, HOSTILE)
    path = routes.guide(HOSTILE.slug)
    until(lambda: httpx.get(f"{published.url}{path}", timeout=ANSWER_TIMEOUT).status_code == 200)
    page = open_page(base=published.url)
    visit(page, routes.GUIDES if inside else path)
    if inside:
        follow(page, path)
    expect(page.get_by_role("heading", level=1)).to_contain_text("{{ 7 * 7 }} {% raw %}")
    expect(page.locator("main article .prose").get_by_text("{{ 7 * 7 }} {% raw %} {# #}")).to_contain_text("</script>")
    page.get_by_text("A link", exact=True).click()
    assert page.locator("main :is(script, iframe, svg[onload], [onclick], [onerror])").count() == 0
    assert page.evaluate("typeof hacked") == "undefined"


def test_link_inside_the_site_to_no_guide_says_so(published: LiveSite, open_page: OpenPage, problems: Problems) -> None:
    page = open_page(base=published.url)
    problems.expect("404")
    visit(page, routes.GUIDES)
    follow(page, UNKNOWN)
    expect(page.get_by_role("heading", level=1)).to_have_text("We can't find that page")
    expect(page).to_have_title("We can't find that page")
    assert httpx.get(f"{published.url}{UNKNOWN}", timeout=ANSWER_TIMEOUT).status_code == 404


@pytest.mark.parametrize("inside", [False, True], ids=["page", "link inside"])
def test_guide_loads_by_itself_when_the_service_returns(
    published: LiveSite, open_page: OpenPage, problems: Problems, inside: bool
) -> None:
    guide = LATER[inside]
    path = routes.guide(guide.slug)
    page = open_page(base=published.url)
    problems.expect("503")
    visit(page, routes.GUIDES)
    published.standin.switch("reset")
    try:
        follow(page, path) if inside else page.goto(path)
        expect(page.get_by_role("alert")).to_have_text("Error: Failed to fetch API")
        expect(page.get_by_text("We will try again in 5 seconds.")).to_be_visible()
    finally:
        published.settle()
    expect_guide(page, guide)


@pytest.mark.parametrize("inside", [False, True], ids=["page", "link inside"])
def test_guide_that_is_tried_again_is_told_within_wcag(
    published: LiveSite, open_page: OpenPage, problems: Problems, axe: Callable[[Page], list[str]], inside: bool
) -> None:
    page, path = open_page(base=published.url), routes.guide(LATER[2].slug)
    problems.expect("503")
    visit(page, routes.GUIDES)
    published.standin.switch("reset")
    try:
        follow(page, path) if inside else page.goto(path)
        expect(page.get_by_text("We will try again in 5 seconds.")).to_be_visible()
        assert axe(page) == []
    finally:
        published.settle()


def test_service_that_stays_away_leaves_the_visitor_with_what_to_do(
    published: LiveSite, open_page: OpenPage, problems: Problems
) -> None:
    page = open_page(base=published.url)
    problems.expect("503")
    visit(page, routes.GUIDES)
    published.standin.switch("reset")
    try:
        follow(page, routes.guide(LATER[2].slug))
        expect(page.get_by_text("We will try again in 5 seconds.")).to_be_visible()
        expect(page.get_by_text("We will try again in 5 seconds.")).to_have_count(0)
        expect(page.get_by_role("alert")).to_have_text("Error: Failed to fetch API")
        expect(page.get_by_role("main").get_by_role("link", name="try again")).to_be_visible()
    finally:
        published.settle()


SHOWN = """() => {
    const all = name => [...document.querySelectorAll(name)];
    return [
        document.title,
        all("link[rel=canonical]").map(each => new URL(each.href).pathname),
        document.querySelector(".site").style.cssText,
        all("script[type='application/ld+json']").map(each => JSON.parse(each.text)["@type"]),
        document.querySelector("main article .prose").textContent,
    ];
}"""
"""Returns title, canonical addresses, colours, kinds of structured data and text of the guide on screen."""


def test_link_to_a_guide_draws_what_its_document_does(page: Page) -> None:
    start = routes.guide("first-time-buyer-guide")
    visit(page, start)
    first, link = page.evaluate(SHOWN), page.locator("[aria-labelledby=next] .g3 a").first
    visit(page, str(link.get_attribute("href")))
    second = page.evaluate(SHOWN)
    visit(page, start)
    page.evaluate("window.before = true")
    link.click()
    expect(page).to_have_title(second[0])
    expect(page.locator("h1")).to_be_focused()
    assert page.evaluate(SHOWN) == second
    page.go_back()
    expect(page).to_have_title(first[0])
    assert page.evaluate(SHOWN) == first
    assert page.evaluate("window.before") is True
