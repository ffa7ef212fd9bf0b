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
from tests.e2e.staff import ADA, OpenStaffPage, StaffSite
from tests.unit.enquiries.enquiring import sent

LIST = routes.STAFF_ENQUIRIES
FORMULA = "=HYPERLINK(1)Amabel Thistlewood"
LONGEST = ("Bartholomew " + "Featherstonehaugh-" * 9)[:100]


def look_for(page: Page, words: str) -> None:
    page.get_by_label("Search in all cases of this tab").fill(words)


def choose(page: Page, filter_name: str, value: str) -> None:
    page.get_by_role("search", name="Filter").get_by_label(filter_name).select_option(label=value)


def names(page: Page) -> list[str]:
    return page.get_by_role("rowheader").get_by_role("link").all_inner_texts()


def test_list_is_sorted_and_narrowed_by_links_and_choices(
    staff_site: StaffSite, open_staff_page: OpenStaffPage
) -> None:
    state = state_of(staff_site)
    send(state, from_somebody("Later Orderly", when="afternoon"))
    send(state, from_somebody("Long Orderly"), days_ago=6)
    page = open_staff_page(LIST)
    look_for(page, "orderly")
    expect(page.get_by_role("status").filter(has_text=re.compile("^2 matches, soonest due first"))).to_be_visible()
    assert names(page) == ["Long Orderly", "Later Orderly"]
    expect(page.get_by_role("row").filter(has_text="Long Orderly")).to_contain_text(re.compile("late"))
    page.get_by_role("columnheader", name="Name").get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"\?sort=name$"))
    expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "ascending")
    expect(page.get_by_role("rowheader").first).to_contain_text("Later Orderly")
    choose(page, "Due", "Late")
    expect(page).to_have_url(re.compile(r"\?due=late&sort=name$"))
    expect(page.get_by_role("rowheader")).to_have_count(1)


def test_words_that_are_looked_for_are_in_no_address_and_no_storage(
    staff_site: StaffSite, open_staff_page: OpenStaffPage
) -> None:
    reference = send(state_of(staff_site), sent(EnquiryKind.CONTACT, name="Ottoline Vellacott"))[0]
    page = open_staff_page(LIST)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.url} {request.headers.get('referer', '')}"))
    look_for(page, "vellacott")
    expect(page.get_by_role("status").filter(has_text=re.compile("^1 match,"))).to_be_visible()
    choose(page, "Stage", "Enquiry")
    expect(page).to_have_url(re.compile(r"\?stage=enquiry$"))
    page.get_by_role("link", name="Ottoline Vellacott").click()
    expect(page).to_have_url(re.compile(rf"{routes.STAFF_ENQUIRY}\?reference={reference}$"))
    expect(page.get_by_text("About the cottage at Nether Wallop")).to_be_visible()
    kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, document.title])")
    told = " ".join([*asked, kept, staff_site.server.said()]).casefold()
    assert not [word for word in ("vellacott", "ottoline", "wallop", "900123") if word in told]
    page.go_back()
    expect(page.get_by_label("Search in all cases of this tab")).to_have_value("vellacott")
    page.get_by_role("button", name="Clear").click()
    expect(page).to_have_url(LIST)
    expect(page.get_by_label("Search in all cases of this tab")).to_have_value("")


def test_key_of_the_search_selects_the_words_of_the_last(open_staff_page: OpenStaffPage) -> None:
    page = open_staff_page(LIST)
    search = page.get_by_label("Search in all cases of this tab")
    expect(search).to_be_visible()
    for words in ("quillfeather", "vellacott"):
        page.keyboard.press("/")
        expect(search).to_be_focused()
        page.keyboard.type(words)
        expect(search).to_have_value(words)
        expect(page.get_by_role("button", name="Clear")).to_be_visible()
        page.keyboard.press("Escape")


def test_cases_are_ticked_handed_over_and_taken_back_by_keys_alone(
    staff_site: StaffSite, open_staff_page: OpenStaffPage
) -> None:
    for name in ("First Keyworthy", "Second Keyworthy"):
        send(state_of(staff_site), from_somebody(name))
    page = open_staff_page(LIST)
    search = page.get_by_label("Search in all cases of this tab")
    expect(search).to_be_visible()
    page.keyboard.press("/")
    expect(search).to_be_focused()
    page.keyboard.insert_text("keyworthy")  # at once: a search for more unticks
    expect(page.get_by_role("button", name="Clear")).to_be_visible()
    expect(page.get_by_role("rowheader")).to_have_count(2)
    page.keyboard.press("Escape")
    bar = page.get_by_role("region", name="Ticked cases")
    for count in ("1 ticked", "2 ticked"):
        page.keyboard.press("j")
        page.keyboard.press("x")
        expect(bar).to_contain_text(count)
    page.keyboard.press("Escape")
    expect(bar).to_be_hidden()
    page.keyboard.press("x")
    expect(bar).to_contain_text("1 ticked")
    page.keyboard.press("h")
    expect(page.get_by_role("dialog", name="Hand over").get_by_label("To")).to_be_focused()
    page.get_by_role("dialog", name="Hand over").get_by_label("To").select_option(ADA)
    page.get_by_role("dialog", name="Hand over").get_by_role("button", name="Hand over").press("Enter")
    status = page.get_by_role("status")
    expect(status.get_by_text(f"1 case handed to {ADA}")).to_be_visible()
    page.keyboard.press("z")
    expect(status.get_by_text("1 case undone")).to_be_visible()
    status.get_by_role("button", name="Close").press("Enter")
    expect(status.get_by_text("1 case undone")).to_be_hidden()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(routes.STAFF_ENQUIRY))


def test_names_have_room_on_a_tablet(staff_site: StaffSite, open_staff_page: OpenStaffPage) -> None:
    send(state_of(staff_site), sent(EnquiryKind.CONTACT, name="Tabitha Wide-Test"))
    page = open_staff_page(LIST)
    look_for(page, "wide-test")
    link = page.get_by_role("rowheader").get_by_role("link", name="Tabitha Wide-Test")
    for width in (700, 768, 1000, 1024, 1279, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        expect(link).to_be_visible()
        assert link.evaluate("each => each.scrollWidth <= each.clientWidth"), width
        table = page.get_by_role("table")
        assert table.evaluate("each => each.getBoundingClientRect().right <= innerWidth"), width


def test_search_of_any_page_opens_on_a_phone_with_the_focus_in_its_field(
    staff_site: StaffSite, open_staff_page: OpenStaffPage
) -> None:
    for name in ("Quentin Halloway-Test", "Ruth Other-Test"):
        send(state_of(staff_site), sent(EnquiryKind.CONTACT, name=name))
    page = open_staff_page(routes.STAFF, size=PHONE)
    page.get_by_role("button", name="Search cases").click()
    field = page.get_by_role("searchbox", name="Search cases")
    expect(field).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.keyboard.type("halloway-test")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(LIST))
    expect(page.get_by_role("rowheader").get_by_role("link")).to_have_text(["Quentin Halloway-Test"])
    expect(field).to_be_hidden()
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("button", name="Clear")).to_be_hidden()
    page.goto(routes.STAFF_DIARY)  # drawn by the server
    page.get_by_role("link", name="Search cases").click()
    expect(field).to_be_focused()


def test_case_leads_back_to_the_tab_that_it_was_opened_from(
    staff_site: StaffSite, open_staff_page: OpenStaffPage
) -> None:
    send(state_of(staff_site), sent(EnquiryKind.CONTACT, name="Orla Back-Test"))
    page = open_staff_page(f"{LIST}?tab=nobody")
    look_for(page, "back-test")
    page.get_by_role("rowheader").get_by_role("link", name="Orla Back-Test").click()
    page.locator("#case").get_by_role("link", name="Cases").click()
    expect(page).to_have_url(re.compile("tab=nobody"))
    expect(page.get_by_role("rowheader")).to_have_count(1)


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
        page.get_by_role("button", name="CSV, Excel").click()
        files_of_all = page.get_by_role("dialog", name="All of this list as a file")
        with page.expect_download() as waiting:
            files_of_all.get_by_role("button", name=button).click()
        page.keyboard.press("Escape")
        assert re.fullmatch(rf"enquiries-\d{{4}}-\d\d-\d\d\.{button.lower()}", waiting.value.suggested_filename)
        waiting.value.save_as(tmp_path / button)
        files[button] = (tmp_path / button).read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(files["CSV"])))
    assert [(row["Reference"], row["Name"]) for row in rows] == [(reference, f"'{FORMULA}")]
    assert [each["contact"]["name"] for each in json.loads(files["JSON"])["enquiries"]] == [FORMULA]
    expect(page.get_by_role("link", name=FORMULA)).to_be_visible()


def test_list_is_accessible_and_fits_every_screen(
    staff_site: StaffSite, open_staff_page: OpenStaffPage, axe: Callable[[Page], list[str]]
) -> None:
    send(state_of(staff_site), from_somebody(LONGEST), days_ago=6)
    send(state_of(staff_site), from_somebody("שלום Featherstonehaugh"), days_ago=6)
    page = open_staff_page(LIST)
    look_for(page, "featherstonehaugh")
    expect(page.get_by_role("rowheader")).to_have_count(2)
    tick_all = page.get_by_role("checkbox", name="Tick all on this page")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    expect(tick_all).to_have_css("background-color", "rgb(12, 43, 50)")  # the card's
    tick_all.click()
    expect(tick_all).to_be_checked()
    for size in ((1280, 900), PHONE, NARROW):
        for theme in ("light", "dark"):
            page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            assert (size, theme, axe(sized(page, size))) == (size, theme, [])
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
