import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.mail.mail import MailKind
from broker.mail.outbox_store import MAX_WAITING
from broker.storage.database import Database
from broker.storage.encryption import DecryptionError, SecretKeys, count_by_key, reencrypt
from broker.watches.checks import Record, with_told
from broker.watches.store import CheckedWatch, News, OutboxFullError, WatchStore, read_record, write_record
from broker.watches.watch import Tell, WatchState
from tests.databases.fixtures import KEY
from tests.unit.enquiries.enquiring import BEGINNING, Calendar
from tests.unit.watches.watching import TODAY, Watching, owned, sent, watching

OTHER_KEY = "another key of the tests that is long enough"
DAY = timedelta(days=1)


@pytest.fixture
def kept(database: Database, calendar: Calendar) -> Watching:
    return watching(database, calendar)


async def active(kept: Watching) -> list[CheckedWatch]:
    return [each async for batch in kept.store.active() for each in batch]


async def confirmed(kept: Watching, **fields: Any) -> CheckedWatch:
    await kept.started(**fields)
    owned(await kept.service.confirm((await kept.links())[-1]))
    return (await active(kept))[-1]


async def test_nothing_personal_is_readable_in_the_table(kept: Watching) -> None:
    await kept.started(mayCall="yes", telephone="07700 900123")
    [row] = await kept.rows()
    link, stop = (await kept.links())[0], (await kept.stops())[0]
    held = " ".join(str(value) for value in row)
    for word in ("ebedee", "quill", "900123", "187400", "310000", link, stop):
        assert word not in held, word
    assert (row.may_call, row.deal_month, row.state) == (True, 2026 * 12 + 11, "unconfirmed")
    assert (len(link), len(stop)) == (32, 32)


async def test_keys_change_what_is_stored_and_the_old_ones_still_read(database: Database, kept: Watching) -> None:
    await kept.started()
    [link] = await kept.links()
    keys = SecretKeys((OTHER_KEY, KEY))
    assert owned(await kept.store.find(link)) == owned(await WatchStore(database, keys).find(link))
    changed = await reencrypt(database, keys)
    assert (changed["watches.contact"], changed["watches.figures"]) == (1, 1)
    assert owned(await WatchStore(database, SecretKeys((OTHER_KEY,))).find(link)).email == "Zebedee@quill.example"
    with pytest.raises(DecryptionError):
        await kept.store.find(link)
    assert (await count_by_key(database, SecretKeys((KEY,))))["watches.contact"] == {None: 1}


async def spoil(database: Database, column: str, *, of: int) -> None:
    """Store what no key decrypts in a column of a watch."""
    other = "contact" if column == "figures" else "figures"

    async def work(connection: AsyncConnection) -> None:
        await connection.execute(text(f"UPDATE watches SET {column} = {other} WHERE id = :id"), {"id": of})

    await database.write(work)


async def test_watch_that_no_key_decrypts_leaves_the_others_their_reminders(
    database: Database, kept: Watching, caplog: pytest.LogCaptureFixture
) -> None:
    await kept.started()
    await kept.started(email="ann@quill.example")
    await spoil(database, "contact", of=1)
    after = timedelta(days=3)
    assert [await kept.store.remind(BEGINNING + after, after=after) for _ in range(2)] == [1, 0]
    assert "watch 1 is encrypted with a key" in caplog.text


async def test_watch_that_no_key_decrypts_leaves_the_others_to_staff(database: Database, kept: Watching) -> None:
    for email in ("ann@quill.example", "bea@quill.example"):
        await confirmed(kept, email=email, mayCall="yes", telephone="07700 900123")
    await spoil(database, "contact", of=1)
    assert [each.email for each in await kept.service.callable_watches()] == ["bea@quill.example"]


async def test_watch_that_no_key_decrypts_leaves_the_others_to_be_checked(
    database: Database, kept: Watching, caplog: pytest.LogCaptureFixture
) -> None:
    await confirmed(kept)
    other = watching(database, kept.calendar)
    await confirmed(kept, email="ann@quill.example")
    await spoil(database, "figures", of=1)
    assert [each.id for each in await active(other)] == [2]
    assert "watch 1 is encrypted with a key" in caplog.text
    await spoil(database, "figures", of=2)
    assert [batch async for batch in other.store.active()] == []


def test_record_is_the_same_after_it_was_stored() -> None:
    at = datetime(2026, 10, 25, 0, 59, tzinfo=UTC)
    record = Record(since=TODAY, told={Tell.RATE: at}, found={Tell.SAVING: at}, mailed=(at, at + DAY))
    assert read_record(write_record(record)) == record


async def test_news_is_mailed_once_by_checks_at_once(database: Database, kept: Watching) -> None:
    checked = await confirmed(kept)
    await kept.mails()
    record = with_told(checked.record, (Tell.WINDOW,), BEGINNING)
    news = [News(checked=checked, record=record, context={"news": "Something"})]
    stores = [WatchStore(database, SecretKeys((KEY,))) for _ in range(5)]
    assert sorted(await asyncio.gather(*(store.tell(news, BEGINNING) for store in stores))) == [0, 0, 0, 0, 1]
    [mail] = await kept.mails()
    assert (mail.kind, mail.recipient, mail.context["news"]) == (
        *(MailKind.WATCH_NEWS, "Zebedee@quill.example", "Something"),
    )
    assert (mail.context["link"], mail.context["stop"]) == ((await kept.links())[0], (await kept.stops())[0])
    [told] = owned(await kept.service.find(mail.context["link"])).told
    assert (told.tell, told.at) == (Tell.WINDOW, BEGINNING)


async def test_watch_that_was_changed_paused_or_stopped_since_it_was_read_is_told_nothing(kept: Watching) -> None:
    read = [await confirmed(kept, email=f"{name}@quill.example") for name in ("a", "b", "c", "d")]
    await kept.mails()
    links = await kept.links()
    await kept.service.change(links[0], {**sent().given, "balance": "1,000"})
    await kept.service.pause(links[1])
    await kept.service.stop(links[2])
    news = [News(checked=each, record=with_told(each.record, (Tell.RATE,), BEGINNING), context={}) for each in read]
    await kept.store.save_records([(each, Record(since=TODAY, found={Tell.SAVING: BEGINNING})) for each in read[:3]])
    assert await kept.store.tell(news, BEGINNING) == 1
    assert [mail.recipient for mail in await kept.mails()] == ["d@quill.example"]
    assert [each.record.found for each in await active(kept)] == [{}, {}]


async def test_finding_is_stored_and_counts_as_a_change(kept: Watching) -> None:
    first, second = await confirmed(kept), await confirmed(kept, email="ann@quill.example")
    found = [(each, Record(since=TODAY, found={Tell.SAVING: BEGINNING})) for each in (first, second)]
    await kept.store.save_records(found)
    await kept.store.save_records([])
    again = await active(kept)
    assert [each.record.found for each in again] == [{Tell.SAVING: BEGINNING}] * 2
    assert [each.version for each in again] == [first.version + 1, second.version + 1]


async def test_stop_and_pause_delete_the_mail_that_waits(kept: Watching) -> None:
    for name in ("a", "b", "c"):
        checked = await confirmed(kept, email=f"{name}@quill.example")
        await kept.mails()
    for checked in await active(kept):
        record = with_told(checked.record, (Tell.RATE,), BEGINNING)
        assert await kept.store.tell([News(checked=checked, record=record, context={})], BEGINNING) == 1
    links, stops = await kept.links(), await kept.stops()
    assert await kept.service.stop(links[0]) is True
    await kept.service.unsubscribe(stops[1])
    await kept.service.unsubscribe(stops[1])
    assert owned(await kept.service.pause(links[2])).state is WatchState.PAUSED
    assert (await kept.outbox.status()).waiting == 0
    assert await kept.mails() == []
    assert len(await kept.rows()) == 1


async def test_full_outbox_takes_no_watch_and_no_news(kept: Watching, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = await confirmed(kept)
    assert MAX_WAITING > 1
    monkeypatch.setattr("broker.mail.outbox_store.MAX_WAITING", 1)
    news = News(checked=checked, record=with_told(checked.record, (Tell.RATE,), BEGINNING), context={})
    with pytest.raises(OutboxFullError):
        await kept.store.tell([news], BEGINNING)
    assert (await active(kept))[0].record.told == {}
    assert not hasattr(await kept.service.start(sent(email="ann@quill.example")), "email")
    assert len(await kept.rows()) == 1


async def test_one_process_makes_a_check_and_the_next_one_after_its_interval(database: Database) -> None:
    stores, hour = [WatchStore(database, SecretKeys((KEY,))) for _ in range(4)], timedelta(hours=1)

    async def claims(now: datetime) -> int:
        return sum(await asyncio.gather(*(store.claim_check(now, every=hour) for store in stores)))

    assert await claims(BEGINNING) == 1
    assert await claims(BEGINNING + hour - timedelta(seconds=1)) == 0
    assert await claims(BEGINNING + hour) == 1
    assert await claims(BEGINNING + hour - timedelta(minutes=5)) == 0
    assert await claims(BEGINNING + 365 * DAY) == 1
    assert await claims(BEGINNING + hour) == 1


async def test_reminder_is_sent_once_an_address_and_the_watch_deleted_in_time(kept: Watching) -> None:
    for balance in ("1,000", "2,000"):
        await kept.started(balance=balance)
    await kept.started(email="ann@quill.example")
    await kept.service.confirm((await kept.links())[-1])
    await kept.mails()
    after = timedelta(days=3)
    assert await kept.store.remind(BEGINNING + after - timedelta(seconds=1), after=after) == 0
    assert [await kept.store.remind(BEGINNING + after, after=after) for _ in range(2)] == [1, 0]
    kept.calendar.forward(days=3)
    [mail] = await kept.mails()
    assert (mail.kind, mail.recipient) == (MailKind.WATCH_REMINDER, "Zebedee@quill.example")
    assert mail.context["delete_on"] == "7 April 2026"
    assert await kept.store.delete_unconfirmed(BEGINNING - timedelta(seconds=1)) == 0
    assert await kept.store.delete_unconfirmed(BEGINNING) == 2
    assert [row.state for row in await kept.rows()] == ["active"]


async def test_watches_are_deleted_a_year_after_the_end_of_the_deal(kept: Watching) -> None:
    await confirmed(kept)
    due = datetime(2027, 12, 25, tzinfo=UTC)
    assert [await kept.store.count_due(at) for at in (due - DAY, due)] == [0, 1]
    assert await kept.store.delete_due(due, after=due) == 0
    assert await kept.store.delete_due(due, after=due - DAY) == 1


async def test_staff_see_confirmed_watches_whose_owner_may_be_called_by_the_end_of_the_deal(kept: Watching) -> None:
    call: dict[str, Any] = {"mayCall": "yes", "telephone": "07700 900123"}
    await confirmed(kept, end="2027-01-20", **call)
    await confirmed(kept, email="ann@quill.example")
    await confirmed(kept, email="bea@quill.example", end="2027-01-03", **call)
    await kept.started(email="cay@quill.example", **call)
    found = await kept.service.callable_watches()
    assert [(each.email, each.watch.deal_end.day, each.telephone) for each in found] == [
        ("bea@quill.example", 3, "+447700900123"),
        ("Zebedee@quill.example", 20, "+447700900123"),
    ]
