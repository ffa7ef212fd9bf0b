import asyncio
from pathlib import Path

import pytest

from broker import keys
from broker.enquiries.enquiry import StoredEnquiry
from broker.enquiries.service import EnquiryCredentials
from broker.questionnaire.journeys import JourneyNotFound
from broker.settings import Settings, SettingsError, read_settings
from tests.databases.fixtures import KEY
from tests.unit.enquiries.enquiring import ADDRESS, answered, running, sent, thanked

NEW = "another key, that is long enough too"


@pytest.fixture
def stored(tmp_path: Path) -> tuple[Settings, str, str]:
    """Return settings, an enquiry's reference and a journey's token, both encrypted under KEY."""

    async def work() -> tuple[str, str]:
        async with running(Settings(state_dir=tmp_path, secret_keys=(KEY,))) as services:
            thanks = thanked(await services.enquiries.submit(sent()))
            return thanks.reference, (await answered(services)).token

    return (Settings(state_dir=tmp_path), *asyncio.run(work()))


def run(command: str, settings: Settings, keys_of: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setenv("BROKER_STATE_DIR", str(settings.state_dir))
    monkeypatch.setenv("BROKER_SECRET_KEY", keys_of)
    return keys.main([command])


def test_everything_opens_with_the_new_key_alone_after_reseal(
    stored: tuple[Settings, str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings, reference, token = stored
    pair = f"{NEW},{KEY}".replace("key, that", "key that")
    new = NEW.replace("key, that", "key that")
    assert run("list", settings, pair, monkeypatch) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(" opens ")[2] for line in lines] == ["0 values.", "5 values."]
    assert run("reseal", settings, pair, monkeypatch) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:5] == [
        "Encrypted 1 values of enquiries.contact again.",
        "Encrypted 1 values of enquiries.answers again.",
        "Encrypted 1 values of journeys.answers again.",
        "Encrypted 1 values of mail.recipient again.",
        "Encrypted 1 values of mail.context again.",
    ]
    assert run("list", settings, new, monkeypatch) == 0

    async def read() -> tuple[object, object, object]:
        async with running(settings.changed(secret_keys=(new,))) as services:
            proof = EnquiryCredentials(address=ADDRESS, reference=reference, digits="0123")
            found = await services.enquiries.find(proof)
            assert isinstance(found, StoredEnquiry)
            known = await services.cases.known_by(found.enquiry.contact.telephone)
            return found, await services.journeys.find(token), known

    enquiry, journey, known = asyncio.run(read())
    assert isinstance(enquiry, StoredEnquiry)
    assert isinstance(known, tuple)
    assert [each.reference for each in known] == [reference]
    assert journey


def test_rows_that_no_key_opens_are_named_and_their_answers_are_lost(
    stored: tuple[Settings, str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings, _, token = stored
    lost = "a third key that nobody has used yet"
    assert run("list", settings, lost, monkeypatch) == 1
    assert "No key opens 1 values of journeys.answers." in capsys.readouterr().out

    async def read() -> tuple[object, object]:
        async with running(settings.changed(secret_keys=(lost,))) as services:
            return await services.journeys.find(token), await services.journeys.answer(token, "q5", answer="x")

    assert asyncio.run(read()) == (None, JourneyNotFound())


@pytest.mark.parametrize("key", ["short", "a" * 64, "abc" * 20])
def test_weak_key_is_refused(key: str) -> None:
    with pytest.raises(SettingsError, match="BROKER_SECRET_KEY"):
        read_settings({"BROKER_SECRET_KEY": key})
