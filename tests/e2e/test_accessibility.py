"""Accessibility: axe in every open state, the keyboard, less motion. `test_every_page` has the pages."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from broker import routes
from broker.server.export.finish import pages
from tests.e2e.axe import violations
from tests.e2e.conftest import FLAGS, OpenPage
from tests.e2e.held_socket import HeldSocket
from tests.e2e.pages import CUT_OFF, PHONE, WINDOWS, Problems, sized, to_open, visit
from tools.environment import find_chromium

LARGE_TEXT = "--blink-settings=defaultFontSize=32"

RING = """
() => {
    const here = document.activeElement;
    if (here === document.body) return null;
    const around = [here, here.closest("label"), here.closest(".num"), ...here.children].filter(Boolean);
    const look = () => JSON.stringify(around.map(each => {
        const style = getComputedStyle(each);
        return [style.outlineStyle, style.outlineWidth, style.outlineColor, style.boxShadow];
    }));
    const focused = look(), box = here.getBoundingClientRect();
    here.blur();
    const ringed = look() !== focused;
    here.focus({preventScroll: true});
    const seen = box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight;
    return {place: here.outerHTML.slice(0, 120), ringed, seen};
}
"""
"""Whether the element with the focus looks otherwise than without it, and is on screen; null past the last stop."""


def open_menu(page: Page) -> None:
    visit(page, routes.HOME)
    page.locator("summary", has_text="Menu").click()
    expect(page.get_by_role("navigation", name="Menu")).to_be_visible()


def open_form(page: Page) -> None:
    visit(page, routes.RATES)
    page.locator("summary", has_text="Change").click()
    expect(page.get_by_label("Property price")).to_be_visible()


def leave_fields_wrong(page: Page) -> None:
    visit(page, routes.RATES)
    page.locator("details.find-opener").evaluate("each => { each.open = true }")
    for label in ("Property price", "Mortgage amount", "Term"):
        page.locator(".find").get_by_label(label).fill("")
    expect(page.locator(".find .err")).to_have_count(3)


def sort_in_vain(page: Page) -> None:
    socket = HeldSocket(page)
    visit(page, routes.RATES)
    expect(page.locator("#deals")).to_have_attribute("aria-busy", "false")
    socket.hold()
    _sort(page)
    expect(page.locator("#deals")).to_have_attribute("aria-busy", "true")


def keep_waiting(page: Page) -> None:
    HeldSocket(page).hold_after('"loading"')
    visit(page, routes.RATES)
    _sort(page)
    expect(page.locator("#deals .sk").first).to_be_visible()


def _sort(page: Page) -> None:
    page.get_by_role("group", name="Sort by").get_by_text("Fees", exact=True).click()
    expect(page.get_by_role("heading", name="Finding deals")).to_be_visible()


def open_all(path: str) -> Callable[[Page], None]:
    def opened(page: Page) -> None:
        visit(page, path)
        page.locator("main details").evaluate_all("each => each.forEach(one => { one.open = true })")

    return opened


STATES = {
    "menu": open_menu,
    "search form": open_form,
    "errors": leave_fields_wrong,
    "outdated deals": sort_in_vain,
    "searching": keep_waiting,
    "workings": open_all(routes.calculator("overpayment")),
    "questions": open_all(routes.FAQS),
    "components": open_all(routes.TEST),
}


@pytest.mark.parametrize("state", STATES)
def test_no_open_state_violates_wcag(open_page: OpenPage, state: str) -> None:
    page = open_page(PHONE)
    STATES[state](page)
    for name, size in WINDOWS.items():
        if name == "phone" or state not in {"menu", "search form"}:
            assert (name, violations(sized(page, size))) == (name, [])


def test_notice_of_lost_connection_is_within_wcag(open_page: OpenPage, static_server: str, problems: Problems) -> None:
    problems.expect("WebSocket connection")
    problems.expect(rf"status of 404 .*{routes.ART}lender-")  # the edge draws the marks of lenders
    page = open_page(PHONE, base=static_server)
    visit(page, routes.RATES)
    expect(page.get_by_role("status").filter(has_text="Connection lost.")).to_be_visible()
    for name, size in WINDOWS.items():
        assert (name, violations(sized(page, size))) == (name, [])


@pytest.mark.parametrize("path", [routes.HOME, routes.RATES, routes.CALCULATORS])
def test_every_stop_of_the_tab_key_is_seen(page: Page, path: str) -> None:
    visit(page, path)
    stops = []
    for _ in range(250):
        page.keyboard.press("Tab")
        stop = page.evaluate(RING)
        if stop is None:
            break
        stops.append(stop)
    assert len(stops) > 20
    assert [stop["place"] for stop in stops if not (stop["ringed"] and stop["seen"])] == []


def test_text_at_twice_its_size_is_not_cut_off(site: Path, browser: Browser, server: str) -> None:
    large = browser.browser_type.launch(executable_path=find_chromium(), args=[*FLAGS, LARGE_TEXT])
    page = large.new_page(base_url=server, viewport={"width": 1280, "height": 900})
    cut: dict[str, list[str]] = {}
    for path in to_open(pages(site)):
        page.goto(path)
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        if found := page.evaluate(CUT_OFF):
            cut[path] = found
    large.close()
    assert cut == {}


def test_nothing_moves_where_less_motion_is_asked_for(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    for path in (routes.HOME, routes.RATES, routes.TEST):
        page.goto(path)
        running = (
            "document.getAnimations().filter(each => each.playState === 'running').map(each => each.animationName)"
        )
        assert (path, page.evaluate(running)) == (path, [])
