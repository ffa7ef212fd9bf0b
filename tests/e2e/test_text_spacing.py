"""Small windows: text spacing of WCAG 1.4.12 at 320 pixels, targets of the footer, and guides on a phone."""

import pytest

from tests.e2e.conftest import OpenPage
from tests.e2e.pages import FAMILIES, NARROW, PHONE

SPACED = """* { content-visibility: visible !important; }
* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important; }
p { margin-bottom: 2em !important; }"""

CLIPPED = """() => [...document.querySelectorAll("a, button, summary")].filter(each => {
    if (!each.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true})) return false;
    if (each.closest(".vh, .skip")) return false;
    const words = document.createRange(), texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT), lines = [];
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
}).map(each => each.innerText)"""

SMALL = """() => [...document.querySelectorAll("footer a, footer button")]
    .filter(each => each.checkVisibility() && each.getBoundingClientRect().height < 24)
    .map(each => each.outerHTML)"""


@pytest.mark.parametrize("path", [*FAMILIES, "/questionnaire/q19/", "/contact/"])
def test_spaced_text_clips_no_link_and_the_footer_has_targets(open_page: OpenPage, path: str) -> None:
    page = open_page(NARROW, scripts=False)
    page.goto(path)
    assert page.evaluate(SMALL) == []
    page.evaluate(
        "css => { document.head.append(Object.assign(document.createElement('style'), {textContent: css})) }", SPACED
    )
    assert page.evaluate(CLIPPED) == []
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW[0]


def test_tables_of_guides_fit_a_phone(open_page: OpenPage) -> None:
    page = open_page(PHONE, scripts=False)
    page.goto("/tools/mortgage-guides/")
    links = page.locator("main a[href^='/mortgage-guides/']")
    guides = sorted(set(links.evaluate_all("all => all.map(each => each.pathname)")))
    wide = "() => [...document.querySelectorAll('.scroll-x')].some(each => each.scrollWidth > each.clientWidth)"
    found = []
    for guide in guides:
        page.goto(guide)
        found += [guide] if page.evaluate(wide) else []
    assert (found, len(guides) > 20) == ([], True)
