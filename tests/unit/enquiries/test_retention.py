from datetime import timedelta

import pytest

from broker.enquiries.enquiry import StoredEnquiry
from broker.enquiries.retention import Due, Retention, RetentionRun, RetentionRunStore
from broker.enquiries.store import EnquiryStore
from broker.mail.outbox_store import OutboxStore
from broker.questionnaire.journey_store import JourneyStore
from broker.services import Services
from broker.settings import Settings
from broker.staff.audit import Act
from broker.staff.audit_log import AuditStore
from broker.storage.database import Database, database_for
from broker.storage.encryption import secret_keys_for
from broker.storage.errors import StorageError
from broker.watches.store import WatchStore
from tests.unit.enquiries.enquiring import Calendar, answered, running, sent, thanked
from tests.unit.watches import watching


class EnoughError(Exception):
    """Ends what would go on for ever."""


async def test_unsent_answers_go_after_30_days_and_enquiries_after_their_months(db_settings: Settings) -> None:
    settings = db_settings.changed(enquiry_months=2)
    calendar, gone = Calendar(), []
    async with running(settings, calendar) as services:
        await answered(services)
        await services.enquiries.submit(sent())
        calendar.forward(days=10)
        await answered(services)
    database = database_for(settings)
    retention = retention_of(database, settings, calendar)
    for days in (20, 1, 9, 1, 20, 1):
        gone.append(await deleted_in(retention, calendar, days=days))
    await database.close()
    assert gone == [(0, 0), (0, 1), (0, 0), (0, 1), (0, 0), (1, 0)]


async def deleted_in(retention: Retention, calendar: Calendar, *, days: int) -> tuple[int, int]:
    """Let days pass with a run every twelve hours, and return how many enquiries and journeys were deleted."""
    runs = []
    for _ in range(2 * days):
        calendar.forward(hours=12)
        runs.append(await retention.delete_due())
    return sum(run.enquiries for run in runs), sum(run.journeys for run in runs)


def retention_of(database: Database, settings: Settings, calendar: Calendar) -> Retention:
    keys = secret_keys_for(settings)
    stores = EnquiryStore(database, keys), JourneyStore(database, keys), WatchStore(database, keys)
    outbox, runs = OutboxStore(database, keys, "retention"), RetentionRunStore(database)
    return Retention(*stores, outbox=outbox, runs=runs, audit=AuditStore(database), clock=calendar)


JUMPS = {"an hour": timedelta(hours=1), "a day": timedelta(days=1), "30 days": timedelta(days=30)} | {
    "a year": timedelta(days=365),
    "a year and a half": timedelta(days=500),
}


@pytest.mark.parametrize("jump", JUMPS)
async def test_clock_that_was_ahead_for_days_deleted_nothing_early(db_settings: Settings, jump: str) -> None:
    settings, calendar = db_settings.changed(enquiry_months=12), Calendar()
    async with running(settings, calendar) as services:
        for _ in range(3):  # due on the days round each of the jumps
            await answered(services)
            await services.enquiries.submit(sent(message=str(calendar.now)))
            calendar.forward(hours=20)
    database = database_for(settings)
    retention = retention_of(database, settings, calendar)
    assert not await retention.delete_due()
    calendar.now += JUMPS[jump]
    assert not await retention.delete_due()
    ahead = await deleted_in(retention, calendar, days=4) if JUMPS[jump] > timedelta(days=1) else (0, 0)
    calendar.now -= JUMPS[jump]
    assert not await retention.delete_due()
    await database.close()
    assert ahead == (0, 0)


async def test_clock_that_went_back_an_hour_leaves_nothing_for_staff(db_settings: Settings) -> None:
    calendar = Calendar()
    async with running(db_settings, calendar) as services:
        await answered(services)
    database = database_for(db_settings)
    retention = retention_of(database, db_settings, calendar)
    await deleted_in(retention, calendar, days=30)
    calendar.forward(hours=-1)
    assert (await deleted_in(retention, calendar, days=2))[1] == 1
    assert not await retention.overdue()
    await database.close()


async def test_what_came_due_in_a_gap_of_days_waits_for_staff(
    db_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings, calendar = db_settings.changed(enquiry_months=12), Calendar()
    async with running(settings, calendar) as services:
        await answered(services)
        await services.enquiries.submit(sent())
        await services.watches.start(watching.sent())
    database = database_for(settings)
    retention = retention_of(database, settings, calendar)
    await retention.delete_due()
    calendar.forward(days=400)
    assert await retention.delete_due() == Due(enquiries=0, journeys=0, watches=0)
    assert await retention.overdue() == Due(enquiries=1, journeys=1, watches=1)
    assert (
        "kept until staff delete them on their overview: enquiries: 1, unsent questionnaires: 1, watches: 1"
        in caplog.text
    )
    assert await retention.delete_overdue(who="ada") == Due(enquiries=1, journeys=1, watches=1)
    (entry,) = await AuditStore(database).latest(5)
    assert (entry.who, entry.what, entry.detail) == (
        "ada",
        Act.OVERDUE_DELETED,
        "enquiries: 1, unsent questionnaires: 1, watches: 1",
    )
    assert not await retention.overdue()
    await database.close()


async def test_journey_past_its_time_is_not_found_though_it_is_not_deleted_yet(
    services: Services, calendar: Calendar
) -> None:
    journey = await answered(services)
    calendar.forward(days=30)
    assert await services.journeys.find(journey.token) is None
    assert await services.journeys.open(journey.token, "") != journey


async def test_each_enquiry_is_kept_for_the_months_of_the_settings(db_settings: Settings) -> None:
    async with running(db_settings.changed(enquiry_months=1)) as services:
        thanks = thanked(await services.enquiries.submit(sent()))
        found = await services.enquiries.thanked(thanks.link)
        assert isinstance(found, StoredEnquiry)
        assert found.delete_after.isoformat() == "2026-04-30T12:00:00+00:00"


async def test_database_that_is_away_is_a_line_in_the_log_and_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    class Away:
        async def last(self) -> RetentionRun:
            raise StorageError("the database cannot be used: ConnectionRefusedError")

    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            raise EnoughError

    retention = Retention(Away(), Away(), Away(), outbox=Away(), runs=Away(), audit=Away())  # pyright: ignore[reportArgumentType] - they delete nothing
    with pytest.raises(EnoughError):
        await retention.delete_periodically(sleep)
    line = "nothing deleted, tried again in an hour: the database cannot be used: ConnectionRefusedError"
    assert (waits, caplog.messages) == ([3_600, 3_600], [line] * 2)
