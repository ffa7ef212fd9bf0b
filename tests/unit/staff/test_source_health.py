import logging
import os
from collections.abc import AsyncIterator
from datetime import UTC, timedelta

import pytest

from broker.cases.case import Refused
from broker.enquiries.enquiry import EnquiryKind
from broker.mail.outbox import MailError, Outbox
from broker.mail.outbox_store import OutboxStore
from broker.rates.feed.client import QUESTIONNAIRE, SAVED_RATES
from broker.settings import Settings
from broker.staff.audit import Act
from broker.staff.health import (
    AT_BUILD,
    CONTENT_CHECK_INTERVAL,
    EMBEDDED,
    LIVE_FLOW,
    NO_COPY,
    NOT_YET,
    NOTHING_TO_READ,
    OWN_FLOW,
    SAMPLES,
)
from broker.staff.source_health import REFRESHED, SOURCE_NAMES, LastRead, Refreshed, ServedRelease, Source
from broker.storage.database import Database, database_for
from broker.storage.encryption import secret_keys_for
from tests.unit.enquiries.enquiring import BEGINNING, sent
from tests.unit.questionnaire.flows import tree
from tests.unit.rates.feed.answers import answer, row
from tests.unit.staff.watched_site import Site, site


@pytest.fixture
def live_settings(db_settings: Settings) -> Settings:
    return db_settings.changed(api_url="https://broker.example/api")


@pytest.fixture
async def embedded(db_settings: Settings) -> AsyncIterator[Site]:
    async with site(db_settings) as opened:
        yield opened


@pytest.fixture
async def live(live_settings: Settings) -> AsyncIterator[Site]:
    async with site(live_settings) as opened:
        yield opened


async def test_embedded_site_says_so_and_has_nothing_to_refresh(embedded: Site) -> None:
    report = await embedded.health.report()
    assert [health.source for health in report.sources] == list(Source)
    assert (report.live, {health.live for health in report.sources}) == (False, {False})
    assert [health.words for health in report.sources[:6]] == [SAMPLES] * 5 + [OWN_FLOW]
    assert {health.words for health in report.sources[6:8]} == {EMBEDDED}
    assert not any(health.stale or health.can_refresh or health.reading.read_at for health in report.sources)
    for source in (*Source, "no such", None):
        refused = await embedded.health.refresh(source, who="ada")
        assert refused == Refused(words=SAMPLES if source in REFRESHED else NOTHING_TO_READ)
    assert await embedded.services.audit.latest(10) == ()


async def test_feed_is_refreshed_when_staff_ask_and_the_record_lists_that(live: Site) -> None:
    before = [live.health.of(source) for source in REFRESHED]
    assert {health.reading for health in before} == {LastRead()}
    assert [health.words for health in before][3:] == [NOT_YET, NOT_YET, OWN_FLOW]
    for source in REFRESHED:
        done = await live.health.refresh(source.value, who="ada")
        assert isinstance(done, Refreshed)
        assert (done.health.source, done.health.reading.read_at, done.health.stale) == (source, BEGINNING, False)
    assert live.source.asked
    assert [(entry.what, entry.about) for entry in reversed(await live.services.audit.latest(10))] == [
        (Act.RATES_REFRESHED, "rates"),
        (Act.RATES_REFRESHED, "rates-by-customer"),
        (Act.RATES_REFRESHED, "rates-by-lender"),
        (Act.LENDERS_REFRESHED, ""),
        (Act.LOGOS_REFRESHED, ""),
        (Act.QUESTIONNAIRE_REFRESHED, "questionnaire"),
    ]


async def test_questionnaire_with_faults_is_reported_with_each_step(live: Site) -> None:
    live.feed.trees[QUESTIONNAIRE] = {"queries": {**tree(), "q4": {"query_id": "q4", "query": "When?"}}}
    done = await live.health.refresh(Source.QUESTIONNAIRE.value, who="ada")
    assert isinstance(done, Refreshed)
    assert (done.health.stale, done.health.words) == (True, OWN_FLOW)
    assert done.health.reading.problem.startswith("the questionnaire has ")
    fault, *others = (await live.health.report()).question_faults
    assert (fault.item, fault.words) == ("questionnaire q4", "has none of options, input_options, rates")
    assert others
    live.feed.trees[QUESTIONNAIRE] = {"queries": {**tree(), "q1": {**tree()["q1"], "query": "Stay or buy?"}}}
    done = await live.health.refresh(Source.QUESTIONNAIRE.value, who="ada")
    assert isinstance(done, Refreshed)
    assert (done.health.stale, done.health.words) == (False, LIVE_FLOW)
    assert (await live.health.report()).question_faults == ()


async def test_failed_refresh_is_recorded_and_keeps_the_old_data(live: Site, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.CRITICAL):
        for source in REFRESHED:
            await live.health.refresh(source, who="ada")
        live.calendar.forward(minutes=1)
        live.feed.trees, live.source.away = {}, True
        for source in REFRESHED:
            done = await live.health.refresh(source, who="bob")
            assert isinstance(done, Refreshed)
            reading = done.health.reading
            assert (done.health.stale, reading.read_at, reading.failed_at) == (True, BEGINNING, live.calendar.now)
            assert reading.problem
        assert "2 of them from before" in live.health.of(Source.BY_LENDER).words
        details = [entry.detail for entry in reversed(await live.services.audit.latest(3 + 2 + 1, who="bob"))]
    assert details[0] == f"{SOURCE_NAMES[Source.RATES]}, failed: the source is away"
    assert details[1].endswith("failed: get_saved_rates: answered 502")


async def test_source_that_is_not_read_in_time_is_stale(live: Site) -> None:
    for source in REFRESHED:
        await live.health.refresh(source, who="ada")
    seen = []
    for minutes in (20, 1, 100):
        live.calendar.forward(minutes=minutes)
        seen.append((live.health.of(Source.BY_CUSTOMER).stale, live.health.of(Source.LENDERS).stale))
    assert not live.health.of(Source.RATES).stale
    assert seen == [(False, False), (True, False), (True, True)]


async def test_products_left_out_are_counted_with_their_day(live: Site) -> None:
    live.feed.trees[SAVED_RATES] = {"first-time-buyer": answer([row(), row(Term="5"), row(InitialRate="0.0001")])}
    await live.health.refresh(Source.BY_CUSTOMER.value, who="ada")
    await live.health.refresh(Source.RATES.value, who="ada")
    said = live.health.of(Source.BY_CUSTOMER).words
    assert "0 of them from before a failure or a restart. At 13:00 on 31 March 2026 2 products were" in said
    assert "2 products were left out: a figure is missing, or the payment or cost cannot be right" in said
    assert "left out" not in live.health.of(Source.RATES).words
    assert "left out" not in live.health.of(Source.BY_LENDER).words


async def test_copied_content_has_its_age(live: Site, live_settings: Settings) -> None:
    assert (live.health.of(Source.CONTENT).reading.read_at, live.health.of(Source.CONTENT).words) == (None, NO_COPY)
    folder = live_settings.state_dir / "content" / "current"
    folder.mkdir(parents=True)
    (folder / "snapshot.json").write_text("{}")
    os.utime(folder / "snapshot.json", (BEGINNING.timestamp(), BEGINNING.timestamp()))
    for age, is_stale in ((2 * CONTENT_CHECK_INTERVAL, False), (timedelta(seconds=1), True)):
        live.calendar.now += age
        content, questions = live.health.of(Source.CONTENT), live.health.of(Source.QUESTIONS)
        assert (content.reading.read_at, content.stale) == (BEGINNING, is_stale)
        assert content.words == "A copy of https://broker.example/api"
        assert (questions.reading, questions.words) == (content.reading, AT_BUILD)


async def test_outbox_says_what_waits_what_failed_and_what_was_sent(embedded: Site, db_settings: Settings) -> None:
    class Refusing:
        async def send(self, message: object) -> None:
            sent_notes.append(message)
            if len(sent_notes) > 1:
                raise MailError("550", lasting=True)

    sent_notes: list[object] = []
    empty = (await embedded.health.report()).outbox
    assert empty
    assert (empty.waiting, empty.failed, empty.oldest, empty.problem, empty.last_sent) == (0, 0, None, "", None)
    for number in range(3):
        await embedded.services.enquiries.submit(
            sent(EnquiryKind.CONTACT, message=f"Message {number}", email="", marketing=[])
        )
        embedded.calendar.forward(minutes=1)
    database = Database(database_for(db_settings).url)
    await Outbox(
        OutboxStore(database, secret_keys_for(db_settings), "one"), Refusing(), clock=embedded.calendar
    ).send_due()
    await database.close()
    report = await embedded.health.report()
    outbox = report.outbox
    assert outbox
    assert (outbox.waiting, outbox.failed, outbox.problem) == (2, 2, "550")
    assert (outbox.oldest, outbox.last_sent) == (BEGINNING + timedelta(minutes=1), embedded.calendar.now)
    assert outbox.oldest and outbox.oldest.tzinfo is UTC
    assert report.has_mail_server is False


async def test_report_says_what_visitors_are_served(embedded: Site) -> None:
    served = ServedRelease(name="release-1", built=BEGINNING, waiting="release-2")
    assert (await embedded.health.report()).release is None
    embedded.health._release = lambda: served
    assert (await embedded.health.report()).release == served


async def test_report_without_a_database_has_no_outbox(
    embedded: Site, db_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = Database(database_for(db_settings.changed(database_url="postgresql://nobody@127.0.0.1:1/n")).url)
    monkeypatch.setattr(embedded.services.outbox, "_database", nowhere)
    assert (await embedded.health.report()).outbox is None
