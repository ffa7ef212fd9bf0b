"""How the sources stand: with the sample market, with a live feed that comes and goes, and with a copied content."""

import logging
import os
from datetime import UTC, datetime, timedelta

import pytest

from broker.domain.enquiries.enquiry import EnquiryKind
from broker.domain.staff.audit import Act
from broker.domain.staff.enquiry_workflow import Refused
from broker.domain.staff.source_health import REFRESHED, SOURCE_NAMES, Reading, Refreshed, ServedRelease, Source
from broker.services.enquiries.mailer import MailError
from broker.services.enquiries.outbox import Outbox
from broker.services.staff.source_health import (
    AT_BUILD,
    CONTENT_CHECK_INTERVAL,
    EMBEDDED,
    NO_COPY,
    NOT_YET,
    NOTHING_TO_READ,
    SAMPLES,
)
from broker.settings import Settings
from broker.storage.database import Database, database_for
from broker.storage.enquiries.outbox import OutboxStore
from tests.unit.services.enquiring import BEGINNING, sent
from tests.unit.services.watched_site import Site, on_site


@pytest.fixture
def live_settings(db_settings: Settings) -> Settings:
    """The settings of a site with a live feed."""
    return db_settings.changed(api_url="https://broker.example/api")


def test_embedded_site_says_so_and_has_nothing_to_refresh(db_settings: Settings) -> None:
    async def block(opened: Site) -> None:
        report = await opened.health.report()
        assert [health.source for health in report.sources] == list(Source)
        assert (report.live, {health.live for health in report.sources}) == (False, {False})
        assert {health.words for health in report.sources[:5]} == {SAMPLES}
        assert {health.words for health in report.sources[5:7]} == {EMBEDDED}
        assert not any(health.stale or health.can_refresh or health.reading.read_at for health in report.sources)
        for source in (*Source, "no such", None):
            refused = await opened.health.refresh(source, who="ada")
            assert refused == Refused(words=SAMPLES if source in REFRESHED else NOTHING_TO_READ)
        assert await opened.services.audit.latest(10) == ()

    on_site(db_settings, block)


def test_feed_is_refreshed_when_staff_say_so_and_the_record_tells(live_settings: Settings) -> None:
    async def block(opened: Site) -> list[tuple[Act, str]]:
        before = [opened.health.of(source) for source in REFRESHED]
        assert {health.reading for health in before} == {Reading()}
        assert [health.words for health in before][3:] == [NOT_YET, NOT_YET]
        for source in REFRESHED:
            done = await opened.health.refresh(source.value, who="ada")
            assert isinstance(done, Refreshed)
            assert (done.health.source, done.health.reading.read_at, done.health.stale) == (source, BEGINNING, False)
        assert opened.source.asked
        return [(entry.what, entry.about) for entry in reversed(await opened.services.audit.latest(10))]

    assert on_site(live_settings, block) == [
        (Act.RATES_REFRESHED, "rates"),
        (Act.RATES_REFRESHED, "rates-by-customer"),
        (Act.RATES_REFRESHED, "rates-by-lender"),
        (Act.LENDERS_REFRESHED, ""),
        (Act.LOGOS_REFRESHED, ""),
    ]


def test_failed_refresh_is_recorded_and_keeps_the_old_data(
    live_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    async def block(opened: Site) -> list[str]:
        for source in REFRESHED:
            await opened.health.refresh(source, who="ada")
        opened.calendar.forward(minutes=1)
        opened.feed.trees, opened.source.away = {}, True
        for source in REFRESHED:
            done = await opened.health.refresh(source, who="bob")
            assert isinstance(done, Refreshed)
            reading = done.health.reading
            assert (done.health.stale, reading.read_at, reading.failed_at) == (
                True,
                BEGINNING,
                opened.calendar.now,
            )
            assert reading.problem
        assert "2 of them from before" in opened.health.of(Source.BY_LENDER).words
        return [entry.detail for entry in reversed(await opened.services.audit.latest(3 + 2, who="bob"))]

    with caplog.at_level(logging.CRITICAL):
        details = on_site(live_settings, block)
    assert details[0] == f"{SOURCE_NAMES[Source.RATES]}, failed: the source is away"
    assert details[1].endswith("failed: get_saved_rates: answered 502")


def test_source_that_is_not_read_in_time_is_stale(live_settings: Settings) -> None:
    async def block(opened: Site) -> list[tuple[bool, bool]]:
        for source in REFRESHED:
            await opened.health.refresh(source, who="ada")
        seen = []
        for minutes in (20, 1, 100):
            opened.calendar.forward(minutes=minutes)
            seen.append((opened.health.of(Source.BY_CUSTOMER).stale, opened.health.of(Source.LENDERS).stale))
        assert not opened.health.of(Source.RATES).stale
        return seen

    assert on_site(live_settings, block) == [(False, False), (True, False), (True, True)]


def test_copied_content_tells_its_age(live_settings: Settings) -> None:
    def block_at(age: timedelta) -> tuple[datetime | None, bool, str, str]:
        async def block(opened: Site) -> tuple[datetime | None, bool, str, str]:
            opened.calendar.now = BEGINNING + age
            content, questions = opened.health.of(Source.CONTENT), opened.health.of(Source.QUESTIONS)
            assert (content.reading, questions.words) == (questions.reading, AT_BUILD)
            return content.reading.read_at, content.stale, content.words, questions.words

        return on_site(live_settings, block)

    assert block_at(timedelta())[::2] == (None, NO_COPY)
    folder = live_settings.state_dir / "content" / "current"
    folder.mkdir(parents=True)
    (folder / "snapshot.json").write_text("{}")
    os.utime(folder / "snapshot.json", (BEGINNING.timestamp(), BEGINNING.timestamp()))
    fresh, old = block_at(2 * CONTENT_CHECK_INTERVAL), block_at(2 * CONTENT_CHECK_INTERVAL + timedelta(seconds=1))
    assert fresh[:3] == (BEGINNING, False, "A copy of https://broker.example/api")
    assert old[:2] == (BEGINNING, True)


def test_outbox_tells_what_waits_what_failed_and_what_went(db_settings: Settings) -> None:
    class Refusing:
        async def send(self, note: object) -> None:
            """Take the first note alone."""
            sent_notes.append(note)
            if len(sent_notes) > 1:
                raise MailError("550", lasting=True)

    sent_notes: list[object] = []

    async def block(opened: Site) -> None:
        empty = (await opened.health.report()).outbox
        assert empty
        assert (empty.waiting, empty.failed, empty.oldest, empty.problem, empty.last_sent) == (0, 0, None, "", None)
        for number in range(3):
            await opened.services.enquiries.submit(sent(EnquiryKind.CONTACT, message=f"Message {number}"))
            opened.calendar.forward(minutes=1)
        database = Database(database_for(db_settings).url)
        await Outbox(OutboxStore(database, "one"), Refusing(), clock=opened.calendar).send_due()
        await database.close()
        report = await opened.health.report()
        outbox = report.outbox
        assert outbox
        assert (outbox.waiting, outbox.failed, outbox.problem) == (2, 2, "550")
        assert (outbox.oldest, outbox.last_sent) == (BEGINNING + timedelta(minutes=1), opened.calendar.now)
        assert outbox.oldest and outbox.oldest.tzinfo is UTC
        assert report.has_mail_server is False

    on_site(db_settings, block)


def test_report_tells_what_visitors_are_served(db_settings: Settings) -> None:
    served = ServedRelease(name="release-1", built=BEGINNING, waiting="release-2")

    async def block(opened: Site) -> tuple[object, object]:
        asked = (await opened.health.report()).release
        opened.health._release = lambda: served
        return asked, (await opened.health.report()).release

    assert on_site(db_settings, block) == (None, served)


def test_report_without_a_database_has_no_outbox(db_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async def block(opened: Site) -> object:
        nowhere = Database(database_for(db_settings.changed(database_url="postgresql://nobody@127.0.0.1:1/n")).url)
        monkeypatch.setattr(opened.services.outbox, "_database", nowhere)
        return (await opened.health.report()).outbox

    assert on_site(db_settings, block) is None
