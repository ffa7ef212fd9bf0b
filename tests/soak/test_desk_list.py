"""How soon the list of cases answers, finds words and shows a change of another process, with many cases and tabs."""

import asyncio
import statistics
import sys
import time
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.cases.case import EnquirySummary, StaffNote
from broker.cases.case_changes import CaseChanges
from broker.cases.case_list import CaseFilter, CasePage, Column, Listing, Tab
from broker.cases.change_store import EnquiryChangeStore, EnquiryEdit
from broker.cases.changes import assigned
from broker.cases.list_view import case_row, filters_of
from broker.cases.lists import CaseLists
from broker.cases.saved_filters import SavedFilterStore
from broker.cases.search_store import CaseSearch
from broker.cases.store import EnquiryListStore
from broker.enquiries.contact_details import ContactDetails
from broker.enquiries.enquiry import REFERENCE_ALPHABET, REFERENCE_LENGTH
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.staff.audit_log import AuditStore
from broker.storage.database import Database, database_address
from broker.storage.encryption import SecretKeys
from broker.storage.tables import AuditRow, EnquiryRow, NoteRow
from tests.databases.cluster import Cluster
from tests.databases.fixtures import KEY, TEMPLATE
from tests.soak import test_figures
from tests.soak.test_figures import NOW
from tests.unit.storage.stores import new

CASES, ENTRIES, TABS, CHANGES, READS = 10_000, 100_000, 50, 15, 100
KEYS = SecretKeys((KEY,))
MAX_SECONDS = 10
"""Of one answer on a machine that does other things as well; the soak prints what they take."""


def reference(number: int) -> str:
    signs = "".join(REFERENCE_ALPHABET[number // 25**place % 25] for place in range(REFERENCE_LENGTH))
    return f"HG-{signs[:4]}-{signs[4:]}"


async def fill(database: Database) -> None:
    random, cipher = Random(35), EnquiryCipher(KEYS)

    def case(number: int) -> dict[str, Any]:
        base = new(number).enquiry
        contact = ContactDetails(
            name=f"Zoë Example-{number}", telephone=f"+447700{number:06}", email=f"zoe{number}@example.com"
        )
        enquiry = replace(base, contact=contact, message=f"We found a house by the river, number {number}. " * 5)
        values = {**test_figures.enquiry(random, number), **cipher.values(enquiry), "reference": reference(number)}
        return {**values, "next_due": NOW + timedelta(minutes=random.randrange(-9_000, 90_000))}

    words = cipher.note_values(StaffNote(at=NOW, who="ada", text="Rang; they want a tracker, and send payslips"))
    notes = [{**words, "enquiry_id": random.randrange(1, CASES + 1)} for _ in range(2 * CASES)]
    entries = [test_figures.entry(random, number, CASES) for number in range(1, ENTRIES + 1)]
    rows = {EnquiryRow: [case(number) for number in range(1, CASES + 1)], NoteRow: notes, AuditRow: entries}

    async def work(connection: AsyncConnection) -> None:
        for kind, values in rows.items():
            for first in range(0, len(values), 1_000):
                batch = [
                    {name: value for name, value in each.items() if name != "id"}
                    for each in values[first : first + 1_000]
                ]
                await connection.execute(insert(kind), batch)

    await database.write(work)


class Process:
    """What one process has of the lists."""

    def __init__(self, url: str) -> None:
        self.database = Database(database_address(url))
        self.lists = CaseLists(
            EnquiryListStore(self.database, KEYS),
            CaseSearch(self.database, KEYS),
            SavedFilterStore(self.database),
            AuditStore(self.database),
            clock=lambda: NOW,
        )
        self.changes = CaseChanges(self.database)
        self.writes = EnquiryChangeStore(self.database, KEYS)


class Tab50:
    """A tab that shows what others change: when it last saw each case change, and then the counts of its tabs."""

    def __init__(self, process: Process) -> None:
        self.process, self.seen, self.counted = process, dict[str, float](), dict[str, float]()

    async def follow(self) -> None:
        async for changed in self.process.changes.follow():
            if changed:
                heads = await self.process.lists.heads(changed)
                assert isinstance(heads, tuple)
                rows = [case_row(head, NOW) for head in heads]
                self.seen |= {row.reference: time.perf_counter() for row in rows}
                assert isinstance(await self.process.lists.counts(filters_of(()), who="ada"), tuple)
                self.counted |= {row.reference: time.perf_counter() for row in rows}


LISTINGS = (
    Listing(),
    Listing(wanted=CaseFilter(tab=Tab.TODAY)),
    Listing(wanted=CaseFilter(tab=Tab.CLOSED), sort=Column.CHANGED, descending=True, page=7),
    Listing(sort=Column.AMOUNT, page=40),
    Listing(wanted=CaseFilter(adviser="ada"), sort=Column.NAME),
)
SEARCHES = ("zoe example-77", "07700 000123", "tracker payslips", "river", "zoe9999@example.com", "nobody at all")


async def timed(work: Any) -> float:
    start = time.perf_counter()
    assert isinstance(await work, CasePage | tuple)
    return 1_000 * (time.perf_counter() - start)


def line(name: str, taken: list[float], goal: int) -> str:
    parts = statistics.quantiles(taken, n=20)
    return f"{name}: p50 {statistics.median(taken):.0f} ms, p95 {parts[-1]:.0f} ms (goal {goal:,} ms)"


async def measure(url: str) -> tuple[list[str], float]:
    """Return the figures in words, and the longest answer in milliseconds."""
    here, elsewhere = Process(url), Process(url)
    await fill(here.database)
    tabs = [Tab50(here) for _ in range(TABS)]
    following = [asyncio.create_task(tab.follow()) for tab in tabs]
    built = await timed(here.lists.page(Listing(wanted=CaseFilter(text="river")), who="ada"))
    listed, searched, seen, counted = list[float](), list[float](), list[float](), list[float]()
    filters = filters_of(())
    for number in range(READS):
        listing = LISTINGS[number % len(LISTINGS)]
        listed.append(
            await timed(here.lists.page(listing, who="ada")) + await timed(here.lists.counts(filters, who="ada"))
        )
        if number % (READS // CHANGES) == 0:
            await change(elsewhere, number)
        text = SEARCHES[number % len(SEARCHES)]
        searched.append(await timed(here.lists.page(Listing(wanted=CaseFilter(text=text)), who="ada")))
    for number in range(CHANGES):
        name, at = await change(elsewhere, 1_000 + number)
        while not all(name in tab.counted for tab in tabs):
            await asyncio.sleep(0.01)
        seen += [1_000 * (tab.seen[name] - at) for tab in tabs]
        counted += [1_000 * (tab.counted[name] - at) for tab in tabs]
    for task in following:
        task.cancel()
    await asyncio.gather(*following, return_exceptions=True)
    for process in (here, elsewhere):
        await process.database.close()
    words = [
        f"{CASES:,} cases, {ENTRIES:,} audit rows, {TABS} tabs: first search {built / 1_000:.1f} s",
        line("list with counts", listed, 200),
        line("search", searched, 300),
        line("change seen elsewhere", seen, 2_000),
        line("its counts seen elsewhere", counted, 2_000),
    ]
    return words, max(*listed, *searched, *counted)


async def change(process: Process, number: int) -> tuple[str, float]:
    """Give a case to somebody else, and return its reference and when that was done."""
    name = reference(number + 1)

    def plan(case: EnquirySummary) -> Any:
        return assigned(case, "cat" if case.assigned != "cat" else "dan")

    await process.writes.change(EnquiryEdit(reference=name, who="cat", at=NOW), plan)
    return name, time.perf_counter()


def check(words: list[str], longest: float, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        sys.stdout.write(f"\n{kind}: " + "\n  ".join(words) + "\n")
    assert longest < 1_000 * MAX_SECONDS


@pytest.mark.soak
def test_list_of_many_cases_on_sqlite(sqlite_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    check(*asyncio.run(measure(sqlite_url)), "SQLite", capsys)


@pytest.mark.soak
def test_list_of_many_cases_on_postgresql(cluster: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    url = cluster.create("many_cases", template=TEMPLATE)
    check(*asyncio.run(measure(url)), "PostgreSQL", capsys)
