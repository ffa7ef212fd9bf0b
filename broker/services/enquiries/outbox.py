"""Send the notes of the outbox, each by one process, and retry until the mail server accepts them."""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from broker.domain.enquiries.stored_records import StorageError
from broker.services.enquiries.mailer import TIME_LIMIT, Mailer, MailError
from broker.services.signed_tokens import utc_now
from broker.storage.enquiries.outbox import OutboxMessage, OutboxStore

POLL_INTERVAL = timedelta(seconds=30)
"""Time between looks at the outbox; it is also read after each enquiry."""

LEASE = timedelta(seconds=2 * TIME_LIMIT)
"""Time for which a process claims a note, longer than sending takes."""

MIN_RETRY_DELAY, MAX_RETRY_DELAY, REFUSED_RETRY_DELAY = timedelta(seconds=30), timedelta(minutes=15), timedelta(hours=1)
"""Delays after a failure: doubled from the first to the longest; and after a permanent refusal."""

log = logging.getLogger(__name__)


class Outbox:
    """Sends the notes of one database."""

    def __init__(self, store: OutboxStore, mailer: Mailer, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._store = store
        self._mailer = mailer
        self._clock = clock
        self._woken = asyncio.Event()

    def wake(self) -> None:
        self._woken.set()

    async def send_periodically(self) -> None:
        """Send due notes forever: at once, when woken, and at every interval."""
        while True:
            self._woken.clear()
            try:
                await self.send_due()
            except StorageError as error:
                log.warning("the outbox cannot be read: %s", error)
            if _ending():
                return
            try:
                async with asyncio.timeout(POLL_INTERVAL.total_seconds()):
                    await self._woken.wait()
            except TimeoutError:
                continue

    async def send_due(self) -> int:
        """Send due notes until the mail server is unreachable; return how many were sent. Raises StorageError."""
        sent = 0
        while not _ending() and (note := await self._claim()):
            try:
                await self._mailer.send(note)
            except MailError as error:
                await self._put_off(note, error)
                if error.away:
                    return sent
            else:
                await self._store.sent(note, self._clock())
                sent += 1
        return sent

    async def _claim(self) -> OutboxMessage | None:
        return await self._store.claim(self._clock(), lease=LEASE, longest=REFUSED_RETRY_DELAY)

    async def _put_off(self, note: OutboxMessage, error: MailError) -> None:
        wait = REFUSED_RETRY_DELAY if error.lasting else retry_delay(note.attempts)
        level = logging.ERROR if error.lasting else logging.WARNING
        log.log(level, "note %d not sent, tried again in %d s: %s", note.id, wait.total_seconds(), error)
        await self._store.reschedule(note, due=self._clock() + wait, problem=str(error))


def _ending() -> bool:
    """Return whether the task is cancelled; Python 3.11's `wait_for` may swallow that when a result arrives too."""
    task = asyncio.current_task()
    return bool(task and task.cancelling())


def retry_delay(attempts: int) -> timedelta:
    """Return the delay after a number of failed attempts."""
    return min(MIN_RETRY_DELAY * 2 ** min(attempts - 1, 10), MAX_RETRY_DELAY)
