"""Duties and figures in a browser: sections, keys, a complaint about a case, and no barriers in either theme."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.pages import DESKTOP, PHONE, sized
from tests.e2e.sent_enquiries import from_somebody, send, state_of
from tests.e2e.staff import OpenStaffPage, StaffSite

PAGES = {routes.STAFF_DUTIES: "#complaints", routes.STAFF_PROMOTIONS: "#promotions", routes.STAFF_FIGURES: "main table"}
"""Each page, and a part of it that is there once its data is read."""

LIGHT_RED = "rgb(255, 167, 155)"
"""What is bad in the dark theme, `--bad`."""

READ_MS = 30_000
"""Time for all public pages, or a year of figures, to be read on a busy machine."""


def open_read(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator(PAGES[path]).first).to_be_visible(timeout=READ_MS)
    expect(page.locator("main .sk")).to_have_count(0, timeout=READ_MS)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_fit_and_have_no_barriers(
    open_staff_page: OpenStaffPage, axe: Callable[[Page], list[str]], theme: str
) -> None:
    page = open_staff_page(routes.STAFF_DUTIES)
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    for path in PAGES:
        open_read(page, path)
        for size in (DESKTOP, PHONE):
            assert (path, size, axe(sized(page, size))) == (path, size, [])
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0], path
        sized(page, DESKTOP)


def test_family_of_pages_is_looked_at_by_keys(open_staff_page: OpenStaffPage, axe: Callable[[Page], list[str]]) -> None:
    page = open_staff_page(routes.STAFF_PROMOTIONS)
    open_read(page, routes.STAFF_PROMOTIONS)
    page.get_by_role("row", name="/lenders/*").get_by_role("button").press("Enter")
    shown = page.get_by_role("region", name="/lenders/*")
    expect(shown.get_by_role("heading", name="/lenders/*")).to_be_focused()
    expect(shown.get_by_role("link").first).to_have_attribute("href", re.compile("^/lenders/."))
    for size in (DESKTOP, PHONE):
        assert (size, axe(sized(page, size))) == (size, [])
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.keyboard.press("Escape")
    expect(shown).to_be_hidden()


def test_section_is_marked_and_a_key_opens_the_form(open_staff_page: OpenStaffPage) -> None:
    page = open_staff_page(routes.STAFF_DUTIES)
    tabs = page.get_by_role("navigation", name="Duties")
    expect(tabs.get_by_role("link", name="Complaints")).to_have_attribute("aria-current", "true")
    retention = tabs.get_by_role("link", name="Retention")
    retention.press("Enter")
    expect(retention).to_have_attribute("aria-current", "true")
    expect(tabs.locator("[aria-current]")).to_have_count(1)
    page.keyboard.press("n")
    form = page.get_by_role("form", name="New complaint")
    expect(form.get_by_label("Who complains")).to_be_focused()
    page.keyboard.type("A. Example")
    form.get_by_role("button", name="Record it").press("Enter")
    expect(form.get_by_label("About", exact=True)).to_be_focused()
    tabs.get_by_role("link", name="Promotions").press("Enter")
    expect(page.get_by_role("link", name="Promotions")).to_have_attribute("aria-current", "page")


def test_complaint_about_a_case_has_its_reference(open_staff_page: OpenStaffPage, staff_site: StaffSite) -> None:
    (reference,) = send(state_of(staff_site), from_somebody("A. Example"))
    page = open_staff_page(routes.staff_enquiry(reference))
    page.get_by_role("button", name="More: hand over").press("Enter")
    page.get_by_role("menuitem", name="Record a complaint").click()
    expect(page.get_by_label("Reference of their enquiry (optional)")).to_have_value(reference)


def test_recorded_complaint_says_so_in_sight_above_its_heading(open_staff_page: OpenStaffPage) -> None:
    page = open_staff_page(routes.STAFF_DUTIES, size=PHONE)
    page.get_by_role("button", name="New complaint").click()
    form = page.get_by_role("form", name="New complaint")
    form.get_by_label("Who complains").fill("A. Example")
    form.get_by_label("About", exact=True).select_option(index=1)
    form.get_by_label("Root cause").select_option(index=1)
    form.get_by_label("In a few words").fill("Nobody called back")
    form.get_by_role("button", name="Record it").click()
    expect(page.get_by_role("heading", name="A. Example")).to_be_focused()
    said = page.locator("#complaints + [role=status]")
    expect(said).to_have_text(re.compile("^C-[0-9]+ is recorded$"))
    expect(said).to_be_in_viewport(ratio=1)


def test_what_is_refused_or_done_of_a_person_is_said_beside_its_button(
    open_staff_page: OpenStaffPage, staff_site: StaffSite
) -> None:
    send(state_of(staff_site), from_somebody("A. Example"))
    page = open_staff_page(routes.STAFF_DUTIES, size=PHONE)
    page.get_by_label("Telephone or email").fill("nothing")
    page.get_by_role("button", name="Find", exact=True).click()
    person = page.locator("#person")
    expect(person).to_contain_text("Not done")
    page.get_by_label("Telephone or email").fill("07700 900123")
    page.get_by_role("button", name="Find", exact=True).click()
    person.get_by_label("Type the reference to go on").fill("HG-WRONG")
    expect(person).not_to_contain_text("Not done")
    person.get_by_role("button", name="Delete").click()
    expect(person.get_by_text("Not done")).to_be_in_viewport()
    person.get_by_role("button", name="Record what they ask for").click()
    person.get_by_label("They ask for", exact=True).select_option("deletion")
    person.get_by_role("button", name="Record it").click()
    said = person.get_by_text("It is recorded")
    expect(said).to_be_focused()
    expect(said).to_be_in_viewport()


def test_correction_says_what_an_empty_field_does(open_staff_page: OpenStaffPage, staff_site: StaffSite) -> None:
    send(state_of(staff_site), from_somebody("A. Example"))
    page = open_staff_page(routes.STAFF_DUTIES)
    page.get_by_label("Telephone or email").fill("07700 900123")
    page.get_by_role("button", name="Find", exact=True).click()
    page.locator("#person").get_by_role("button", name="Correct", exact=True).click()
    form = page.get_by_role("form", name="Correct it wherever it stands")
    for label in ("Right name", "Right telephone", "Right email"):
        expect(form.get_by_label(label)).to_have_accessible_description("Empty stays as it is")
    expect(form.get_by_text("Empty stays as it is").first).to_be_visible()


def test_loading_boxes_and_the_deletion_of_a_person_are_coloured_by_the_theme(
    open_staff_page: OpenStaffPage, staff_site: StaffSite
) -> None:
    send(state_of(staff_site), from_somebody("A. Example"))
    page = open_staff_page(routes.STAFF_DUTIES)
    page.emulate_media(color_scheme="dark")
    open_read(page, routes.STAFF_DUTIES)
    page.get_by_label("Telephone or email").fill("07700 900123")
    page.get_by_role("button", name="Find", exact=True).click()
    delete = page.locator("#person").get_by_role("button", name="Delete")
    expect(delete).to_have_css("color", LIGHT_RED)
    expect(delete).to_have_css("border-top-color", LIGHT_RED)
    box, panel = page.evaluate(
        """() => {
            const box = document.createElement("div");
            box.className = "deal";
            document.querySelector("main").append(box);
            return [box, document.querySelector("main .panel")].map((each) => getComputedStyle(each).backgroundColor);
        }"""
    )
    assert box == panel != "rgb(255, 255, 255)"


def test_a_figure_is_counted_another_way_where_it_stands(open_staff_page: OpenStaffPage) -> None:
    page = open_staff_page(routes.STAFF_FIGURES)
    open_read(page, routes.STAFF_FIGURES)
    ways = page.locator("section[aria-labelledby=stages] select")
    ways.focus()
    ways.select_option("service")
    expect(page.get_by_role("heading", name="Stages by service")).to_be_in_viewport()
    expect(page).to_have_url(re.compile("stages=service"))
    expect(ways).to_be_focused()
    page.go_back()
    expect(page.get_by_role("heading", name="Stages by week")).to_be_visible()
