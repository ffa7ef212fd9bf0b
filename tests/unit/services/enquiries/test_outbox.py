"""The outbox: each note is one sender's, goes once, and waits longer after each failure."""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from datetime import timedelta

import pytest

from broker.domain.enquiries.enquiry import EnquiryKind
from broker.services.background_tasks import in_background
from broker.services.enquiries.enquiries import EnquiryCredentials
from broker.services.enquiries.mailer import MailError
from broker.services.enquiries.outbox import LEASE, Outbox, retry_delay
from broker.settings import Settings
from broker.storage.database import Database, database_for
from broker.storage.enquiries.outbox import OutboxMessage, OutboxStore
from tests.unit.services.enquiring import ADDRESS, Calendar, running, sent, thanked


class Post:
    """Takes notes, or meets the failures it is told of first."""

    def __init__(self, *failures: MailError) -> None:
        self.failures = list(failures)
        self.taken: list[str] = []
        self.tried: list[int] = []

    async def send(self, note: OutboxMessage) -> None:
        """Take a note, after giving the others a turn."""
        await asyncio.sleep(0)
        self.tried.append(note.attempts)
        if self.failures:
            raise self.failures.pop(0)
        self.taken.append(note.reference)


async def enquiries(settings: Settings, count: int, calendar: Calendar) -> list[str]:
    """Store some enquiries, and return their references."""
    async with running(settings, calendar) as services:
        forms = [sent(EnquiryKind.CONTACT, message=f"Message {number}") for number in range(count)]
        return [thanked(await services.enquiries.submit(form)).reference for form in forms]


def outbox(database: Database, post: Post, calendar: Calendar, name: str = "one") -> Outbox:
    """Return the outbox of a process."""
    return Outbox(OutboxStore(database, name), post, clock=calendar)


def test_notes_go_once_though_several_processes_send(db_settings: Settings) -> None:
    async def block() -> tuple[bool, int, int]:
        calendar, post = Calendar(), Post()
        known = await enquiries(db_settings, 5, calendar)
        databases = [database_for(db_settings) for _ in range(3)]
        senders = [outbox(each, post, calendar, str(number)) for number, each in enumerate(databases)]
        sent_by_each = await asyncio.gather(*(sender.send_due() for sender in senders))
        waiting = await OutboxStore(databases[0], "").waiting()
        for each in databases:
            await each.close()
        return sorted(post.taken) == sorted(known), sum(sent_by_each), waiting

    assert asyncio.run(block()) == (True, 5, 0)


def attempts(settings: Settings, failures: Sequence[MailError], waits: Sequence[timedelta]) -> list[int]:
    """Return the attempts made after each of some waits, one enquiry being stored."""

    async def block() -> list[int]:
        calendar, post = Calendar(), Post(*failures)
        await enquiries(settings, 1, calendar)
        database = database_for(settings)
        sender, made = outbox(database, post, calendar), []
        for wait in (timedelta(), *waits):
            calendar.now += wait
            await sender.send_due()
            made.append(len(post.tried))
        await database.close()
        return made

    return asyncio.run(block())


def test_failure_is_tried_again_ever_later(db_settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    soon, then = timedelta(seconds=29), timedelta(seconds=1)
    failures = [MailError("SMTPConnectError", away=True), MailError("451")]
    with caplog.at_level(logging.WARNING, logger="broker.services.enquiries.outbox"):
        made = attempts(db_settings, failures, [soon, then, timedelta(seconds=59), then, timedelta(days=9)])
    assert made == [1, 1, 2, 2, 3, 3]
    ours = [record for record in caplog.records if record.name == "broker.services.enquiries.outbox"]
    assert [(record.levelname, record.getMessage()) for record in ours] == [
        ("WARNING", "note 1 not sent, tried again in 30 s: SMTPConnectError"),
        ("WARNING", "note 1 not sent, tried again in 60 s: 451"),
    ]


def test_lasting_refusal_is_an_error_in_the_log_and_kept(
    db_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, logger="broker.services.enquiries.outbox"):
        made = attempts(db_settings, [MailError("550", lasting=True)], [timedelta(minutes=59), timedelta(minutes=1)])
    assert made == [1, 1, 2]
    assert [record.getMessage() for record in caplog.records] == ["note 1 not sent, tried again in 3600 s: 550"]


def test_waits_double_up_to_a_quarter_of_an_hour() -> None:
    assert [int(retry_delay(count).total_seconds()) for count in (1, 2, 3, 4, 5, 6, 1_000_000)] == [
        30,
        60,
        120,
        240,
        480,
        900,
        900,
    ]


def test_note_of_a_dead_sender_is_sent_by_another_after_its_lease(db_settings: Settings) -> None:
    async def block() -> list[int]:
        calendar, post = Calendar(), Post()
        await enquiries(db_settings, 1, calendar)
        database, made = database_for(db_settings), []
        assert await OutboxStore(database, "died").claim(calendar(), lease=LEASE)
        for wait in (timedelta(), LEASE - timedelta(seconds=1), timedelta(seconds=1)):
            calendar.now += wait
            made.append(await outbox(database, post, calendar).send_due())
        await database.close()
        return made

    assert asyncio.run(block()) == [0, 0, 1]


def test_sender_whose_lease_was_taken_over_settles_nothing(db_settings: Settings) -> None:
    async def block() -> int:
        calendar = Calendar()
        await enquiries(db_settings, 1, calendar)
        database = database_for(db_settings)
        slow, quick = OutboxStore(database, "slow"), OutboxStore(database, "quick")
        first = await slow.claim(calendar(), lease=LEASE)
        calendar.now += LEASE
        assert await quick.claim(calendar(), lease=LEASE)
        assert first
        await slow.reschedule(first, due=calendar(), problem="451")
        again = await slow.claim(calendar(), lease=LEASE)
        waiting = await slow.waiting()
        await database.close()
        return waiting if again is None else -1

    assert asyncio.run(block()) == 1


def test_enquiry_that_is_deleted_takes_its_note_with_it(db_settings: Settings) -> None:
    async def block() -> int:
        async with running(db_settings) as services:
            thanks = thanked(await services.enquiries.submit(sent()))
            assert await services.enquiries.delete(EnquiryCredentials(address=ADDRESS, link=thanks.link)) is True
        database = database_for(db_settings)
        waiting = await OutboxStore(database, "").waiting()
        await database.close()
        return waiting

    assert asyncio.run(block()) == 0


def test_sender_ends_though_the_word_to_end_came_with_an_answer(db_settings: Settings) -> None:
    class Deaf(Post):
        async def send(self, note: OutboxMessage) -> None:
            """Take a note, and keep the word to end to itself, as Python 3.11's `wait_for` may."""
            sending.set()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            await super().send(note)

    async def block() -> int:
        calendar = Calendar()
        await enquiries(db_settings, 2, calendar)
        database, post = database_for(db_settings), Deaf()
        async with asyncio.timeout(10), in_background(outbox(database, post, calendar).send_periodically()):
            await sending.wait()
        await database.close()
        return len(post.taken)

    sending = asyncio.Event()
    assert asyncio.run(block()) == 1
