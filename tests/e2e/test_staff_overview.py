"""The overview and the record in a browser: what waits, sources read again, who did what; by keyboard alone."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from broker import routes
from broker.content.snapshot.snapshot_folder import write_report
from broker.staff.audit import Act
from broker.staff.source_health import ContentFault, ContentPart, ContentReport, RemovedItem
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.live import LiveSite, live_site
from tests.e2e.pages import NARROW, sized
from tests.e2e.sent_enquiries import from_somebody, send
from tests.e2e.staff import ADA, DESKTOP, sign_in
from tests.integration.staff_accounts import add_account
from tests.timeouts import ANSWER_TIMEOUT
from tools.project import Project

STOPS = 60
"""Presses of Tab that lead through a whole page."""

HELD = 3_600_000
"""Milliseconds before an answer of the feed: it comes once the delay is over, or switched off."""

READ = re.compile(r"^Lenders: read at \d\d:\d\d$")
DAY = "(?:today|yesterday)"
"""A moment ago may have been before midnight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A site over a live feed of its own, the folder of its database, and Ada's password."""

    live: LiveSite
    folder: Path
    password: str

    def tell(self, statement: str, *rows: tuple[object, ...]) -> None:
        with closing(sqlite3.connect(self.folder / "enquiries.db", timeout=ANSWER_TIMEOUT)) as database, database:
            database.executemany(statement, rows)


@pytest.fixture(scope="module")
def watched(site: Path, project: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    del site
    folder = tmp_path_factory.mktemp("watched")
    with live_site(project, folder) as live:
        password = add_account(folder / "kept", ADA)
        yield Watched(live=live, folder=folder / "kept", password=password)


@pytest.fixture
def open_staff(watched: Watched, open_page: OpenPage) -> Callable[..., Page]:
    def open_one(path: str = routes.STAFF_HEALTH, size: tuple[int, int] = DESKTOP) -> Page:
        page = open_page(size, base=watched.live.url)
        sign_in(page, path, name=ADA, password=watched.password)
        expect(page.locator("main .panel").first).to_be_visible()
        return page

    return open_one


@pytest.fixture(autouse=True)
def feed_is_well(watched: Watched) -> Iterator[None]:
    """Have the feed answer well and at once again after each test."""
    yield
    watched.live.standin.switch(delay=0)


def go_to(page: Page, target: Locator) -> None:
    expect(target).to_be_visible()
    for _ in range(STOPS):
        page.keyboard.press("Tab")
        # Asked of the page as it is now: an answer that comes meanwhile draws its elements again.
        if target.evaluate("each => each === document.activeElement"):
            return
    raise AssertionError(f"the Tab key does not reach {target}")


def row(page: Page, source: str) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=source, exact=True))


def test_counts_link_to_the_matching_lists(watched: Watched, open_staff: Callable[..., Page]) -> None:
    late, *_ = send(watched.folder, from_somebody("Long Waiting"), days_ago=6)
    send(watched.folder, from_somebody("Just Come"))
    watched.tell("UPDATE enquiries SET assigned = ? WHERE reference = ?", (ADA, late))
    page = open_staff()
    counts = page.get_by_role("main").get_by_role("listitem").get_by_role("link")
    expect(counts).to_have_text(["2New", "1Late: the promised time has passed", "1Assigned to you"])
    for place, query in enumerate(("state=new", "due=late", "adviser=%40me")):
        go_to(page, counts.nth(place))
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(rf"{routes.STAFF_ENQUIRIES}\?{query}$"))
        expect(page.get_by_role("rowheader")).to_have_count(2 if place == 0 else 1)
        page.go_back()
        expect(counts.first).to_have_text("2New")


def test_source_is_read_once_for_two_presses_and_says_so(watched: Watched, open_staff: Callable[..., Page]) -> None:
    page = open_staff()
    standin = watched.live.standin
    standin.switch(delay=HELD)
    standin.forget()
    button = row(page, "Lenders").get_by_role("button")
    expect(button).to_have_accessible_name("Refresh now: Lenders")
    go_to(page, button)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(button).to_have_accessible_name("Reading…: Lenders")
    expect(button).to_have_attribute("aria-disabled", "true")
    standin.switch(delay=0)
    expect(page.get_by_role("status").filter(has_text=READ)).to_be_visible()
    expect(button).to_have_accessible_name("Refresh now: Lenders")
    expect(button).to_be_focused()
    assert standin.asked()["get_lenders"] == 1
    expect(row(page, "Lenders")).to_contain_text("Up to date")
    expect(row(page, "Content").get_by_role("button")).to_have_count(0)


def test_source_that_fails_is_stale_in_words_and_well_again_later(
    watched: Watched, open_staff: Callable[..., Page], axe: Callable[[Page], list[str]]
) -> None:
    page = open_staff()
    watched.live.standin.switch(name="html-502", only="get_lenders")
    lenders = row(page, "Lenders")
    lenders.get_by_role("button").click()
    expect(lenders).to_contain_text(re.compile(rf"Stale: it fails.*The last try failed {DAY} at .*502"))
    expect(page.get_by_role("status").filter(has_text="Lenders: not read, ")).to_be_visible()
    expect(page.get_by_text("1 source is stale: Lenders.")).to_be_visible()
    assert axe(page) == []
    watched.live.standin.switch()
    lenders.get_by_role("button").click()
    expect(lenders).to_contain_text(re.compile("Up to date.*Failed once before that"))
    expect(page.get_by_text("No source is stale.")).to_be_visible()


def test_record_is_in_sentences_and_narrowed_with_the_keyboard(
    watched: Watched, open_staff: Callable[..., Page]
) -> None:
    there = send(watched.folder, from_somebody("Noted Once"))[0]
    acts = (("bob", Act.ENQUIRY_STATE, there, "new to called"), ("bob", Act.ENQUIRY_DELETED, "HG-2222-2222", "spam"))
    now = datetime.now(UTC).replace(tzinfo=None).isoformat(" ")
    told = [(now, who, what.value, about, detail) for who, what, about, detail in acts]
    watched.tell("INSERT INTO audit (at, who, what, about, detail) VALUES (?, ?, ?, ?, ?)", *told)
    page = open_staff(routes.STAFF_RECORD)
    lines = page.get_by_role("main").get_by_role("listitem")
    expect(lines.filter(has_text="added the account ada")).to_contain_text("The command line")
    expect(lines.filter(has_text="deleted enquiry HG-2222-2222").get_by_role("link")).to_have_count(0)
    go_to(page, page.get_by_label("Who", exact=True))
    page.keyboard.type("bob")
    go_to(page, page.get_by_label("What"))
    page.keyboard.type("enq")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"\?who=bob&kind=enquiries$"))
    expect(page.get_by_role("status").filter(has_text="2 lines, and none older")).to_be_visible()
    expect(page.get_by_label("Who", exact=True)).to_have_value("bob")
    go_to(page, page.get_by_role("link", name=there))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"{routes.STAFF_ENQUIRY}\?reference={there}$"))
    page.go_back()
    go_to(page, page.get_by_role("link", name="Clear"))
    page.keyboard.press("Enter")
    expect(lines.filter(has_text="added the account ada")).to_be_visible()
    expect(page.get_by_label("Who", exact=True)).to_have_value("")


def test_pages_with_faults_of_the_content_fit_and_are_accessible_at_every_width(
    watched: Watched, open_staff: Callable[..., Page], axe: Callable[[Page], list[str]]
) -> None:
    now = datetime.now(UTC)
    report = ContentReport(
        at=now,
        is_taken=True,
        parts=(ContentPart(name="pages", read_at=now), ContentPart(name="faqs", read_at=now, fault="answered 502")),
        faults=(ContentFault(item="review Ada", words="the date is none; its last version stays", post_id=7),),
        removed=(RemovedItem(item="page /old-offer/", at=now),),
    )
    write_report(watched.folder / "content", report)
    page = open_staff()
    content = page.get_by_role("region", name="Content")
    for words in ("answered 502", "Review: Ada", re.compile(f"Page: /old-offer/, {DAY} at")):
        expect(content).to_contain_text(words)
    for path in (routes.STAFF_HEALTH, routes.STAFF_RECORD):
        page.goto(path)
        expect(page.locator("main .panel").first).to_be_visible()
        for size in (DESKTOP, PHONE, NARROW):
            assert sized(page, size).evaluate("document.documentElement.scrollWidth") <= size[0], path
            assert (path, size, axe(page)) == (path, size, [])
