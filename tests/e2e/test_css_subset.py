"""A page looks the same with its subset of the stylesheet as with the whole stylesheet."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.calculator_page import settle
from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.live import PATIENCE
from tests.e2e.pages import Problems, visit

FAMILIES = (
    routes.HOME,
    routes.CALCULATORS,
    routes.RATES,
    "/first-time-buyer/",
    "/remortgaging/rates/",
    "/buy-to-let/guides/",
    routes.lender("halifax"),
    routes.lender_product("the-mortgage-works", "2-years-variable"),
    routes.GUIDES,
    routes.guide("what-is-ltv"),
    routes.town("ealing"),
    routes.FAQS,
    routes.PRIVACY,
    routes.SITE_MAP,
)
"""A page of each family."""

MEDIA = ("screen", "print", "forced")

_WHOLE = "link[rel=stylesheet]"
_LOOKS = """media => {
  for (const part of document.querySelectorAll('main section')) part.style.contentVisibility = 'visible';
  for (const each of document.querySelectorAll('details')) each.open = !each.name;
  const names = [...getComputedStyle(document.documentElement)].filter(name => !name.startsWith('--')), now = [];
  for (const element of [document.documentElement, ...document.body.querySelectorAll('*')]) {
    if (/^(SCRIPT|STYLE|LINK|TEMPLATE)$/.test(element.tagName)) continue;
    for (const part of ['', '::before', '::after', '::marker']) {
      const style = getComputedStyle(element, part);
      if (/before|after/.test(part) && style.content === 'none') continue;
      if (part === '::marker' && style.display !== 'list-item' && element.tagName !== 'LI') continue;
      now.push([element.tagName.toLowerCase() + '.' + element.className + part,
        ...names.map(each => style.getPropertyValue(each))]);
    }
  }
  const was = (self.looked ??= {})[media];
  self.looked[media] = now;
  if (!was) return null;
  if (was.length !== now.length) return [`${was.length} parts, then ${now.length}`];
  return now.flatMap((values, at) => values.flatMap((value, nth) =>
    value === was[at][nth] ? [] : [`${values[0]} ${names[nth - 1] ?? ''}: ${was[at][nth]}, then ${value}`]));
}"""
"""Returns the computed styles that differ from the last call, with disclosures open; null at the first call."""


def changes(page: Page, media: str = "screen") -> list[str] | None:
    """Return the differences since the last call for a medium of MEDIA; None at the first call."""
    page.emulate_media(
        media="print" if media == "print" else "screen",
        reduced_motion="reduce",
        forced_colors="active" if media == "forced" else "none",
    )
    return page.evaluate(_LOOKS, media)


_ONLY_FONTS = """style => {
  const rules = style.sheet.cssRules;
  for (let at = rules.length; at--;) if (!(rules[at] instanceof CSSFontFaceRule)) style.sheet.deleteRule(at);
}"""


def use_whole_stylesheet(page: Page) -> None:
    """Replace the styles inside a page, except its fonts, by the whole stylesheet."""
    page.locator(_WHOLE).evaluate("link => { link.disabled = false }")
    while not page.locator(_WHOLE).evaluate("link => Boolean(link.sheet)"):
        page.wait_for_timeout(20)
    page.locator("style[data-from]").evaluate(_ONLY_FONTS)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_pages_look_the_same_with_the_whole_stylesheet(open_page: OpenPage, size: tuple[int, int]) -> None:
    page = open_page(size, scripts=False)
    faults = {}
    for path in FAMILIES:
        page.goto(path)
        assert [changes(page, media) for media in MEDIA] == [None] * len(MEDIA)
        use_whole_stylesheet(page)
        if found := {media: seen for media in MEDIA if (seen := changes(page, media))}:
            faults[path] = found
    assert faults == {}


def test_the_whole_stylesheet_is_loaded_before_another_page(page: Page, problems: Problems) -> None:
    visit(page, routes.guide("what-is-ltv"))
    assert page.locator(_WHOLE).evaluate("link => !link.disabled && Boolean(link.sheet)")
    page.get_by_role("contentinfo").get_by_role("link", name="Calculators", exact=True).click()
    panels = page.locator("section:has(> .plate[role=status])")
    expect(panels.first).to_be_visible()
    for panel in panels.all():
        panel.scroll_into_view_if_needed()
    expect(page.locator(".at-rest")).to_have_count(0)
    page.mouse.move(0, 0)
    changes(page)  # opens what can be opened, and ends what moves
    settle(page)
    changes(page)
    page.locator("style[data-from]").evaluate(_ONLY_FONTS)
    assert changes(page) == []
    assert problems.seen == []


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_link_to_a_fragment_scrolls_to_it(open_page: OpenPage, scripts: bool) -> None:
    page = open_page(PHONE, scripts=scripts)
    page.goto("/first-time-buyer/#questions")
    expect(page.locator("#questions")).to_be_in_viewport(timeout=PATIENCE)
    assert page.evaluate("scrollY") > PHONE[1]
