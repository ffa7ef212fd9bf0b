"""The services over the database: what they need to start, and what outlives a change of keys."""

import asyncio
from pathlib import Path

import pytest

from broker.domain.enquiries.stored_records import StorageError, StoredEnquiry
from broker.runtime import Runtime
from broker.services import DatabaseClosedError
from broker.services.enquiries.enquiries import AWAY, EnquiryCredentials, EnquiryRefused
from broker.settings import Settings, SettingsError
from tests.databases.fixtures import KEY
from tests.services import closed_services
from tests.unit.services.enquiring import ADDRESS, FLOW, STAFF_URL, answered, running, sent, thanked

NEW = "another key, that is long enough too"


def starts(settings: Settings) -> None:
    """Open the services and close it."""

    async def block() -> None:
        async with running(settings):
            pass

    asyncio.run(block())


def test_nothing_is_opened_or_asked_for_before_it_runs(tmp_path: Path) -> None:
    settings = Settings(state_dir=tmp_path / "var", site_url="https://broker.example")
    services = closed_services()
    Runtime(services, settings, FLOW, staff_url=STAFF_URL)
    assert not settings.state_dir.exists()
    for ask in (lambda: services.enquiries, lambda: services.journeys, lambda: services.outbox):
        with pytest.raises(DatabaseClosedError):
            ask()


UNFIT = {
    "no key": ({"site_url": "https://broker.example"}, "BROKER_SECRET_KEY is missing"),
    "no addresses": ({"smtp_url": "smtp://mail.example"}, "BROKER_SMTP_URL needs"),
    "another database": ({"database_url": "mysql://host/name"}, "BROKER_DATABASE_URL takes"),
}


@pytest.mark.parametrize(("given", "sentence"), UNFIT.values(), ids=UNFIT)
def test_server_does_not_start_with_settings_that_do_not_fit(
    tmp_path: Path, given: dict[str, str], sentence: str
) -> None:
    with pytest.raises(SettingsError, match=sentence):
        starts(Settings(state_dir=tmp_path).changed(**given))


def test_server_does_not_start_without_its_database(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="ConnectionRefusedError"):
        starts(Settings(state_dir=tmp_path, database_url="postgresql://nobody@127.0.0.1:1/name"))


def test_keys_change_and_what_is_kept_is_read_still(db_settings: Settings) -> None:
    async def store() -> tuple[str, str, str]:
        async with running(db_settings) as services:
            thanks = thanked(await services.enquiries.submit(sent()))
            held = await answered(services)
            return thanks.link, held.token, str(await services.journeys.link(held.token))

    async def read(keys: tuple[str, ...]) -> tuple[object, object]:
        async with running(db_settings.changed(secret_keys=keys)) as services:
            found = await services.enquiries.find(EnquiryCredentials(address=ADDRESS, link=link))
            resumed = await services.journeys.resume(saved)
            return found, getattr(resumed, "token", "")

    link, token, saved = asyncio.run(store())
    found, resumed = asyncio.run(read((NEW, KEY)))
    assert (isinstance(found, StoredEnquiry), resumed) == (True, token)
    refused, nothing = asyncio.run(read((NEW,)))
    assert (isinstance(refused, EnquiryRefused), nothing) == (True, "")


def test_enquiry_that_the_keys_do_not_open_is_told_to_the_log(
    db_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    async def store() -> str:
        async with running(db_settings) as services:
            return thanked(await services.enquiries.submit(sent())).reference

    async def read(reference: str) -> object:
        async with running(db_settings.changed(secret_keys=(NEW,))) as services:
            return await services.enquiries.find(
                EnquiryCredentials(address=ADDRESS, reference=reference, digits="0123")
            )

    reference = asyncio.run(store())
    caplog.clear()
    assert asyncio.run(read(reference)) == EnquiryRefused.saying(AWAY)
    assert "enquiries: encrypted with no key of BROKER_SECRET_KEY, or changed since" in caplog.messages
