"""What is kept too long goes by itself, and nothing else does."""

import asyncio

import pytest

from broker.domain.enquiries.stored_records import StorageError, StoredEnquiry
from broker.services.enquiries.enquiries import EnquiryCredentials
from broker.services.enquiries.retention import Retention
from broker.settings import Settings
from broker.storage.database import database_for
from broker.storage.encryption import secret_keys_for
from broker.storage.enquiries.enquiries import EnquiryStore
from broker.storage.enquiries.journeys import JourneyStore
from tests.unit.services.enquiring import ADDRESS, Calendar, answered, running, sent, thanked


class EnoughError(Exception):
    """Ends what would go on for ever."""


def test_unsent_answers_go_after_30_days_and_enquiries_after_their_months(db_settings: Settings) -> None:
    settings = db_settings.changed(enquiry_months=2)

    async def block() -> list[tuple[int, int]]:
        calendar, gone = Calendar(), []
        async with running(settings, calendar) as services:
            await answered(services)
            await services.enquiries.submit(sent())
            calendar.forward(days=10)
            await answered(services)
        database, keys = database_for(settings), secret_keys_for(settings)
        retention = Retention(EnquiryStore(database, keys), JourneyStore(database, keys), clock=calendar)
        for days in (19, 1, 9, 1, 20, 1):
            calendar.forward(days=days)
            gone.append(await retention.delete_due())
        await database.close()
        return gone

    assert asyncio.run(block()) == [(0, 0), (0, 1), (0, 0), (0, 1), (0, 0), (1, 0)]


def test_journey_past_its_time_is_not_found_though_it_is_not_deleted_yet(db_settings: Settings) -> None:
    async def block() -> tuple[object, bool]:
        calendar = Calendar()
        async with running(db_settings, calendar) as services:
            held = await answered(services)
            calendar.forward(days=30)
            return await services.journeys.find(held.token), (await services.journeys.open(held.token, "")) == held

    assert asyncio.run(block()) == (None, False)


def test_months_of_the_settings_stand_on_each_enquiry(db_settings: Settings) -> None:
    async def block() -> object:
        async with running(db_settings.changed(enquiry_months=1)) as services:
            thanks = thanked(await services.enquiries.submit(sent()))
            found = await services.enquiries.find(EnquiryCredentials(address=ADDRESS, link=thanks.link))
            assert isinstance(found, StoredEnquiry)
            return found.delete_after.isoformat()

    assert asyncio.run(block()) == "2026-04-30T12:00:00+00:00"


def test_database_that_is_away_is_a_line_in_the_log_and_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    class Away:
        async def delete_due(self, _: object) -> int:
            raise StorageError("the database cannot be used: ConnectionRefusedError")

    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            raise EnoughError

    retention = Retention(Away(), Away())  # pyright: ignore[reportArgumentType] - they delete nothing
    with pytest.raises(EnoughError):
        asyncio.run(retention.delete_periodically(sleep))
    assert (waits, len(caplog.records)) == ([3_600, 3_600], 2)
    assert caplog.records[0].getMessage() == (
        "nothing deleted, tried again in an hour: the database cannot be used: ConnectionRefusedError"
    )
