"""The outbox: notes that wait are sent, one sender to a note, and tried again until the mail server takes them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from broker.domain.enquiries.stored_records import StorageError
from broker.services.enquiries.mailer import TIME_LIMIT, Mailer, MailError
from broker.services.signed_tokens import utc_now
from broker.storage.enquiries.outbox import OutboxMessage, OutboxStore

POLL_INTERVAL = timedelta(seconds=30)
"""How often the outbox is looked into, beside the moments after an enquiry."""

LEASE = timedelta(seconds=2 * TIME_LIMIT)
"""How long a note is claimed, longer than sending it can take: nobody else sends it meanwhile."""

MIN_RETRY_DELAY, MAX_RETRY_DELAY, REFUSED_RETRY_DELAY = timedelta(seconds=30), timedelta(minutes=15), timedelta(hours=1)
"""Waits after a failure: the first, doubled by each further one up to the longest; and after a lasting refusal."""

log = logging.getLogger(__name__)


class Outbox:
    """Sends the notes of one database."""

    def __init__(self, store: OutboxStore, mailer: Mailer, *, clock: Callable[[], datetime] = utc_now) -> None:
        """Keep where notes wait, and what sends them."""
        self._store = store
        self._mailer = mailer
        self._clock = clock
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Have the outbox looked into now."""
        self._woken.set()

    async def send_periodically(self) -> None:
        """Send what is due for ever: at once, when woken, and every half minute."""
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
        """Send the notes that are due, and return how many went; a server that is away ends it; raises StorageError."""
        sent = 0
        while not _ending() and (note := await self._store.claim(self._clock(), lease=LEASE)):
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

    async def _put_off(self, note: OutboxMessage, error: MailError) -> None:
        wait = REFUSED_RETRY_DELAY if error.lasting else retry_delay(note.attempts)
        level = logging.ERROR if error.lasting else logging.WARNING
        log.log(level, "note %d not sent, tried again in %d s: %s", note.id, wait.total_seconds(), error)
        await self._store.reschedule(note, due=self._clock() + wait, problem=str(error))


def _ending() -> bool:
    """Tell whether the task is to end; Python 3.11's `wait_for` may keep that from us where an answer came as well."""
    task = asyncio.current_task()
    return bool(task and task.cancelling())


def retry_delay(attempts: int) -> timedelta:
    """Return the wait after so many attempts that failed."""
    return min(MIN_RETRY_DELAY * 2 ** min(attempts - 1, 10), MAX_RETRY_DELAY)
