"""Walks of staff through the made-up firm by keys alone, in pictures: `.build/walks/staff/NAME-WIDTH/NN-step.png`.

Each page passed has no barrier that axe finds and fits its window.
"""

import asyncio
import csv
import json
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Page, expect, sync_playwright

from broker import routes
from broker.cases.case import Outcome
from broker.clock import uk_date, utc_now
from broker.enquiries.service import Submission
from broker.settings import Settings
from tests.e2e.sent_enquiries import from_somebody, send
from tests.e2e.staff import sign_in
from tests.e2e.staff_logos_page import RED, LogosPage, payload
from tests.integration.enquiry_site import enquiry_site, next_address
from tests.pdf_text import read_pdf, squeezed
from tests.soak.test_day_of_calls import MOST_PRESSES, OUTCOMES, Adviser, Day
from tests.soak.walk import PATIENCE, Walk
from tests.unit.lenders.logos.sent_pictures import plain
from tests.unit.staff.staff_testbed import PASSWORD
from tools.demo.__main__ import make
from tools.demo.story import ADVISERS, LOGOS, OWNER
from tools.environment import find_chromium
from tools.project import Project

SIZES = {1280: 900, 390: 844}
"""Heights of windows by their widths."""

NEW = 40
"""Enquiries that nobody has, for an adviser."""

PLANTED = {"name": "Nora Wrong", "telephone": "07700 900987", "email": "nora.wrong@example.com"}
PLANTED_NOTE = "Advised to fix for five years: they want to know what it costs"


@pytest.fixture(scope="module")
def demo(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a demo that is made now; each walk has a copy."""
    del site
    state = tmp_path_factory.mktemp("demo") / "kept"
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, make(Settings(state_dir=state), password=PASSWORD, now=utc_now())).result()
    return state


def somebody(number: int) -> Submission:
    """Return an enquiry of a person of its own, so that none counts as another's twin."""
    telephone, email = f"07700 901{number:03}", f"person{number}@example.com"
    return from_somebody(f"A. Example {number}", telephone=telephone, email=email)


@contextmanager
def desk(project: Project, folder: Path, demo: Path, name: str, width: int) -> Iterator[Page]:
    """Serve a copy of the demo, and return a page of Today's or of the first page that somebody may use."""
    state = folder / "kept"
    shutil.copytree(demo, state)
    send(state, from_somebody(**PLANTED, message="They look for a cottage"), days_ago=1)
    if name in ADVISERS:
        send(state, *(somebody(number) for number in range(NEW)), days_ago=1)
    with enquiry_site(project, folder) as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = browser.new_page(
            base_url=running.url,
            viewport={"width": width, "height": SIZES[width]},
            locale="en-GB",
            reduced_motion="reduce",
            timezone_id="Europe/London",
            extra_http_headers={"x-forwarded-for": next_address()},
        )
        sign_in(page, routes.UPDATE_LENDERS if name == LOGOS else routes.STAFF, name=name, password=PASSWORD)
        yield page
        browser.close()


def complaint(walk: Walk) -> None:
    """Record a complaint from a case, with its letter, and find it in the half-year table."""
    page = walk.page
    walk.stand("today")
    walk.press("j", "Enter")
    expect(page.locator("#case[data-open]").get_by_label("Note", exact=True)).to_be_visible()
    walk.stand("case")
    name = page.locator("#case h2").first.inner_text()
    walk.pick(page.get_by_role("button", name="More: hand over"), "Record a complaint")
    form = page.get_by_role("form", name="New complaint")
    expect(form.get_by_label("Who complains")).to_have_value(name)
    expect(form.get_by_label("Who complains")).to_be_focused()
    walk.stand("form")
    walk.choose(form.get_by_label("About", exact=True), "Both: both clocks run")
    walk.choose(form.get_by_label("Root cause"), "Delay, administration")
    walk.choose(form.get_by_label("With", exact=True), "ada")
    walk.fill_in(form.get_by_label("In a few words"), "Nobody called back")
    walk.press("Tab")
    walk.write("They waited for a call on two days, and asked what we keep of them.")
    walk.button("Record it", form)
    expect(page.get_by_role("heading", name=name)).to_be_focused()
    walk.stand("recorded")
    one = page.get_by_role("region", name=name)
    walk.button("Letter sent", one)
    letter = page.get_by_role("form", name="A letter was sent")
    walk.choose(letter.get_by_label("Letter", exact=True), "Acknowledgement")
    walk.date(letter.get_by_label("Sent"), uk_date(utc_now()))
    walk.stand("letter")
    walk.button("Record it", letter)
    expect(one.get_by_text("Acknowledgement")).to_be_visible()
    walk.stand("acknowledged")
    walk.button("Correct", one)
    change = page.get_by_role("form", name="Correct what is recorded")
    walk.choose(change.get_by_label("Root cause"), "Data protection")
    walk.button("Save", change)
    expect(one.get_by_text("Data protection")).to_be_visible()
    walk.stand("root-cause")
    walk.press("Escape")
    expect(one).to_be_hidden()
    walk.link("Half-year table", page.get_by_role("navigation", name="Duties"))
    expect(page.get_by_role("heading", name="Half-year table")).to_be_in_viewport()
    walk.stand("half-year")


def data_request(walk: Walk) -> None:
    """Answer somebody who asks for a copy, a correction and deletion, of whom a record of advice stays."""
    page = walk.page
    expect(page.get_by_role("heading", name="Today")).to_be_visible()
    walk.press("/")
    walk.write(PLANTED["name"])
    walk.press("Enter")
    expect(page.get_by_role("rowheader").get_by_role("link", name=PLANTED["name"])).to_be_visible()
    walk.stand("search")
    walk.press("Escape", "j", "Enter")
    note = page.get_by_label("Note", exact=True)
    expect(note).to_be_visible()
    walk.press("m")
    expect(note).to_be_focused()
    walk.write(PLANTED_NOTE)
    walk.press("Escape", "4")
    expect(page.get_by_role("group", name="Next action").get_by_role("button").first).to_be_focused()
    walk.stand("advice")
    walk.press("Enter")
    expect(note).to_have_value("")
    reference = re.findall("HG-[^&]+", page.url)[0]
    walk.press("g", "u")
    expect(page).to_have_url(routes.STAFF_DUTIES)
    walk.link("A person’s data", page.get_by_role("navigation", name="Duties"))
    person = page.locator("#person")
    walk.to(person.get_by_label("Telephone or email"))
    walk.write(PLANTED["telephone"])
    walk.press("Enter")
    expect(person.get_by_role("table")).to_be_visible()
    walk.stand("found")
    walk.button("Record what they ask for", person)
    asked = page.get_by_role("form", name="Record what they ask for")
    walk.choose(asked.get_by_label("They ask for", exact=True), "Deletion (Article 17)")
    walk.stand("request")
    walk.button("Record it", asked)
    expect(person.get_by_text("It is recorded")).to_be_focused()
    walk.stand("recorded")
    walk.to(person.get_by_role("button", name="PDF", exact=True))
    pdf = read_pdf(walk.download("Enter")[1])
    walk.to(person.get_by_role("button", name="JSON", exact=True))
    held = walk.download("Enter")[1].decode()
    for planted in (*PLANTED.values(), PLANTED_NOTE, reference):
        assert planted in held
        assert squeezed(planted) in pdf.text
    assert set(json.loads(held)["records"]) >= {"enquiries", "enquiry_notes", "audit"}
    walk.button("Correct", person)
    correct = page.get_by_role("form", name="Correct it wherever it stands")
    walk.fill_in(correct.get_by_label("Right email"), "nora.right@example.com")
    walk.stand("correct")
    walk.press("Enter")
    expect(person.get_by_text("It is corrected")).to_be_focused()
    walk.stand("corrected")
    walk.fill_in(person.get_by_label("Type the reference to go on"), reference)
    walk.stand("delete")
    walk.button(re.compile("^Delete"), person)
    expect(person.get_by_text(re.compile("records? are deleted, [1-9][0-9]* are kept"))).to_be_focused()
    walk.stand("deleted")
    walk.to(person.get_by_label("Telephone or email"))
    walk.write(PLANTED["telephone"])
    walk.press("Enter")
    kept = person.get_by_role("row").filter(has_text=re.compile("Stays until"))
    expect(kept.filter(has_text="MCOB 4.7A.25R")).to_have_count(1)
    expect(page.locator("#asked").get_by_text("No request waits.")).to_be_visible()
    walk.stand("kept")


def logo_keeper(walk: Walk) -> None:
    """Give a lender without a logo its own, a blurred one and a refused one, and undo."""
    page = walk.page
    logos = LogosPage(page)
    expect(logos.lines.first).to_contain_text("No logo")
    walk.stand("lenders")
    walk.press("j")
    lender = logos.lines.first.get_by_role("rowheader").inner_text()
    walk.press("Enter")
    expect(logos.chosen.get_by_role("heading", name=lender)).to_be_visible()
    expect(logos.chosen.get_by_text("Where used")).to_be_visible()
    walk.stand("where-used")

    def choose(name: str, data: bytes) -> None:
        with page.expect_file_chooser() as chooser:
            walk.press("r")
        chooser.value.set_files(payload(name, data))

    choose("first.png", RED)
    logos.expect_told(f"first.png: {lender} has its logo now.")
    walk.stand("uploaded")
    choose("small.png", plain((0, 160, 0), (48, 20)))
    logos.expect_told("It is 48 pixels wide and looks blurred")
    walk.stand("too-small")
    choose("drawing.png", b"<svg/>")
    logos.expect_told("drawing.png is an SVG drawing")
    walk.stand("refused")
    walk.press("z")
    logos.expect_told(f"{lender} is shown as it was before.")
    expect(logos.chosen.get_by_text("on the site")).to_have_count(1)
    walk.stand("undone")
    walk.press("/")
    expect(page.get_by_label("Find a lender by name or number")).to_be_focused()
    walk.write(lender)
    expect(logos.lines).to_have_count(1)
    logos.expect_logo(lender)
    walk.stand("found")
    walk.press("Escape", "?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    walk.stand("keys")


def monday(walk: Walk) -> None:
    """Read the figures of the firm and take them along, then invite one colleague and let another go."""
    page = walk.page
    page.add_init_script("window.print = () => { window.isPrinted = true }")
    walk.press("g", "f")
    expect(page).to_have_url(routes.STAFF_FIGURES)
    expect(page.locator("main table").first).to_be_visible()
    walk.stand("figures")
    weeks = page.locator("section[aria-labelledby=stages] select")
    walk.choose(weeks, "By week")
    walk.choose(page.get_by_label("Period"), "Last 4 weeks")
    expect(page).to_have_url(re.compile("weeks=4"))
    walk.stand("four-weeks")
    walk.to(page.get_by_role("link", name=re.compile("^CSV")).first)
    walk.stand("table")
    name, text = walk.download("Enter")
    assert name.endswith(".csv")
    assert len(list(csv.reader(text.decode("utf-8-sig").splitlines()))) > 2
    walk.to(page.get_by_role("link", name=re.compile("^Excel of")).first)
    assert load_workbook(BytesIO(walk.download("Enter")[1])).worksheets[0].max_row > 2
    assert len(load_workbook(BytesIO(walk.download("e")[1])).worksheets) > 2
    page.emulate_media(media="print")
    walk.stand("print")
    (walk.folder / "board.pdf").write_bytes(page.pdf(format="A4"))
    page.emulate_media(media="screen")
    walk.press("g", "a")
    expect(page).to_have_url(routes.STAFF_ACCOUNTS)
    expect(page.get_by_label("Name", exact=True)).to_be_visible()
    walk.stand("accounts")
    walk.press("i")
    walk.write("Fay Freshman")
    walk.press("Tab")
    walk.write("f.freshman@example.com")
    walk.choose(page.get_by_label("Role").first, "Content")
    walk.button("Send the link")
    link = page.get_by_label("The link").input_value()
    walk.stand("invited")
    welcome(walk, link)
    expect(page.get_by_role("link", name="Fay Freshman")).to_be_visible()
    walk.link(re.compile("Ben Template"))
    ben = page.get_by_role("region", name="Ben Template")
    expect(ben.get_by_role("heading", name="Sessions")).to_be_visible()
    walk.stand("person")
    walk.link("All, with dates", ben)
    expect(page).to_have_url(re.compile(f"{routes.STAFF_RECORD}.*ben"))
    expect(page.get_by_role("heading", level=2).first).to_contain_text(re.compile("[0-9]"))
    walk.stand("record")
    walk.press("g", "a")
    walk.link(re.compile("Ben Template"))
    walk.choose(ben.get_by_label("Hand over to"), "Ada Pattern")
    walk.stand("disable")
    walk.button(re.compile("disable", re.IGNORECASE), ben)
    expect(page.get_by_text("Ben Template can no longer sign in")).to_be_visible()
    walk.stand("disabled")


def welcome(walk: Walk, link: str) -> None:
    """Choose a password by the link of an invitation, in a browser of another person."""
    browser = walk.page.context.browser
    assert browser
    guest = browser.new_page(viewport=walk.page.viewport_size, reduced_motion="reduce")
    with walk.on(guest):
        guest.goto(link)
        walk.stand("link")
        for label in ("Password", "Password again"):
            walk.to(guest.get_by_label(label, exact=True))
            walk.write("four words that nobody guesses")
        walk.press("Enter")
        expect(guest.get_by_role("heading", level=1)).to_have_text("Set up one-time codes")
        walk.stand("codes")
        guest.goto(link)
        walk.stand("link-again")
    guest.close()


class ByKeys(Adviser):
    """An adviser who also begins and chooses by keys."""

    def begin(self) -> None:
        with self.step("open a row"):
            self.key("n")
            expect(self.page).to_have_url(re.compile("reference="))
        self.wait_for_case(self.reference)

    def choose(self, outcome: Outcome) -> None:
        with self.step("leave the note"):
            self.key("Escape")
        self.key(str(OUTCOMES.index(outcome) + 1))
        expect(self.proposed).to_be_focused()


def calls(walk: Walk) -> None:
    """Work through the calls of a day, with a search, a reply and a hand-over between them."""
    page, day = walk.page, Day()
    is_wide = (page.viewport_size or {})["width"] >= 1_280
    adviser = ByKeys(page, "ada", day)
    walk.stand("today")
    walk.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    walk.stand("keys")
    walk.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    adviser.begin()
    for number in range(1, (40 if is_wide else 12) + 1):
        if number == 3:
            reply(walk)
        adviser.take()
        adviser.call(number)
        if number <= len(Outcome):
            walk.stand(f"call-{day.calls[-1].outcome}")
        adviser.go_on()
    assert {name: max(each) for name, each in day.presses.items() if max(each) > MOST_PRESSES} == {}
    assert {each.outcome for each in day.calls} == set(Outcome)
    walk.told = "; at most " + ", ".join(f"{max(each)} to {name}" for name, each in sorted(day.presses.items()))
    hand_over(walk)


def reply(walk: Walk) -> None:
    page = walk.page
    walk.press("r")
    expect(page.get_by_role("heading", name="Reply by mail")).to_be_focused()
    walk.choose(page.get_by_label("Template"), "Papers we need")
    expect(page.locator("#case-reply")).not_to_have_value("")
    walk.stand("reply")
    text = page.locator("#case-reply").input_value()
    walk.fill_in(page.locator("#case-reply"), re.sub("{.*?}", "payslips of three months", text))
    walk.button("Send", page.get_by_role("dialog"))
    expect(page.get_by_role("status").get_by_text("Your reply waits: no mail server is set up")).to_be_visible()
    walk.stand("replied")


def hand_over(walk: Walk) -> None:
    page = walk.page
    walk.press("/")
    page.keyboard.insert_text("A. Example")
    walk.press("Enter")
    expect(page).to_have_url(re.compile(routes.STAFF_ENQUIRIES))
    expect(page.get_by_role("rowheader").first).to_contain_text("A. Example")
    walk.stand("search")
    walk.press("Escape")
    for count in ("1 ticked", "2 ticked"):
        walk.press("j", "x")
        expect(page.get_by_role("region", name="Ticked cases")).to_contain_text(count)
    walk.stand("ticked")
    walk.press("h")
    box = page.get_by_role("dialog", name="Hand over")
    expect(box.get_by_label("To")).to_be_focused()
    walk.choose(box.get_by_label("To"), "ben")
    walk.stand("hand-over")
    walk.button("Hand over", box)
    status = page.get_by_role("status")
    expect(status.get_by_text("2 cases handed to ben")).to_be_visible()
    walk.stand("handed")
    walk.press("z")
    expect(status.get_by_text("2 cases undone")).to_be_visible()
    walk.stand("undone")


WALKS: dict[str, tuple[str, Callable[[Walk], None]]] = {
    "complaint": (ADVISERS[0], complaint),
    "data-request": (OWNER, data_request),
    "logos": (LOGOS, logo_keeper),
    "monday": (OWNER, monday),
    "calls": (ADVISERS[0], calls),
}
"""Who walks, and how, by the name of the walk."""


@pytest.mark.soak
@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize("name", WALKS)
def test_walk_by_keys_alone_has_no_barrier_and_fits(
    demo: Path, project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str], *, name: str, width: int
) -> None:
    who, go = WALKS[name]
    expect.set_options(timeout=PATIENCE)
    with desk(project, tmp_path, demo, who, width) as page:
        walk = Walk(page, project.work / "walks" / "staff" / f"{name}-{width}")
        began = time.monotonic()
        go(walk)
        seconds = time.monotonic() - began
    with capsys.disabled():
        sys.stdout.write(f"\n{name} at {width}: {seconds:.0f} s, {walk.presses} presses {walk.told}\n")
    assert walk.faults == []
