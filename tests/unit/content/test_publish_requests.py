import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from broker.content.publish_requests import CHANGE_FILE, RUN_FILE, ContentChangeStore, Publishing, PublishingFiles
from broker.content.publishing import WEBHOOK, ContentChange, PublishResult, PublishRun
from broker.settings import Settings
from broker.staff.audit import Act
from broker.staff.audit_log import AuditStore
from broker.storage.database import Database, database_for
from broker.storage.errors import StorageError
from tests.unit.enquiries.enquiring import BEGINNING, Calendar

SECRET = "a secret of the webhook, long enough"
SIGNED, ANOTHER = "a" * 64, "b" * 64


@pytest.fixture
async def database(db_settings: Settings) -> AsyncIterator[Database]:
    database = database_for(db_settings)
    yield database
    await database.close()


@pytest.fixture
def settings(db_settings: Settings) -> Settings:
    return db_settings.changed(content_hook_secrets=(SECRET,))


def publishing(settings: Settings, database: Database, calendar: Calendar | None = None) -> Publishing:
    return Publishing(settings, ContentChangeStore(database), AuditStore(database), clock=calendar or Calendar())


async def test_message_is_accepted_once_though_the_server_starts_again(settings: Settings, database: Database) -> None:
    first, files = publishing(settings, database), PublishingFiles(settings)
    assert await first.accept(SIGNED)
    assert files.change() == ContentChange(at=BEGINNING, by=WEBHOOK)
    again = publishing(settings, database)
    assert [await again.accept(SIGNED), await first.accept(SIGNED), await again.accept(ANOTHER)] == [False, False, True]


async def test_other_servers_learn_of_a_change(settings: Settings, database: Database, tmp_path: Path) -> None:
    here = publishing(settings, database)
    there = settings.changed(state_dir=tmp_path / "another machine")
    await publishing(there, database).accept(SIGNED)
    assert PublishingFiles(settings).change() is None
    await here.pass_on()
    assert PublishingFiles(settings).change() == PublishingFiles(there).change()


async def test_staff_publish_it_and_the_record_lists_that(settings: Settings, database: Database) -> None:
    await publishing(settings, database).publish_now(who="ada")
    assert PublishingFiles(settings).change() == ContentChange(at=BEGINNING, by="ada")
    (entry,) = await AuditStore(database).latest(9)
    assert (entry.who, entry.what, entry.sentence) == ("ada", Act.CONTENT_REFRESHED, "had the content published")


async def test_without_a_secret_nothing_is_published_by_itself(db_settings: Settings, database: Database) -> None:
    off = publishing(db_settings, database)
    await off.publish_now(who="ada")
    await off.pass_on_periodically()
    assert (PublishingFiles(db_settings).change(), await AuditStore(database).latest(9)) == (None, ())


async def test_change_that_cannot_be_passed_on_is_not_accepted_in_silence(
    settings: Settings, database: Database
) -> None:
    folder = PublishingFiles(settings).folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("a file where the folder belongs")
    with pytest.raises(StorageError, match="cannot be passed on"):
        await publishing(settings, database).accept(SIGNED)
    folder.unlink()
    await publishing(settings, database).pass_on()
    assert PublishingFiles(settings).change() == ContentChange(at=BEGINNING, by=WEBHOOK)


CHANGED = ContentChange(at=datetime(2026, 11, 24, 12, 0, 0, 123_456, tzinfo=UTC), by="the content service")
FAILED = PublishRun(
    change=CHANGED, started=CHANGED.at, finished=CHANGED.at, result=PublishResult.FAILED, reason="Réason “x”"
)


def test_change_and_run_are_read_as_they_were_written(tmp_path: Path) -> None:
    files = PublishingFiles(Settings(state_dir=tmp_path / "not" / "there"))
    assert (files.change(), files.run()) == (None, None)
    files.write_change(CHANGED)
    for run in (PublishRun(change=CHANGED, started=CHANGED.at), FAILED):
        files.write_run(run)
        assert (files.change(), files.run()) == (CHANGED, run)
    assert {file.name for file in files.folder.iterdir()} == {CHANGE_FILE, RUN_FILE}


@pytest.mark.parametrize("text", ["", "{", "null", "[]", '{"at":"now","by":"ada"}', '{"at":1}'])
def test_damaged_file_counts_as_none(tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture) -> None:
    files = PublishingFiles(Settings(state_dir=tmp_path))
    files.folder.mkdir()
    for name in (CHANGE_FILE, RUN_FILE):
        (files.folder / name).write_text(text)
    with caplog.at_level(logging.WARNING):
        assert (files.change(), files.run()) == (None, None)
    assert len(caplog.messages) == 2
