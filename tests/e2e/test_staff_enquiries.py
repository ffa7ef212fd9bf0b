"""Staff find the enquiry that is next: the list, what narrows it, and the whole of it as a file."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from broker import routes
from broker.enquiries.enquiry import EnquiryKind
from tests.e2e.pages import NARROW, PHONE, sized
from tests.e2e.sent_enquiries import from_somebody, send, state_of
from tests.e2e.staff import OpenStaffPage, StaffSite
from tests.unit.enquiries.enquiring import sent

LIST = routes.STAFF_ENQUIRIES
FORMULA = "=HYPERLINK(1)Amabel Thistlewood"


def look_for(page: Page, words: str) -> None:
    page.get_by_label("Name, telephone, email or reference").fill(words)
    page.get_by_role("button", name="Search").click()


def names(page: Page) -> list[str]:
    return page.get_by_role("rowheader").get_by_role("link").all_inner_texts()


def test_list_is_in_the_order_of_promises_and_says_what_is_overdue(
    staff_site: StaffSite, open_staff_page: OpenStaffPage
) -> None:
    state = state_of(staff_site)
    send(state, from_somebody("Later Orderly", when="afternoon"))
    send(state, from_somebody("Long Orderly"), days_ago=6)
    page = open_staff_page(LIST)
    look_for(page, "orderly")
    expect(page.get_by_role("status").filter(has_text="2 enquiries that fit")).to_be_visible()
    assert names(page) == ["Long Orderly", "Later Orderly"]
    first = page.get_by_role("row").filter(has_text="Long Orderly")
    expect(first).to_contain_text(re.compile("Overdue.*We promised .* before "))
    expect(first.get_by_role("link", name="07700 900123")).to_have_attribute("href", "tel:+447700900123")
    page.get_by_label("Order").select_option(label="Newest first")
    page.get_by_role("button", name="Search").click()
    expect(page).to_have_url(re.compile(r"\?order=newest$"))
    expect(page.get_by_role("rowheader").first).to_contain_text("Later Orderly")
    page.get_by_role("link", name="Overdue").click()
    expect(page).to_have_url(re.compile(r"\?overdue=1&order=newest$"))
    expect(page.get_by_role("status").filter(has_text="1 enquiry that fits")).to_be_visible()
    assert names(page) == ["Long Orderly"]


def test_words_that_are_looked_for_are_in_no_address_and_no_storage(
    staff_site: StaffSite, open_staff_page: OpenStaffPage
) -> None:
    reference = send(state_of(staff_site), sent(EnquiryKind.CONTACT, name="Ottoline Vellacott"))[0]
    page = open_staff_page(LIST)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.url} {request.headers.get('referer', '')}"))
    look_for(page, "vellacott")
    expect(page.get_by_role("status").filter(has_text="1 enquiry that fits")).to_be_visible()
    page.get_by_label("Kind").select_option(label="Contact form")
    page.get_by_role("button", name="Search").click()
    expect(page).to_have_url(re.compile(r"\?kind=contact$"))
    page.get_by_role("link", name="Ottoline Vellacott").click()
    expect(page).to_have_url(re.compile(rf"{routes.STAFF_ENQUIRY}\?reference={reference}$"))
    expect(page.get_by_text("About the cottage at Nether Wallop")).to_be_visible()
    kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, document.title])")
    told = " ".join([*asked, kept, staff_site.server.said()]).casefold()
    assert not [word for word in ("vellacott", "ottoline", "wallop", "900123") if word in told]
    page.go_back()
    expect(page.get_by_label("Name, telephone, email or reference")).to_have_value("vellacott")
    page.get_by_role("button", name="Clear").click()
    expect(page).to_have_url(LIST)
    expect(page.get_by_label("Name, telephone, email or reference")).to_have_value("")


def test_list_refreshes_on_demand_and_when_the_window_gets_focus(
    staff_site: StaffSite, open_staff_page: OpenStaffPage
) -> None:
    page = open_staff_page(LIST)
    look_for(page, "latecomer")
    expect(page.get_by_text("No enquiry fits")).to_be_visible()
    send(state_of(staff_site), from_somebody("First Latecomer"))
    page.get_by_role("button", name="Look again").click()
    expect(page.get_by_role("link", name="First Latecomer")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^Read at \d\d:\d\d$"))).to_be_visible()
    send(state_of(staff_site), from_somebody("Second Latecomer"))
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.get_by_role("link", name="Second Latecomer")).to_be_visible()


def test_list_is_a_file_of_all_that_fits_in_which_nothing_is_a_formula(
    staff_site: StaffSite, open_staff_page: OpenStaffPage, tmp_path: Path
) -> None:
    state = state_of(staff_site)
    reference = send(state, sent(EnquiryKind.CONTACT, name=FORMULA))[0]
    page = open_staff_page(LIST)
    look_for(page, "thistlewood")
    expect(page.get_by_role("rowheader").get_by_role("link")).to_have_text([FORMULA])
    files = {}
    for button in ("CSV", "JSON"):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=button).click()
        assert re.fullmatch(rf"enquiries-\d{{4}}-\d\d-\d\d\.{button.lower()}", waiting.value.suggested_filename)
        waiting.value.save_as(tmp_path / button)
        files[button] = (tmp_path / button).read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(files["CSV"])))
    assert [(row["Reference"], row["Name"]) for row in rows] == [(reference, f"'{FORMULA}")]
    assert [each["contact"]["name"] for each in json.loads(files["JSON"])["enquiries"]] == [FORMULA]
    expect(page.get_by_role("link", name=FORMULA)).to_be_visible()


def test_list_is_accessible_on_a_telephone_and_fits(
    staff_site: StaffSite, open_staff_page: OpenStaffPage, axe: Callable[[Page], list[str]]
) -> None:
    send(state_of(staff_site), from_somebody("Bartholomew Featherstonehaugh-Cholmondeley"), days_ago=6)
    page = open_staff_page(LIST, size=PHONE)
    look_for(page, "cholmondeley")
    expect(page.get_by_role("link", name="Bartholomew")).to_be_visible()
    for size in (PHONE, NARROW):
        assert (size, axe(sized(page, size))) == (size, [])
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
