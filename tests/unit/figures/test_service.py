from dataclasses import replace
from datetime import datetime, timedelta
from io import BytesIO
from itertools import pairwise

import openpyxl
import pytest
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.analytics.count_store import CountStore
from broker.analytics.counted import Counted
from broker.appointments.appointment import AppointmentState, StaffChange
from broker.cases.case import Outcome, Refused, Stage, WaitingFor
from broker.cases.change_store import EnquiryEdit
from broker.cases.changes import CallRecord, call_recorded, staged
from broker.clock import UK
from broker.enquiries.working_time import OFFICE_WEEK
from broker.figures.figures import Frames, Period, stages
from broker.figures.figures_file import table_csv, workbook
from broker.figures.figures_store import FiguresStore
from broker.figures.figures_view import FEW
from broker.figures.page_view import figures_page, parse_choice
from broker.figures.service import AWAY, FigureReport, FigureService
from broker.lending.days import day_number, month_of
from broker.storage.errors import StorageError
from broker.storage.tables import WatchRow
from broker.watches.watch import WatchState
from tests.unit.appointments.booking import NOW, add_adviser, booked, slot, wanting
from tests.unit.enquiries.enquiring import Calendar
from tests.unit.figures.frames import frames
from tests.unit.storage.stores import Stores, edit

LONG = Period(weeks=4, now=NOW)


async def read(stores: Stores) -> Frames:
    return await FiguresStore(stores.database, stores.appointments).frames(LONG)


async def test_calls_and_stages_of_cases_are_read(stores: Stores) -> None:
    reference = await stores.enquiries.add(wanting(1, None, at=NOW - timedelta(days=3)))
    at = NOW - timedelta(days=2)
    await record_call(stores, reference, Outcome.APPLICATION, at=at)
    await set_stage(stores, edit(reference, 2), Stage.VALUATION, at=at)
    found = await read(stores)
    (case,) = found.cases.to_dict("records")
    assert (case["adviser"], case["stage"], case["is_open"]) == ("ada", "valuation", True)
    assert case["first_call_at"].to_pydatetime() == at
    assert found.outcomes[["adviser", "outcome"]].to_dict("records") == [{"adviser": "ada", "outcome": "application"}]
    assert set(found.stages["stage"]) == {"application", "valuation"}


async def test_a_stage_reached_again_after_years_was_reached_before(stores: Stores) -> None:
    reference = await stores.enquiries.add(wanting(1, None, at=NOW - timedelta(weeks=80)))
    for version, (ago, stage) in enumerate(((70, Stage.OFFER), (69, Stage.ADVICE), (1, Stage.OFFER)), 1):
        await set_stage(stores, edit(reference, version), stage, at=NOW - timedelta(weeks=ago))
    assert stages(await read(stores), LONG).empty


async def record_call(stores: Stores, reference: str, outcome: Outcome, *, at: datetime) -> None:
    call = CallRecord(outcome=outcome, note="A call")
    await stores.changes.change(
        edit(reference), lambda case: call_recorded(case, call, who="ada", now=at, week=OFFICE_WEEK)
    )


async def set_stage(stores: Stores, change: EnquiryEdit, stage: Stage, *, at: datetime) -> None:
    await stores.changes.change(
        replace(change, at=at), lambda case: staged(case, stage, waiting_for=WaitingFor.CLIENT, waiting_note="", now=at)
    )


async def test_a_stage_that_was_undone_is_not_counted(stores: Stores) -> None:
    reference = await stores.enquiries.add(wanting(1, None))
    await set_stage(stores, edit(reference), Stage.OFFER, at=NOW)
    assert (await read(stores)).stages["stage"].tolist() == ["offer"]
    await stores.changes.undo("ada", NOW)
    assert (await read(stores)).stages.empty


async def test_case_put_off_reaches_the_review(stores: Stores) -> None:
    reference = await stores.enquiries.add(wanting(1, None, at=NOW - timedelta(days=3)))
    await record_call(stores, reference, Outcome.NOT_NOW, at=NOW - timedelta(days=2))
    found = await read(stores)
    (case,) = found.cases.to_dict("records")
    assert (case["stage"], found.stages["stage"].tolist()) == ("review", ["review"])


async def test_slots_do_not_overlap_and_booked_ones_count(stores: Stores) -> None:
    await add_adviser(stores)
    await booked(stores, slot())
    found = await read(stores)
    # from nine to five, twenty minutes every forty: the starts are every twenty, and ten are kept after each
    monday = found.slots[found.slots["starts"].dt.date == NOW.date()]["starts"].tolist()
    assert len(monday) == 12
    assert {after - before for before, after in pairwise(monday)} == {timedelta(minutes=40)}
    assert found.appointments["state"].tolist() == ["booked"]


async def test_former_appointment_of_a_case_that_is_booked_again_still_counts(stores: Stores) -> None:
    await add_adviser(stores)
    held = await booked(stores, slot())
    later = slot().end
    change = StaffChange(id=held.id, sequence=0, who="ada", at=later)
    await stores.appointments.close(change, AppointmentState.HELD)
    await stores.appointments.book_by_staff(held.reference, slot(2), who="ada", at=later)
    found = (await read(stores)).appointments.sort_values("starts")
    assert found["state"].tolist() == ["held", "booked"]
    assert [at.to_pydatetime() for at in found["starts"]] == [slot().start, slot(2).start]
    assert [at.to_pydatetime() for at in found["created"]] == [NOW, later]
    assert found["adviser"].tolist() == ["ada", "ada"]


async def test_only_confirmed_watches_that_agreed_to_a_call_are_read(stores: Stores) -> None:
    ends = month_of(day_number(NOW.date()))
    kinds = ((WatchState.ACTIVE, True), (WatchState.PAUSED, True), (WatchState.ACTIVE, False))
    rows = [watch(number, state, may_call, ends + number) for number, (state, may_call) in enumerate(kinds)]
    rows.append(watch(9, WatchState.UNCONFIRMED, True, ends))

    async def work(connection: AsyncConnection) -> None:
        await connection.execute(insert(WatchRow), rows)

    await stores.database.write(work)
    found = await read(stores)
    assert sorted(f"{day:%Y-%m}" for day in found.watches["deal_ends"]) == ["2026-11", "2026-12"]


def watch(number: int, state: WatchState, may_call: bool, month: int) -> dict[str, object]:
    named = {name: f"{name} {number}" for name in ("link", "stop", "submission", "address")}
    times = dict.fromkeys(("created", "consent_at", "delete_after"), NOW)
    consent = {"consent_text": "1", "consent_words": "", "consent_page": "/"}
    sealed = {"contact": b"", "figures": b"", "record": "{}"}
    return {
        **(named | times | consent | sealed),
        "state": state.value,
        "version": 1,
        "may_call": may_call,
        "deal_month": month,
    }


async def test_counts_of_visitors_are_read_from_the_first_monday(stores: Stores) -> None:
    first = LONG.mondays[0]
    days = {(first - timedelta(days=1), Counted.SEARCH): 7, (first, Counted.SEARCH): 8}
    await CountStore(stores.database).add(days)
    assert (await read(stores)).counts["count"].tolist() == [8]


class Counting:
    """A store of no rows that counts how often it is read."""

    def __init__(self) -> None:
        self.reads = 0
        self.is_away = False

    async def frames(self, longest: Period) -> Frames:
        del longest
        self.reads += 1
        if self.is_away:
            raise StorageError("away")
        return frames(cases=[{"created": NOW, "adviser": each} for each in ("ada", "ben", "ben", "")])


def service(store: Counting, clock: Calendar) -> FigureService:
    return FigureService(store, clock=clock)  # pyright: ignore[reportArgumentType] - one method of it


def made(report: FigureReport | Refused) -> FigureReport:
    assert isinstance(report, FigureReport)
    return report


async def test_figures_are_counted_once_a_uk_day() -> None:
    store, clock = Counting(), Calendar(datetime(2026, 6, 30, 23, 30, tzinfo=UK))
    figures = service(store, clock)
    first = made(await figures.report())
    clock.forward(minutes=29)
    assert made(await figures.report()) is first
    assert made(await figures.report(weeks=4)).counted_at == first.counted_at
    assert store.reads == 1
    clock.forward(minutes=1)
    assert made(await figures.report()).counted_at == clock.now
    assert store.reads == 2


async def test_figures_can_be_counted_again() -> None:
    store, clock = Counting(), Calendar(NOW)
    figures = service(store, clock)
    await figures.report()
    clock.forward(minutes=5)
    await figures.count_again()
    assert made(await figures.report()).counted_at == clock.now


async def test_a_database_that_is_away_is_tried_again() -> None:
    store = Counting()
    figures = service(store, Calendar(NOW))
    store.is_away = True
    assert await figures.report() == Refused(words=AWAY)
    store.is_away = False
    made(await figures.report())


async def report(**chosen: str) -> FigureReport:
    choice = parse_choice(chosen)
    return made(await service(Counting(), Calendar(NOW)).report(weeks=choice.weeks, adviser=choice.adviser))


async def test_an_advisers_report_has_their_cases_alone() -> None:
    own = await report(adviser="ben")
    assert own.stats[0].figure == "2"
    (by_adviser,) = (each for each in own.tables if each.name == "enquiries-by-adviser")
    assert tuple(by_adviser.frame.columns) == ("Week of", "ben", "All")


async def test_the_page_shows_each_measure_once_and_files_of_the_same_choice() -> None:
    choice = parse_choice({"weeks": "4", "adviser": "ben", "enquiries": "service"})
    page = figures_page(await report(weeks="4", adviser="ben"), choice)
    assert [(card.name, card.by) for card in page.cards] == [
        *(("enquiries", "service"), ("first-calls", "adviser"), ("outcomes", "adviser"), ("funnel", "")),
        *(("deal-ends", ""), ("stages", "week"), ("slots", "week")),
    ]
    assert page.cards[0].csv == "/staff/figures/file?table=enquiries-by-service&form=csv&weeks=4&adviser=ben"
    assert page.all_files == "/staff/figures/file?form=xlsx&weeks=4&adviser=ben"
    assert page.board == "Last 4 weeks to 30 November 2026, ben"


CHOICES = {
    "nothing": ({}, (13, "", {})),
    "all": ({"weeks": "52", "adviser": "Ada", "stages": "page"}, (52, "ada", {"stages": "page"})),
    "nonsense": ({"weeks": "999", "adviser": "<b>", "enquiries": "week", "name": "page"}, (13, "", {})),
}


@pytest.mark.parametrize(("given", "found"), CHOICES.values(), ids=CHOICES)
def test_an_address_chooses_what_there_is(given: dict[str, str], found: tuple[int, str, dict[str, str]]) -> None:
    choice = parse_choice(given)
    assert (choice.weeks, choice.adviser, choice.by) == found
    assert parse_choice(given, own="ben").adviser == "ben"


async def test_files_have_plain_figures_and_hide_what_the_page_hides() -> None:
    shown = await report()
    first = table_csv(shown.tables[0]).splitlines()
    assert first[0] == "Week of,Rates,All"
    assert first[-1] == "13 weeks,4,4"
    counts = [(NOW.date() - timedelta(days=7), Counted.SEARCH.value, 4)]
    few = FigureService(Held(frames(counts=counts)), clock=Calendar(NOW))  # pyright: ignore[reportArgumentType]
    (funnel,) = (each for each in made(await few.report()).tables if each.name == "funnel")
    assert f"Searches of rates,{FEW}," in table_csv(funnel)


class Held:
    def __init__(self, held: Frames) -> None:
        self._held = held

    async def frames(self, longest: Period) -> Frames:
        del longest
        return self._held


async def test_the_workbook_has_a_sheet_for_each_table_and_no_formula() -> None:
    shown = await report()
    book = openpyxl.load_workbook(BytesIO(workbook(shown, shown.tables, firm="=Firm")))
    assert book.sheetnames == ["About", *(each.name for each in shown.tables)]
    assert book["enquiries-by-source"]["B15"].value == 4
    assert all(cell.data_type != "f" for sheet in book for row in sheet.iter_rows() for cell in row)
