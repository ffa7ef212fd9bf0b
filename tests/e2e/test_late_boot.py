"""A page without anything live loads no script before a visitor touches it; the first touch then has its effect.

Most pages here never start by themselves, so that a busy machine changes nothing; times are the page's own.
"""

from playwright.sync_api import Page, Route, expect

from broker import routes

GUIDE = routes.guide("porting-your-mortgage")
TAKEN_OVER = "() => Object.keys(document.querySelector('main')).some(key => key.startsWith('__reactProps'))"
IDLE_MS = 3_000
_FIRST_SCRIPT = """() => {
  const isScript = ({ name }) => name.endsWith('.js');
  const [navigation] = performance.getEntriesByType('navigation');
  const starts = performance.getEntriesByType('resource').filter(isScript).map(({ startTime }) => startTime);
  return starts.length ? Math.min(...starts) - navigation.domInteractive : null;
}"""
_NEVER_IDLE = f"""
const later = self.setTimeout;
self.setTimeout = (then, ms, ...given) => (ms === {IDLE_MS} ? 0 : later(then, ms, ...given));
"""
"""Keeps a page from starting because nobody has touched it for so long."""

_TYPES_WHEN_STARTED = """
let value;
Object.defineProperty(self, '__reflex', { get: () => value, set: (given) => {
  value = given;
  document.execCommand('insertText', false, 'r');
}});
"""
"""Types a key into the field in focus at the moment at which Reflex says that the page is hydrated."""

_MOVED = "row => Math.abs(row.scrollLeft - (row.children[1].offsetLeft - row.children[0].offsetLeft)) < 2"


def open_untouched(page: Page, path: str) -> None:
    """Open a page that starts only when it is touched."""
    page.add_init_script(_NEVER_IDLE)
    page.goto(path)
    assert page.evaluate(_FIRST_SCRIPT) is None


def test_first_tap_on_the_menu_opens_it_and_starts_the_scripts(phone: Page) -> None:
    open_untouched(phone, GUIDE)
    phone.locator("summary.burger").click()
    drawer = phone.get_by_role("navigation", name="Menu")
    expect(drawer).to_be_visible()
    phone.wait_for_function(TAKEN_OVER)
    expect(drawer).to_be_visible()


def test_keys_open_the_menu_and_follow_a_link_before_the_scripts(phone: Page) -> None:
    open_untouched(phone, GUIDE)
    while phone.evaluate("document.activeElement.tagName") != "SUMMARY":
        phone.keyboard.press("Tab")
    phone.keyboard.press("Enter")
    expect(phone.get_by_role("navigation", name="Menu")).to_be_visible()
    phone.goto(routes.PRIVACY)
    phone.get_by_role("contentinfo").get_by_role("link", name="Sitemap").focus()
    phone.keyboard.press("Enter")
    expect(phone).to_have_url(routes.SITE_MAP)


def test_page_that_nobody_touches_starts_when_it_was_idle(page: Page) -> None:
    page.goto(GUIDE)
    page.wait_for_function(TAKEN_OVER)
    assert page.evaluate(_FIRST_SCRIPT) >= IDLE_MS


def test_first_press_of_an_arrow_moves_the_row_once(phone: Page) -> None:
    phone.emulate_media(reduced_motion="reduce")
    open_untouched(phone, routes.ABOUT)
    phone.get_by_role("button", name="Next reviews").evaluate("button => button.click()")
    phone.wait_for_function(TAKEN_OVER)
    row = phone.get_by_role("region", name="Reviews in a row")
    phone.wait_for_function(_MOVED, arg=row.element_handle())
    phone.wait_for_timeout(500)
    assert row.evaluate(_MOVED)


def test_first_keys_in_the_search_for_a_town_narrow_its_list(page: Page) -> None:
    page.goto(routes.LOCAL)
    page.get_by_label("Town or borough").press_sequentially("har")
    expect(page.locator(".near a")).to_have_text(["Harrow"])


def test_key_after_hydration_is_kept_when_earlier_keys_are_repeated(page: Page) -> None:
    page.add_init_script(_TYPES_WHEN_STARTED)
    held: list[Route] = []
    page.route("**/*.js", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks what it is given
    page.goto(routes.LOCAL)
    page.get_by_label("Town or borough").press_sequentially("har")
    page.route("**/*.js", lambda route: route.continue_())
    for route in held:
        route.continue_()
    expect(page.locator(".near a")).to_have_text(["Harrow"])
    expect(page.get_by_label("Town or borough")).to_have_value("harr")


def test_cookie_notice_closes_before_the_scripts(page: Page) -> None:
    open_untouched(page, GUIDE)
    page.get_by_role("button", name="Accept & Close").evaluate("button => button.form.requestSubmit(button)")
    expect(page.get_by_role("region", name="Cookie notice")).to_be_hidden()
    assert page.evaluate(_FIRST_SCRIPT) is None
