"""Staff work on one enquiry: read in full, moved on, given to a colleague, noted, deleted; and two at the same time."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from playwright.sync_api import Locator, Page, expect

from broker import routes
from broker.enquiries.enquiry import EnquiryKind
from broker.staff.session_store import session_key
from tests.e2e.live import until
from tests.e2e.pages import DESKTOP, NARROW, PHONE, Problems, sized
from tests.e2e.sent_enquiries import send, state_of
from tests.e2e.staff import ADA, BEN, OpenStaffPage, StaffSite
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.enquiries.enquiring import sent

DRAFT = "Rang at noon, wants to\nspeak on Thursday"


class Enquiry:
    """The page of one enquiry, as somebody of staff has it open."""

    def __init__(self, page: Page, reference: str) -> None:
        self.page, self.reference = page, reference
        self.read()

    def read(self) -> None:
        self.page.goto(routes.staff_enquiry(self.reference))
        expect(self.page.get_by_role("heading", name=self.reference)).to_be_visible()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def write(self, text: str) -> None:
        self.note.fill(text)

    @property
    def note(self) -> Locator:
        return self.page.get_by_label("New note")

    @property
    def warning(self) -> Locator:
        return self.page.get_by_role("alert")

    def expect_status(self, words: str) -> None:
        expect(self.page.get_by_role("status").filter(has_text=words)).to_be_visible()

    def open(self, title: str) -> None:
        self.page.locator("summary").filter(has_text=title).click()


@pytest.fixture
def opened(staff_site: StaffSite, open_staff_page: OpenStaffPage) -> Callable[..., Enquiry]:
    """Return a function that opens an enquiry, by default a new one, as somebody of staff."""

    def open_one(reference: str = "", name: str = ADA, size: tuple[int, int] = (1280, 900)) -> Enquiry:
        known = reference or send(state_of(staff_site), sent(EnquiryKind.CONTACT, marketing=["email", "text"]))[0]
        return Enquiry(open_staff_page(routes.STAFF_ENQUIRIES, name=name, size=size), known)

    return open_one


def end_session(site: StaffSite, page: Page) -> None:
    """End the session of a page as time does, and wait until the server knows."""
    token = next(str(each.get("value")) for each in page.context.cookies() if each.get("name") == "staff")
    with closing(sqlite3.connect(state_of(site) / "enquiries.db", timeout=ANSWER_TIMEOUT)) as database, database:
        database.execute("DELETE FROM staff_sessions WHERE token = ?", (session_key(token),))
    until(lambda: page.request.get(routes.STAFF, max_redirects=0).status != 200)


def test_unsent_note_and_address_outlive_the_end_of_the_session(
    opened: Callable[..., Enquiry], staff_site: StaffSite, problems: Problems
) -> None:
    problems.expect("WebSocket")
    enquiry = opened()
    enquiry.write(DRAFT)
    end_session(staff_site, enquiry.page)
    enquiry.press("Add note")
    sign_in = enquiry.page.get_by_role("button", name="Sign in")
    expect(sign_in).to_be_visible()
    enquiry.page.get_by_label("Name").fill(ADA)
    enquiry.page.get_by_label("Password", exact=True).fill(staff_site.passwords[ADA])
    sign_in.click()
    expect(enquiry.page).to_have_url(re.compile(re.escape(routes.staff_enquiry(enquiry.reference))))
    expect(enquiry.note).to_have_value(DRAFT)
    enquiry.press("Add note")
    enquiry.expect_status("Your note is kept")
    enquiry.read()
    expect(enquiry.note).to_have_value("")


def test_work_goes_from_new_to_closed_and_is_in_the_history(opened: Callable[..., Enquiry]) -> None:
    enquiry = opened()
    enquiry.press("Take it")
    enquiry.expect_status("You have this enquiry now")
    expect(enquiry.page.locator("#last-result")).to_be_focused()
    enquiry.press("Mark as called")
    enquiry.expect_status("This enquiry is called now")
    enquiry.write(DRAFT)
    enquiry.press("Add note")
    enquiry.expect_status("Your note is kept")
    expect(enquiry.note).to_have_value("")
    enquiry.page.get_by_label("Give it to").select_option(BEN)
    enquiry.press("Give")
    enquiry.expect_status("ben has this enquiry now")
    enquiry.press("Mark as booked")
    enquiry.expect_status("This enquiry is booked now")
    enquiry.press("Close it")
    enquiry.expect_status("This enquiry is closed now")
    enquiry.read()
    enquiry.open("History of this enquiry")
    told = enquiry.page.get_by_role("listitem").all_inner_texts()
    assert [re.sub(r"\s*today at .*", "", line) for line in told if line.startswith("You ")] == [
        "You moved it from booked to closed",
        "You moved it from called to booked",
        "You gave it to ben, before to ada",
        "You wrote a note",
        "You moved it from new to called",
        "You gave it to ada",
        "You read it",
    ]
    expect(enquiry.page.get_by_text("Rang at noon, wants to speak on Thursday")).to_be_visible()


def test_conflicting_change_is_refused_and_typed_text_stays(opened: Callable[..., Enquiry]) -> None:
    ada = opened()
    ben = opened(ada.reference, BEN)
    ada.write(DRAFT)
    ada.page.get_by_label("Give it to").select_option(BEN)
    ben.press("Mark as called")
    ben.expect_status("This enquiry is called now")
    ada.press("Close it")
    expect(ada.warning).to_contain_text("Nothing was changed: ben changed it meanwhile")
    expect(ada.warning).to_contain_text(re.compile(r"ben moved it from new to called, today at \d\d:\d\d"))
    expect(ada.warning).to_contain_text("You wanted: State: Closed")
    expect(ada.page.get_by_text("This enquiry is Called.")).to_be_visible()
    expect(ada.note).to_have_value(DRAFT)
    expect(ada.page.get_by_label("Give it to")).to_have_value(BEN)
    ada.press("Close it")
    ada.expect_status("This enquiry is closed now")
    expect(ada.warning).to_be_empty()
    ada.press("Add note")
    ada.expect_status("Your note is kept")
    ben.page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(ben.warning).to_contain_text("changed while you had it open")
    expect(ben.warning).to_contain_text("ada moved it from called to closed")
    expect(ben.warning).to_contain_text("ada wrote a note")
    expect(ben.page.get_by_text("This enquiry is Closed.")).to_be_visible()


def test_enquiry_is_accessible_and_fits(opened: Callable[..., Enquiry], axe: Callable[[Page], list[str]]) -> None:
    enquiry = opened()
    enquiry.write("x" * 200)
    enquiry.press("Add note")
    enquiry.expect_status("Your note is kept")
    enquiry.open("History of this enquiry")
    enquiry.open("Delete this enquiry")
    enquiry.page.get_by_label("It was a test").check()
    enquiry.press("Delete it")
    expect(enquiry.page.get_by_role("button", name="No, keep it")).to_be_visible()
    for size in (DESKTOP, PHONE, NARROW):
        assert (size, axe(sized(enquiry.page, size))) == (size, [])
        assert enquiry.page.evaluate("document.documentElement.scrollWidth") <= size[0]
