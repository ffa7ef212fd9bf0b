"""Lenders and logos in a browser: each way to give a picture, what the public site shows, refusals, zips, conflicts."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import DESKTOP, NARROW, PHONE, Problems, sized
from tests.e2e.staff import StaffSite
from tests.e2e.staff_logos_page import BLUE, GREEN, RED, SIDES, LogosPage, payload
from tests.unit.lenders.logos.sent_pictures import zipped


@pytest.fixture
def logos(staff_page: Page) -> LogosPage:
    return LogosPage(staff_page)


def test_lenders_are_found_by_name_by_number_and_by_having_no_logo(logos: LogosPage) -> None:
    every = logos.lines.count()
    field = logos.page.get_by_label("Find a lender by name or number")
    for text, names in (("  ATOM", ["Atom Bank"]), ("595", ["Aldermore"]), ("no such bank", [])):
        field.fill(text)
        expect(logos.lines.get_by_role("rowheader")).to_have_text(names)
        expect(logos.page.get_by_text(f"Shown below: {len(names)} of {every}")).to_be_visible()
    expect(logos.page.get_by_text("No lender is found")).to_be_visible()
    field.fill("")
    logos.upload("Atom Bank")
    logos.expect_logo("Atom Bank")
    logos.page.get_by_label("Only lenders without a logo").check()
    expect(logos.line("Atom Bank")).to_have_count(0)
    expect(logos.line("Aldermore")).to_be_visible()


def test_uploaded_logo_is_on_the_public_site_at_once(
    logos: LogosPage, staff_site: StaffSite, open_page: OpenPage
) -> None:
    logos.upload("Barclays", "barclays.png")
    logos.expect_told("barclays.png: Barclays has its logo now.")
    logos.expect_logo("Barclays")
    visitor = open_page(base=staff_site.url)
    visitor.goto(routes.lender("barclays"))
    shown = visitor.locator("main .logo img").first
    expect(shown).to_have_js_property("naturalWidth", SIDES[0])
    logos.last_result.get_by_role("button", name="Undo").click()
    logos.expect_told("Barclays is shown as it was before.")
    another = open_page(base=staff_site.url)
    another.goto(routes.lender("barclays"))
    expect(another.locator("main .logo img").first).to_have_attribute("src", "/art/lender-barclays.svg")


def test_keyboard_alone_uploads_undoes_and_puts_back(logos: LogosPage) -> None:
    page, keyboard = logos.page, logos.page.keyboard
    page.get_by_label("Find a lender by name or number").fill("Chelsea")
    page.get_by_label("Only lenders without a logo").focus()
    keyboard.press("Tab")
    keyboard.press("Tab")
    expect(logos.line("Chelsea Building Society").get_by_role("link")).to_be_focused()
    keyboard.press("Tab")
    expect(page.locator("input[type=file]:focus")).to_have_count(1)  # Enter opens the system's own choice of a file
    page.locator("input[type=file]:focus").set_input_files(payload("chelsea.png"))
    logos.expect_told("chelsea.png: Chelsea Building Society has its logo now.")
    keyboard.press("Tab")
    expect(page.get_by_role("button", name="More for Chelsea")).to_be_focused()
    keyboard.press("Tab")
    keyboard.press("Enter")
    logos.expect_told("Chelsea Building Society is shown as it was before.")
    expect(logos.line("Chelsea Building Society").get_by_role("button", name="Undo")).to_be_focused()
    keyboard.press("Shift+Tab")
    keyboard.press("Enter")
    page.get_by_role("button", name="Put back chelsea.png").press("Enter")
    logos.expect_logo("Chelsea Building Society")


def test_picture_is_dropped_on_a_line_and_pasted_for_a_chosen_lender(logos: LogosPage) -> None:
    line = logos.line("Kensington")
    logos.give(line.locator("[data-l=Logo]"), "dragover", ("red.png", RED))
    expect(line).to_have_attribute("data-over", "")
    logos.give(line.locator("[data-l=Logo]"), "drop", ("red.png", RED))
    logos.expect_told("red.png: Kensington has its logo now.")
    expect(line).not_to_have_attribute("data-over", "")
    logos.open("Kensington")
    field = logos.page.get_by_label("Or paste a picture here")
    logos.give(field, "paste", ("image.png", GREEN))
    logos.expect_told("image.png: The logo of Kensington is replaced.")
    field.press_sequentially("words")
    expect(field).to_have_value("")
    logos.give(field, "paste")
    logos.expect_told("There was no picture in that")
    logos.give(logos.page.locator(".versions"), "drop", ("blue.png", BLUE))
    logos.expect_told("blue.png: The logo of Kensington is replaced.")
    logos.give(line, "drop", ("red.png", RED), ("blue.png", BLUE))
    logos.expect_told("Several files came at once")
    logos.give(logos.page.get_by_role("heading", name="All lenders"), "drop", ("red.png", RED))
    logos.expect_told("That was not dropped on a lender")
    expect(line.locator("[data-l=Versions]")).to_have_text("3")


def test_zip_file_is_reported_file_by_file_and_printed_alone(logos: LogosPage) -> None:
    files = {"57.png": RED, "803.png": RED[:60], "99999.png": RED, "notes.txt": b"x", "folder/2.png": RED}
    logos.send_zip(payload("logos.zip", zipped(files)))
    expect(logos.report).to_contain_text("logos.zip held 5 files: 1 stored")
    expected = {
        "57.png": "Stored",
        "803.png": "Refused",
        "99999.png": "No such lender",
        "notes.txt": "Refused",
        "2.png": "Refused",
    }
    for name, what in expected.items():
        row = logos.report.get_by_role("row").filter(has=logos.page.get_by_role("rowheader", name=name, exact=True))
        expect(row).to_contain_text(what)
    logos.expect_logo("Leeds Building Society")
    logos.page.emulate_media(media="print")
    expect(logos.report).to_be_visible()
    expect(logos.page.locator(".lender-table")).to_be_hidden()
    logos.page.emulate_media(media="screen")
    logos.report.get_by_role("button", name="Undo 57.png").click()
    logos.expect_logo("Leeds Building Society", stands=False)
    expect(logos.report).to_contain_text("Put back")
    logos.page.get_by_role("button", name="Put the report away").click()
    expect(logos.report).to_have_count(0)


def test_upload_after_the_session_has_ended_leads_to_the_sign_in(logos: LogosPage, problems: Problems) -> None:
    problems.expect("status of 403")
    other = logos.page.context.new_page()
    other.goto(routes.STAFF_ACCOUNT)
    other.get_by_role("button", name="Sign out", exact=True).first.click()
    expect(other).to_have_url(re.compile(routes.STAFF_SIGN_IN))
    logos.upload("Kent Reliance")
    expect(logos.page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_page_fits_and_has_no_barriers(logos: LogosPage, axe: Callable[[Page], list[str]]) -> None:
    logos.page.get_by_label("Find a lender by name or number").fill("Hinckley")
    logos.open("Hinckley & Rugby Building Society")
    logos.upload("Hinckley & Rugby Building Society", "a-picture-with-a-rather-long-name.png")
    logos.expect_told("rather-long-name")
    logos.send_zip(payload("logos.zip", zipped({"50.png": BLUE, "no.txt": b"x"})))
    expect(logos.report).to_be_visible()
    expect(logos.page.locator(".logos > :nth-child(2)").get_by_label("Choose a zip file")).to_be_attached()
    for size in (DESKTOP, PHONE, NARROW):
        assert (size, axe(sized(logos.page, size))) == (size, [])
        assert logos.page.evaluate("document.documentElement.scrollWidth") <= size[0]
