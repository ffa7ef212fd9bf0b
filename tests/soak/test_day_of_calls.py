"""A day of calls by two advisers in browsers of their own, some on one case at one moment.

Each works through Today by keys: take, note, outcome with its date, next. Every fourth call is on a case that both have
open. Whatever either wrote has to be in the database afterwards, or was shown beside what the other wrote.
"""

import asyncio
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle, product
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect, sync_playwright
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker import routes
from broker.cases.case import Outcome
from broker.cases.today_view import case_address
from broker.cases.words import OUTCOME_WORDS
from broker.clock import utc_now
from broker.settings import Settings
from broker.storage.database import database_for
from broker.storage.encryption import decrypted_columns, secret_keys_for
from broker.storage.tables import EnquiryRow, NoteRow
from tests.e2e.sent_enquiries import from_somebody, send
from tests.e2e.staff import sign_in
from tests.integration.enquiry_site import enquiry_site, next_address
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.staff.staff_testbed import PASSWORD
from tools.demo.__main__ import make
from tools.environment import find_chromium
from tools.project import Project

CALLS = int(os.environ.get("SOAK_CALLS", "40"))
"""Calls of each adviser."""

MEET_EVERY = 4
"""The number of calls after which both call somebody at one moment."""

MOST_PRESSES = 2
ADA, BEN = "ada", "ben"
PATIENCE = 1_000 * ANSWER_TIMEOUT
OUTCOMES = tuple(Outcome)
CONFLICT = "Both of you changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What an adviser wrote; `before` is the timeline as it was when they chose the outcome.

    `shown` is the dialog of a conflict, empty without one, and `is_saved` says whether the outcome counts.
    """

    reference: str
    who: str
    note: str
    outcome: Outcome
    before: str
    shown: str
    is_saved: bool

    def knows(self, other: "Call") -> bool:
        """Return whether its author was shown another call, before it or as a conflict."""
        return other.note in self.before or other.who in self.shown


@dataclass(slots=True)
class Day:
    """What happened: the calls, and the presses of each step by the name of the step."""

    calls: list[Call] = field(default_factory=list)
    presses: dict[str, list[int]] = field(default_factory=dict)


class Adviser:
    """One who works by keys on Today; every press is counted for its step, what is typed as a note is not."""

    def __init__(self, page: Page, name: str, day: Day) -> None:
        self.page, self.name, self.day = page, name, day
        self._outcomes = cycle(OUTCOMES if name == ADA else reversed(OUTCOMES))
        self._presses = 0

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        around, self._presses = self._presses, 0
        yield
        self.day.presses.setdefault(name, []).append(self._presses)
        self._presses = around

    def key(self, name: str) -> None:
        self._presses += 1
        self.page.keyboard.press(name)

    def click(self, part: Locator) -> None:
        self._presses += 1
        part.click()

    @property
    def reference(self) -> str:
        return re.findall(r"reference=(HG-[^&]+)", self.page.url)[0]

    @property
    def next(self) -> Locator:
        return self.page.get_by_role("link", name=re.compile("^Next"))

    def wait_for_case(self, reference: str) -> None:
        expect(self.page.locator("#case").get_by_text(reference, exact=True)).to_be_visible()

    def begin(self) -> None:
        """Open the first row of the list."""
        with self.step("open a row"):
            self.click(self.page.locator('.it a[href*="reference="]').first)
        self.wait_for_case(self.reference)

    def go_on(self) -> None:
        """Go to the next row of the list."""
        before = self.reference
        with self.step("next"):
            expect(self.next).to_be_visible()
            self.key("n")
            expect(self.page).not_to_have_url(re.compile(before))
        self.wait_for_case(self.reference)

    def take(self) -> None:
        """Take the open case if nobody has it: a colleague may have taken it in the same moment."""
        if not self.page.get_by_role("button", name="Take", exact=True).is_visible():
            return
        with self.step("take"):
            self.key("t")
            expect(self.page.get_by_role("button", name="Take", exact=True)).to_be_hidden()

    def write(self, note: str) -> None:
        with self.step("begin a note"):
            self.key("m")
            expect(self.note).to_be_focused()
        self.page.keyboard.type(note)

    def choose(self, outcome: Outcome) -> None:
        """Press an outcome, and see its first date or reason proposed."""
        self.click(self.page.get_by_role("button", name=OUTCOME_WORDS[outcome], exact=True))
        expect(self.proposed).to_be_focused()

    def save(self, outcome: Outcome, *, is_mine: bool) -> str:
        """Take the proposed date; of two changes to one case, let one's own count or leave the other's.

        Returns what was shown of a conflict, empty without one. One's own change is said with its undo: a colleague's
        of the same outcome is said as well, also before one's own is saved or prevented.
        """
        mine_alone = self.page.get_by_role("status").filter(has=self.page.get_by_role("button", name="Undo"))
        said = mine_alone.get_by_text(OUTCOME_WORDS[outcome]).last
        self.key("Enter")
        expect(self.conflict.or_(said).first).to_be_visible()
        shown = self.conflict.inner_text() if self.conflict.is_visible() else ""
        if shown:
            with self.step("settle a conflict"):
                mine = self.page.get_by_role("dialog").get_by_role("button", name="Mine counts")
                theirs = self.page.get_by_role("dialog").get_by_role("button", name=re.compile("^Leave"))
                self.click(mine if is_mine else theirs)
                expect(self.conflict).to_be_hidden()
                expect(
                    self.page.get_by_role("status").get_by_text("Their change stands").or_(said).first
                ).to_be_visible()
        expect(self.note).to_have_value("")
        return shown

    def call(self, number: int, *, is_mine: bool = True, meeting: Barrier | None = None) -> None:
        """Note what was said in the open case, and save an outcome; `meeting` holds both before either saves."""
        note, outcome = f"Call {number} of {self.name}: they think about it", next(self._outcomes)
        reference = self.reference
        self.write(note)
        with self.step("outcome and date"):
            self.choose(outcome)
            before = self.page.get_by_role("region", name="Timeline").last.inner_text()
            if meeting:
                meeting.wait(timeout=ANSWER_TIMEOUT)
            shown = self.save(outcome, is_mine=is_mine)
        call = Call(
            reference=reference,
            who=self.name,
            note=note,
            outcome=outcome,
            before=before,
            shown=shown,
            is_saved=is_mine or not shown,
        )
        self.day.calls.append(call)

    def meet(self, reference: str) -> None:
        """Open a case of a colleague who asked both about it."""
        self.page.goto(case_address(reference))
        self.wait_for_case(reference)

    @property
    def note(self) -> Locator:
        return self.page.get_by_label("Note", exact=True)

    @property
    def proposed(self) -> Locator:
        return self.page.get_by_role("group", name="Next action").get_by_role("button").first

    @property
    def conflict(self) -> Locator:
        return self.page.get_by_role("dialog").filter(has_text=CONFLICT)


def work(url: str, name: str, shared: list[str], meeting: Barrier, day: Day) -> None:
    """Work through a day in a browser of one's own."""
    expect.set_options(timeout=PATIENCE)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
            page = browser.new_page(
                base_url=url,
                viewport={"width": 1280, "height": 900},
                locale="en-GB",
                extra_http_headers={"x-forwarded-for": next_address()},
            )
            page.set_default_timeout(PATIENCE)
            sign_in(page, routes.STAFF, name=name, password=PASSWORD)
            adviser, others = Adviser(page, name, day), iter(shared)
            adviser.begin()
            for number in range(1, CALLS + 1):
                if number % MEET_EVERY:
                    adviser.take()
                    adviser.call(number)
                    adviser.go_on()
                    continue
                adviser.meet(next(others))
                meeting.wait(timeout=ANSWER_TIMEOUT)
                adviser.call(number, is_mine=number % (2 * MEET_EVERY) == 0, meeting=meeting)
                meeting.wait(timeout=ANSWER_TIMEOUT)
                adviser.go_on()
            browser.close()
    except BaseException:
        meeting.abort()
        raise


def prepare(state: Path) -> list[str]:
    """Make the demo with as many more enquiries as a day needs, and return those that both call at one moment."""
    asyncio.run(make(Settings(state_dir=state), password=PASSWORD, now=utc_now()))
    send(state, *(from_somebody(f"A. Example {number}") for number in range(2 * CALLS)), days_ago=1)
    shared = send(state, *(from_somebody(f"B. Example {number}") for number in range(CALLS // MEET_EVERY)))
    asyncio.run(give(state, shared, "olga"))
    return shared


async def give(state: Path, references: list[str], account: str) -> None:
    """Give cases to an account, so that nobody else has them on Today."""

    async def write(connection: AsyncConnection) -> None:
        given = update(EnquiryRow).where(col(EnquiryRow.reference).in_(references))
        await connection.execute(given.values(assigned=account))

    database = database_for(Settings(state_dir=state))
    await database.write(write)
    await database.close()


async def kept(state: Path) -> list[tuple[str, str, str, str]]:
    """Return reference, author, text and outcome of every note."""
    settings = Settings(state_dir=state)
    database, keys = database_for(settings), secret_keys_for(settings)
    wanted = select(NoteRow, col(EnquiryRow.reference)).join(EnquiryRow, col(EnquiryRow.id) == col(NoteRow.enquiry_id))

    async def read(connection: AsyncConnection) -> list[dict[str, Any]]:
        return [dict(row._mapping) for row in await connection.execute(wanted)]

    rows = await database.read(read)
    await database.close()
    opened = [{**row, **decrypted_columns(NoteRow, row, keys)} for row in rows]
    return [(row["reference"], row["who"], row["text"], row["outcome"]) for row in opened]


def table(days: list[Day], seconds: float) -> str:
    calls = [call for day in days for call in day.calls]
    both = set.intersection(*({call.reference for call in day.calls} for day in days))
    presses: dict[str, list[int]] = {}
    for day in days:
        for name, counted in day.presses.items():
            presses.setdefault(name, []).extend(counted)
    lines = [
        f"{len(calls)} calls by two advisers in {seconds:.0f} s, {seconds / CALLS:.1f} s for a call of each",
        f"cases that both called: {len(both)}, {CALLS // MEET_EVERY} of them at one moment",
        f"conflicts shown with both versions: {sum(bool(call.shown) for call in calls)}",
        *(f"presses to {name}: most {max(each)}, {len(each)} times" for name, each in sorted(presses.items())),
    ]
    return "\n".join(["", *lines, ""])


@pytest.mark.soak
def test_nothing_of_a_day_of_calls_is_lost_or_overwritten_unseen(
    site: Path, project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del site
    state = tmp_path / "kept"
    shared = prepare(state)
    days, meeting = {ADA: Day(), BEN: Day()}, Barrier(2)
    with enquiry_site(project, tmp_path) as running, ThreadPoolExecutor(2) as threads:
        began = time.monotonic()
        working = [threads.submit(work, running.url, name, shared, meeting, day) for name, day in days.items()]
        for each in working:
            each.result()
        seconds = time.monotonic() - began
    with capsys.disabled():
        sys.stdout.write(table(list(days.values()), seconds))
    calls = [call for day in days.values() for call in day.calls]
    assert len(calls) == 2 * CALLS
    check_kept(calls, asyncio.run(kept(state)))
    for reference in shared:
        check_met([call for call in calls if call.reference == reference])
    pairs = [pair for pair in product(*(day.calls for day in days.values())) if pair[0].reference == pair[1].reference]
    assert [pair for pair in pairs if not (pair[0].knows(pair[1]) or pair[1].knows(pair[0]))] == []
    assert {
        name: max(each) for day in days.values() for name, each in day.presses.items() if max(each) > MOST_PRESSES
    } == {}


def check_kept(calls: list[Call], notes: list[tuple[str, str, str, str]]) -> None:
    """Check that every note is in its case once, and every outcome that counts beside it."""
    written = Counter((reference, who, text) for reference, who, text, _ in notes if text.startswith("Call "))
    assert written == Counter((call.reference, call.who, call.note) for call in calls)
    recorded = Counter((reference, who, outcome) for reference, who, _, outcome in notes if outcome)
    counted = Counter((call.reference, call.who, call.outcome.value) for call in calls if call.is_saved)
    assert counted - recorded == Counter()


def check_met(calls: list[Call]) -> None:
    """Check that of two calls at one moment one was saved, and the other was shown beside it."""
    first, second = sorted(calls, key=lambda call: bool(call.shown))
    assert (bool(first.shown), bool(second.shown)) == (False, True)
    assert first.who in second.shown
    assert OUTCOME_WORDS[first.outcome].casefold() in second.shown.casefold()
    assert OUTCOME_WORDS[second.outcome] in second.shown
