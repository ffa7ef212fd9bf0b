"""The diary in a browser: pages that axe and narrow windows find no fault in, and an appointment there and back."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from broker.appointments.appointment import SLOT, Medium, Slot
from broker.clock import UK
from broker.enquiries.working_time import bank_holidays
from tests.e2e.axe import violations
from tests.e2e.pages import DESKTOP, NARROW, PHONE, sized
from tests.e2e.sent_enquiries import send, state_of
from tests.e2e.staff import ADA, OpenStaffPage, StaffSite
from tests.unit.enquiries.enquiring import sent

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def save_hours(page: Page, hours: str) -> None:
    page.goto(f"{routes.STAFF_HOURS}?adviser={ADA}")
    for day in WEEKDAYS:
        page.get_by_label(day).fill(hours)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The hours are saved")).to_be_visible()


@pytest.fixture
def adviser(open_staff_page: OpenStaffPage) -> Iterator[Page]:
    """Return a page of Ada's, who has hours every day; visitors are offered no times after the test."""
    page = open_staff_page()
    save_hours(page, "6:00 to 13:00, 14:00 to 20:00")
    yield page
    save_hours(page, "")


def next_slot() -> Slot:
    """Return 10:00 of the first day after tomorrow that is no bank holiday."""
    days = (datetime.now(UK) + timedelta(days=number) for number in range(2, 9))
    day = next(each for each in days if each.date() not in bank_holidays(each.year))
    at = day.replace(hour=10, minute=0, second=0, microsecond=0)
    return Slot(start=at.astimezone(UTC), minutes=40, medium=Medium.VIDEO)


def test_appointment_is_found_opened_and_leads_to_its_enquiry_and_back(adviser: Page, staff_site: StaffSite) -> None:
    slot = next_slot()
    (reference,) = send(state_of(staff_site), sent(name="Zebedee Quillfeather", **{SLOT: slot.value}))
    local = slot.start.astimezone(UK)
    adviser.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    adviser.goto(f"{routes.STAFF_DIARY}?week={local:%Y-%m-%d}&adviser={ADA}")
    adviser.get_by_role("table").get_by_role("link", name="10:00 Zebedee Quillfeather").click()
    adviser.get_by_role("link", name=reference).click()
    appointment = adviser.get_by_role("link", name=re.compile("^Booked: .*10:00 to 10:40, 40 minutes by video"))
    appointment.click()
    assert violations(adviser) == []
    move = adviser.get_by_role("button", name="Move it", exact=True)
    expect(move).to_be_in_viewport(ratio=1)  # however many times are free
    other = adviser.locator("[name=slot]").last  # the first may pass meanwhile
    other.focus()
    adviser.keyboard.press("Space")
    move.click()
    expect(adviser.get_by_role("status")).to_contain_text("It is moved")
    adviser.get_by_label("A sentence to the visitor (needed)", exact=True).fill("Sorry, I am ill.")
    adviser.get_by_role("checkbox", name="Yes, cancel this appointment").check()
    adviser.get_by_role("button", name="Cancel it", exact=True).click()
    expect(adviser.get_by_role("status")).to_contain_text("It is cancelled")


BARE = """name => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), bare = [];
  for (let text; (text = texts.nextNode()); )
    if (text.data.includes(name) && !text.data.includes("\\u2068") && !text.parentElement.closest("bdi, [dir=auto]"))
      bare.push(text.parentElement.outerHTML);
  return bare;
}"""
"""Return the elements in which a name may change the order of the words around it."""


def test_long_name_from_right_to_left_stands_apart_and_fits(adviser: Page, staff_site: StaffSite) -> None:
    slot, name = next_slot(), "שםלדוגמה" * 12
    state = state_of(staff_site)
    booked, new = send(state, sent(name=name, **{SLOT: slot.value}), sent(name=name))
    day = f"{slot.start.astimezone(UK):%Y-%m-%d}"
    case = adviser.locator("#case")
    shown = {
        f"{routes.STAFF_DIARY}?week={day}&adviser={ADA}": adviser.get_by_text(name).locator("visible=true").first,
        f"{routes.STAFF}?reference={new}": case.get_by_text(new, exact=True),
        routes.staff_enquiry(booked): case.get_by_text(booked, exact=True),
    }
    for path, sign in shown.items():
        for size in (DESKTOP, PHONE):
            sized(adviser, size).goto(path)
            expect(sign).to_be_visible()
            assert adviser.evaluate(BARE, name) == [], path
            assert adviser.evaluate("document.documentElement.scrollWidth") <= size[0], path
    adviser.get_by_role("link", name=re.compile("^Booked: ")).click()
    expect(adviser.get_by_role("heading", name="Move it")).to_be_visible()
    assert adviser.evaluate(BARE, name) == []
    assert adviser.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_narrow_diary_is_a_list_by_day_and_wide_a_table(adviser: Page) -> None:
    day, by_day = next_slot().start.astimezone(UK), adviser.locator(".by-day h3")
    adviser.goto(f"{routes.STAFF_DIARY}?week={day:%Y-%m-%d}&adviser={ADA}")
    expect(adviser.get_by_role("table")).to_be_visible()
    expect(by_day.filter(has_text=f"{day:%A %-d %B}")).to_be_hidden()
    adviser.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    expect(adviser.get_by_role("table")).to_be_hidden()
    expect(by_day.filter(has_text=f"{day:%A %-d %B}")).to_be_visible()


@pytest.mark.parametrize("size", [NARROW, PHONE, DESKTOP])
def test_pages_have_no_fault_and_scroll_no_window_sideways(adviser: Page, size: tuple[int, int]) -> None:
    adviser.set_viewport_size({"width": size[0], "height": size[1]})
    today = f"{datetime.now(UK):%Y-%m-%d}"
    for path in (
        routes.STAFF_DIARY,
        f"{routes.STAFF_DIARY}?day={today}",
        f"{routes.STAFF_HOURS}?adviser={ADA}",
        f"{routes.STAFF_ABSENCES}?adviser={ADA}",
        routes.STAFF_BOOK,
        routes.STAFF_FEED,
    ):
        adviser.goto(path)
        assert violations(adviser) == [], path
        assert adviser.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
