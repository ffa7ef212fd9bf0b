"""Staff work on a case: from Today by two presses, while colleagues do too, and after the end of the session."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from playwright.sync_api import Locator, Page, expect

from broker import routes
from broker.clock import utc_now
from broker.enquiries.enquiry import EnquiryKind
from broker.staff.session_store import session_key
from tests.e2e.live import until
from tests.e2e.pages import DESKTOP, NARROW, PHONE, Problems, sized
from tests.e2e.sent_enquiries import send, state_of
from tests.e2e.staff import ADA, BEN, OpenStaffPage, StaffSite
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.enquiries.enquiring import sent

DRAFT = "Rang at noon, wants to\nspeak on Thursday"
LONG_NAME = "Placeholder " * 8
RIGHT_TO_LEFT = "שם לדוגמה"
WATCH_NEXT = """() => {
    const own = window.leadToThemselves = [];
    new MutationObserver(() => {
        const shown = document.querySelector("#case h2 + .hint")?.textContent;
        if (shown && document.getElementById("case-next")?.href.includes(shown)) own.push(shown);
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}"""
"""Keeps the references of the cases that were shown with a link to themselves as the next."""

YEAR = utc_now().year + 3
"""A year whose days are said with it."""


class OpenCase:
    """A case that somebody of staff has open, beside Today."""

    def __init__(self, page: Page, reference: str) -> None:
        self.page, self.reference = page, reference
        self.read()

    def read(self) -> None:
        self.page.goto(f"{routes.STAFF}?reference={self.reference}")
        expect(self.page.locator("#case").get_by_text(self.reference, exact=True)).to_be_visible()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def write(self, text: str) -> None:
        self.note.fill(text)
        expect(self.page.get_by_text("Draft kept")).to_be_visible()

    @property
    def note(self) -> Locator:
        return self.page.get_by_label("Note", exact=True)

    @property
    def timeline(self) -> Locator:
        return self.page.get_by_role("region", name="Timeline")

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    def expect_status(self, words: str) -> None:
        # the words themselves: what is done is said in a fixed box, so that the live region around it has no size
        expect(self.page.get_by_role("status").get_by_text(words)).to_be_visible()

    @property
    def proposed(self) -> Locator:
        """The first date of the pressed outcome, which has the focus."""
        return self.page.get_by_role("group", name="Next action").get_by_role("button").first


@pytest.fixture
def opened(staff_site: StaffSite, open_staff_page: OpenStaffPage) -> Callable[..., OpenCase]:
    """Return a function that opens a case, by default a new one, as somebody of staff."""

    def open_one(reference: str = "", who: str = ADA, size: tuple[int, int] = (1280, 900), **fields: str) -> OpenCase:
        known = reference or send(state_of(staff_site), sent(EnquiryKind.CONTACT, **fields))[0]
        return OpenCase(open_staff_page(routes.STAFF, name=who, size=size), known)

    return open_one


def end_session(site: StaffSite, page: Page) -> None:
    """End the session of a page as time does, and wait until the server knows."""
    token = next(str(each.get("value")) for each in page.context.cookies() if each.get("name") == "staff")
    with closing(sqlite3.connect(state_of(site) / "enquiries.db", timeout=ANSWER_TIMEOUT)) as database, database:
        database.execute("DELETE FROM staff_sessions WHERE token = ?", (session_key(token),))
    until(lambda: page.request.get(routes.STAFF, max_redirects=0).status != 200)


def test_outcome_takes_two_presses_from_the_open_row_and_next_goes_on(opened: Callable[..., OpenCase]) -> None:
    other, case = opened(), opened()
    keyboard = case.page.keyboard
    row = case.page.locator(f'.it a[href*="{case.reference}"]')
    expect(row).to_be_visible()
    keyboard.press("t")
    case.expect_status("It is yours")
    keyboard.press("2")
    expect(case.page.get_by_role("button", name=re.compile("by rule"))).to_be_focused()
    keyboard.press("Enter")
    case.expect_status("No answer, next")
    expect(case.timeline.get_by_text("called, no answer")).to_be_visible()
    expect(case.page.get_by_role("link", name=re.compile("^Next"))).to_be_focused()
    keyboard.press("z")
    case.expect_status("Undone")
    keyboard.press("n")
    expect(case.page).not_to_have_url(re.compile(case.reference))
    expect(case.page).to_have_url(re.compile("reference="))
    case.page.go_back()
    expect(case.page).to_have_url(re.compile(case.reference))
    expect(case.page.locator("#case").get_by_text(case.reference, exact=True)).to_be_visible()
    assert other.reference != case.reference


def test_next_leads_on_from_the_moment_in_which_a_case_is_shown(opened: Callable[..., OpenCase]) -> None:
    other, case = opened(), opened()
    case.page.evaluate(WATCH_NEXT)
    for _ in range(2):
        before = case.page.url
        case.page.keyboard.press("n")
        expect(case.page).not_to_have_url(before)
        shown = case.page.url.rpartition("=")[2]
        expect(case.page.locator("#case").get_by_text(shown, exact=True)).to_be_visible()
    assert case.page.evaluate("window.leadToThemselves") == []
    assert other.reference != case.reference


def test_message_goes_by_itself_and_its_change_can_still_be_undone_on_a_phone(opened: Callable[..., OpenCase]) -> None:
    case = opened(size=PHONE)
    case.page.get_by_role("button", name="No answer").press("Enter")
    case.proposed.press("Enter")
    case.expect_status("No answer, next")
    undo = case.page.get_by_role("status").get_by_role("button", name="Undo")
    toast, call = case.page.locator(".desk-toast").bounding_box(), case.page.locator("a.call").bounding_box()
    assert toast
    assert call
    assert toast["y"] + toast["height"] <= call["y"]  # what is pressed next is below it
    expect(undo).to_be_hidden()  # eight seconds later
    case.page.get_by_role("button", name="More: hand over").click()
    case.page.get_by_role("menuitem", name="Undo my last change").click()
    case.expect_status("Undone")


def test_keys_write_a_note_and_choose_a_date_of_ones_own(opened: Callable[..., OpenCase]) -> None:
    case = opened()
    keyboard = case.page.keyboard
    keyboard.press("m")
    expect(case.note).to_be_focused()
    keyboard.type("Rang, n 2 j")
    keyboard.press("Control+Enter")
    case.expect_status("Your note is kept")
    expect(case.note).to_have_value("")
    expect(case.timeline.get_by_text("Rang, n 2 j")).to_be_visible()
    keyboard.press("Escape")
    keyboard.press("1")
    expect(case.proposed).to_be_focused()
    keyboard.press("d")
    expect(case.page.get_by_label("Day", exact=True)).to_be_focused()
    case.page.get_by_label("Day", exact=True).fill(f"{YEAR}-01-07")
    case.page.get_by_label("UK time").fill("10:40")
    keyboard.press("Enter")
    case.expect_status(f"Reached, next 7 Jan {YEAR}")


def test_form_of_a_date_is_in_one_line_and_closed_once_it_is_saved_or_undone(opened: Callable[..., OpenCase]) -> None:
    case = opened()
    day, time = case.page.get_by_label("Day", exact=True), case.page.get_by_label("UK time")
    case.page.keyboard.press("d")
    day.fill(f"{YEAR}-01-07")
    time.fill("10:40")
    boxes = [each.bounding_box() for each in (time, case.page.get_by_role("button", name="Save", exact=True))]
    assert boxes[0] and boxes[1]
    assert boxes[1]["y"] < boxes[0]["y"] + boxes[0]["height"]
    time.press("Enter")
    case.expect_status(f"Next: 7 Jan {YEAR}, 10:40")
    expect(day).to_be_hidden()
    opener = case.page.get_by_text(re.compile("^(Another|Set a) date$"))
    expect(opener).to_be_focused()
    opener.press("Enter")
    day.fill(f"{YEAR}-01-08")
    opener.press("z")
    case.expect_status("Undone")
    expect(day).to_be_hidden()


def test_appointment_is_booked_in_the_diary_from_its_outcome(opened: Callable[..., OpenCase]) -> None:
    case = opened(name="A. Example")
    case.page.keyboard.press("3")
    case.page.get_by_role("link", name="Book a time in the diary").press("Enter")
    expect(case.page).to_have_url(re.compile(routes.STAFF_BOOK))
    expect(case.page.get_by_role("main")).to_contain_text("A. Example")


def test_outcome_without_a_next_case_gives_the_focus_to_the_heading(opened: Callable[..., OpenCase]) -> None:
    case = opened(name="A. Example")
    case.page.goto(routes.staff_enquiry(case.reference))
    case.press("No answer")
    expect(case.proposed).to_be_focused()
    case.page.keyboard.press("Enter")
    case.expect_status("No answer, next")
    expect(case.page.locator("#case").get_by_role("heading", name="A. Example")).to_be_focused()


def test_colleagues_change_shows_while_what_is_typed_stays(opened: Callable[..., OpenCase]) -> None:
    ada = opened()
    ben = opened(ada.reference, BEN)
    ada.write(DRAFT)
    ada.note.press("End")
    ben.press("Take")
    ben.expect_status("It is yours")
    expect(ada.page.get_by_role("status").filter(has_text="ben took it")).to_be_visible()
    expect(ada.page.get_by_text("ben is reading this")).to_be_visible()
    expect(ada.note).to_have_value(DRAFT)
    expect(ada.note).to_be_focused()


def test_conflict_shows_both_changes_and_keeps_both_notes(opened: Callable[..., OpenCase]) -> None:
    ada = opened()
    ben = opened(ada.reference, BEN)
    ada.write(DRAFT)
    ada.press("No answer")
    ben.write("Spoke to them")
    ben.press("Reached")
    expect(ben.proposed).to_be_focused()
    ben.page.keyboard.press("Enter")
    ben.expect_status("Reached, next")
    ada.page.get_by_role("button", name=re.compile("by rule")).click()
    expect(ada.dialog.get_by_role("heading", name="Both of you changed")).to_be_focused()
    expect(ada.dialog).to_contain_text(re.compile("ben, .*Outcome: reached", re.DOTALL))
    expect(ada.dialog).to_contain_text("You, now")
    ada.dialog.get_by_role("button", name="Mine counts").click()
    ada.expect_status("No answer, next")
    for text in ("Spoke to them", "Rang at noon"):
        expect(ada.timeline.get_by_text(text)).to_be_visible()
    expect(ada.note).to_have_value("")


def test_dialog_that_a_colleague_overtook_changes_only_what_was_typed_into_it(opened: Callable[..., OpenCase]) -> None:
    ada = opened()
    ben = opened(ada.reference, BEN)
    for case, label, typed in ((ada, "Name", "A. Example"), (ben, "Telephone", "07700 900999")):
        case.page.get_by_role("button", name="Correct", exact=True).click()
        case.dialog.get_by_label(label, exact=True).fill(typed)
    ben.dialog.get_by_role("button", name="Save").click()
    ben.expect_status("Contact details are corrected")
    expect(ada.page.get_by_text("ben corrected the contact details: telephone").first).to_be_attached()
    ada.dialog.get_by_role("button", name="Save").click()
    conflict = ada.page.get_by_role("dialog", name="Both of you changed")
    expect(conflict).to_contain_text("Name: A. Example")
    conflict.get_by_role("button", name="Mine counts").click()
    ada.expect_status("Contact details are corrected")
    expect(ada.page.get_by_role("heading", name="A. Example").first).to_be_visible()
    expect(ada.page.get_by_text("07700 900999").first).to_be_visible()


def test_dialog_says_that_the_connection_is_lost(
    opened: Callable[..., OpenCase], staff_site: StaffSite, problems: Problems
) -> None:
    problems.expect("WebSocket connection|ERR_CONNECTION_REFUSED")
    case = opened(size=PHONE)
    case.press("Correct figures")
    expect(case.dialog).to_be_visible()
    staff_site.site.stop()
    expect(case.dialog.get_by_role("status").filter(has_text="Connection lost.")).to_be_in_viewport()
    staff_site.site.start()
    expect(case.page.get_by_text("Connection lost.")).to_have_count(0)


def test_unsent_note_and_address_outlive_the_end_of_the_session(
    opened: Callable[..., OpenCase], staff_site: StaffSite, problems: Problems
) -> None:
    problems.expect("WebSocket")
    case = opened()
    case.write(DRAFT)
    end_session(staff_site, case.page)
    sign_in = case.page.get_by_role("button", name="Sign in", exact=True)
    expect(sign_in).to_be_visible()
    case.page.get_by_label("Name").fill(ADA)
    case.page.get_by_label("Password", exact=True).fill(staff_site.passwords[ADA])
    sign_in.click()
    expect(case.page).to_have_url(re.compile(case.reference))
    expect(case.note).to_have_value(DRAFT)


def test_reply_gives_the_focus_back_to_its_button(opened: Callable[..., OpenCase]) -> None:
    case = opened()
    keyboard = case.page.keyboard
    button = case.page.get_by_role("button", name="Reply", exact=True)
    keyboard.press("r")
    expect(case.page.get_by_role("heading", name="Reply by mail")).to_be_focused()
    keyboard.press("Escape")
    expect(button).to_be_focused()
    keyboard.press("r")
    case.dialog.get_by_role("textbox").fill("We call you tomorrow")
    case.press("Send")
    case.expect_status("Your reply waits: no mail server is set up")
    expect(button).to_be_focused()


def test_caller_opens_over_the_case_and_leads_to_one_that_is_known(opened: Callable[..., OpenCase]) -> None:
    case = opened(telephone="07700 900456")
    page, alone = case.page, routes.staff_enquiry(case.reference)
    page.goto(alone)
    case.write(DRAFT)
    page.get_by_role("button", name="Caller", exact=False).click()
    expect(page.get_by_label("Telephone", exact=True)).to_be_focused()
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(case.dialog).to_be_hidden()
    expect(page).to_have_url(re.compile(re.escape(alone)))
    expect(case.note).to_have_value(DRAFT)
    page.get_by_role("button", name="Caller", exact=False).click()
    page.get_by_label("Telephone", exact=True).fill("07700 900456")
    page.get_by_role("status").get_by_role("link", name=case.reference).click()
    expect(page).to_have_url(re.compile(f"{re.escape(routes.STAFF)}\\?reference={case.reference}"))
    expect(case.dialog).to_be_hidden()
    expect(case.note).to_have_value(DRAFT)


def test_caller_is_entered_by_hand(opened: Callable[..., OpenCase]) -> None:
    page = opened().page
    page.keyboard.press("+")
    expect(page.get_by_label("Telephone", exact=True)).to_be_focused()
    page.get_by_label("Telephone", exact=True).fill("07700 900123")
    page.get_by_label("Name", exact=True).fill("A. Example")
    expect(page.get_by_role("status").filter(has_text="There is a case already")).to_be_visible()
    page.get_by_label("What they said").fill("Wants to move")
    page.get_by_role("button", name="Enter the caller").click()
    expect(page.get_by_text("Read this out to them, then tick the box")).to_be_visible()
    expect(page.get_by_label("What they said")).to_have_value("Wants to move")
    page.get_by_label("I have told them").check()
    page.get_by_role("button", name="Enter the caller").click()
    expect(page.locator("#case").get_by_role("heading", name="A. Example")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_today_and_case_are_accessible_and_fit(
    opened: Callable[..., OpenCase], axe: Callable[[Page], list[str]], scheme: str
) -> None:
    opened(name=RIGHT_TO_LEFT)
    case = opened(name=LONG_NAME.strip(), message="x" * 200)
    case.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    case.read()
    case.press("Not now")
    expect(case.page.get_by_text("Ask again:")).to_be_visible()
    for size in (DESKTOP, PHONE, NARROW):
        assert (size, axe(sized(case.page, size))) == (size, [])
        assert case.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    case.page.goto(routes.STAFF)
    expect(case.page.get_by_role("heading", name="Today")).to_be_visible()
    for size in (DESKTOP, PHONE, NARROW):
        assert (size, axe(sized(case.page, size))) == (size, [])
        assert case.page.evaluate("document.documentElement.scrollWidth") <= size[0]
