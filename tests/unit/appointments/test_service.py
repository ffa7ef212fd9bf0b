import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from icalendar import Calendar as CalendarFile

from broker.analytics.count_store import CountStore
from broker.analytics.counted import Counted
from broker.appointments.appointment import SLOT, AppointmentRefused, AppointmentState, Medium, Slot, StoredAppointment
from broker.enquiries.enquiry import EnquiryKind
from broker.enquiries.service import EnquiryReceipt, EnquiryRefused, Limits, Submission
from broker.mail.mail import MailKind
from broker.services import Services
from broker.settings import Settings
from broker.storage.database import Database, database_address
from broker.storage.errors import StorageError
from tests.unit.appointments.booking import add_adviser, kinds, mails
from tests.unit.enquiries.enquiring import Calendar, answered, questionnaire, sent, thanked
from tests.unit.storage.stores import Stores, stores_of

WANTED = Slot(start=datetime(2026, 4, 2, 9, 40, tzinfo=UTC), minutes=20, medium=Medium.TELEPHONE)
"""Thursday 10:40 in UK time."""

# after Easter
LATER = replace(WANTED, start=WANTED.start + timedelta(days=5), medium=Medium.VIDEO)


@pytest.fixture
async def diary(services: Services, db_settings: Settings, calendar: Calendar) -> AsyncIterator[Stores]:
    """Return the stores of the services' database, with one adviser."""
    assert services.appointments
    database = Database(database_address(db_settings.database_url))
    stores = stores_of(database)
    await add_adviser(stores, at=calendar.now)
    yield stores
    await database.close()


def with_slot(slot: Slot | str, /, **fields: object) -> Submission:
    return sent(EnquiryKind.CALLBACK, **{SLOT: slot if isinstance(slot, str) else slot.value}, **fields)


def refused(answer: object) -> EnquiryRefused:
    assert isinstance(answer, EnquiryRefused), answer
    return answer


def shown(answer: object) -> StoredAppointment:
    assert isinstance(answer, StoredAppointment), answer
    return answer


async def booked(services: Services, form: Submission | None = None) -> StoredAppointment:
    receipt = thanked(await services.enquiries.submit(form or with_slot(WANTED)))
    return shown(await services.appointments.of_enquiry(receipt.reference))


async def test_offered_slots_are_none_without_advisers(services: Services) -> None:
    assert await services.appointments.offered(20, Medium.TELEPHONE) == ()


async def test_form_with_a_slot_books_it_and_one_without_is_an_enquiry_as_before(
    services: Services, diary: Stores
) -> None:
    assert WANTED in await services.appointments.offered(20, Medium.TELEPHONE)
    mine = await booked(services)
    assert (mine.appointment.slot, mine.appointment.adviser) == (WANTED, "ada")
    receipt = thanked(await services.enquiries.submit(sent(**{SLOT: ""}, name="Somebody Else")))
    assert await services.appointments.of_enquiry(receipt.reference) is None
    assert await kinds(diary.database) == [
        *(MailKind.NOTE, MailKind.APPOINTMENT_BOOKED),
        *(MailKind.NOTE, MailKind.CONFIRMATION),
    ]


@pytest.mark.usefixtures("diary")
async def test_form_that_is_sent_again_is_the_same_enquiry_and_appointment(services: Services) -> None:
    first, *others = await asyncio.gather(*(services.enquiries.submit(with_slot(WANTED)) for _ in range(5)))
    assert {thanked(each).reference for each in others} == {thanked(first).reference}
    assert thanked(await services.enquiries.submit(with_slot(WANTED))).reference == thanked(first).reference


@pytest.mark.usefixtures("diary")
async def test_slot_is_booked_again_by_the_same_form_after_it_was_cancelled(services: Services) -> None:
    mine = await booked(services)
    await services.appointments.cancel(mine.link, 0)
    again = thanked(await services.enquiries.submit(with_slot(WANTED)))
    assert again.reference != mine.appointment.reference
    other = await services.appointments.of_enquiry(again.reference)
    assert other
    assert other.appointment.slot == WANTED


async def test_slot_that_is_taken_is_a_problem_with_the_next_free_ones_and_nothing_is_stored(
    services: Services, diary: Stores
) -> None:
    await booked(services)
    before = await kinds(diary.database)
    answer = refused(await services.enquiries.submit(with_slot(WANTED, name="Somebody Else")))
    (problem,) = answer.problems
    assert (problem.field, "has just gone" in problem.reason) == (SLOT, True)
    assert [f"{each.start:%H:%M}" for each in answer.next_free[:2]] == ["10:20", "10:40"]
    assert await kinds(diary.database) == before
    again = await services.enquiries.submit(with_slot(answer.next_free[0], name="Somebody Else"))
    assert isinstance(again, EnquiryReceipt)


@pytest.mark.usefixtures("diary")
async def test_of_parallel_presses_one_gets_the_slot_and_all_others_hear_of_the_next(services: Services) -> None:
    forms = [
        replace(with_slot(WANTED, name=f"Visitor {'abcdefgh'[each]}"), address=f"10.0.0.{each}") for each in range(8)
    ]
    answers = await asyncio.gather(*map(services.enquiries.submit, forms))
    assert [isinstance(each, EnquiryReceipt) for each in answers].count(True) == 1
    assert all(each.next_free for each in answers if isinstance(each, EnquiryRefused))


@pytest.mark.usefixtures("diary")
async def test_presses_on_a_slot_that_is_taken_meanwhile_are_not_counted(services: Services) -> None:
    forms = [with_slot(WANTED, name=f"Visitor {letter}") for letter in "ABCDEFGH"]
    assert len(forms) > Limits().sent_without_token
    answers = await asyncio.gather(*map(services.enquiries.submit, forms))
    assert [isinstance(each, EnquiryReceipt) for each in answers].count(True) == 1
    assert all(each.next_free for each in answers if isinstance(each, EnquiryRefused))


async def test_slot_that_is_no_slot_is_a_problem_beside_the_others(services: Services) -> None:
    answer = refused(await services.enquiries.submit(with_slot("tomorrow", name="")))
    assert [each.field for each in answer.problems] == ["name", SLOT]


@pytest.mark.usefixtures("diary")
async def test_questionnaire_keeps_its_answers_when_its_slot_is_taken(services: Services) -> None:
    held = await answered(services)
    form = questionnaire(held)
    await booked(services, with_slot(WANTED, name="Somebody Else"))
    refused(await services.enquiries.submit(replace(form, given={**form.given, SLOT: WANTED.value})))
    later = replace(form, given={**form.given, SLOT: LATER.value})
    assert (await booked(services, later)).appointment.slot == LATER


async def test_link_moves_and_cancels_and_each_is_counted_once(services: Services, diary: Stores) -> None:
    mine = await booked(services)
    (_, _, said) = (await mails(diary.database))[-1]
    moved = shown(await services.appointments.move(said["link"], LATER, 0))
    assert (moved.appointment.slot, moved.link) == (LATER, said["link"])
    assert shown(await services.appointments.move(said["link"], LATER, 0)) == moved
    assert shown(await services.appointments.find(mine.link)).appointment == moved.appointment
    cancelled = shown(await services.appointments.cancel(mine.link, 1))
    assert cancelled.appointment.state is AppointmentState.CANCELLED
    assert shown(await services.appointments.cancel(mine.link, 1)) == cancelled
    counts = CountStore(diary.database)
    await services.counts.store(counts)
    told = {kind: total for _, kind, total in await counts.since(date.min) if kind.startswith("appointment")}
    assert told == {Counted.APPOINTMENT_BOOKED: 1, Counted.APPOINTMENT_MOVED: 1, Counted.APPOINTMENT_CANCELLED: 1}


@pytest.mark.usefixtures("diary")
async def test_move_to_a_taken_slot_is_refused_with_the_next_free_ones(services: Services) -> None:
    await booked(services, with_slot(LATER, name="Somebody Else"))
    mine = await booked(services)
    answer = await services.appointments.move(mine.link, LATER, 0)
    assert isinstance(answer, AppointmentRefused)
    assert (answer.appointment, len(answer.next_free)) == (mine.appointment, 6)


@pytest.mark.usefixtures("diary")
async def test_link_works_until_a_day_after_the_end_and_opens_nothing_else(
    services: Services, calendar: Calendar
) -> None:
    mine = await booked(services)
    calendar.now = WANTED.end + timedelta(hours=23)
    assert shown(await services.appointments.find(mine.link)).appointment == mine.appointment
    calendar.now = WANTED.end + timedelta(days=1)
    enquiry = thanked(await services.enquiries.submit(sent(name="Somebody Else"))).link
    for link in (mine.link, mine.link[:-4], "", enquiry):
        for answer in (
            await services.appointments.find(link),
            await services.appointments.move(link, LATER, 0),
            await services.appointments.cancel(link, 0),
        ):
            assert isinstance(answer, AppointmentRefused)
        assert await services.appointments.calendar_file(link) is None


@pytest.mark.usefixtures("diary")
async def test_calendar_file_keeps_its_uid_raises_its_sequence_and_names_nobody(services: Services) -> None:
    mine = await booked(services)
    first = await services.appointments.calendar_file(mine.link)
    await services.appointments.move(mine.link, LATER, 0)
    second = await services.appointments.calendar_file(mine.link)
    await services.appointments.cancel(mine.link, 1)
    third = await services.appointments.calendar_file(mine.link)
    read = [CalendarFile.from_ical(each.decode()) for each in (first, second, third) if each]
    events = [each.walk("VEVENT")[0] for each in read]
    assert [each["METHOD"] for each in read] == ["PUBLISH", "PUBLISH", "CANCEL"]
    assert [each["SEQUENCE"] for each in events] == [0, 1, 2]
    assert {str(each["UID"]) for each in events} == {f"{mine.appointment.uid}@broker.example"}
    assert [each["DTSTART"].to_ical() for each in events[:2]] == [b"20260402T094000Z", b"20260407T094000Z"]
    assert first
    assert b"Quillfeather" not in first
    assert b"zebedee" not in first


async def test_work_reminds_once_and_hands_over_what_the_absent_have(
    services: Services, diary: Stores, calendar: Calendar
) -> None:
    mine = await booked(services)
    calendar.now = WANTED.start - timedelta(hours=24)
    await services.appointments.work()
    await services.appointments.work()
    assert (await kinds(diary.database)).count(MailKind.APPOINTMENT_REMINDER) == 1
    await add_adviser(diary, "grace", at=calendar.now)
    account = await diary.accounts.find("ada")
    assert account
    await diary.database.write(
        lambda connection: connection.exec_driver_sql("UPDATE staff SET enabled = false WHERE name = 'ada'")
    )
    await services.appointments.work()
    assert shown(await services.appointments.find(mine.link)).appointment.adviser == "grace"


@pytest.mark.usefixtures("diary")
async def test_database_that_is_away_offers_nothing_and_refuses_in_words(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = await booked(services)

    async def away(*_: object, **__: object) -> None:
        raise StorageError("away")

    monkeypatch.setattr(Database, "read", away)
    monkeypatch.setattr(Database, "write", away)
    assert await services.appointments.offered(20, Medium.TELEPHONE) == ()
    assert await services.appointments.of_enquiry("HG-7K3M-Q2XD") is None
    for answer in (
        await services.appointments.find(mine.link),
        await services.appointments.move(mine.link, LATER, 0),
        await services.appointments.cancel(mine.link, 0),
    ):
        assert isinstance(answer, AppointmentRefused)
        assert "try again" in answer.reason
    refused(await services.enquiries.submit(with_slot(LATER, name="Somebody Else")))
