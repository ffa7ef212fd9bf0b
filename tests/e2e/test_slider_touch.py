"""A thumb on a slider: scrolling the page sets nothing; a tap and a move sideways set the figure."""

from collections.abc import Sequence

from playwright.sync_api import Locator, Page, expect

from broker import routes
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import PHONE, visit

SCROLL = [(1, -9 * step) for step in range(20)]
SIDEWAYS = [(-6 * step, step // 2) for step in range(20)]
TAP = [(0, 0)]


def touch(page: Page, slider: Locator, moves: Sequence[tuple[float, float]]) -> None:
    """Put a finger on a slider, right of its middle, and move it from there by each of `moves`, in pixels."""
    slider.evaluate("slider => slider.scrollIntoView({block: 'center', behavior: 'instant'})")
    box = slider.bounding_box()
    assert box
    x, y = box["x"] + box["width"] * 0.7, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for place, (across, along) in enumerate(moves):
        points = [{"x": x + across, "y": y + along}]
        kind = "touchMove" if place else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def expect_touches(page: Page, box: Locator, slider: Locator) -> None:
    """Expect that only a tap and a move sideways change the number in a box."""
    before = box.input_value()
    slider.evaluate("slider => slider.scrollIntoView({block: 'center', behavior: 'instant'})")
    top = page.evaluate("() => scrollY")
    touch(page, slider, SCROLL)
    page.wait_for_function("top => scrollY > top + 40", arg=top)
    assert box.input_value() == before
    touch(page, slider, TAP)
    expect(box).not_to_have_value(before)
    tapped = box.input_value()
    touch(page, slider, SIDEWAYS)
    expect(box).not_to_have_value(tapped)
    assert float(box.input_value().replace(",", "")) < float(tapped.replace(",", ""))


def test_only_a_tap_or_a_move_sideways_sets_a_slider_of_a_calculator(open_page: OpenPage) -> None:
    page = open_page(PHONE)
    visit(page, routes.calculator("repayment"), selector="#repayment-loan")
    slider = page.locator(".slider:not(.at-rest)").first
    expect(slider).to_be_visible()
    expect_touches(page, page.locator("#repayment-loan"), slider)
