"""A time chosen, booked, moved and cancelled in a browser, and what is typed meanwhile."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from broker import routes
from tests.e2e.enquiry_page import fill, linger, send
from tests.e2e.pages import NARROW, PHONE, Problems, visit
from tests.integration.adviser_hours import add_adviser
from tests.integration.enquiry_site import EnquirySite, enquiry_site, post
from tools.project import Project

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def diary(site: Path, project: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EnquirySite]:
    """Return a site of its own, whose one adviser has hours every day."""
    del site
    with enquiry_site(project, tmp_path_factory.mktemp("diary")) as running:
        add_adviser(running.state_dir, "grace")
        yield running


@pytest.fixture
def form(diary: EnquirySite, open_page: Open) -> Page:
    page = open_page(PHONE, base=diary.url)
    visit(page, routes.CONTACT)
    return page


def times(page: Page) -> Locator:
    return page.locator("#call-times")


def choose(page: Page, at: int) -> str:
    """Choose a time of the open day, and return the value of its field."""
    field = times(page).locator("details[open] [type=radio]").nth(at)
    field.check()
    return field.get_attribute("value") or ""


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_other_lengths_and_days_keep_what_was_typed_and_the_start_that_was_chosen(form: Page) -> None:
    fill(form, name="Ada Types", message="Two lines\nof mine")
    start = choose(form, 5).partition("-")[0]
    times(form).get_by_role("link", name="40 minutes").click()
    expect(times(form).get_by_role("link", name="40 minutes")).to_have_attribute("aria-current", "true")
    expect(times(form).get_by_role("link", name="40 minutes")).to_be_focused()
    expect(times(form).locator(":checked")).to_have_attribute("value", f"{start}-40-telephone")
    times(form).get_by_role("link", name="Video").click()
    expect(times(form).locator(":checked")).to_have_attribute("value", f"{start}-40-video")
    times(form).get_by_role("link", name="Later days").click()
    expect(times(form).get_by_role("link", name="Earlier days")).to_be_visible()
    expect(form.locator("[name=when]:checked")).to_have_attribute("value", "any")
    expect(form.locator("#enquiry-name")).to_have_value("Ada Types")
    expect(form.locator("#enquiry-message")).to_have_value("Two lines\nof mine")
    expect(form).to_have_url(routes.CONTACT)


def test_one_day_is_open_at_a_time_and_times_are_large_enough_to_press(form: Page) -> None:
    second = times(form).locator("details").nth(1)
    second.locator("summary").click()
    expect(times(form).locator("details[open]")).to_have_count(1)
    expect(second.locator("label").first).to_be_visible()
    sizes = [each.bounding_box() for each in times(form).locator("label:visible, summary, a").all()]
    assert [box for box in sizes if box is None or box["height"] < 44] == []


def test_times_are_reached_and_chosen_by_the_keyboard(form: Page) -> None:
    form.locator("[name=when]:checked").focus()
    chosen = times(form).locator("details[open] [type=radio]").first
    form.keyboard.press("ArrowRight")
    form.keyboard.press("ArrowRight")
    form.keyboard.press("ArrowRight")
    expect(chosen).to_be_checked()
    expect(chosen).to_be_focused()
    outline = chosen.locator("..").evaluate("label => getComputedStyle(label).outlineStyle")
    assert outline == "solid"


def test_times_are_there_after_a_link_inside_the_site_and_stay_chosen_after_other_pages(
    diary: EnquirySite, open_page: Open
) -> None:
    page = open_page(base=diary.url)
    visit(page, routes.PRIVACY)
    page.get_by_role("contentinfo").get_by_role("link", name="Contact", exact=True).click()
    expect(times(page).locator("details")).to_have_count(10)
    value = choose(page, 4)
    page.get_by_role("contentinfo").get_by_role("link", name="Calculators", exact=True).click()
    expect(page).to_have_url(routes.CALCULATORS)
    page.go_back()
    expect(times(page).locator(":checked")).to_have_attribute("value", value)


def test_time_that_somebody_takes_meanwhile_is_told_and_the_next_one_is_booked_moved_and_cancelled(
    diary: EnquirySite, form: Page, problems: Problems, axe: Callable[[Page], list[str]]
) -> None:
    problems.expect("status of 422")
    assert (axe(form), fits(form)) == ([], True)
    fill(form, name="Ada Late", email="ada@example.com")
    with diary.client() as other:
        assert post(other, name="Ada Early", when=choose(form, 2)).status_code == 303
    send(form)
    taken = form.locator("#enquiry-slot")
    expect(taken).to_contain_text("This time has just gone")
    expect(form.locator("#enquiry-name")).to_have_value("Ada Late")
    assert (axe(form), fits(form)) == ([], True)
    form.get_by_role("alert").get_by_role("link").first.click()
    expect(taken).to_be_focused()
    times(form).get_by_role("link", name="40 minutes").click()
    times(form).get_by_role("link", name="20 minutes").click()
    expect(form.locator("#enquiry-name")).to_have_value("Ada Late")
    choose(form, 3)
    linger(form)
    send(form)
    expect(form).to_have_url(routes.THANK_YOU)
    expect(form.get_by_role("heading", level=1)).to_have_text("Thank you. Your time is booked.")
    assert (axe(form), fits(form)) == ([], True)
    with form.expect_download() as file:
        form.get_by_role("link", name="Add to your calendar").click()
    assert file.value.suggested_filename == "appointment.ics"
    form.get_by_role("link", name="Move or cancel it").click()
    expect(form.get_by_role("heading", level=1)).to_have_text("Your appointment")
    before = form.locator(".appointment-time").inner_text()
    times(form).get_by_role("link", name="40 minutes").click()
    expect(times(form).get_by_role("link", name="40 minutes")).to_have_attribute("aria-current", "true")
    times(form).locator("summary").nth(2).click()
    choose(form, 6)
    assert (axe(form), fits(form)) == ([], True)
    form.get_by_role("button", name="Move it to this time").click()
    expect(form.get_by_role("main").get_by_role("status")).to_contain_text("We have moved your appointment")
    assert form.locator(".appointment-time").inner_text() != before
    form.get_by_role("button", name="Cancel my appointment").click()
    expect(form.get_by_role("heading", name="Cancel this time?")).to_be_focused()
    assert axe(form) == []
    form.get_by_role("button", name="Yes, cancel it").click()
    expect(form.get_by_role("heading", level=1)).to_have_text("Your appointment is cancelled")
    assert (axe(form), fits(form)) == ([], True)


def test_nothing_scrolls_sideways_at_320_pixels(diary: EnquirySite, open_page: Open) -> None:
    page = open_page(NARROW, base=diary.url, scripts=False)
    page.goto(f"{routes.CONTACT}?minutes=40&by=video")
    expect(times(page).locator("details")).to_have_count(10)
    assert page.locator("html").evaluate("root => root.scrollWidth") <= NARROW[0]
