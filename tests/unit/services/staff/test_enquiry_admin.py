"""Staff at their admin: what they are given, what is refused in a sentence, and that the record tells of all of it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import TypeVar

import pytest

from broker.domain.enquiries.contact_details import CallTime
from broker.domain.enquiries.stored_records import EnquiryState, StorageError
from broker.domain.enquiries.working_time import OFFICE_WEEK
from broker.domain.staff.audit import COMMAND_LINE, Act, AuditEntry
from broker.domain.staff.enquiry_workflow import (
    Case,
    Changed,
    Conflict,
    EnquiryExport,
    EnquiryFilter,
    EnquiryOrder,
    EnquiryPage,
    Gone,
    Refused,
)
from broker.services import Services
from broker.services.enquiries.enquiries import EnquiryCredentials
from broker.services.staff.enquiry_admin import AWAY, NO_REASON, NO_STATE, SEALED, EnquiryAdmin
from broker.settings import Settings
from broker.storage.database import Database, database_address, database_for
from broker.storage.encryption import SecretKeys
from broker.storage.staff.accounts import StaffStore
from broker.storage.staff.audit import AuditStore
from broker.storage.staff.enquiry_changes import EnquiryChangeStore
from broker.storage.staff.enquiry_list import EnquiryListStore
from tests.databases.fixtures import KEY
from tests.unit.services.enquiring import ADDRESS, BEGINNING, Calendar, running, sent, thanked

Found = TypeVar("Found")


def at_desk(settings: Settings, block: Callable[[Services, str, Calendar], Awaitable[Found]]) -> Found:
    """Return what comes of the admin over one enquiry: the services, its reference, the calendar."""

    async def with_it() -> Found:
        calendar = Calendar()
        async with running(settings, calendar) as services:
            await with_accounts(settings, "ada", "bob", "eve")
            reference = thanked(await services.enquiries.submit(sent())).reference
            return await block(services, reference, calendar)

    return asyncio.run(with_it())


async def with_accounts(settings: Settings, *names: str) -> None:
    """Add accounts, the last of them disabled, which the record that is read here leaves out."""
    database = database_for(settings)
    staff = StaffStore(database)
    for name in names:
        entry = AuditEntry(at=BEGINNING, who=COMMAND_LINE, what=Act.ACCOUNT_ADDED, about=name)
        assert await staff.add(name, "hash", entry=entry)
    last = (await staff.all())[-1]
    disabled = AuditEntry(at=BEGINNING, who=COMMAND_LINE, what=Act.ACCOUNT_DISABLED, about=last.name)
    await staff.change(last.id, disabled, enabled=False)
    await database.close()


async def record(services: Services) -> list[tuple[str, Act, str, str]]:
    """Return the record, oldest first."""
    found = reversed(await services.audit.latest(100))
    return [(each.who, each.what, each.about, each.detail) for each in found if each.who != COMMAND_LINE]


def test_enquiry_is_worked_through_and_every_act_is_in_the_record(db_settings: Settings) -> None:
    async def block(services: Services, reference: str, calendar: Calendar) -> tuple[str, object, list[object]]:
        admin = services.enquiry_admin
        found = await admin.open(reference.lower().replace("-", " "), who="ada")
        assert isinstance(found, Case)
        calendar.forward(hours=1)
        assert isinstance(await admin.assign(reference, "ada", version=1, who="ada"), Changed)
        assert isinstance(await admin.add_note(reference, "Rang.\n", who="ada"), Changed)
        moved = await admin.change_state(reference, "called", version=2, who="ada")
        assert isinstance(moved, Changed)
        assert (moved.case.head.changed_at, [note.text for note in moved.case.notes]) == (calendar.now, ["Rang."])
        assert isinstance(await admin.export(EnquiryFilter(text="Quillfeather"), form="CSV", who="bob"), EnquiryExport)
        gone = await admin.delete(reference, "duplicate", version=3, who="bob")
        return reference, gone, [*await record(services)]

    reference, gone, told = at_desk(db_settings, block)
    assert gone == Gone(by="bob", at=BEGINNING + timedelta(hours=1), reason="it is there twice")
    assert told == [
        ("ada", Act.ENQUIRY_READ, reference, ""),
        ("ada", Act.ENQUIRY_ASSIGNED, reference, "to ada"),
        ("ada", Act.ENQUIRY_NOTE, reference, ""),
        ("ada", Act.ENQUIRY_STATE, reference, "new to called"),
        ("bob", Act.ENQUIRIES_EXPORTED, "", "1 as CSV: by words"),
        ("bob", Act.ENQUIRY_DELETED, reference, "it is there twice"),
    ]


def test_two_staff_do_not_overwrite_each_other_without_being_told(db_settings: Settings) -> None:
    async def block(services: Services, reference: str, _: Calendar) -> tuple[object, object]:
        admin = services.enquiry_admin
        first, second = await admin.open(reference, who="ada"), await admin.open(reference, who="bob")
        assert isinstance(first, Case)
        assert isinstance(second, Case)
        await admin.change_state(reference, "called", version=first.head.version, who="ada")
        late = await admin.change_state(reference, "closed", version=second.head.version, who="bob")
        assert isinstance(late, Conflict)
        head = late.case.head
        again = await admin.change_state(reference, "closed", version=head.version, who="bob")
        assert isinstance(again, Changed)
        return (head.state, head.changed_by), (again.case.head.state, again.case.head.changed_by)

    assert at_desk(db_settings, block) == ((EnquiryState.CALLED, "ada"), (EnquiryState.CLOSED, "bob"))


def test_promise_is_made_when_the_enquiry_is_sent_and_makes_it_overdue(db_settings: Settings) -> None:
    async def block(services: Services, _: str, calendar: Calendar) -> tuple[datetime, list[int]]:
        late, page = [], await services.enquiry_admin.page()
        assert isinstance(page, EnquiryPage)
        for calendar.now in (page.heads[0].call_by, page.heads[0].call_by + timedelta(seconds=1)):
            found = await services.enquiry_admin.page(EnquiryFilter(overdue=True))
            counts = await services.enquiry_admin.counts()
            late += [getattr(found, "count", -1), getattr(counts, "overdue", -1)]
        return page.heads[0].call_by, late

    promised = OFFICE_WEEK.call_by(BEGINNING, CallTime.MORNING)
    assert at_desk(db_settings, block) == (promised, [0, 0, 1, 1])


NONSENSE: list[object] = [None, "", "no such", 7, [], {"a": 1}, "x" * 10_000, "\0", "\ud800", "HG-2222-3333"]


def test_anything_that_a_page_may_send_is_answered_in_words(db_settings: Settings) -> None:
    async def block(services: Services, reference: str, _: Calendar) -> list[object]:
        admin, odd = services.enquiry_admin, []
        for given in NONSENSE:
            odd += [
                isinstance(await admin.open(given, who="ada"), Gone),
                isinstance(await admin.change_state(given, "called", version=1, who="ada"), Gone),
                isinstance(await admin.delete(given, "spam", version=1, who="ada"), Gone),
                await admin.change_state(reference, given, version=1, who="ada") == Refused(words=NO_STATE),
                await admin.delete(reference, given, version=1, who="ada") == Refused(words=NO_REASON),
                isinstance(await admin.page(EnquiryFilter(text=str(given)), EnquiryOrder.OLDEST), EnquiryPage),
            ]
        words = [
            await admin.add_note(reference, None, who="ada"),
            await admin.assign(reference, "x" * 81, version=1, who="ada"),
            await admin.change_state(reference, "booked", version=1, who="ada"),
            await admin.assign(reference, "eve", version=1, who="ada"),
            await admin.assign(reference, "nobody we know", version=1, who="ada"),
        ]
        assert await admin.accounts() == ("ada", "bob")
        assert not await record(services)
        return [*odd, *words]

    found = at_desk(db_settings, block)
    assert found[: 6 * len(NONSENSE)] == [True] * 6 * len(NONSENSE)
    assert found[6 * len(NONSENSE) :] == [
        Refused(words="Write a note first"),
        Refused(words="Choose one of the accounts"),
        Refused(words="An enquiry that is new can become called or closed"),
        Refused(words="Choose one of the accounts"),
        Refused(words="Choose one of the accounts"),
    ]


def test_enquiry_that_its_sender_deleted_meanwhile_is_gone(db_settings: Settings) -> None:
    async def block(services: Services, reference: str, _: Calendar) -> tuple[object, object]:
        await services.enquiries.delete(EnquiryCredentials(address=ADDRESS, reference=reference, digits="0123"))
        noted = await services.enquiry_admin.add_note(reference, "Rang", who="ada")
        return noted, await services.enquiry_admin.change_state(reference, "called", version=1, who="ada")

    assert at_desk(db_settings, block) == (Gone(), Gone())


def test_enquiry_that_the_keys_do_not_open_is_told_to_staff_and_the_log(
    db_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    async def store() -> str:
        async with running(db_settings) as services:
            return thanked(await services.enquiries.submit(sent())).reference

    async def read() -> object:
        async with running(db_settings.changed(secret_keys=("another key, that is long enough too",))) as services:
            return await services.enquiry_admin.open(reference, who="ada")

    reference = asyncio.run(store())
    with caplog.at_level(logging.ERROR):
        assert asyncio.run(read()) == Refused(words=SEALED)
    assert "enquiries: encrypted with no key of BROKER_SECRET_KEY, or changed since" in caplog.messages


def test_database_that_is_away_is_a_sentence(caplog: pytest.LogCaptureFixture) -> None:
    async def block() -> list[object]:
        database, keys = Database(database_address("postgresql://nobody@127.0.0.1:1/name")), SecretKeys((KEY,))
        admin = EnquiryAdmin(
            EnquiryChangeStore(database, keys),
            EnquiryListStore(database, keys),
            audit=AuditStore(database),
            accounts=StaffStore(database),
        )
        try:
            return [
                await admin.page(),
                await admin.page(EnquiryFilter(text="zoë")),
                await admin.counts(),
                await admin.open("HG-2222-3333", who="ada"),
                await admin.change_state("HG-2222-3333", "called", version=1, who="ada"),
                await admin.assign("HG-2222-3333", "ada", version=1, who="ada"),
                await admin.add_note("HG-2222-3333", "Rang", who="ada"),
                await admin.delete("HG-2222-3333", "spam", version=1, who="ada"),
                await admin.export(EnquiryFilter(), form="JSON", who="ada"),
            ]
        finally:
            await database.close()

    with caplog.at_level(logging.ERROR):
        assert asyncio.run(block()) == [Refused(words=AWAY)] * 9
    assert set(caplog.messages) == {"enquiries: the database cannot be used: ConnectionRefusedError"}


def test_nothing_is_handed_out_that_the_record_does_not_tell_of(db_settings: Settings) -> None:
    class Full(AuditStore):
        async def add(self, entry: object) -> None:
            """Refuse, as a full disk does."""
            raise StorageError(f"no room for {entry}")

    async def block(_: Services, __: str, calendar: Calendar) -> object:
        database, keys = Database(database_address(db_settings.database_url)), SecretKeys((KEY,))
        admin = EnquiryAdmin(
            EnquiryChangeStore(database, keys),
            EnquiryListStore(database, keys),
            audit=Full(database),
            accounts=StaffStore(database),
            clock=calendar,
        )
        try:
            return await admin.export(EnquiryFilter(), form="CSV", who="ada")
        finally:
            await database.close()

    assert at_desk(db_settings, block) == Refused(words=AWAY)
