from datetime import timedelta

from broker.cases.case import StaffNote
from broker.cases.case_changes import OPEN_TIME, POLL_SECONDS, CaseChanges, Changes, OpenCases
from broker.staff.audit import Act, AuditEntry
from tests.unit.enquiries.enquiring import Calendar
from tests.unit.storage.stores import LATER, Stores, edit, giving, new


class Seconds:
    """A clock that goes on by a poll each time it is asked."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += POLL_SECONDS
        return self.now


async def test_change_of_any_kind_and_a_new_enquiry_are_seen(stores: Stores) -> None:
    first, second = [await stores.enquiries.add(new(number)) for number in range(2)]
    await stores.changes.change(edit(first), giving("ada"))
    feed = CaseChanges(stores.database, clock=Seconds())
    begun = await feed.since()
    assert await feed.since(begun.position) == begun == Changes(position=begun.position)
    await stores.changes.add_note(second, StaffNote(at=LATER, who="ada", text="Rang"))
    noted = await feed.since(begun.position)
    third = await stores.enquiries.add(new(3))
    await stores.changes.change(edit(first, 2), giving("bob"))
    later = await feed.since(noted.position)
    assert (noted.references, later.references) == ({second}, {first, third})
    assert (await feed.since(begun.position)).references == {first, second, third}


async def test_reading_a_case_and_what_is_about_no_case_changes_nothing(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    feed = CaseChanges(stores.database, clock=Seconds())
    begun = await feed.since()
    await stores.changes.open(reference, who="ada", at=LATER)
    await stores.audit.add(AuditEntry(at=LATER, who="ada", what=Act.SIGNED_IN))
    await stores.audit.add(AuditEntry(at=LATER, who="ada", what=Act.LOGO_REMOVED, about="lender 7"))
    assert (await feed.since(begun.position)).references == frozenset()


async def test_database_is_asked_once_a_second_for_all(stores: Stores) -> None:
    seconds = [10.0]
    feed = CaseChanges(stores.database, clock=lambda: seconds[0])
    begun = await feed.since()
    reference = await stores.enquiries.add(new(1))
    assert (await feed.since(begun.position)).references == frozenset()
    seconds[0] += POLL_SECONDS
    assert (await feed.since(begun.position)).references == {reference}


async def test_position_of_another_process_means_everything(stores: Stores) -> None:
    feed = CaseChanges(stores.database, clock=Seconds())
    assert (await feed.since(12)).everything
    assert (await feed.since(-1)).everything


async def test_colleagues_are_seen_for_two_minutes_after_their_last_word(stores: Stores, calendar: Calendar) -> None:
    reference, other = [await stores.enquiries.add(new(number)) for number in range(2)]
    cases = OpenCases(stores.database, clock=calendar)
    for who in ("bob", "ada"):
        await cases.keep(reference, who)
    await cases.keep(other, "eve")
    assert (await cases.others(reference, "ada"), await cases.others(reference, "eve")) == (("bob",), ("ada", "bob"))
    calendar.now += OPEN_TIME - timedelta(seconds=1)
    await cases.keep(reference, "ada")
    calendar.now += timedelta(seconds=1)
    assert await cases.others(reference, "eve") == ("ada",)
    await cases.leave(reference, "ada")
    assert await cases.others(reference, "eve") == ()
    await cases.keep("HG-2222-2222", "ada")  # there is no such case


async def test_another_process_sees_who_has_a_case_open(stores: Stores, calendar: Calendar) -> None:
    reference = await stores.enquiries.add(new(1))
    await OpenCases(stores.database, clock=calendar).keep(reference, "bob")
    assert await OpenCases(stores.database, clock=calendar).others(reference, "ada") == ("bob",)
