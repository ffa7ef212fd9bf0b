"""A page looks the same with its subset of the stylesheet as with the whole stylesheet."""

from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.calculator_page import settle
from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.pages import FAMILIES, Problems, sized, visit

PRINTED = (routes.CALCULATORS, routes.RATES)
"""A page of charts and tables, and a list of deals: they are compared on paper too."""

SCREENS = {"phone": PHONE, "desktop": DESKTOP}
MEDIA = {**SCREENS, "print": DESKTOP, "forced": DESKTOP}
"""The looks that are compared, with their windows: paper and forced colours do not depend on the width."""

_WHOLE = "link[rel=stylesheet]"
_LOOKS = """async ([media, whole]) => {
  const declared = rules => [...rules].flatMap(rule => [...(rule.style ?? []), ...declared(rule.cssRules ?? [])]);
  if (!self.names) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(await (await fetch(document.querySelector(whole).href)).text());
    const inline = [...document.querySelectorAll('[style]')].flatMap(element => [...element.style]);
    self.names = [...new Set([...declared(sheet.cssRules), ...inline])].filter(name => name && !name.startsWith('--'));
  }
  const hidden = document.querySelectorAll('main section, main .panel, .foot');
  for (const part of hidden) part.style.contentVisibility = 'visible';
  for (const each of document.querySelectorAll('details')) each.open = !each.name;
  const names = self.names, now = [];
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
"""Returns the computed styles that differ from the last call, with disclosures open; null at the first call.

Only properties that the whole stylesheet or a style attribute declares can differ, and only those are read.
"""


def changes(page: Page, look: str = "desktop") -> list[str] | None:
    """Return the differences since the last call for one of MEDIA; None at the first call."""
    sized(page, MEDIA[look]).emulate_media(
        media="print" if look == "print" else "screen",
        reduced_motion="reduce",
        forced_colors="active" if look == "forced" else "none",
    )
    return page.evaluate(_LOOKS, [look, _WHOLE])


_ONLY_FONTS = """style => {
  const rules = style.sheet.cssRules;
  for (let at = rules.length; at--;) if (!(rules[at] instanceof CSSFontFaceRule)) style.sheet.deleteRule(at);
}"""


def use_whole_stylesheet(page: Page) -> None:
    page.locator(_WHOLE).evaluate("link => { link.disabled = false }")
    while not page.locator(_WHOLE).evaluate("link => Boolean(link.sheet)"):
        page.wait_for_timeout(20)  # without scripts no frame calls back
    page.locator("style[data-from]").evaluate(_ONLY_FONTS)


def test_full_stylesheet_changes_nothing_without_scripts(open_page: OpenPage) -> None:
    page, faults = open_page(scripts=False), {}
    for path in FAMILIES:
        looks = tuple(MEDIA if path in PRINTED else SCREENS)
        page.goto(path)
        assert [changes(page, look) for look in looks] == [None] * len(looks)
        use_whole_stylesheet(page)
        faults |= {(path, look): found for look in looks if (found := changes(page, look))}
    assert faults == {}


def test_comparison_of_styles_names_what_differs(open_page: OpenPage) -> None:
    page = open_page(scripts=False)
    page.goto(routes.PRIVACY)
    assert changes(page) is None
    page.locator("h1").evaluate("each => { each.style.letterSpacing = '3px' }")
    found = changes(page)
    assert found
    assert "letter-spacing: " in found[0]


def test_full_stylesheet_is_loaded_before_a_navigation(page: Page, problems: Problems) -> None:
    visit(page, routes.guide("what-is-ltv"))
    assert page.locator(_WHOLE).evaluate("link => !link.disabled && Boolean(link.sheet)")
    page.get_by_role("contentinfo").get_by_role("link", name="Calculators", exact=True).click()
    page.locator("main").get_by_role("link", name="Monthly repayment").click()
    expect(page.locator("section .plate[role=status]").first).to_be_visible()
    expect(page.locator(".at-rest")).to_have_count(0)
    page.mouse.move(0, 0)
    changes(page)  # opens what can be opened, and ends what moves
    settle(page)
    changes(page)
    page.locator("style[data-from]").evaluate(_ONLY_FONTS)
    assert changes(page) == []
    assert problems.seen == []


def test_fragment_below_the_fold_is_scrolled_to(phone: Page) -> None:
    phone.goto("/first-time-buyer/#questions")
    expect(phone.locator("#questions")).to_be_in_viewport()
    assert phone.evaluate("scrollY") > PHONE[1]
