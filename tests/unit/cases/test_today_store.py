from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from broker.appointments.appointment import AppointmentState, Medium, StaffChange
from broker.cases.case import EnquirySummary, Outcome
from broker.cases.changes import CallRecord, CaseChange, call_recorded
from broker.cases.today import Today, is_to_call
from broker.cases.today_store import TodayStore
from broker.enquiries.working_time import OFFICE_WEEK
from broker.storage.encryption import SecretKeys
from broker.watches.watch import StaffWatch, Tell, Told, Watch, WatchState
from tests.databases.fixtures import KEY
from tests.unit.appointments.booking import NOW, add_adviser, booked, slot
from tests.unit.storage.stores import Stores, edit, giving, new

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def day(stores: Stores) -> TodayStore:
    return TodayStore(stores.database, SecretKeys((KEY,)))


async def enquiry(stores: Stores, number: int, *, call_by: datetime = NOW + HOUR, assigned: str = "") -> str:
    made = replace(new(number), created=NOW - DAY, call_by=call_by)
    reference = await stores.enquiries.add(made)
    if assigned:
        await stores.changes.change(edit(reference), giving(assigned))
    return reference


async def due(stores: Stores, number: int, at: datetime, *, assigned: str = "ada") -> str:
    reference = await enquiry(stores, number, assigned=assigned)
    call = CallRecord(outcome=Outcome.REACHED, due=at)

    def plan(case: EnquirySummary) -> CaseChange:
        change = call_recorded(case, call, who=assigned, now=NOW - DAY, week=OFFICE_WEEK)
        assert isinstance(change, CaseChange)
        return change

    await stores.changes.change(edit(reference, 2), plan)
    return reference


def lists(today: Today) -> dict[str, list[str]]:
    heads = {name: getattr(today, name) for name in ("calls", "due", "new")}
    heads["appointments"] = [each.case for each in today.appointments]
    return {name: [head.reference for head in found] for name, found in heads.items()}


async def test_day_has_what_is_due_by_time_and_what_nobody_has(stores: Stores, day: TodayStore) -> None:
    await add_adviser(stores)
    later, late = [await enquiry(stores, n, call_by=NOW + h * HOUR, assigned="ada") for n, h in ((1, 3), (2, -2))]
    tomorrow = await enquiry(stores, 3, call_by=NOW + DAY, assigned="ada")
    nobodys = [await enquiry(stores, n, call_by=NOW + h * HOUR) for n, h in ((4, 30), (5, 2))]
    overdue, in_time = await due(stores, 6, NOW - HOUR * 20), await due(stores, 7, NOW + HOUR * 2)
    await due(stores, 8, NOW + DAY)
    video = await booked(stores, slot(0, 14, minutes=40, medium=Medium.VIDEO), 9)
    found = await day.read("ada", NOW, everyone=False)
    assert lists(found) == {
        "appointments": [video.reference],
        "calls": [late, later],
        "due": [overdue, in_time],
        "new": nobodys[::-1],
    }
    assert found.appointments[0].booked.slot == video.slot
    assert tomorrow not in str(lists(found))


async def test_day_is_ones_own_or_everyones(stores: Stores, day: TodayStore) -> None:
    await add_adviser(stores, "bob")
    theirs, nobodys = await enquiry(stores, 1, assigned="bob"), await enquiry(stores, 2)
    worked_on = await due(stores, 3, NOW + HOUR, assigned="bob")
    meeting = (await booked(stores, slot(0, 12), 4)).reference
    mine, all_of_them = [lists(await day.read("ada", NOW, everyone=everyone)) for everyone in (False, True)]
    assert mine == {"appointments": [], "calls": [], "due": [], "new": [nobodys]}
    assert all_of_them == {"appointments": [meeting], "calls": [theirs], "due": [worked_on], "new": [nobodys]}


async def test_case_with_an_appointment_is_the_advisers_until_its_day_is_over(stores: Stores, day: TodayStore) -> None:
    await add_adviser(stores)
    coming = (await booked(stores, slot(1, 12), 1)).reference
    for moment, new_ones in ((NOW, []), (NOW + DAY + 6 * HOUR, []), (NOW + 2 * DAY, [coming])):
        assert lists(await day.read("bob", moment, everyone=False))["new"] == new_ones, moment


async def test_merged_case_has_each_of_its_appointments_of_the_day(stores: Stores, day: TodayStore) -> None:
    await add_adviser(stores)
    first, second = await booked(stores, slot(0, 12), 1), await booked(stores, slot(0, 14), 2)
    await stores.changes.merge(second.reference, first.reference, who="ada", at=NOW)
    found = (await day.read("ada", NOW, everyone=False)).appointments
    assert [(each.case.reference, each.booked.slot) for each in found] == [
        (first.reference, first.slot),
        (first.reference, second.slot),
    ]


async def test_appointment_that_was_held_leaves_its_outcome_to_record(stores: Stores, day: TodayStore) -> None:
    await add_adviser(stores)
    held = await booked(stores, slot(0, 12), 1)
    now = held.slot.end
    await stores.appointments.close(StaffChange(id=held.id, sequence=0, who="ada", at=now), AppointmentState.HELD)
    found = await day.read("ada", now, everyone=False)
    here = [held.reference]
    assert lists(found) == {"appointments": here, "calls": [], "due": here, "new": []}
    assert (found.due[0].next_action, found.due[0].is_late(now)) == ("Record the outcome", False)


def watch(telephone: str, told: datetime | None, state: WatchState = WatchState.ACTIVE) -> StaffWatch:
    figures = Watch(
        given=date(2026, 11, 1),
        balance=163_000,
        value=300_000,
        years=20,
        rate=2,
        deal_end=date(2027, 2, 28),
        follow_on=8,
        tells=frozenset(Tell),
        may_call=True,
    )
    known = (Told(tell=Tell.WINDOW, at=told),) if told else ()
    return StaffWatch(watch=figures, state=state, email="a@example.com", telephone=telephone, told=known)


def test_watch_is_to_call_while_its_news_is_fresh() -> None:
    watches = (watch("1", None), watch("2", NOW - DAY), watch("3", NOW - 40 * DAY), watch("4", NOW, WatchState.PAUSED))
    assert [is_to_call(each, NOW) for each in watches] == [False, True, False, False]


async def test_watch_is_to_call_until_its_owner_has_a_case_since(stores: Stores, day: TodayStore) -> None:
    await enquiry(stores, 1)  # received a day ago
    watches = (watch("+447700900001", NOW - 2 * DAY), watch("+447700900001 ext. 5", NOW), watch("+447700900002", NOW))
    assert await day.uncalled(watches) == watches[1:]
    assert await day.uncalled(()) == ()


async def test_cases_of_a_number_or_an_address_are_found(stores: Stores, day: TodayStore) -> None:
    first = new(1)
    contact = replace(first.enquiry.contact, email="Zoe@visitor.example")
    reference = await stores.enquiries.add(replace(first, enquiry=replace(first.enquiry, contact=contact)))
    await stores.enquiries.add(new(2))
    by_email = await day.known_by("", "zoe@visitor.example")
    by_phone = await day.known_by("+447700900001", "")
    assert [each.reference for each in (*by_email, *by_phone)] == [reference] * 2
    assert await day.known_by("", "") == ()
