"""A watch in a browser: from the plan, whose figures come along, until it is stopped."""

import pytest
from playwright.sync_api import expect

from broker import routes
from broker.lending.days import iso_text, months_earlier
from broker.pages.remortgage_plan import today
from tests.e2e.axe import violations
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import DESKTOP, NARROW, PHONE, Problems, sized, visit
from tests.e2e.staff import OpenStaffPage
from tests.integration.enquiry_site import EnquirySite

MARKED = {"email": "xylophia.z@marked.example", "telephone": "07700 900987"}
MARKS = ("marked.example", "900987", "191919")
STORED = "() => JSON.stringify([Object.entries(localStorage), document.cookie])"


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_figures_typed_in_the_plan_are_watched_until_the_watch_is_stopped(
    open_page: OpenPage, open_staff_page: OpenStaffPage, problems: Problems, running_site: EnquirySite, scripts: bool
) -> None:
    problems.expect("status of 422")
    page, addresses = open_page(PHONE, scripts=scripts), list[str]()
    end = iso_text(months_earlier(today(), -8))
    address = f"{routes.REMORTGAGE_PLAN}?end={end}"
    visit(page, address) if scripts else page.goto(address)
    page.locator(".own-figures summary").click()
    page.locator("[name=balance]").fill("191919")
    page.on("request", lambda request: addresses.append(request.url))

    def look() -> None:
        """Check that the page fits and is accessible, and that the browser stores nothing of the visitor."""
        assert not any(mark in page.evaluate(STORED) for mark in MARKS)
        for size in (DESKTOP, NARROW, PHONE):
            assert sized(page, size).evaluate("document.documentElement.scrollWidth") == size[0]
            if scripts and size != NARROW:  # axe is a script
                assert (size, violations(page)) == (size, [])

    page.get_by_role("button", name="Watch this for me").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Let us watch your mortgage")
    expect(page.locator(".watched")).to_contain_text("£191,919 of £300,000")
    expect(page.locator("#enquiry-balance")).to_be_hidden()
    expect(page.locator("#enquiry-rateBelow")).to_be_hidden()
    page.get_by_label("When a deal falls to a rate").check()
    expect(page.locator("#enquiry-rateBelow")).to_be_visible()
    look()
    page.locator("#enquiry-rateBelow").fill("3,9")
    page.locator("#enquiry-email").fill("xylophia.z@")
    page.get_by_role("button", name="Watch my mortgage").click()
    expect(page.locator("#problems")).to_be_focused()
    look()
    page.get_by_role("link", name="for example 3.9").click()
    expect(page.locator("#enquiry-rateBelow")).to_be_focused()
    page.locator("#enquiry-rateBelow").fill("3.9")
    for name, text in MARKED.items():
        page.locator(f"#enquiry-{name}").fill(text)
    page.get_by_label("You may also call me").check()
    page.get_by_role("button", name="Watch my mortgage").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("We cannot send you an email just now")
    look()

    page.goto(routes.watch_link(running_site.watch_links()[-1]))
    expect(page.get_by_role("heading", level=1)).to_have_text("Confirm your watch")
    look()
    page.get_by_role("button", name="Yes, watch my mortgage").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your watch is on")
    expect(page.get_by_role("main")).to_contain_text("£191,919")
    look()
    if scripts:
        staff = open_staff_page(routes.STAFF_WATCHES)
        for size in (DESKTOP, PHONE):
            expect(sized(staff, size).get_by_role("link", name=MARKED["telephone"])).to_be_visible()
            assert (size, violations(staff)) == (size, [])
    page.get_by_role("button", name="Change it").click()
    expect(page.locator(".watched")).to_contain_text("£191,919")
    look()
    page.get_by_role("button", name="Leave it as it was").click()
    page.get_by_role("button", name="Stop and delete it").click()
    expect(page.get_by_role("heading", name="Stop it, and delete all of it?")).to_be_focused()
    look()
    page.get_by_role("button", name="Yes, stop it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your watch has stopped")
    look()
    assert not running_site.watch_links()
    assert not any(mark in one for one in addresses for mark in MARKS[:2])
    log = (running_site.folder / "server.log").read_text()
    assert not any(mark in log for mark in MARKS)
