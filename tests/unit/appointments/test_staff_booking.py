"""Appointments that staff book for a case."""

import asyncio
from datetime import timedelta

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
)
from broker.appointments.slots import cells
from broker.cases.case import Case, EnquirySummary, Outcome, Refused, Undone, WaitingFor
from broker.cases.change_store import CHANGED_MYSELF, EnquiryEdit
from broker.cases.changes import CallRecord, CaseChange, assigned, call_recorded, due_set
from broker.enquiries.enquiry import EnquiryState
from broker.enquiries.working_time import OFFICE_WEEK
from broker.mail.mail import MailKind
from broker.staff.audit import Act, AuditEntry
from broker.storage.database import Database
from tests.unit.appointments.booking import NOW, add_adviser, booked, cells_of, kinds, mails, slot, wanting
from tests.unit.storage.stores import Stores


async def asked(stores: Stores, number: int = 1, *, email: str = "zoe@visitor.example") -> str:
    """Add an enquiry without an appointment, and return its reference."""
    return await stores.enquiries.add(wanting(number, None, email=email))


async def book(stores: Stores, reference: str, wanted: Slot, adviser: str = "") -> Appointment:
    done = await stores.appointments.book_by_staff(reference, wanted, adviser=adviser, who="grace", at=NOW)
    assert isinstance(done, AppointmentChanged), done
    return done.appointment


async def case_of(stores: Stores, reference: str) -> Case:
    case = await stores.changes.open(reference, who="ada", at=NOW)
    assert isinstance(case, Case)
    return case


async def entries(stores: Stores, what: Act) -> list[AuditEntry]:
    return [each for each in await stores.audit.latest(50) if each.what is what]


async def test_booking_makes_the_case_booked_and_due_and_sends_the_calendar_file(
    stores: Stores, database: Database
) -> None:
    await add_adviser(stores)
    reference = await asked(stores)
    before = await case_of(stores, reference)
    # one hour ahead, which visitors are not offered
    wanted = slot(0, 9)
    appointment = await book(stores, reference, wanted)
    assert (appointment.adviser, appointment.slot, appointment.state) == ("ada", wanted, AppointmentState.BOOKED)
    assert await cells_of(database) == [("ada", cell) for cell in cells(wanted.start, 20)]
    head = (await case_of(stores, reference)).head
    assert (head.state, head.next_action, head.next_due) == (EnquiryState.BOOKED, "Appointment", wanted.start)
    assert (head.waiting_for, head.call_by, head.changed_by) == (WaitingFor.US, wanted.start, "grace")
    assert head.version == before.head.version + 1
    kind, recipient, said = (await mails(database))[-1]
    assert (kind, recipient) == (MailKind.APPOINTMENT_BOOKED, "zoe@visitor.example")
    assert (said["uid"], said["sequence"], said["slot"]) == (appointment.uid, "0", wanted.value)
    assert said["enquiry_link"]
    (entry,) = await entries(stores, Act.APPOINTMENT_BOOKED)
    assert (entry.who, entry.about, entry.detail) == ("grace", reference, "30 November 2026 at 09:00")


async def test_case_that_nobody_has_is_from_then_on_that_of_the_adviser(stores: Stores) -> None:
    await add_adviser(stores)
    mine, given = await asked(stores), await asked(stores, number=2)
    await stores.changes.change(EnquiryEdit(reference=given, who="grace", at=NOW), lambda case: assigned(case, "bob"))
    for reference, wanted in ((mine, slot()), (given, slot(2))):
        await book(stores, reference, wanted)
    assert [(await case_of(stores, each)).head.assigned for each in (mine, given)] == ["ada", "bob"]
    said = [(each.about, each.who, each.detail) for each in await entries(stores, Act.ENQUIRY_ASSIGNED)]
    assert said == [(mine, "grace", "to ada"), (given, "grace", "to bob")]


async def test_undo_says_what_of_an_appointment_stays(stores: Stores) -> None:
    """The outcome is of the case, the booking of the diary."""
    await add_adviser(stores)
    reference = await asked(stores)
    call = CallRecord(outcome=Outcome.APPOINTMENT)
    edit = EnquiryEdit(reference=reference, who="grace", at=NOW)

    def called(case: EnquirySummary) -> CaseChange | Refused:
        return call_recorded(case, call, who="grace", now=NOW, week=OFFICE_WEEK)

    await stores.changes.change(edit, called)
    undone = await stores.changes.undo("grace", NOW)
    assert isinstance(undone, Undone)
    assert undone.is_still_booked is False
    await stores.changes.change(edit, called)
    await book(stores, reference, slot())
    assert await stores.changes.undo("grace", NOW) == Refused(words=CHANGED_MYSELF)
    await stores.changes.change(edit, called)
    undone = await stores.changes.undo("grace", NOW)
    assert isinstance(undone, Undone)
    assert undone.is_still_booked is True
    assert (await case_of(stores, reference)).head.appointment == slot().start


async def test_due_date_moves_with_the_appointment(stores: Stores) -> None:
    await add_adviser(stores)
    reference = await asked(stores)
    appointment = await book(stores, reference, slot())
    change = StaffChange(id=appointment.id, sequence=0, who="grace", at=NOW)
    await stores.appointments.move_by_staff(change, slot(2))
    assert (await case_of(stores, reference)).head.next_due == slot(2).start


async def test_case_of_a_cancelled_appointment_is_due_at_once(stores: Stores) -> None:
    await add_adviser(stores)
    reference, other = await asked(stores), await asked(stores, number=2)
    appointment = await book(stores, reference, slot())
    later = NOW + timedelta(minutes=1)
    await stores.appointments.cancel_by_staff(StaffChange(id=appointment.id, sequence=0, who="grace", at=later))
    head = (await case_of(stores, reference)).head
    assert (head.next_action, head.next_due, head.appointment) == ("Agree another time", later, None)
    appointment = await book(stores, other, slot())
    edit = EnquiryEdit(reference=other, who="grace", at=NOW)
    await stores.changes.change(edit, lambda case: due_set(case, slot(2).start, "Call", NOW))
    await stores.appointments.cancel(appointment.uid, sequence=0, at=later)
    assert (await case_of(stores, other)).head.next_due == slot(2).start


@pytest.mark.parametrize("state", [AppointmentState.HELD, AppointmentState.MISSED])
async def test_case_of_an_appointment_that_is_over_is_due_to_record_its_outcome(
    stores: Stores, state: AppointmentState
) -> None:
    await add_adviser(stores)
    reference, other = await asked(stores), await asked(stores, number=2)
    by_staff, elsewhere = await book(stores, reference, slot()), await book(stores, other, slot(1, 12))
    by_visitor = await booked(stores, slot(1, 14), 3)
    edit = EnquiryEdit(reference=other, who="grace", at=NOW)
    await stores.changes.change(edit, lambda case: due_set(case, slot(2).start, "Call", NOW))
    later = slot(1, 16).start
    for each in (by_staff, elsewhere, by_visitor):
        await stores.appointments.close(StaffChange(id=each.id, sequence=0, who="grace", at=later), state)
    for each in (reference, by_visitor.reference):
        head = (await case_of(stores, each)).head
        assert (head.state, head.assigned, head.next_action) == (EnquiryState.BOOKED, "ada", "Record the outcome")
        assert head.next_due == later.replace(hour=23, minute=59)
    assert (await case_of(stores, other)).head.next_action == "Call"


async def test_outcome_of_a_merged_enquirys_appointment_is_that_of_the_case(stores: Stores) -> None:
    await add_adviser(stores)
    reference, other = await asked(stores), await asked(stores, number=2)
    appointment = await book(stores, other, slot())
    edit = EnquiryEdit(reference=reference, who="grace", at=NOW)
    await stores.changes.change(edit, lambda case: due_set(case, slot(2).start, "Call", NOW))
    await stores.changes.merge(other, reference, who="grace", at=NOW)
    change = StaffChange(id=appointment.id, sequence=0, who="grace", at=slot().end)
    await stores.appointments.close(change, AppointmentState.HELD)
    assert (await case_of(stores, reference)).head.next_action == "Record the outcome"


async def test_time_that_is_taken_books_nothing(stores: Stores, database: Database) -> None:
    await add_adviser(stores)
    await booked(stores, slot())
    reference = await asked(stores, 2)
    before = await kinds(database)
    for adviser in ("", "ada"):
        with pytest.raises(SlotTakenError):
            await stores.appointments.book_by_staff(reference, slot(), adviser=adviser, who="grace", at=NOW)
    assert (await case_of(stores, reference)).appointment is None
    assert (await case_of(stores, reference)).head.state is EnquiryState.NEW
    assert await kinds(database) == before


async def test_second_press_is_the_same_appointment_and_another_time_a_conflict(
    stores: Stores, database: Database
) -> None:
    await add_adviser(stores)
    reference = await asked(stores)
    first = await book(stores, reference, slot())
    sent = await kinds(database)
    assert await book(stores, reference, slot()) == first
    assert await book(stores, reference, slot(), adviser="ada") == first
    done = await stores.appointments.book_by_staff(reference, slot(2), who="grace", at=NOW)
    assert done == AppointmentConflict(appointment=first)
    assert await kinds(database) == sent
    assert len(await entries(stores, Act.APPOINTMENT_BOOKED)) == 1


async def test_presses_at_the_same_moment_make_one_appointment(stores: Stores, database: Database) -> None:
    await add_adviser(stores)
    one, other = await asked(stores, 1), await asked(stores, 2)
    first, repeated = await asyncio.gather(book(stores, one, slot()), book(stores, one, slot()))
    assert first == repeated
    presses = [
        stores.appointments.book_by_staff(reference, slot(2), adviser="ada", who="grace", at=NOW)
        for reference in (other, await asked(stores, 3))
    ]
    done = await asyncio.gather(*presses, return_exceptions=True)
    assert sorted(type(each).__name__ for each in done) == ["AppointmentChanged", "SlotTakenError"]
    assert len(await cells_of(database)) == 2 * len(cells(slot().start, 20))


async def test_former_appointment_gives_its_row_and_stays_in_the_record(stores: Stores, database: Database) -> None:
    await add_adviser(stores)
    former = await booked(stores, slot())
    change = StaffChange(id=former.id, sequence=0, who="grace", at=NOW)
    await stores.appointments.cancel_by_staff(change)
    again = await book(stores, former.reference, slot(2))
    assert (again.id, again.slot, again.state) == (former.id, slot(2), AppointmentState.BOOKED)
    assert (again.uid != former.uid, again.sequence) == (True, 2)
    assert await stores.appointments.find(former.uid) is None
    assert await cells_of(database) == [("ada", cell) for cell in cells(slot(2).start, 20)]
    (entry,) = await entries(stores, Act.APPOINTMENT_BOOKED)
    former_words = "after one cancelled, 2026-12-01 10:00 UTC, ada, booked 2026-11-30 08:00 UTC"
    assert entry.detail == f"2 December 2026 at 10:00; {former_words}"
    assert entry.sentence.endswith(
        "(2 December 2026 at 10:00; after one cancelled, 1 December 2026 at 10:00, ada, "
        "booked 30 November 2026 at 08:00)"
    )
    # a form about the former one changes nothing
    done = await stores.appointments.cancel_by_staff(change)
    assert done == AppointmentConflict(appointment=again)


async def test_case_whose_appointment_was_held_gets_another(stores: Stores) -> None:
    await add_adviser(stores)
    former = await booked(stores, slot(1))
    later = slot(1).end + timedelta(minutes=5)
    change = StaffChange(id=former.id, sequence=0, who="ada", at=later)
    await stores.appointments.close(change, AppointmentState.HELD)
    done = await stores.appointments.book_by_staff(former.reference, slot(2), who="grace", at=later)
    assert isinstance(done, AppointmentChanged)
    (entry,) = await entries(stores, Act.APPOINTMENT_BOOKED)
    assert "; after one held" in entry.detail


async def test_visitor_without_an_address_gets_no_mail(stores: Stores, database: Database) -> None:
    await add_adviser(stores)
    reference = await asked(stores, email="")
    before = await kinds(database)
    await book(stores, reference, slot())
    assert await kinds(database) == before


async def test_named_adviser_gets_any_time_to_come_without_another_appointment(stores: Stores) -> None:
    for name in ("ada", "grace"):
        await add_adviser(stores, name)
    evening = slot(hour=19, minute=5)
    assert (await book(stores, await asked(stores, 1), evening, "grace")).adviser == "grace"
    with pytest.raises(SlotTakenError):
        await book(stores, await asked(stores, 2), slot(hour=19, minute=15), "grace")
    with pytest.raises(SlotTakenError):
        await book(stores, await asked(stores, 3), evening)
    past = await stores.appointments.book_by_staff(
        await asked(stores, 4), slot(0, 7), adviser="ada", who="grace", at=NOW
    )
    assert isinstance(past, AppointmentRefused)


async def test_free_times_of_one_adviser_are_his_alone(stores: Stores) -> None:
    for name in ("ada", "grace"):
        await add_adviser(stores, name)
    taken = await booked(stores, slot())
    other = {"ada": "grace", "grace": "ada"}[taken.adviser]
    assert slot() not in await stores.appointments.free(20, Medium.TELEPHONE, now=NOW, adviser=taken.adviser)
    assert slot() in await stores.appointments.free(20, Medium.TELEPHONE, now=NOW, adviser=other)
    assert await stores.appointments.free(20, Medium.TELEPHONE, now=NOW, adviser="nobody") == ()


async def test_case_that_is_deleted_is_said(stores: Stores) -> None:
    done = await stores.appointments.book_by_staff("HG-0000-0000", slot(), who="grace", at=NOW)
    assert done == AppointmentConflict(appointment=None)
    assert await stores.appointments.bookable("HG-0000-0000") is None
