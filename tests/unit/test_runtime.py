import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from broker import runtime
from broker import services as services_module
from broker.enquiries.enquiry import StoredEnquiry
from broker.enquiries.service import AWAY, EnquiryCredentials, EnquiryRefused
from broker.questionnaire.flows import QuestionnaireFlows
from broker.questionnaire.journeys import JourneyNotFound
from broker.runtime import WRONG_KEY, Runtime
from broker.services import DatabaseClosedError, Services, ServicesMissingError
from broker.settings import Settings, SettingsError
from broker.storage.database import Database
from broker.storage.errors import StorageError
from broker.storage.migrations import NEWEST, migrate
from tests.databases.fixtures import KEY
from tests.services import closed_services
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.enquiries import enquiring
from tests.unit.enquiries.enquiring import ADDRESS, FIRM, FLOW, answered, running, sent, thanked

NEW = "another key, that is long enough too"


def test_nothing_is_opened_or_asked_for_before_it_runs(tmp_path: Path) -> None:
    settings = Settings(state_dir=tmp_path / "var", site_url="https://broker.example")
    services = closed_services()
    Runtime(services, settings, QuestionnaireFlows(FLOW), firm=lambda: FIRM)
    assert not settings.state_dir.exists()
    for ask in (lambda: services.enquiries, lambda: services.journeys, lambda: services.outbox):
        with pytest.raises(DatabaseClosedError):
            ask()


UNFIT = {
    "no key": ({"site_url": "https://broker.example"}, "BROKER_SECRET_KEY is missing"),
    "no addresses": ({"smtp_url": "smtp://mail.example"}, "BROKER_SMTP_URL needs"),
    "another database": ({"database_url": "mysql://host/name"}, "BROKER_DATABASE_URL takes"),
}


@pytest.mark.parametrize(("changes", "sentence"), UNFIT.values(), ids=UNFIT)
async def test_server_does_not_start_with_settings_that_do_not_fit(
    tmp_path: Path, changes: dict[str, str], sentence: str
) -> None:
    with pytest.raises(SettingsError, match=sentence):
        async with running(Settings(state_dir=tmp_path).changed(**changes)):
            pass


async def test_server_starts_without_its_database_and_opens_it_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "OPEN_SECONDS", 0.01)
    settings = Settings(state_dir=tmp_path / "var")
    settings.state_dir.write_text("a file where the folder belongs")
    async with running(settings.changed(secret_keys=(KEY,))) as services:
        assert await services.enquiries.submit(sent()) == EnquiryRefused.saying(AWAY)
        with pytest.raises(StorageError):
            await services.check_writable()
        settings.state_dir.unlink()
        settings.state_dir.mkdir()
        async with asyncio.timeout(ANSWER_TIMEOUT):
            while isinstance(await services.enquiries.submit(sent()), EnquiryRefused):
                await asyncio.sleep(0.05)
        await services.check_writable()


async def test_tables_of_a_newer_release_are_left_alone_until_they_are_known(
    tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def set_revision(revision: str) -> None:
        with (
            closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), timeout=ANSWER_TIMEOUT)) as connection,
            connection,
        ):
            connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))

    tries: list[Database] = []
    is_installed = asyncio.Event()

    async def counted(database: Database) -> None:
        tries.append(database)
        if is_installed.is_set():
            set_revision(NEWEST)  # here no other try has the database locked
        await migrate(database)

    monkeypatch.setattr(runtime, "OPEN_SECONDS", 0.01)
    monkeypatch.setattr(enquiring, "migrate", counted)
    set_revision("9999")
    # the folder of the state is that of the database, which is therefore migrated
    async with running(Settings(state_dir=tmp_path, secret_keys=(KEY,))) as services:
        assert await services.enquiries.submit(sent()) == EnquiryRefused.saying(AWAY)
        with pytest.raises(StorageError):
            await services.check_writable()
        async with asyncio.timeout(ANSWER_TIMEOUT):
            while len(tries) < 3:
                await asyncio.sleep(0.01)
        assert [line for line in caplog.messages if "newer release" in line] == [
            "the database cannot be used, pages are served without it: its tables are of a newer release (9999, this "
            f"one knows {NEWEST}): install that release, or restore a backup that was made before it"
        ]
        is_installed.set()
        async with asyncio.timeout(ANSWER_TIMEOUT):
            while isinstance(await services.enquiries.submit(sent()), EnquiryRefused):
                await asyncio.sleep(0.05)


async def test_key_file_that_is_lost_while_the_server_runs_is_noticed(tmp_path: Path) -> None:
    async with running(Settings(state_dir=tmp_path)) as services:
        assert await services.has_right_key()
        (tmp_path / "secret.key").unlink()
        assert not await services.has_right_key()


async def test_stored_records_outlive_a_change_of_keys_and_not_their_loss(
    services: Services, db_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    thanks, journey = thanked(await services.enquiries.submit(sent())), await answered(services)
    by_digits = EnquiryCredentials(address=ADDRESS, reference=thanks.reference, digits="0123")
    link = str(await services.journeys.link(journey.token))
    async with running(db_settings.changed(secret_keys=(NEW, KEY))) as changed:
        assert "no key opens" not in caplog.text
        assert await changed.has_right_key()
        assert isinstance(await changed.enquiries.thanked(thanks.link), StoredEnquiry)
        assert getattr(await changed.journeys.resume(link), "token", "") == journey.token
    caplog.clear()
    async with running(db_settings.changed(secret_keys=(NEW,))) as lost:
        assert isinstance(await lost.enquiries.thanked(thanks.link), EnquiryRefused)
        assert isinstance(await lost.journeys.resume(link), JourneyNotFound)
        assert await lost.enquiries.find(by_digits) == EnquiryRefused.saying(AWAY)
        thanked(await lost.enquiries.submit(sent(name="Another")))
        assert not await lost.has_right_key()
    columns = "enquiries.contact, enquiries.answers, journeys.answers, mail.recipient, mail.context"
    assert WRONG_KEY % columns in caplog.messages
    assert "enquiries: encrypted with no key of BROKER_SECRET_KEY, or changed since" in caplog.messages


def test_services_are_missing_before_they_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services_module, "_installed", [])
    with pytest.raises(ServicesMissingError, match=r"broker\.services\.install was not called"):
        services_module.current()
