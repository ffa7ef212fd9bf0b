import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.enquiries.enquiry import EnquiryState
from broker.staff.audit import Act
from broker.staff.enquiry_workflow import Case, Changed, Conflict, DeleteReason, Gone, Refused, StaffNote
from broker.storage.encryption import DecryptionError
from tests.unit.storage.stores import LATER, NOON, Stores, edit, new, stores_of

NEW, CALLED, BOOKED, CLOSED = EnquiryState


def changed(outcome: object) -> Case:
    assert isinstance(outcome, Changed), outcome
    return outcome.case


async def record(stores: Stores) -> list[tuple[str, Act, str, str]]:
    return [(each.who, each.what, each.about, each.detail) for each in reversed(await stores.audit.latest(100))]


async def test_enquiry_is_read_in_full_and_the_record_tells(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1, name="Zoë", call_in=20))
    found, told = await stores.changes.open(reference, who="ada", at=LATER), await record(stores)
    assert isinstance(found, Case)
    assert (found.head.contact, found.kept.enquiry) == (new(1, name="Zoë").enquiry.contact, new(1, name="Zoë").enquiry)
    assert (found.head.state, found.head.version, found.head.assigned, found.notes) == (NEW, 1, "", ())
    assert ((found.head.call_by - NOON).total_seconds(), found.head.changed_at) == (20 * 3600, None)
    assert told == [("ada", Act.ENQUIRY_READ, reference, "")]


async def test_changes_follow_each_other_each_with_its_version_and_its_line(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    await stores.changes.move(edit(reference), CALLED)
    await stores.changes.assign(edit(reference, 2, "bob"), "ada")
    await stores.changes.assign(edit(reference, 3, "bob"), "")
    found, told = changed(await stores.changes.move(edit(reference, 4, "eve"), BOOKED)), [*await record(stores)]
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
    await stores.changes.move(edit(reference), CALLED)
    late = edit(reference, 1, "bob")
    outcomes = [
        await stores.changes.move(late, CLOSED),
        await stores.changes.assign(late, "bob"),
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
    outcomes = await asyncio.gather(*(stores.changes.assign(edit(reference, 1, name), name) for name in names))
    kinds = sorted(type(outcome).__name__ for outcome in outcomes)
    winner = next(outcome.case.head for outcome in outcomes if isinstance(outcome, Changed))
    told = {outcome.case.head.assigned for outcome in outcomes if isinstance(outcome, Conflict)}
    assert told == {winner.assigned} == {winner.changed_by}
    assert (kinds, winner.version, len(await stores.audit.latest(100))) == (["Changed"] + ["Conflict"] * 7, 2, 1)


async def test_change_without_a_difference_is_refused_and_not_audited(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    outcomes = (
        await stores.changes.move(edit(reference), BOOKED),
        await stores.changes.assign(edit(reference), ""),
        changed(await stores.changes.move(edit(reference), CALLED)).head.version,
    )
    assert ((*outcomes, len(await stores.audit.latest(100)))) == (
        Refused(words="An enquiry that is new can become called or closed"),
        Refused(words="This enquiry is nobody's already"),
        2,
        1,
    )


async def test_notes_of_several_stand_beside_each_other_and_meet_no_change(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    await stores.changes.add_note(reference, StaffNote(at=NOON, who="ada", text="Rang.\nCall – again £"))
    noted = changed(await stores.changes.add_note(reference, StaffNote(at=LATER, who="bob", text="Rang, too")))
    moved = changed(await stores.changes.move(edit(reference), CALLED))
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
        await stores.changes.move(edit(reference, 1, "bob"), CALLED),
        await stores.changes.add_note(reference, StaffNote(at=LATER, who="bob", text="Rang")),
        await stores.changes.delete(edit(reference, 1, "bob"), DeleteReason.SPAM),
    ]

    async def count(connection: AsyncConnection) -> list[int]:
        tables = ("enquiries", "enquiry_notes", "outbox")
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
