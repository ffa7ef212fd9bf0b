"""Every page, opened once: accessibility, headings, windows, height, spaced text, weight, no complaint."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from broker import routes
from broker.server.export.finish import pages
from tests.e2e.axe import violations
from tests.e2e.pages import MISSING, NARROW, PHONE, WINDOWS, Problems, sized, to_open, visit
from tests.integration.enquiry_site import EnquirySite
from tests.timeouts import ANSWER_TIMEOUT

KILOBYTE = 1_000
MAX_SCRIPTS, MAX_SCRIPTS_WITH_WIDGETS = 203 * KILOBYTE, 293 * KILOBYTE
MAX_STYLES, MAX_FONTS = 22 * KILOBYTE, 90 * KILOBYTE

AWAITED_UNTIL_IDLE = {routes.HOME, routes.CALCULATORS, routes.RATES}
"""Pages that are checked once their network is idle."""

DEALS = ("/buy-to-let-deals/", "/home-mover-deals/", "/mortgages-first-time-buyer/", "/remortgages/")
INFORMATION = (
    *(routes.PRIVACY, "/about-us/", "/accessibility/", "/complaints-procedure/", "/cookie-policy/", "/join-us/"),
    *("/how-we-are-paid/", "/terms-of-business/", "/useful-information/"),
)

SERVICES = ("first-time-buyer", "home-mover", "remortgaging", "buy-to-let", "protection-needs", "self-employed")

THEMED = {
    "service": re.compile(f"/({'|'.join(SERVICES)})/"),
    "calculator": re.compile(rf"{routes.CALCULATORS}[\w-]+/"),
    "guides of a service": re.compile(r"/(?!tools/)[\w-]+/guides/"),
    "rates of a service": re.compile(r"/(?!tools/)[\w-]+/rates/"),
    "deals": re.compile("|".join(DEALS)),
}
"""Pages that share a template and differ in colours or fields: axe reads the longest at both widths, others at one."""

ALIKE = {
    "information": re.compile("|".join(INFORMATION)),
    "guide": re.compile(r"/mortgage-guides/[\w-]+/"),
    "town": re.compile(r"/mortgage-broker-(?!near-me)[\w-]+/"),
    "lender": re.compile(rf"{routes.LENDERS}[\w-]+/"),
    "product of a lender": re.compile(rf"{routes.LENDERS}[\w-]+/[\w-]+/"),
}
"""Pages that share a template and its colours: axe reads the longest of each."""

WIDGET = ".slider, .modal-box, [class*=chakra]"

MAX_HEIGHTS = {routes.HOME: 8_800, "/first-time-buyer/": 9_450, routes.lender("halifax"): 7_100, routes.GUIDES: 9_000}
MAX_HEIGHTS |= {routes.HOW_WE_CALCULATE: 24_000}
"""Pixels at 390 px, by page.

A page of a service has one row of reviews (specification 9), that of first-time buyers the rates at small deposits, the
home page the first fields of both plans, a lender's the opening hours beside the call button, and the method page the
source, version and date of each figure.
"""

SPACED = """* { content-visibility: visible !important; }
* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important; }
p { margin-bottom: 2em !important; }"""
"""The text spacing of WCAG 1.4.12."""

CLIPPED = """css => {
    const style = Object.assign(document.createElement("style"), {textContent: css});
    document.head.append(style);
    const clipped = [...document.querySelectorAll("a, button, summary")].filter(each => {
        if (!each.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true})) return false;
        if (each.closest(".vh, .skip")) return false;
        const words = document.createRange(), lines = [];
        const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            if (texts.currentNode.parentElement.closest(".vh")) continue;
            words.selectNodeContents(texts.currentNode);
            lines.push(...words.getClientRects());
        }
        for (let frame = each; frame; frame = frame.parentElement) {
            const {overflowX} = getComputedStyle(frame), edges = frame.getBoundingClientRect();
            if (/auto|scroll/.test(overflowX)) return false;
            const clips = frame === document.documentElement || /hidden|clip/.test(overflowX);
            if (clips && lines.some(line => line.left < edges.left - 1 || line.right > edges.right + 1)) return true;
        }
        return false;
    }).map(each => each.innerText);
    const width = document.documentElement.scrollWidth;
    style.remove();
    return width > innerWidth ? [...clipped, `${width} pixels wide`] : clipped;
}"""
"""Returns the links and buttons whose words a stylesheet cuts off, and the width of a page that is too wide."""

SMALL = """() => [...document.querySelectorAll("footer a, footer button")]
    .filter(each => each.checkVisibility() && each.getBoundingClientRect().height < 24)
    .map(each => each.outerHTML)"""

_LEVELS = "all => all.filter(each => each.checkVisibility()).map(each => Number(each.tagName[1]))"
_WIDTH = "document.documentElement.scrollWidth"
_HEIGHT = "document.documentElement.scrollHeight"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """Results of one page: axe's violations by window, heading levels, landmarks, pixels, texts cut off, requests."""

    violations: dict[str, list[str]]
    levels: list[int]
    landmarks: dict[str, int]
    language: str | None
    height: int
    narrow_width: int
    clipped: list[str]
    fetched: frozenset[str]
    has_widget: bool
    complaints: list[str]


@pytest.fixture(scope="module")
def opened(site: Path, browser: Browser, shared_site: EnquirySite) -> dict[str, Opened]:
    with browser.new_context(base_url=shared_site.url, locale="en-GB") as context:
        page, problems, fetched = context.new_page(), Problems(), []
        problems.watch(page)
        page.on("request", lambda request: fetched.append(request.url))
        paths = to_open(pages(site))
        windows = axe_windows({path: html_size(shared_site.url + path) for path in paths if path != MISSING})
        return {path: look(page, path, problems, fetched, windows.get(path, tuple(WINDOWS))) for path in paths}


def html_size(url: str) -> int:
    return len(httpx.get(url, timeout=ANSWER_TIMEOUT).raise_for_status().content)


def axe_windows(sizes: dict[str, int]) -> dict[str, tuple[str, ...]]:
    """Return the windows in which axe reads each page that is not the longest of its family, by bytes of HTML."""
    windows: dict[str, tuple[str, ...]] = {}
    for families, others in ((THEMED, ("desktop",)), (ALIKE, ())):
        for name, pattern in families.items():
            family = sorted((path for path in sizes if pattern.fullmatch(path)), key=sizes.__getitem__)
            assert len(family) > 1, name
            windows |= dict.fromkeys(family[:-1], others)
    return windows


def look(page: Page, path: str, problems: Problems, fetched: list[str], windows: tuple[str, ...]) -> Opened:
    """Open a page as a telephone does, and read it in its windows."""
    problems.seen.clear()
    fetched.clear()
    sized(page, PHONE)
    if path == MISSING:
        page.goto(path)  # the error page has no scripts
    else:
        visit(page, path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    if path in AWAITED_UNTIL_IDLE:
        page.wait_for_load_state("networkidle")
    height = page.evaluate(_HEIGHT)
    found = {name: violations(sized(page, WINDOWS[name])) for name in windows}
    narrow_width = sized(page, NARROW).evaluate(_WIDTH)
    return Opened(
        violations=found,
        levels=page.locator("h1, h2, h3, h4, h5, h6").evaluate_all(_LEVELS),
        landmarks={role: page.get_by_role(role).count() for role in ("banner", "main", "contentinfo")},
        language=page.locator("html").get_attribute("lang"),
        has_widget=page.locator(WIDGET).count() > 0,
        height=height,
        narrow_width=narrow_width,
        clipped=page.evaluate(CLIPPED, SPACED) + page.evaluate(SMALL) if path != routes.TEST else [],
        fetched=frozenset(fetched),
        complaints=list(problems.seen),
    )


def test_no_page_violates_wcag(opened: dict[str, Opened]) -> None:
    assert {path: each.violations for path, each in opened.items() if any(each.violations.values())} == {}


def test_every_page_has_headings_landmarks_and_language(opened: dict[str, Opened]) -> None:
    for path, each in opened.items():
        skipped = [pair for pair in pairwise(each.levels) if pair[1] > pair[0] + 1]
        assert (path, each.levels.count(1), skipped) == (path, 1, [])
        assert (path, each.landmarks) == (path, {"banner": 1, "main": 1, "contentinfo": 1})
        assert (path, each.language) == (path, "en-GB")


def test_no_page_scrolls_sideways_at_320_pixels(opened: dict[str, Opened]) -> None:
    assert {path: each.narrow_width for path, each in opened.items() if each.narrow_width > NARROW[0]} == {}


def test_no_page_is_longer_on_a_phone_than_it_may_be(opened: dict[str, Opened]) -> None:
    assert {path: opened[path].height for path, most in MAX_HEIGHTS.items() if opened[path].height > most} == {}


def test_spaced_text_is_not_cut_off_and_the_footer_has_targets(opened: dict[str, Opened]) -> None:
    assert {path: each.clipped for path, each in opened.items() if each.clipped} == {}


def test_no_page_complains(opened: dict[str, Opened]) -> None:
    assert {path: each.complaints for path, each in opened.items() if each.complaints and path != MISSING} == {}
    (complaint,) = opened[MISSING].complaints
    assert "status of 404" in complaint


@pytest.fixture(scope="module")
def weights(opened: dict[str, Opened]) -> Iterator[dict[str, int]]:
    """Return the transferred bytes of each file that pages load."""
    every = {url for each in opened.values() for url in each.fetched if url.startswith("http")}
    with httpx.Client(headers={"accept-encoding": "gzip"}, timeout=ANSWER_TIMEOUT) as client:
        yield {url: weight(client, url) for url in every}


def weight(client: httpx.Client, url: str) -> int:
    with client.stream("GET", url) as told:
        return len(b"".join(told.iter_raw()))


def test_pages_load_little(opened: dict[str, Opened], weights: dict[str, int]) -> None:
    heavy: dict[str, tuple[str, int]] = {}
    for path, each in opened.items():
        most = MAX_SCRIPTS_WITH_WIDGETS if each.has_widget or "/rates/" in path else MAX_SCRIPTS
        for ending, limit in ((".js", most), (".css", MAX_STYLES), (".woff2", MAX_FONTS)):
            size = sum(weights[url] for url in each.fetched if urlsplit(url).path.endswith(ending))
            if size > limit and path != routes.TEST:  # the sheet of every block is no visitor's page
                heavy[path] = (ending, size)
    assert heavy == {}


def test_pages_load_only_from_here(opened: dict[str, Opened], shared_site: EnquirySite) -> None:
    fetched = {url for each in opened.values() for url in each.fetched}
    assert {url for url in fetched if not url.startswith((shared_site.url, "data:"))} == set()
