import asyncio
from datetime import datetime

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.cases.case import Case, Changed, Conflict, DeleteReason, Gone, Refused, StaffNote
from broker.cases.case_list import Listing
from broker.enquiries.enquiry import EnquiryKind, EnquiryState
from broker.staff.audit import Act
from broker.storage.encryption import DecryptionError
from tests.unit.appointments.booking import add_adviser, booked, slot
from tests.unit.storage.stores import LATER, NOON, Stores, edit, giving, moving, new, stores_of

NEW, CALLED, BOOKED, CLOSED = EnquiryState
PEOPLE = (
    new(1, name="Ada Lovelace", call_in=30),
    new(2, name="Alan Turing", call_in=6, kind=EnquiryKind.CONTACT),
    new(3, name="Grace Hopper", call_in=21, kind=EnquiryKind.QUESTIONNAIRE),
    new(4, name="Alan Kay", call_in=3, kind=EnquiryKind.CONTACT),
)


async def filled(stores: Stores) -> dict[str, str]:
    """Store four enquiries, Alan Kay's called and assigned to bob, Grace's closed; return references by name."""
    found = {each.enquiry.contact.name.split()[-1]: await stores.enquiries.add(each) for each in PEOPLE}
    await stores.changes.change(edit(found["Kay"]), moving(CALLED))
    await stores.changes.change(edit(found["Kay"], 2), giving("bob"))
    await stores.changes.change(edit(found["Hopper"]), moving(CLOSED))
    return found


def changed(outcome: object) -> Case:
    assert isinstance(outcome, Changed), outcome
    return outcome.case


async def record(stores: Stores) -> list[tuple[str, Act, str, str]]:
    return [(each.who, each.what, each.about, each.detail) for each in reversed(await stores.audit.latest(100))]


async def test_enquiry_is_read_in_full_and_the_record_lists_that(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1, name="Zoë", call_in=20))
    found, told = await stores.changes.open(reference, who="ada", at=LATER), await record(stores)
    assert isinstance(found, Case)
    assert (found.head.contact, found.kept.enquiry) == (new(1, name="Zoë").enquiry.contact, new(1, name="Zoë").enquiry)
    assert (found.head.state, found.head.version, found.head.assigned, found.notes) == (NEW, 1, "", ())
    assert ((found.head.call_by - NOON).total_seconds(), found.head.changed_at) == (20 * 3600, None)
    assert told == [("ada", Act.ENQUIRY_READ, reference, "")]


async def test_changes_follow_each_other_each_with_its_version_and_its_line(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    await stores.changes.change(edit(reference), moving(CALLED))
    await stores.changes.change(edit(reference, 2, "bob"), giving("ada"))
    await stores.changes.change(edit(reference, 3, "bob"), giving(""))
    found, told = (
        changed(await stores.changes.change(edit(reference, 4, "eve"), moving(BOOKED))),
        [*await record(stores)],
    )
    head = found.head
    assert (head.state, head.version, head.assigned) == (BOOKED, 5, "")
    assert (head.changed_by, head.changed_at, found.kept.version) == ("eve", LATER, 5)
    assert told == [
        ("ada", Act.ENQUIRY_STATE, reference, "new to called"),
        ("bob", Act.ENQUIRY_ASSIGNED, reference, "to ada"),
        ("bob", Act.ENQUIRY_ASSIGNED, reference, "to nobody, before to ada"),
        ("eve", Act.ENQUIRY_STATE, reference, "called to booked"),
    ]


async def test_change_of_an_older_version_is_a_conflict(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    await stores.changes.change(edit(reference), moving(CALLED))
    late = edit(reference, 1, "bob")
    outcomes = [
        await stores.changes.change(late, moving(CLOSED)),
        await stores.changes.change(late, giving("bob")),
        await stores.changes.delete(late, DeleteReason.SPAM),
    ]
    assert len(await stores.audit.latest(100)) == 1
    for outcome in outcomes:
        assert isinstance(outcome, Conflict)
        head = outcome.case.head
        assert (head.state, head.version, head.assigned) == (CALLED, 2, "")
        assert (head.changed_by, head.changed_at) == ("ada", LATER)


async def test_of_many_who_change_one_version_at_once_one_succeeds(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    names = [f"staff {number}" for number in range(8)]
    outcomes = await asyncio.gather(*(stores.changes.change(edit(reference, 1, name), giving(name)) for name in names))
    kinds = sorted(type(outcome).__name__ for outcome in outcomes)
    winner = next(outcome.case.head for outcome in outcomes if isinstance(outcome, Changed))
    told = {outcome.case.head.assigned for outcome in outcomes if isinstance(outcome, Conflict)}
    assert told == {winner.assigned} == {winner.changed_by}
    assert (kinds, winner.version, len(await stores.audit.latest(100))) == (["Changed"] + ["Conflict"] * 7, 2, 1)


async def test_change_without_a_difference_is_refused_and_not_audited(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    outcomes = (
        await stores.changes.change(edit(reference), giving("")),
        changed(await stores.changes.change(edit(reference), moving(CALLED))).head.version,
    )
    assert ((*outcomes, len(await stores.audit.latest(100)))) == (
        Refused(words="This enquiry is nobody’s already"),
        2,
        1,
    )


async def test_notes_of_several_stand_beside_each_other_and_meet_no_change(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    await stores.changes.add_note(reference, StaffNote(at=NOON, who="ada", text="Rang.\nCall – again £"))
    noted = changed(await stores.changes.add_note(reference, StaffNote(at=LATER, who="bob", text="Rang, too")))
    moved = changed(await stores.changes.change(edit(reference), moving(CALLED)))
    assert [(note.at, note.who, note.text) for note in moved.notes] == [
        (NOON, "ada", "Rang.\nCall – again £"),
        (LATER, "bob", "Rang, too"),
    ]
    assert (noted.head.version, moved.head.version) == (1, 2)
    acts = [act for _, act, _, _ in await record(stores)]
    assert acts == [Act.ENQUIRY_NOTE, Act.ENQUIRY_NOTE, Act.ENQUIRY_STATE]


async def test_deleted_enquiry_is_gone_with_all_that_was_kept_of_it_but_its_line(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    await stores.enquiries.add(new(2))
    await stores.changes.add_note(reference, StaffNote(at=NOON, who="ada", text="Rang"))
    outcomes = [
        await stores.changes.delete(edit(reference), DeleteReason.ASKED),
        await stores.changes.open(reference, who="bob", at=LATER),
        await stores.changes.change(edit(reference, 1, "bob"), moving(CALLED)),
        await stores.changes.add_note(reference, StaffNote(at=LATER, who="bob", text="Rang")),
        await stores.changes.delete(edit(reference, 1, "bob"), DeleteReason.SPAM),
    ]

    async def count(connection: AsyncConnection) -> list[int]:
        tables = ("enquiries", "enquiry_notes", "mail")
        return [(await connection.execute(text(f"SELECT count(*) FROM {name}"))).scalar_one() for name in tables]

    assert outcomes == [Gone(by="ada", at=LATER, reason="they asked us to")] * 5
    assert await stores.database.read(count) == [1, 0, 1]
    assert (await record(stores))[1:] == [("ada", Act.ENQUIRY_DELETED, reference, "they asked us to")]


async def test_enquiry_encrypted_with_another_key_is_hidden_but_deletable(stores: Stores) -> None:
    other = stores_of(stores.database, "another key, that is long enough too")
    reference = await other.enquiries.add(new(1))
    with pytest.raises(DecryptionError):
        await stores.changes.open(reference, who="ada", at=LATER)
    assert await stores.audit.latest(10) == ()
    assert isinstance(await stores.changes.delete(edit(reference), DeleteReason.TEST), Gone)


async def test_booked_appointment_is_in_the_list_and_in_the_enquiry_until_it_is_cancelled(stores: Stores) -> None:
    await add_adviser(stores)
    booking = await booked(stores, slot())
    reference, start = booking.reference, booking.slot.start

    async def starts() -> list[datetime | None]:
        page = await stores.lists.page(Listing(), found=None, sorter=None, who="ada", now=LATER)
        case = await stores.changes.open(reference, who="ada", at=LATER)
        assert isinstance(case, Case)
        assert case.appointment
        return [each.appointment for each in (*page.heads, case.head)]

    assert await starts() == [start] * 2
    (exported,) = (await stores.lists.export(Listing(), found=None, sorter=None, own=False, who="ada", now=LATER)).cases
    assert exported.appointment == booking
    await stores.appointments.cancel(booking.uid, sequence=0, at=booking.created)
    assert await starts() == [None] * 2
