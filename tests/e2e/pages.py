"""Visiting a page, and noting what the browser complains of."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from playwright.sync_api import ConsoleMessage, Page, Route

from broker import routes

DESKTOP = (1280, 900)
PHONE = (390, 844)
NARROW = (320, 640)
"""Windows, wide and high in pixels; WCAG asks that nothing scrolls sideways in the narrow one (1.4.10)."""

WINDOWS = {"phone": PHONE, "desktop": DESKTOP}
"""The windows in which everything is looked at, by name."""

ALIKE = (routes.LENDERS, "/mortgage-guides/", "/mortgage-broker-", routes.QUESTIONNAIRE)
"""How the addresses of pages begin that one function draws, by the dozen.

A question leads whoever has not come to it elsewhere: `test_questionnaire_looks` opens those with answers before them.
"""

OF_DATA = (
    *(routes.LENDERS, routes.GUIDES, routes.SITE_MAP, routes.RATE_HISTORY),
    *(routes.guides("first-time-buyer"), routes.guides("contractor-mortgage")),
    routes.lender("halifax"),
    routes.lender("hinckley-and-rugby-building-society"),
    routes.lender("the-mortgage-works"),
    routes.lender_product("halifax", "2-years-fixed"),
    routes.lender_product("the-mortgage-works", "2-years-variable"),
    routes.guide("what-is-ltv"),
    routes.guide("buy-to-let-guide"),
)
"""Pages that are no files: lists, a bank, a society with a long name, a lender that lends on let property only."""

SOME = {routes.LOCAL, routes.town("ealing"), routes.town("guilford"), routes.QUESTIONNAIRE, routes.SAVED_ANSWERS}
"""Of the exported pages that begin so, those to open."""

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
    routes.HOW_WE_CALCULATE,
    routes.GLOSSARY,
    routes.SITE_MAP,
)
"""One page of each family."""

CUT_OFF = """
() => [...document.querySelectorAll("body *")]
    .filter(each => [...each.childNodes].some(one => one.nodeType === 3 && one.data.trim()))
    .filter(each => each.checkVisibility({visibilityProperty: true}))
    .filter(each => !each.closest(".vh, .skip, [role=region], :is(.strip, .crumbs) ul, ul.filters"))
    .filter(each => {
        const box = each.getBoundingClientRect(), hides = getComputedStyle(each).overflow !== "visible";
        const inside = each.scrollWidth <= each.clientWidth + 1 && each.scrollHeight <= each.clientHeight + 1;
        return box.right > innerWidth + 1 || box.left < -1 || (hides && !inside);
    })
    .map(each => each.outerHTML.slice(0, 120))
"""
"""Returns the texts that leave the window, or that their own element cuts off."""

_ALIVE = """selector =>
  Object.keys(document.querySelector(selector) ?? {}).some(key => key.startsWith('__reactProps'))"""

_LAID_OUT = """() => {
  window.dispatchEvent(new Event('pointermove'))  // for which sections that wait do
  return [...document.querySelectorAll('main section')]
    .every(section => getComputedStyle(section).contentVisibility === 'visible')
}"""


def visit(page: Page, path: str, *, selector: str = "main") -> None:
    """Go to a page and wait until all of it is drawn and scripts have taken over `selector`: no click is lost."""
    page.goto(path)
    page.wait_for_function(_ALIVE, arg=selector)
    page.wait_for_function(_LAID_OUT)


def hold_scripts(page: Page) -> Callable[[], None]:
    """Hold every script that a page asks for until the function that this returns is called."""
    held: list[Route] = []
    is_free: list[bool] = []

    def handle(route: Route) -> None:
        if is_free:
            route.continue_()
        else:
            held.append(route)

    def release() -> None:
        is_free.append(True)
        for route in held:
            route.continue_()

    page.route("**/*.js", handle)
    return release


def sized(page: Page, size: tuple[int, int]) -> Page:
    """Make a page's window as large as that, and return the page."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return page


STAFF = (routes.STAFF, routes.UPDATE_LENDERS)
"""How the addresses begin that lead whoever is not signed in to the sign-in; the tests of staff open those pages."""


MISSING = "/no-such-page/"
"""An address that nothing has: it shows the error page."""


def to_open(exported: Iterable[str]) -> list[str]:
    """Return the pages worth opening one by one: of the hundreds that are drawn alike, a few; and a missing one."""
    every = [path for path in exported if not path.startswith(STAFF) and path != routes.NOT_FOUND]
    assert set(every) >= SOME
    return [*(path for path in every if not path.startswith(ALIKE) or path in SOME), *OF_DATA, MISSING]


@dataclass(slots=True)
class Problems:
    """The complaints of the pages being watched (uncaught errors, and errors written to the console).

    `expected` has the patterns of those that a test means to cause.
    """

    seen: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.seen.append(f"uncaught: {error.message}"))
        page.on("console", lambda message: self.seen.extend(_errors(message)))

    def expect(self, pattern: str) -> None:
        """Let complaints pass that hold this regular expression."""
        self.expected.append(pattern)

    def unexpected(self) -> list[str]:
        return [text for text in self.seen if not any(re.search(pattern, text) for pattern in self.expected)]


def _errors(message: ConsoleMessage) -> list[str]:
    place = message.location.get("url", "")
    return [f"console: {message.text} ({place})"] if message.type == "error" else []
