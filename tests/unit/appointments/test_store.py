from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from broker.appointments.appointment import (
    Appointment,
    AppointmentChanged,
    AppointmentConflict,
    AppointmentRefused,
    AppointmentState,
    Medium,
    Slot,
    SlotTakenError,
    StaffChange,
    next_free,
)
from broker.appointments.slots import Absence, AdviserHours, cells
from broker.cases.case import Case, Changed, DeleteReason, Stage
from broker.cases.changes import CaseChange
from broker.enquiries.enquiry import AdviceKept, EnquiryState
from broker.mail.mail import MailKind
from broker.staff.audit import VISITOR, Act, AuditEntry
from broker.staff.roles import Role
from broker.storage.database import Database
from tests.unit.appointments.booking import (
    NOW,
    OFFICE,
    add_adviser,
    booked,
    cells_of,
    disable,
    kinds,
    mails,
    slot,
    wanting,
)
from tests.unit.storage.stores import Stores, edit


def changed(outcome: object) -> Appointment:
    assert isinstance(outcome, AppointmentChanged), outcome
    return outcome.appointment


def change(appointment: Appointment, *, sentence: str = "", at: datetime = NOW) -> StaffChange:
    return StaffChange(id=appointment.id, sequence=appointment.sequence, who="grace", at=at, sentence=sentence)


async def call_by(stores: Stores, reference: str) -> datetime:
    """Return the promised time of a call."""
    case = await stores.changes.open(reference, who="ada", at=NOW)
    assert isinstance(case, Case)
    return case.head.call_by


async def acts(stores: Stores) -> list[Act]:
    return [each.what for each in reversed(await stores.audit.latest(50))]


async def test_without_advisers_or_hours_there_is_no_slot(stores: Stores) -> None:
    assert await stores.appointments.free(20, Medium.TELEPHONE, now=NOW) == ()
    await add_adviser(stores, hours=AdviserHours())
    assert await stores.appointments.free(20, Medium.TELEPHONE, now=NOW) == ()
    with pytest.raises(SlotTakenError):
        await stores.enquiries.add(wanting(1, slot()))
    assert await stores.enquiries.reference_of(("form 1",)) == ""


async def test_slot_is_booked_once_with_its_enquiry_and_mails(stores: Stores, database: Database) -> None:
    await add_adviser(stores)
    wanted = slot(hour=10, minute=40)
    appointment = await booked(stores, wanted)
    assert (appointment.adviser, appointment.slot, appointment.sequence) == ("ada", wanted, 0)
    assert appointment.state is AppointmentState.BOOKED
    assert await cells_of(database) == [("ada", cell) for cell in cells(wanted.start, 20)]
    (kind, _, _), (confirmed, recipient, said) = await mails(database)
    assert (kind, confirmed, recipient) == (MailKind.NOTE, MailKind.APPOINTMENT_BOOKED, "zoe@visitor.example")
    assert (said["when"], said["uid"]) == ("10:40am on Tuesday 1 December 2026", appointment.uid)
    assert wanted not in await stores.appointments.free(20, Medium.TELEPHONE, now=NOW)
    with pytest.raises(SlotTakenError):
        await stores.enquiries.add(wanting(2, wanted))
    assert await stores.enquiries.reference_of(("form 2",)) == ""
    assert len(await kinds(database)) == 2


async def test_promise_of_an_enquiry_with_an_appointment_is_its_start(stores: Stores) -> None:
    await add_adviser(stores)
    appointment = await booked(stores, slot())
    assert await call_by(stores, appointment.reference) == slot().start


async def test_slot_outside_what_is_offered_is_refused_as_taken(stores: Stores) -> None:
    await add_adviser(stores)
    for wanted in (slot(0, 9), slot(1, 8), slot(1, 10, 10), slot(5, 10), slot(28, 17), slot(60)):
        with pytest.raises(SlotTakenError):
            await stores.enquiries.add(wanting(1, wanted))


async def test_adviser_with_the_fewest_appointments_of_the_day_gets_it_and_each_slot_is_offered_once(
    stores: Stores,
) -> None:
    for name in ("ada", "grace"):
        await add_adviser(stores, name)
    assert (await booked(stores, slot(hour=9), 1)).adviser == "ada"
    assert (await booked(stores, slot(hour=12), 2)).adviser == "grace"
    assert (await booked(stores, slot(hour=9), 3)).adviser == "grace"
    assert (await booked(stores, slot(hour=13), 4)).adviser == "ada"
    free = await stores.appointments.free(20, Medium.VIDEO, now=NOW)
    assert len(set(free)) == len(free)
    assert slot(hour=13, medium=Medium.VIDEO) in free
    assert slot(hour=9, medium=Medium.VIDEO) not in free


async def test_account_of_another_role_offers_nothing_and_has_no_diary(stores: Stores) -> None:
    account = await add_adviser(stores)
    assert await stores.appointments.free(20, Medium.TELEPHONE, now=NOW)
    entry = AuditEntry(at=NOW, who="test", what=Act.ROLE_CHANGED, about="ada")
    await stores.accounts.change(account, entry, role=Role.CONTENT.value)
    assert await stores.appointments.free(20, Medium.TELEPHONE, now=NOW) == ()
    assert [each.enabled for each in await stores.appointments.diaries()] == [False]


async def test_disabled_account_and_absence_offer_nothing(stores: Stores) -> None:
    account = await add_adviser(stores)
    away = Absence(start=slot(1, 0).start, end=slot(2, 0).start)
    await stores.appointments.add_absence("ada", away, who="ada", at=NOW)
    free = await stores.appointments.free(20, Medium.TELEPHONE, now=NOW)
    assert {each.start.day for each in free[:30]} == {30, 2}
    (diary,) = await stores.appointments.diaries()
    assert (diary.hours, [each.start for each in diary.absences]) == (OFFICE, [away.start])
    assert await stores.appointments.remove_absence(diary.absences[0].id, who="ada", at=NOW)
    assert not await stores.appointments.remove_absence(diary.absences[0].id, who="ada", at=NOW)
    await disable(stores, account, "ada")
    assert await stores.appointments.free(20, Medium.TELEPHONE, now=NOW) == ()
    assert (await acts(stores))[2:4] == [Act.ABSENCE_ADDED, Act.ABSENCE_REMOVED]


async def test_next_free_slots_begin_at_the_wanted_one_and_the_holder_of_one_that_is_taken_is_known(
    stores: Stores,
) -> None:
    await add_adviser(stores)
    before = await stores.appointments.booked_and_free(20, Medium.TELEPHONE, now=NOW)
    assert (next_free(before.free, slot())[0], before.holders) == (slot(), {})
    appointment = await booked(stores, slot())
    found = await stores.appointments.booked_and_free(20, Medium.TELEPHONE, now=NOW)
    assert found.free == await stores.appointments.free(20, Medium.TELEPHONE, now=NOW)
    near = next_free(found.free, slot())
    assert [f"{each.start:%H:%M}" for each in near] == ["10:40", "11:00", "11:20", "11:40", "12:00", "12:20"]
    assert next_free(found.free, slot(90))[0] == slot(0, 10)
    assert list(found.holders.values()) == [appointment.reference]


async def test_visitor_moves_an_appointment_and_a_repeated_press_changes_nothing(
    stores: Stores, database: Database
) -> None:
    await add_adviser(stores)
    before, later = await booked(stores, slot()), slot(2, 11, minutes=40, medium=Medium.VIDEO)
    moved = changed(await stores.appointments.move(before.uid, later, sequence=0, at=NOW))
    assert (moved.uid, moved.sequence, moved.slot, moved.changed_by) == (before.uid, 1, later, VISITOR)
    assert changed(await stores.appointments.move(before.uid, later, sequence=0, at=NOW)) == moved
    assert await cells_of(database) == [("ada", cell) for cell in cells(later.start, 40)]
    assert (await kinds(database))[2:] == [MailKind.APPOINTMENT_MOVED, MailKind.APPOINTMENT_NOTE]
    (_, _, said), (_, staff, note) = (await mails(database))[2:]
    assert (said["sequence"], said["slot"]) == ("1", later.value)
    assert (staff, note["change"], note["adviser"]) == ("", "moved", "ada")
    assert (await acts(stores))[-1] is Act.APPOINTMENT_MOVED
    assert await call_by(stores, before.reference) == later.start


async def test_appointment_may_move_into_its_own_buffer_but_not_to_a_taken_time(
    stores: Stores, database: Database
) -> None:
    await add_adviser(stores)
    mine, other = await booked(stores, slot(), 1), await booked(stores, slot(hour=11), 2)
    moved = changed(await stores.appointments.move(mine.uid, slot(minute=20), sequence=0, at=NOW))
    assert moved.slot == slot(minute=20)
    before = await cells_of(database)
    with pytest.raises(SlotTakenError):
        await stores.appointments.move(mine.uid, other.slot, sequence=1, at=NOW)
    assert (await stores.appointments.find(mine.uid), await cells_of(database)) == (moved, before)


async def test_outdated_change_is_a_conflict_that_shows_the_appointment(stores: Stores) -> None:
    await add_adviser(stores)
    mine = await booked(stores, slot())
    moved = changed(await stores.appointments.move(mine.uid, slot(2), sequence=0, at=NOW))
    for outcome in (
        await stores.appointments.move(mine.uid, slot(3), sequence=0, at=NOW),
        await stores.appointments.cancel(mine.uid, sequence=0, at=NOW),
        await stores.appointments.move_by_staff(change(mine), slot(3)),
        await stores.appointments.cancel_by_staff(change(mine)),
        await stores.appointments.close(change(mine), AppointmentState.HELD),
    ):
        assert outcome == AppointmentConflict(appointment=moved)
    gone = await stores.appointments.cancel("no such uid", sequence=0, at=NOW)
    assert gone == AppointmentConflict(appointment=None)


async def test_visitor_cancels_and_the_time_is_free_again(stores: Stores, database: Database) -> None:
    await add_adviser(stores)
    mine = await booked(stores, slot())
    cancelled = changed(await stores.appointments.cancel(mine.uid, sequence=0, at=NOW))
    assert (cancelled.state, cancelled.sequence) == (AppointmentState.CANCELLED, 1)
    assert changed(await stores.appointments.cancel(mine.uid, sequence=0, at=NOW)) == cancelled
    assert (await kinds(database))[2:] == [MailKind.APPOINTMENT_CANCELLED, MailKind.APPOINTMENT_NOTE]
    assert (await booked(stores, slot(), 2)).adviser == "ada"
    assert isinstance(await stores.appointments.move(mine.uid, slot(2), sequence=1, at=NOW), AppointmentRefused)


async def test_appointment_that_has_begun_is_not_moved_or_cancelled(stores: Stores) -> None:
    await add_adviser(stores)
    mine, then = await booked(stores, slot()), slot().start
    for outcome in (
        await stores.appointments.move(mine.uid, slot(2), sequence=0, at=then),
        await stores.appointments.cancel(mine.uid, sequence=0, at=then),
        await stores.appointments.cancel_by_staff(change(mine, at=then)),
    ):
        assert isinstance(outcome, AppointmentRefused)
        assert outcome.appointment == mine


async def test_staff_move_to_any_coming_time_without_another_appointment(stores: Stores, database: Database) -> None:
    for name in ("ada", "grace"):
        await add_adviser(stores, name)
    mine, other = await booked(stores, slot(), 1), await booked(stores, slot(hour=12), 2)
    evening = Slot(start=slot(5, 19, 5).start, minutes=40, medium=Medium.VIDEO)
    moved = changed(await stores.appointments.move_by_staff(change(mine, sentence="Ada is away."), evening))
    assert (moved.slot, moved.adviser, moved.changed_by) == (evening, "ada", "grace")
    (_, recipient, said) = (await mails(database))[-1]
    assert (recipient, said["sentence"]) == ("zoe@visitor.example", "Ada is away.")
    overlapping = await stores.appointments.move_by_staff(
        change(moved), slot(hour=12, minute=10), adviser=other.adviser
    )
    assert isinstance(overlapping, AppointmentRefused)
    past = await stores.appointments.move_by_staff(change(moved), slot(-1))
    assert isinstance(past, AppointmentRefused)


async def test_handing_an_appointment_over_at_the_same_time_writes_no_mail(stores: Stores, database: Database) -> None:
    for name in ("ada", "grace"):
        await add_adviser(stores, name)
    mine = await booked(stores, slot())
    before = await kinds(database)
    moved = changed(await stores.appointments.move_by_staff(change(mine), mine.slot, adviser="grace"))
    assert (moved.adviser, await kinds(database)) == ("grace", before)


async def test_staff_cancel_with_a_sentence_and_no_note_to_themselves(stores: Stores, database: Database) -> None:
    await add_adviser(stores)
    mine = await booked(stores, slot())
    changed(await stores.appointments.cancel_by_staff(change(mine, sentence="We are closed that day.")))
    assert (await kinds(database))[2:] == [MailKind.APPOINTMENT_CANCELLED]
    assert (await mails(database))[-1][2]["sentence"] == "We are closed that day."
    (entry,) = [each for each in await stores.audit.latest(9) if each.what is Act.APPOINTMENT_CANCELLED]
    assert (entry.who, entry.about, entry.detail) == ("grace", mine.reference, "1 December 2026 at 10:00")


async def test_outcome_is_recorded_once_an_appointment_has_begun(stores: Stores) -> None:
    await add_adviser(stores)
    mine = await booked(stores, slot())
    early = await stores.appointments.close(change(mine), AppointmentState.MISSED)
    assert isinstance(early, AppointmentRefused)
    missed = changed(await stores.appointments.close(change(mine, at=slot().end), AppointmentState.MISSED))
    held = changed(await stores.appointments.close(change(missed, at=slot().end), AppointmentState.HELD))
    assert (missed.state, held.state) == (AppointmentState.MISSED, AppointmentState.HELD)


async def test_lists_have_appointments_in_order_with_their_enquiries(stores: Stores) -> None:
    for name in ("ada", "grace"):
        await add_adviser(stores, name)
    second, first = await booked(stores, slot(2), 1), await booked(stores, slot(1), 2)
    await stores.appointments.cancel(first.uid, sequence=0, at=NOW)
    week = await stores.appointments.between(NOW, NOW + timedelta(days=5))
    assert [each.appointment.id for each in week] == [first.id, second.id]
    assert [each.enquiry.reference for each in week] == [first.reference, second.reference]
    assert await stores.appointments.between(NOW, NOW + timedelta(days=5), adviser="nobody") == ()
    assert await stores.appointments.between(NOW, slot(1).start) == ()
    found = await stores.appointments.get(second.id)
    assert found
    assert found.appointment == second


async def test_absence_offers_its_appointments_to_colleagues_first(stores: Stores, database: Database) -> None:
    await add_adviser(stores, "ada")
    kept, taken_over, left = [await booked(stores, slot(day), day) for day in (1, 2, 3)]
    await add_adviser(stores, "grace")
    both = Absence(start=slot(3, 0).start, end=slot(4, 0).start)
    await stores.appointments.add_absence("grace", both, who="grace", at=NOW)
    before = await kinds(database)
    away = Absence(start=slot(2, 0).start, end=slot(4, 0).start)
    coverage = await stores.appointments.add_absence("ada", away, who="ada", at=NOW)
    assert [each.uid for each in coverage.taken_over] == [taken_over.uid]
    assert [(each.adviser, each.slot) for each in coverage.taken_over] == [("grace", taken_over.slot)]
    assert coverage.left == (left,)
    assert [each.appointment for each in await stores.appointments.uncovered(NOW)] == [left]
    assert await stores.appointments.find(kept.uid) == kept
    assert await kinds(database) == before
    (entry,) = [each for each in await stores.audit.latest(9) if each.what is Act.APPOINTMENT_TAKEN_OVER]
    assert (entry.who, entry.about, entry.detail) == ("grace", taken_over.reference, "from ada")


async def test_appointments_of_a_disabled_account_go_to_colleagues_and_what_stays_is_listed(stores: Stores) -> None:
    account = await add_adviser(stores, "ada")
    mine = await booked(stores, slot())
    await disable(stores, account, "ada")
    assert (await stores.appointments.cover(NOW)).left == (mine,)
    assert [each.adviser for each in await stores.appointments.diaries()] == ["ada"]
    await add_adviser(stores, "grace")
    (taken_over,) = (await stores.appointments.cover(NOW)).taken_over
    assert (taken_over.adviser, taken_over.slot) == ("grace", mine.slot)
    assert await stores.appointments.uncovered(NOW) == ()
    assert await stores.appointments.cover(NOW) == await stores.appointments.cover(NOW)


async def test_deleting_an_enquiry_deletes_its_appointment_and_sends_a_cancellation(
    stores: Stores, database: Database
) -> None:
    await add_adviser(stores)
    mine, theirs = await booked(stores, slot(), 1), await booked(stores, slot(hour=12), 2)
    assert await stores.enquiries.delete(mine.reference, at=NOW)
    await stores.changes.delete(edit(theirs.reference), DeleteReason.ASKED)
    assert await cells_of(database) == []
    assert await stores.appointments.find(mine.uid) is None
    left = await mails(database)
    by_visitor, by_staff = (
        (MailKind.APPOINTMENT_CANCELLED, MailKind.APPOINTMENT_NOTE),
        (MailKind.APPOINTMENT_CANCELLED,),
    )
    assert [kind for kind, _, _ in left] == [*by_visitor, *by_staff]
    assert (left[0][1], left[0][2]["uid"], left[0][2]["sequence"]) == ("zoe@visitor.example", mine.uid, "1")


async def test_visitor_who_deletes_a_case_with_advice_cancels_its_appointment(
    stores: Stores, database: Database
) -> None:
    await add_adviser(stores)
    mine = await booked(stores, slot())
    advised = CaseChange(values={"stage": Stage.APPLICATION, "stage_since": NOW}, what=Act.CASE_STAGE)
    assert isinstance(await stores.changes.change(edit(mine.reference), lambda _: advised), Changed)
    assert isinstance(await stores.enquiries.delete(mine.reference, at=NOW), AdviceKept)
    assert await cells_of(database) == []
    assert await stores.appointments.find(mine.uid) is None
    assert await kinds(database) == [MailKind.APPOINTMENT_CANCELLED, MailKind.APPOINTMENT_NOTE]
    case = await stores.changes.open(mine.reference, who="ada", at=NOW)
    assert isinstance(case, Case)
    assert (case.appointment, case.head.stage, case.head.state) == (None, Stage.APPLICATION, EnquiryState.CLOSED)


async def test_visitor_who_cancels_by_link_leaves_the_case_with_advice(stores: Stores) -> None:
    await add_adviser(stores)
    mine = await booked(stores, slot())
    advised = CaseChange(values={"stage": Stage.APPLICATION, "stage_since": NOW}, what=Act.CASE_STAGE)
    assert isinstance(await stores.changes.change(edit(mine.reference), lambda _: advised), Changed)
    changed(await stores.appointments.cancel(mine.uid, sequence=mine.sequence, at=NOW))
    case = await stores.changes.open(mine.reference, who="ada", at=NOW)
    assert isinstance(case, Case)
    assert case.head.stage is Stage.APPLICATION


async def test_retention_cancels_what_is_to_come_and_nothing_that_is_over(stores: Stores, database: Database) -> None:
    await add_adviser(stores)
    for number, wanted in enumerate((slot(1), slot(3))):
        await stores.enquiries.add(replace(wanting(number, wanted), delete_after=slot(2).start))
    assert await stores.enquiries.delete_due(slot(2).start) == 2
    ((kind, _, said),) = await mails(database)
    assert (kind, said["slot"]) == (MailKind.APPOINTMENT_CANCELLED, slot(3).value)


async def test_reminders_are_added_a_day_and_two_hours_before_each_once(stores: Stores, database: Database) -> None:
    await add_adviser(stores)
    mine = await booked(stores, slot(3))

    async def remind(**before: float) -> int:
        return await stores.appointments.remind_due(mine.slot.start - timedelta(**before))

    assert await remind(hours=24, minutes=1) == 0
    assert [await remind(hours=24), await remind(hours=24), await remind(hours=3)] == [1, 0, 0]
    # the clock is set back a day, and is right again
    assert [await remind(hours=48), await remind(hours=23)] == [0, 0]
    assert [await remind(hours=2), await remind(hours=1)] == [1, 0]
    reminders = [said for kind, _, said in await mails(database) if kind is MailKind.APPOINTMENT_REMINDER]
    assert [said["uid"] for said in reminders] == [mine.uid] * 2


async def test_clock_that_is_a_year_ahead_for_a_while_costs_no_reminder(stores: Stores) -> None:
    await add_adviser(stores)
    mine = await booked(stores, slot(3))
    assert await stores.appointments.remind_due(NOW + timedelta(days=365)) == 0
    assert (await stores.appointments.cover(NOW + timedelta(days=365))).taken_over == ()
    assert await stores.appointments.find(mine.uid) == mine
    assert await stores.appointments.remind_due(mine.slot.start - timedelta(hours=24)) == 1


async def test_server_that_was_away_reminds_once(stores: Stores) -> None:
    await add_adviser(stores)
    mine = await booked(stores, slot(3))
    late = mine.slot.start - timedelta(hours=1)
    assert [await stores.appointments.remind_due(late), await stores.appointments.remind_due(late)] == [1, 0]


async def test_booking_a_day_ahead_has_one_reminder_and_a_cancelled_one_none(stores: Stores) -> None:
    await add_adviser(stores)
    soon, cancelled = await booked(stores, slot(0, 12), 1), await booked(stores, slot(0, 14), 2)
    await stores.appointments.cancel(cancelled.uid, sequence=0, at=NOW)
    assert await stores.appointments.remind_due(soon.slot.start - timedelta(hours=3)) == 0
    assert await stores.appointments.remind_due(soon.slot.start - timedelta(hours=2)) == 1


async def test_moving_takes_a_waiting_reminder_back(stores: Stores, database: Database) -> None:
    await add_adviser(stores)
    mine = await booked(stores, slot(3))
    then = mine.slot.start - timedelta(hours=24)
    await stores.appointments.remind_due(then)
    await stores.appointments.move(mine.uid, slot(4), sequence=0, at=then)
    assert MailKind.APPOINTMENT_REMINDER not in await kinds(database)
    assert await stores.appointments.remind_due(slot(4).start - timedelta(hours=24)) == 1


async def test_visitor_without_an_address_gets_no_mail(stores: Stores, database: Database) -> None:
    await add_adviser(stores)
    reference = await stores.enquiries.add(wanting(1, slot(3), email=""))
    mine = await stores.appointments.of_enquiry(reference)
    assert mine
    assert await stores.appointments.remind_due(mine.slot.start - timedelta(hours=24)) == 1
    await stores.appointments.cancel(mine.uid, sequence=0, at=NOW)
    assert await kinds(database) == [MailKind.NOTE, MailKind.APPOINTMENT_NOTE]


async def test_feed_has_what_is_to_come_and_ends_when_it_is_revoked(stores: Stores) -> None:
    account = await add_adviser(stores)
    mine, cancelled = await booked(stores, slot(), 1), await booked(stores, slot(hour=12), 2)
    await stores.appointments.cancel(cancelled.uid, sequence=0, at=NOW)
    first = await stores.appointments.make_feed("ada", who="ada", at=NOW)
    token = await stores.appointments.make_feed("ada", who="ada", at=NOW)
    assert await stores.appointments.feed(first, now=NOW) is None
    feed = await stores.appointments.feed(token, now=NOW)
    assert feed
    assert (feed[0], [each.uid for each in feed[1]]) == ("ada", [mine.uid, cancelled.uid])
    much_later = await stores.appointments.feed(token, now=NOW + timedelta(days=90))
    assert much_later == ("ada", ())
    assert [each.has_feed for each in await stores.appointments.diaries()] == [True]
    await disable(stores, account, "ada")
    assert await stores.appointments.feed(token, now=NOW) is None
    assert await stores.appointments.revoke_feed("ada", who="ada", at=NOW)
    assert not await stores.appointments.revoke_feed("ada", who="ada", at=NOW)


@pytest.mark.parametrize("day", [datetime(2027, 3, 28, tzinfo=UTC), datetime(2027, 10, 31, tzinfo=UTC)])
async def test_appointments_around_a_change_of_clocks_are_booked_at_their_wall_time(
    stores: Stores, database: Database, day: datetime
) -> None:
    now = day - timedelta(days=3)
    await add_adviser(stores, at=now, hours=AdviserHours(ranges=dict.fromkeys(range(7), OFFICE.ranges[0])))
    free = await stores.appointments.free(20, Medium.TELEPHONE, now=now)
    wanted = next(each for each in free if each.start.date() == day.date())
    await booked(stores, wanted, at=now)
    (_, _, said) = (await mails(database))[-1]
    assert said["when"].startswith("9am on Sunday")
