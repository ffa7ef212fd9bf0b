import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

import pytest

from broker.background import in_background
from broker.enquiries.enquiry import EnquiryKind
from broker.mail.mail import ClaimedMail, MailKind, NewMail, ReturnedMail
from broker.mail.outbox import LEASE, MIN_ATTEMPTS, REFUSED_RETRY_DELAY, MailError, Outbox, retry_delay
from broker.mail.outbox_store import LIFETIME, MailCipher, OutboxStore, add_mail, find_returned
from broker.settings import Settings
from broker.storage.database import Database, database_for
from broker.storage.encryption import SecretKeys
from tests.databases.fixtures import KEY
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.enquiries.enquiring import Calendar, running, sent, thanked

KEYS = SecretKeys((KEY,))
ADDRESS = "zebedee@quill.example"
NO_EMAIL: dict[str, object] = {"email": "", "marketing": []}


class RecordingMailer:
    """Accepts messages after some failures."""

    def __init__(self, *failures: MailError) -> None:
        self.failures = list(failures)
        self.taken: list[str] = []
        self.attempts: list[int] = []

    async def send(self, message: ClaimedMail) -> None:
        """Accept a message, after giving other tasks a turn."""
        await asyncio.sleep(0)
        self.attempts.append(message.attempts)
        if self.failures:
            raise self.failures.pop(0)
        self.taken.append(message.context["reference"])


@pytest.fixture
async def database(db_settings: Settings) -> AsyncIterator[Database]:
    opened = database_for(db_settings)
    yield opened
    await opened.close()


async def store(settings: Settings, count: int, calendar: Calendar, *, confirmed: bool = False) -> list[str]:
    async with running(settings, calendar) as services:
        forms = [
            sent(EnquiryKind.CONTACT, message=f"Message {number}", **({} if confirmed else NO_EMAIL))
            for number in range(count)
        ]
        return [thanked(await services.enquiries.submit(form)).reference for form in forms]


def outbox(database: Database, mailer: RecordingMailer, calendar: Calendar, name: str = "one") -> Outbox:
    return Outbox(OutboxStore(database, KEYS, name), mailer, clock=calendar)


async def claimed(store: OutboxStore, calendar: Calendar) -> ClaimedMail | None:
    return await store.claim(calendar(), lease=LEASE, longest=REFUSED_RETRY_DELAY)


async def test_message_is_sent_once_by_several_processes(db_settings: Settings, calendar: Calendar) -> None:
    mailer, references = RecordingMailer(), await store(db_settings, 5, calendar)
    databases = [database_for(db_settings) for _ in range(3)]
    senders = [outbox(each, mailer, calendar, str(number)) for number, each in enumerate(databases)]
    assert sum(await asyncio.gather(*(sender.send_due() for sender in senders))) == 5
    assert (await OutboxStore(databases[0], KEYS, "").status()).waiting == 0
    for each in databases:
        await each.close()
    assert sorted(mailer.taken) == sorted(references)


LOG = "broker.mail.outbox"
FAILURES = {
    "ever later": (
        [MailError("SMTPConnectError", away=True), MailError("451")],
        [(0, 1), (29, 1), (1, 2), (59, 2), (1, 3), (9 * 86_400, 3)],
        [
            (LOG, logging.WARNING, "mail 1 not sent, tried again in 30 s: SMTPConnectError"),
            (LOG, logging.WARNING, "mail 1 not sent, tried again in 60 s: 451"),
        ],
    ),
    "lasting": (
        [MailError("550", lasting=True)],
        [(0, 1), (59 * 60, 1), (60, 2)],
        [(LOG, logging.ERROR, "mail 1 not sent, tried again in 3600 s: 550")],
    ),
}


@pytest.mark.parametrize("case", FAILURES)
async def test_failure_is_logged_and_tried_again_later(
    db_settings: Settings, database: Database, calendar: Calendar, caplog: pytest.LogCaptureFixture, case: str
) -> None:
    failures, attempts, log = FAILURES[case]
    await store(db_settings, 1, calendar)
    mailer = RecordingMailer(*failures)
    with caplog.at_level(logging.WARNING, logger=LOG):
        for seconds, made in attempts:
            calendar.forward(seconds=seconds)
            await outbox(database, mailer, calendar).send_due()
            assert len(mailer.attempts) == made
    assert [entry for entry in caplog.record_tuples if entry[0] == LOG] == log


def test_waits_double_up_to_a_quarter_of_an_hour() -> None:
    waits = {1: 30, 2: 60, 3: 120, 4: 240, 5: 480, 6: 900, 1_000_000: 900}
    assert {count: int(retry_delay(count).total_seconds()) for count in waits} == waits


async def test_messages_are_sent_at_once_after_a_clock_that_was_ahead_is_set_back(
    db_settings: Settings, database: Database, calendar: Calendar
) -> None:
    await store(db_settings, 3, calendar)
    assert await claimed(OutboxStore(database, KEYS, "died"), calendar)
    failing = RecordingMailer(MailError("SMTPConnectError", away=True))
    await outbox(database, failing, calendar).send_due()
    calendar.forward(hours=-1)
    assert await outbox(database, RecordingMailer(), calendar).send_due() == 3


async def test_sender_ends_though_it_swallowed_its_cancellation(
    db_settings: Settings, database: Database, calendar: Calendar
) -> None:
    sending = asyncio.Event()

    class Uncancellable(RecordingMailer):
        async def send(self, message: ClaimedMail) -> None:
            """Accept a message, and swallow a cancellation, as Python 3.11's `wait_for` may."""
            sending.set()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            await super().send(message)

    await store(db_settings, 2, calendar)
    mailer = Uncancellable()
    async with asyncio.timeout(ANSWER_TIMEOUT), in_background(outbox(database, mailer, calendar).send_periodically()):
        await sending.wait()
    assert len(mailer.taken) == 1


async def test_confirmation_that_is_refused_for_good_is_given_up_and_its_note_is_not(
    db_settings: Settings, database: Database, calendar: Calendar
) -> None:
    await store(db_settings, 1, calendar, confirmed=True)
    refused = RecordingMailer(MailError("550", lasting=True), MailError("550", lasting=True))
    await outbox(database, refused, calendar).send_due()
    status = await OutboxStore(database, KEYS, "").status()
    assert (status.waiting, status.given_up) == (1, 1)


async def add(database: Database, calendar: Calendar, *, kind: MailKind = MailKind.CASE_REPLY) -> None:
    context = {"reference": "HG-7K3M-Q2XD"}
    mail = NewMail(kind=kind, created=calendar(), recipient=ADDRESS, context=context)
    await database.write(lambda one: add_mail(one, MailCipher(KEYS), mail))


REFUSALS = {
    "of the recipient": (MailKind.CASE_REPLY, MailError("550", lasting=True, of_recipient=True), 0),
    "of the mail": (MailKind.CASE_REPLY, MailError("554", lasting=True), 2),
    "of a member of staff": (MailKind.STAFF_LINK, MailError("550", lasting=True, of_recipient=True), 2),
}


@pytest.mark.parametrize("case", REFUSALS)
async def test_address_of_a_visitor_that_is_refused_for_good_gets_no_more_mail(
    db_settings: Settings, database: Database, calendar: Calendar, case: str
) -> None:
    kind, refusal, more = REFUSALS[case]
    await store(db_settings, 0, calendar)
    for _ in range(3):
        await add(database, calendar, kind=kind)
    mailer = RecordingMailer(refusal)
    assert await outbox(database, mailer, calendar).send_due() == more
    assert len(mailer.attempts) == 1 + more
    returned = await database.read(lambda one: find_returned(one, MailCipher(KEYS), ADDRESS))
    suppressed = ReturnedMail(count=1, last_at=calendar(), is_complaint=False)
    assert returned == (None if more else suppressed)


async def test_note_is_given_up_after_its_days_of_failures(
    db_settings: Settings, database: Database, calendar: Calendar
) -> None:
    await store(db_settings, 1, calendar)
    calendar.forward(days=LIFETIME.days)
    for number in range(MIN_ATTEMPTS):
        assert (await OutboxStore(database, KEYS, "").status()).waiting == 1, number
        await outbox(database, RecordingMailer(MailError("451")), calendar).send_due()
        calendar.forward(hours=1)
    assert (await OutboxStore(database, KEYS, "").status()).given_up == 1


@pytest.mark.parametrize("jump", [{"days": -1}, {"days": 365}], ids=["a day back", "a year on"])
async def test_no_mail_is_sent_twice_by_a_clock_that_is_set(
    db_settings: Settings, database: Database, calendar: Calendar, jump: dict[str, float]
) -> None:
    await store(db_settings, 3, calendar, confirmed=True)
    mailer = RecordingMailer()
    assert await outbox(database, mailer, calendar).send_due() == 6
    calendar.forward(**jump)
    assert await outbox(database, mailer, calendar).send_due() == 0
    assert len(mailer.taken) == 6
