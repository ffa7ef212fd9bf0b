"""The short form of the soak of a live site: an editor's work of hours, copied while one call after another fails."""

import asyncio
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from broker.content.snapshot.snapshot import Snapshot
from broker.content.snapshot.snapshot_folder import read_snapshot
from broker.content.sync import sync
from broker.content.wordpress.client import WordPressClient, WordPressSettings
from broker.lenders.directory import KnownLender, LenderDirectory
from broker.rates.deal_types import TWO_YEARS_FIXED
from broker.rates.feed.client import FeedClient, FeedSettings
from broker.rates.feed.products import FeedRateSource
from broker.rates.lender_rates import LenderRates, SavedLenderRates
from broker.rates.lender_tables import RateBlocks, lender_blocks
from broker.rates.live_feed import BestRates, SavedLists
from broker.rates.product import RatesAnswer, RatesError
from broker.rates.query import RatesQuery
from broker.rates.search import PAUSE, RatesService
from tests.our_content import STORE
from tests.soak.edited_content import FEES, Content
from tests.soak.editor import LENDERS, Editor, Ledger, Seen, fault_of, first_items
from tests.soak.faults import CONTENT_CALLS, any_fault
from tests.soak.live_world import AWAY
from tests.standin import Standin, running
from tests.unit.rates.sources import Clock

ROUNDS, RATES_TURNS, SEED = 12, 16, 1
HALIFAX = KnownLender(lender_id=42, name="Halifax", slug="halifax")
LISTS = ("get_rates", "get_saved_rates", "get_saved_ltv_rates")
FRESH = timedelta(minutes=1)


@pytest.fixture(scope="module")
def standin() -> Iterator[Standin]:
    with running() as standin:
        standin.rename(LENDERS)
        yield standin


def seen(snapshot: Snapshot, path: str) -> Seen:
    """Return what a site built from a snapshot answers at a path."""
    items = {
        **{f"/mortgage-guides/{guide.url}/": guide for guide in snapshot.guides},
        **{f"/mortgage-broker-{town.slug}/": town for town in snapshot.towns},
        **{page.path: page for page in snapshot.pages},
        **{f"/lenders/{slug}/": text for slug, text in snapshot.lenders.items()},
    }
    if path in items:
        return Seen(path=path, status=200, text=str(items[path]))
    if path in snapshot.history.moved:
        return Seen(path=path, status=301, location=snapshot.history.moved[path])
    return Seen(path=path, status=410 if path in snapshot.history.removed else 404)


def copy(standin: Standin, folder: Path, *, accept_removals: bool = False) -> list[str]:
    """Copy the content; return the report."""
    report: list[str] = []
    settings = WordPressSettings(api_url=standin.url, backoff_seconds=0)
    sync(
        WordPressClient(settings), STORE, to=folder, report=report.append, feed=LENDERS, accept_removals=accept_removals
    )
    return report


def test_pages_are_as_the_editor_left_them_whatever_call_fails(standin: Standin, tmp_path: Path) -> None:
    standin.edit()
    copy(standin, tmp_path)
    first, chance, wrong = read_snapshot(tmp_path), random.Random(SEED), list[str]()
    ledger = Ledger(Content(items={item.key: item for item in first_items(first.paths())}))
    ledger.publish([*first.live_paths()])
    editor = Editor(ledger=ledger, chance=chance)
    for turn in range(ROUNDS):
        done = [editor.edit() for _ in range(chance.randint(1, 4))]
        if turn % 8 == 5:
            editor.remove_many()
        standin.edit(ledger.now.edit)
        fault = any_fault(chance, CONTENT_CALLS, slow=False) if turn % 3 else None
        standin.switch(*([fault.way] if fault else []), only=fault.call if fault else "")
        report = copy(standin, tmp_path)
        if not report[-1].startswith("snapshot taken"):
            if not ledger.may_be_refused():
                wrong.append(f"turn {turn}, {done}, {fault}: refused without a cause: {report}")
            report = copy(standin, tmp_path, accept_removals=True)
        standin.switch()
        snapshot = read_snapshot(tmp_path)
        ledger.publish([*snapshot.live_paths()])
        ledger.copied(whole=not any(line.startswith("note: call ") for line in report))
        for path in {*ledger.published, *ledger.now.live()}:
            if words := fault_of(seen(snapshot, path), ledger.states, ledger.published):
                wrong.append(f"turn {turn}, {done}, {fault}: {path}: {words}")
    assert wrong == []
    assert len(editor.edits) > 8


def faults_of_blocks(blocks: RateBlocks, version: int) -> list[str]:
    """Return what is wrong with the rates of a lender's page while the feed has those of a version."""
    best, tables, rows = blocks.best, blocks.tables, [row for table in blocks.tables.tables for row in table.rows]
    parts = (
        (best.dated, [deal.fees for deal in best.deals], bool(best.away)),
        (tables.dated, [row.fees for row in rows], AWAY in tables.dated),
    )
    old = f"£{FEES + version:,}"
    wrong = [f"old: {dated}" for dated, fees, is_marked in parts if min(fees, default=old) < old and not is_marked]
    wrong += [f"no time: {dated}" for dated, *_ in parts if not re.search(r"(read at|are from) \d\d:\d\d", dated)]
    is_filled = rows or any(cell.rate for row in blocks.lender.rows for cell in row.cells)
    return wrong if best.deals and is_filled else [*wrong, "a block is empty"]


def test_blocks_of_rates_are_filled_and_marked_whatever_call_fails(standin: Standin) -> None:
    chance, wrong = random.Random(SEED), list[str]()

    async def shown(best: BestRates, rates: RatesService, lenders: LenderRates) -> dict[str, RatesAnswer]:
        customers = {customer: await best.of_customer(customer) for customer in ("", "home-mover")}
        return customers | {
            "Halifax": (await lenders.blocks(HALIFAX, None))[0],
            "table": await rates.for_page(RatesQuery(price=300_000)),
        }

    async def work() -> None:
        clock = Clock()
        client = FeedClient(FeedSettings(api_url=standin.url, backoff_seconds=0))
        saved = SavedLists(client, lender_ids=lambda: (42,), clock=clock)
        rates = RatesService(FeedRateSource(client=client), fresh_for=FRESH, clock=clock)
        best = BestRates(rates, saved)
        lenders = LenderRates(SavedLenderRates(saved=saved, directory=LenderDirectory([HALIFAX])))
        for turn in range(RATES_TURNS):
            standin.edit(Content(version=turn // 3).edit)
            fault = any_fault(chance, LISTS, slow=False) if turn % 4 else None
            standin.switch(*([fault.way] if fault else []), only=fault.call if fault else "")
            for refresh in (saved.refresh_customers, saved.refresh_lenders):
                with suppress(RatesError):
                    await refresh()
            for name, answer in (await shown(best, rates, lenders)).items():
                fees = [product.total_fees for product in answer.products]
                if not fees or (min(fees) < FEES + turn // 3 and not answer.stale):
                    wrong.append(f"turn {turn}, {fault}: {name}: {fees[:3]}, stale: {answer.stale}")
            for kind in (None, TWO_YEARS_FIXED):
                blocks = lender_blocks(*await lenders.blocks(HALIFAX, kind), kind=kind, logos={})
                found = faults_of_blocks(blocks, turn // 3)
                wrong.extend(f"turn {turn}, {fault}: {kind}: {words}" for words in found)
            standin.switch()
            clock.now += FRESH.total_seconds() + PAUSE
        await client.aclose()

    asyncio.run(work())
    assert wrong == []
