from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.appointments.slots import Absence
from broker.cases.case import (
    Case,
    Changed,
    CloseReason,
    Conflict,
    DeleteReason,
    EnquirySummary,
    Gone,
    MailState,
    ManyChanged,
    NoteKind,
    Outcome,
    Refused,
    StaffNote,
    Stage,
    Undone,
    WaitingFor,
)
from broker.cases.case_list import Listing
from broker.cases.change_store import CHANGED_SINCE, NOTHING_TO_UNDO, SAME_CASE, UNDO_TIME, Plan
from broker.cases.changes import CallRecord, call_recorded, closed, contact_corrected, due_set, staged
from broker.cases.replies import NO_EMAIL, RETURNED, ReplyTemplate
from broker.enquiries.confirmation import mail_links
from broker.enquiries.enquiry import EnquiryState
from broker.enquiries.working_time import OFFICE_WEEK
from broker.mail.mail import MailKind
from broker.mail.outbox_store import OutboxStore
from broker.staff.audit import UNDONE as UNDO_WORDS
from broker.staff.audit import Act, AuditEntry
from broker.storage.encryption import SecretKeys
from broker.storage.tables import DeskUndoRow, EnquiryRow
from tests.databases.fixtures import KEY
from tests.unit.appointments.booking import add_adviser, booked, mails, slot
from tests.unit.storage.stores import LATER, Stores, edit, giving, moving, new

DAY, BEN = timedelta(days=1), "ben"


def calling(outcome: Outcome = Outcome.REACHED, note: str = "", *, who: str = "ada", **fields: Any) -> Plan:
    call = CallRecord(outcome=outcome, note=note, **fields)
    return lambda case: call_recorded(case, call, who=who, now=LATER, week=OFFICE_WEEK)


def staging(stage: Stage, note: str = "") -> Plan:
    return lambda case: staged(case, stage, waiting_for=WaitingFor.LENDER, waiting_note=note, now=LATER)


def case_of(outcome: object) -> Case:
    assert isinstance(outcome, Changed | Conflict), outcome
    return outcome.case


async def opened(stores: Stores, reference: str) -> Case:
    found = await stores.changes.open(reference, who="ada", at=LATER, again=True)
    assert isinstance(found, Case)
    return found


def worked(head: EnquirySummary) -> Mapping[str, Any]:
    names = ("state", "stage", "waiting_for", "waiting_note", "next_action", "next_due", "outcome", "attempts")
    return {name: getattr(head, name) for name in (*names, "first_call_at", "assigned", "close_reason", "changed_by")}


async def test_call_is_one_change_with_its_note_and_its_entry(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    found = case_of(await stores.changes.change(edit(reference), calling(note="Likes five years", due=LATER + DAY)))
    head, note = found.head, found.notes[0]
    assert (head.version, head.state, head.outcome) == (2, EnquiryState.CALLED, Outcome.REACHED)
    assert (head.next_action, head.next_due, head.first_call_at) == ("Call again", LATER + DAY, LATER)
    assert (note.text, note.kind, note.outcome) == ("Likes five years", NoteKind.CALL, Outcome.REACHED)
    entries = await stores.audit.latest(10)
    assert [(each.what, each.about, each.detail) for each in entries] == [(Act.CALL_RECORDED, reference, "reached")]
    assert worked(head) == worked((await opened(stores, reference)).head)


async def test_client_who_is_reached_before_the_appointment_is_called_at_it(stores: Stores) -> None:
    await add_adviser(stores)
    coming = await booked(stores, slot(2, 12))
    head = case_of(await stores.changes.change(edit(coming.reference), calling())).head
    assert (head.next_action, head.next_due, head.state) == ("Appointment", coming.slot.start, EnquiryState.BOOKED)


async def test_case_knows_that_the_adviser_of_its_appointment_is_away(stores: Stores) -> None:
    await add_adviser(stores)
    coming = await booked(stores, slot(2, 12))
    assert not (await opened(stores, coming.reference)).is_uncovered
    absence = Absence(start=coming.slot.start, end=coming.slot.end)
    await stores.appointments.add_absence(coming.adviser, absence, who="ada", at=LATER)
    found = await opened(stores, coming.reference)
    assert (found.is_uncovered, [each.appointment.id for each in await stores.appointments.uncovered(LATER)]) == (
        True,
        [coming.id],
    )


async def test_conflict_keeps_the_note_and_nothing_else(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    await stores.changes.change(edit(reference, 1, "bob"), giving("bob"))
    note = StaffNote(at=LATER, who="ada", text="Rang")
    found = await stores.changes.change(edit(reference), calling(note="Rang"), note=note)
    assert isinstance(found, Conflict)
    assert (found.case.head.state, found.case.head.version) == (EnquiryState.NEW, 2)
    assert [(each.text, each.kind) for each in found.case.notes] == [("Rang", NoteKind.NOTE)]


async def test_whom_we_wait_for_is_kept_with_what_for(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    head = case_of(await stores.changes.change(edit(reference), staging(Stage.OFFER, "the deed"))).head
    assert (head.stage, head.stage_since, head.waiting_note) == (Stage.OFFER, LATER, "the deed")
    entry = (await stores.audit.latest(1))[0]
    assert "deed" not in entry.detail


async def test_many_are_changed_at_once_and_the_others_left_with_why(stores: Stores) -> None:
    first, second, third = [await stores.enquiries.add(new(number)) for number in range(3)]
    await stores.changes.change(edit(second), giving("bob"))
    found = await stores.changes.change_many(
        (first, second, third, first, "HG-2222-2222"), giving("bob"), who="ada", at=LATER
    )
    assert isinstance(found, ManyChanged)
    assert set(found.references) == {first, third}
    assert found.left == {second: "This enquiry is bob’s already", "HG-2222-2222": "It is deleted"}


UNDONE = {
    "a call": calling(Outcome.NO_ANSWER),
    "a call with a close": calling(Outcome.NOT_OURS, reason=CloseReason.ELSEWHERE),
    "a stage": staging(Stage.VALUATION, "the valuer’s date"),
    "a due date": lambda case: due_set(case, LATER + DAY, "Payslips", LATER),
    "a close": lambda case: closed(case, CloseReason.SPAM),
    "an assignment": giving("bob"),
}


async def test_every_change_is_undone_by_the_one_who_made_it(stores: Stores) -> None:
    for number, (name, plan) in enumerate(UNDONE.items()):
        reference = await stores.enquiries.add(new(number))
        await stores.changes.change(edit(reference, who="bob"), staging(Stage.ADVICE, "papers"))
        before = (await opened(stores, reference)).head
        change = case_of(await stores.changes.change(edit(reference, 2), plan))
        undone = await stores.changes.undo("ada", LATER)
        assert isinstance(undone, Undone), name
        assert undone.what in UNDO_WORDS
        after = await opened(stores, reference)
        assert worked(change.head) != worked(before), name
        assert (worked(after.head), after.head.version, undone.references) == (worked(before), 4, (reference,)), name
        assert after.notes == (), name
        assert await stores.changes.undo("ada", LATER) == Refused(words=NOTHING_TO_UNDO), name


async def test_undone_call_leaves_what_was_written(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    await stores.changes.change(edit(reference), calling(note="Rings back"))
    await stores.changes.undo("ada", LATER)
    note = (await opened(stores, reference)).notes[0]
    assert (note.text, note.kind, note.outcome) == ("Rings back", NoteKind.NOTE, None)


async def test_undo_is_of_ones_own_last_change_in_ten_minutes(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    await stores.changes.change(edit(reference), giving("bob"))
    late = LATER + UNDO_TIME
    nothing = Refused(words=NOTHING_TO_UNDO)
    assert (await stores.changes.undo("bob", LATER), await stores.changes.undo("ada", late)) == (nothing, nothing)
    assert isinstance(await stores.changes.undo("ada", late - timedelta(seconds=1)), Undone)


async def test_change_that_somebody_built_on_is_not_undone(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    await stores.changes.change(edit(reference), giving("ada"))
    await stores.changes.change(edit(reference, 2, "bob"), moving(EnquiryState.CALLED))
    assert await stores.changes.undo("ada", LATER) == Refused(words=CHANGED_SINCE.format(who="bob"))
    assert (await opened(stores, reference)).head.assigned == "ada"


async def test_of_many_those_are_undone_that_nobody_changed_since(stores: Stores) -> None:
    references = [await stores.enquiries.add(new(number)) for number in range(3)]
    await stores.changes.change_many(references, giving("bob"), who="ada", at=LATER)
    await stores.changes.change(edit(references[1], 2, "bob"), moving(EnquiryState.CALLED))
    undone = await stores.changes.undo("ada", LATER)
    assert isinstance(undone, Undone)
    assert (set(undone.references), list(undone.left)) == ({references[0], references[2]}, [references[1]])
    heads = [(await opened(stores, each)).head.assigned for each in references]
    assert heads == ["", "bob", ""]


async def with_disabled_ben(stores: Stores) -> None:
    """Add ada and ben, whose account is disabled; ben's open cases stay where they are."""
    for name in ("ada", BEN):
        entry = AuditEntry(at=LATER, who="olga", what=Act.ACCOUNT_ADDED, about=name)
        assert await stores.accounts.add(name, "hash", entry=entry)
    ben = next(each for each in await stores.accounts.all() if each.name == BEN)
    await stores.accounts.change(
        ben.id, AuditEntry(at=LATER, who="olga", what=Act.ACCOUNT_DISABLED, about=BEN), enabled=False
    )


async def test_undone_hand_over_gives_no_case_to_an_account_that_was_disabled(stores: Stores) -> None:
    of_ben, of_ada = [await stores.enquiries.add(new(number)) for number in (1, 2)]
    for reference, name in ((of_ben, BEN), (of_ada, "ada")):
        await stores.changes.change(edit(reference), giving(name))
    await stores.changes.change_many((of_ben, of_ada), giving("cat"), who="ada", at=LATER)
    await with_disabled_ben(stores)
    undone = await stores.changes.undo("ada", LATER)
    assert isinstance(undone, Undone)
    assert (set(undone.references), undone.to_nobody) == ({of_ben, of_ada}, (of_ben,))
    assert [(await opened(stores, each)).head.assigned for each in (of_ben, of_ada)] == ["", "ada"]
    entries = [each.detail for each in await stores.audit.latest(4) if each.what is Act.ENQUIRY_ASSIGNED]
    assert entries[0] == f"to nobody, before to {BEN}, whose account is disabled"


async def test_cases_parted_again_are_with_nobody_whose_account_was_disabled(stores: Stores) -> None:
    older, newer = await two(stores)
    await stores.changes.change(edit(newer), giving(BEN))
    await stores.changes.merge(newer, older, who="ada", at=LATER)
    await with_disabled_ben(stores)
    undone = await stores.changes.undo("ada", LATER)
    assert isinstance(undone, Undone)
    assert undone.to_nobody == (newer,)
    assert [(await opened(stores, each)).head.assigned for each in (older, newer)] == ["ada", ""]


async def test_what_cannot_be_undone_any_more_is_forgotten(stores: Stores) -> None:
    async def count(connection: AsyncConnection) -> int:
        return (await connection.execute(select(func.count()).select_from(DeskUndoRow))).scalar_one()

    async def at(moment: datetime, state: EnquiryState) -> int:
        await stores.changes.change_many((reference,), moving(state), who="ada", at=moment)
        return await stores.database.read(count)

    reference = await stores.enquiries.add(new(1))
    assert await at(LATER, EnquiryState.CALLED) == 1
    assert await at(LATER + UNDO_TIME / 2, EnquiryState.BOOKED) == 2
    assert await at(LATER + UNDO_TIME, EnquiryState.CLOSED) == 2


async def two(stores: Stores) -> tuple[str, str]:
    """Return an enquiry with a note that was called twice, and a newer one of the same number."""
    older, newer = [await stores.enquiries.add(new(number)) for number in (1, 2)]
    await stores.changes.change(edit(older), calling(Outcome.REACHED, "First", due=LATER + 5 * DAY))
    await stores.changes.add_note(newer, StaffNote(at=LATER + DAY, who="bob", text="Second"))
    return older, newer


async def test_merged_case_has_both_references_notes_and_the_earlier_date(stores: Stores) -> None:
    older, newer = await two(stores)
    merged = case_of(await stores.changes.merge(newer, older, who="ada", at=LATER))
    assert (merged.references, merged.head.reference) == ((older, newer), older)
    assert [note.text for note in merged.notes] == ["First", "Second"]
    assert merged.head.next_due == merged.merged[0].created  # nobody has called the newer one, as was promised then
    assert (await opened(stores, newer)).head == (await opened(stores, older)).head
    heads = (await stores.lists.page(Listing(), found=None, sorter=None, who="ada", now=LATER)).heads
    assert [head.reference for head in heads] == [older]
    changed = await stores.changes.change(edit(newer, merged.head.version), giving("bob"))
    assert case_of(changed).head.reference == older
    entries = {(each.about, each.detail) for each in await stores.audit.latest(10) if each.what is Act.CASE_MERGED}
    assert entries == {(newer, f"into {older}"), (older, f"with {newer}")}


async def test_merge_is_undone_as_a_whole(stores: Stores) -> None:
    older, newer = await two(stores)
    before = [worked((await opened(stores, each)).head) for each in (older, newer)]
    await stores.changes.merge(newer, older, who="ada", at=LATER)
    assert isinstance(await stores.changes.undo("ada", LATER), Undone)
    assert [worked((await opened(stores, each)).head) for each in (older, newer)] == before
    assert [note.text for note in (await opened(stores, newer)).notes] == ["Second"]
    merged = case_of(await stores.changes.merge(newer, older, who="ada", at=LATER))
    await stores.changes.change(edit(older, merged.head.version, "bob"), giving("bob"))
    assert await stores.changes.undo("ada", LATER) == Refused(words=CHANGED_SINCE.format(who="bob"))
    assert (await opened(stores, newer)).head.reference == older


async def test_address_of_the_merged_case_is_that_of_the_case_until_it_is_undone(stores: Stores) -> None:
    older, newer = [await stores.enquiries.add(new(number)) for number in (1, 2)]
    bare = (await opened(stores, older)).kept.enquiry.contact
    contact = replace(bare, email="a.example@example.com")
    await stores.changes.change(edit(newer), lambda case: contact_corrected(case, contact))
    merged = case_of(await stores.changes.merge(newer, older, who="ada", at=LATER))
    assert merged.kept.enquiry.contact == contact
    entries = [each.detail for each in await stores.audit.latest(5) if each.about == older]
    assert entries[0] == f"with {newer}, email address taken over"
    assert isinstance(await stores.changes.undo("ada", LATER), Undone)
    assert (await opened(stores, older)).kept.enquiry.contact == bare


async def test_whoever_has_the_merged_case_open_changes_nothing_unseen(stores: Stores) -> None:
    older, newer = [await stores.enquiries.add(new(number)) for number in (1, 2)]
    for version in (1, 2, 3):  # the newer one has been changed more often
        await stores.changes.change(edit(newer, version, "bob"), giving(f"staff {version}"))
    await stores.changes.merge(newer, older, who="ada", at=LATER)
    for version in range(1, 6):
        kept = StaffNote(at=LATER, who="bob", text=f"Note {version}")
        found = await stores.changes.change(edit(newer, version, "bob"), calling(who="bob"), note=kept)
        assert isinstance(found, Changed if version == 5 else Conflict), version
    notes = [note.text for note in (await opened(stores, older)).notes]
    assert notes == ["Note 1", "Note 2", "Note 3", "Note 4", ""]


async def test_case_merged_twice_is_one(stores: Stores) -> None:
    first, second, third = [await stores.enquiries.add(new(number)) for number in (1, 2, 3)]
    await stores.changes.merge(third, second, who="ada", at=LATER)
    merged = case_of(await stores.changes.merge(second, first, who="ada", at=LATER))
    assert merged.references == (first, second, third)
    assert await stores.changes.merge(third, second, who="ada", at=LATER) == Refused(words=SAME_CASE)
    assert await stores.changes.merge(first, "HG-2222-2222", who="ada", at=LATER) == Gone()


async def test_closed_case_is_open_again_once_an_open_one_is_merged_into_it(stores: Stores) -> None:
    older, newer = [await stores.enquiries.add(new(number)) for number in (1, 2)]
    await stores.changes.change_many((older,), lambda case: closed(case, CloseReason.ELSEWHERE), who="ada", at=LATER)
    head = case_of(await stores.changes.merge(newer, older, who="ada", at=LATER)).head
    assert (head.state, head.close_reason) == (EnquiryState.NEW, None)


async def test_merged_case_is_deleted_whole(stores: Stores) -> None:
    for delete in (
        lambda reference: stores.changes.delete(edit(reference, 2), DeleteReason.ASKED),
        lambda reference: stores.enquiries.delete(reference, at=LATER),
        lambda _: stores.enquiries.delete_due(LATER + 400 * DAY),
    ):
        older, newer = [await stores.enquiries.add(new(number)) for number in (1, 2)]
        await stores.changes.merge(newer, older, who="ada", at=LATER)
        await delete(newer)
        left = [await stores.changes.open(each, who="ada", at=LATER) for each in (older, newer)]
        assert [isinstance(each, Gone) for each in left] == [True, True]


async def writable(stores: Stores) -> str:
    first = new(1)
    contact = replace(first.enquiry.contact, email="a.example@example.com")
    return await stores.enquiries.add(replace(first, enquiry=replace(first.enquiry, contact=contact)))


async def replied(stores: Stores, reference: str) -> Changed | Gone | Refused:
    template = ReplyTemplate(name="Papers we need", subject="Papers", text="")
    return await stores.changes.reply(reference, "Payslips, please", template=template, who="ada", at=LATER)


async def mail_state(stores: Stores, reference: str) -> MailState | None:
    return (await opened(stores, reference)).notes[0].mail_state


async def test_reply_is_a_mail_and_stays_in_the_timeline(stores: Stores) -> None:
    reference = await writable(stores)
    note = case_of(await replied(stores, reference)).notes[0]
    assert (note.text, note.kind, note.mail_state) == ("Payslips, please", NoteKind.REPLY, MailState.WAITING)
    kind, recipient, context = (await mails(stores.database))[-1]
    assert (kind, recipient, context["text"]) == (MailKind.CASE_REPLY, "a.example@example.com", "Payslips, please")
    token = mail_links(SecretKeys((KEY,))).read(context["link"])
    assert (token and token.value, context["reference"], context["about"]) == (reference, reference, "Papers")
    entry = (await stores.audit.latest(1))[0]
    assert (entry.what, entry.detail) == (Act.REPLY_SENT, "template Papers we need")


async def test_timeline_says_what_became_of_a_reply(stores: Stores) -> None:
    reference = await writable(stores)
    key = case_of(await replied(stores, reference)).notes[0].mail
    outbox = OutboxStore(stores.database, SecretKeys((KEY,)), "test")
    while mail := await outbox.claim(LATER, lease=DAY, longest=DAY):
        await outbox.mark_sent(mail, LATER)
    sent = await mail_state(stores, reference)
    await outbox.record_return(key, is_complaint=False, at=LATER)
    assert (sent, await mail_state(stores, reference)) == (MailState.SENT, MailState.RETURNED)
    assert await replied(stores, reference) == Refused(words=RETURNED)
    await outbox.delete_old(LATER + 100 * DAY)
    assert await mail_state(stores, reference) is MailState.UNKNOWN


async def test_reply_needs_an_address(stores: Stores) -> None:
    reference = await stores.enquiries.add(new(1))
    assert await replied(stores, reference) == Refused(words=NO_EMAIL)
    assert await replied(stores, "HG-2222-2222") == Gone()


async def test_merged_enquiry_is_kept_as_long_as_its_case(stores: Stores) -> None:
    older, newer = [await stores.enquiries.add(new(number)) for number in (1, 2)]
    await stores.changes.merge(newer, older, who="ada", at=LATER)

    async def hold(connection: AsyncConnection) -> None:
        held = update(EnquiryRow).where(col(EnquiryRow.reference) == older)
        await connection.execute(held.values(delete_after=LATER + 1_000 * DAY))

    await stores.database.write(hold)
    early, late = LATER + 900 * DAY, LATER + 1_001 * DAY
    assert (await stores.enquiries.count_due(early), await stores.enquiries.delete_due(early)) == (0, 0)
    assert (await stores.enquiries.count_due(late), await stores.enquiries.delete_due(late)) == (2, 2)
