"""Lenders and logos in a browser: each way to give a picture, what the public site shows, refusals, zips, conflicts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import DESKTOP, NARROW, PHONE, Problems, sized
from tests.e2e.staff import ADA, StaffSite, sign_out
from tests.e2e.staff_logos_page import BLUE, GREEN, RED, SIDES, LogosPage, payload
from tests.unit.lenders.logos.sent_pictures import plain, zipped


@pytest.fixture
def logos(staff_page: Page) -> LogosPage:
    return LogosPage(staff_page)


def test_lenders_without_a_logo_come_first_and_lenders_are_found(logos: LogosPage) -> None:
    every = logos.lines.count()
    logos.upload("Atom Bank", data=plain((1, 2, 3), (48, 20)))
    logos.expect_told("It is 48 pixels wide and looks blurred")
    logos.expect_logo("Atom Bank")
    expect(logos.lines.first).to_contain_text("No logo")
    expect(logos.line("Atom Bank")).to_contain_text("48 px wide: blurs")
    field = logos.page.get_by_label("Find a lender by name or number")
    for text, names in (("  ATOM", ["Atom Bank"]), ("595", ["Aldermore"]), ("no such bank", [])):
        field.fill(text)
        expect(logos.lines.get_by_role("rowheader")).to_have_text(names)
        expect(logos.page.get_by_text(f"Shown below: {len(names)} of {every}")).to_be_visible()
    expect(logos.page.get_by_text("No lender is found")).to_be_visible()
    field.fill("")
    show = logos.page.get_by_role("group", name="Show")
    for words, is_shown in (("Without", False), ("Look at", True)):
        show.get_by_role("button", name=words).click()
        expect(logos.line("Atom Bank")).to_have_count(int(is_shown))


def test_files_find_their_places_and_a_refused_one_leaves_the_others_to_be_undone(logos: LogosPage) -> None:
    names = ("595.png", "post-office.png", "nobody-at-all.png", "notes.txt")
    logos.send(*(payload(name, b"x" if name.endswith("txt") else RED) for name in names))
    expect(logos.report.get_by_role("listitem")).to_have_count(4)
    expect(logos.report).to_contain_text("4 results")
    for words in ("595.png: Aldermore has its logo now.", "nobody-at-all.png is named by no lender", "notes.txt is a"):
        expect(logos.report).to_contain_text(words)
    logos.upload("Aldermore", "bad.png", b"<svg/>")
    logos.expect_told("bad.png is an SVG drawing")
    logos.report.get_by_role("button", name="Undo 595.png").click()
    logos.expect_logo("Aldermore", stands=False)
    logos.page.keyboard.press("Escape")
    logos.page.get_by_role("button", name="Put the results away").click()
    expect(logos.report).to_have_count(0)


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
    page, keyboard, lender = logos.page, logos.page.keyboard, "Chelsea Building Society"
    keyboard.press("/")
    expect(page.get_by_label("Find a lender by name or number")).to_be_focused()
    keyboard.type("Chelsea")
    expect(logos.lines).to_have_count(1)
    keyboard.press("Escape")
    keyboard.press("j")
    expect(logos.line(lender).get_by_role("button", name=lender, exact=True)).to_be_focused()
    with page.expect_file_chooser() as chooser:
        keyboard.press("r")
    chooser.value.set_files(payload("chelsea.png"))
    logos.expect_told(f"chelsea.png: {lender} has its logo now.")
    keyboard.press("z")
    logos.expect_told(f"{lender} is shown as it was before.")
    row = logos.line(lender).get_by_role("button", name=lender, exact=True)
    row.press("Enter")
    expect(logos.chosen).to_be_focused()
    keyboard.press("Escape")
    expect(row).to_be_focused()
    expect(logos.chosen).to_have_count(0)
    row.press("Enter")
    logos.chosen.get_by_role("button", name="Put back chelsea.png").press("Enter")
    logos.expect_logo(lender)


def test_picture_is_dropped_on_a_line_and_pasted_for_a_chosen_lender(logos: LogosPage) -> None:
    line = logos.line("Kensington")
    logos.give(line.locator(".l0"), "dragover", ("red.png", RED))
    expect(line).to_have_attribute("data-over", "")
    logos.give(line.locator(".l0"), "drop", ("red.png", RED))
    logos.expect_told("red.png: Kensington has its logo now.")
    expect(line).not_to_have_attribute("data-over", "")
    body = logos.page.locator("body")
    logos.give(body, "paste", ("image.png", GREEN))
    logos.expect_told("It was pasted for no lender")
    logos.open("Kensington")
    logos.give(body, "paste", ("image.png", GREEN))
    logos.expect_told("image.png: The logo of Kensington is replaced.")
    field = logos.page.get_by_label("Or paste a picture here")
    field.press_sequentially("words")
    expect(field).to_have_value("")
    logos.give(field, "paste")
    logos.expect_told("There was no picture in that")
    logos.give(logos.page.locator(".versions"), "drop", ("blue.png", BLUE))
    logos.expect_told("blue.png: The logo of Kensington is replaced.")
    logos.give(line, "drop", ("red.png", RED), ("blue.png", BLUE))
    logos.expect_told("Several files came for one lender")
    expect(line.locator(".v0")).to_have_text("3")


def test_zip_file_is_reported_file_by_file_and_printed_alone(logos: LogosPage) -> None:
    files = {"57.png": RED, "803.png": RED[:60], "99999.png": RED, "notes.txt": b"x", "folder/2.png": RED}
    logos.send_zip(payload("logos.zip", zipped(files)))
    expect(logos.report).to_contain_text("5 results: 1 stored, 0 the same as before, 4 not taken.")
    for words in (
        "Stored: 57.png",
        "Refused: 803.png",
        "No such lender: 99999.png",
        "Refused: notes.txt",
        "Refused: 2.png",
    ):
        expect(logos.report.get_by_role("listitem").filter(has_text=words)).to_have_count(1)
    logos.expect_logo("Leeds Building Society")
    logos.page.emulate_media(media="print")
    expect(logos.report).to_be_visible()
    expect(logos.page.locator(".lender-table")).to_be_hidden()
    logos.page.emulate_media(media="screen")
    logos.report.get_by_role("button", name="Undo 57.png").click()
    logos.expect_logo("Leeds Building Society", stands=False)
    expect(logos.report).to_contain_text("Put back")


def test_upload_after_the_session_has_ended_leads_to_the_sign_in(logos: LogosPage, problems: Problems) -> None:
    problems.expect("status of 403")
    other = logos.page.context.new_page()
    other.goto(routes.STAFF_ACCOUNT)
    sign_out(other, ADA)
    logos.upload("Kent Reliance")
    expect(logos.page.get_by_role("heading", name="Sign in")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_fits_and_has_no_barriers(logos: LogosPage, axe: Callable[[Page], list[str]], scheme: str) -> None:
    logos.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    logos.page.reload()
    expect(logos.lines.first).to_be_visible()
    logos.page.get_by_label("Find a lender by name or number").fill("Hinckley")
    logos.open("Hinckley & Rugby Building Society")
    logos.upload("Hinckley & Rugby Building Society", "a-picture-with-a-rather-long-name.png")
    logos.expect_told("rather-long-name")
    logos.send_zip(payload("logos.zip", zipped({"50.png": BLUE, "no.txt": b"x"})))
    expect(logos.report).to_contain_text("no.txt")
    for size in (DESKTOP, PHONE, NARROW):
        assert (size, axe(sized(logos.page, size))) == (size, [])
        assert logos.page.evaluate("document.documentElement.scrollWidth") <= size[0]
