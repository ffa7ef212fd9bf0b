"""A page fades out while the next one fades in, over 500 ms; nothing fades for those who ask for less motion."""

import pytest
from playwright.sync_api import expect

from broker import routes
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import visit

_NOTE_FADES = """() => {
  window.fades = {};
  const look = () => {
    for (const { effect } of document.getAnimations()) {
      if (/^::view-transition-(old|new)/.test(effect.pseudoElement)) {
        window.fades[effect.pseudoElement] = effect.getTiming().duration;
      }
    }
    requestAnimationFrame(look);
  };
  look();
}"""

FADES = {"::view-transition-old(root)": 500, "::view-transition-new(root)": 500}


@pytest.mark.parametrize(("motion", "wanted"), [("no-preference", FADES), ("reduce", {})])
def test_page_that_is_left_fades_out(open_page: OpenPage, motion: str, wanted: dict[str, int]) -> None:
    page = open_page()
    page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
    visit(page, "/about-us/")
    page.evaluate(_NOTE_FADES)
    page.locator(f"footer a[href='{routes.CALCULATORS}']").first.click()
    expect(page).to_have_url(routes.CALCULATORS)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.wait_for_function("count => Object.keys(window.fades).length >= count", arg=len(wanted))
    assert page.evaluate("() => window.fades") == wanted
    assert page.locator("main").evaluate("main => main.getAnimations().length") == 0
