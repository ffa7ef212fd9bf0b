"""Sends the outbox: each mail once, retried until a server has accepted it or it is given up."""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol

from broker.clock import utc_now
from broker.mail.mail import ClaimedMail
from broker.mail.outbox_store import LIFETIME, OutboxStore
from broker.storage.errors import StorageError

SEND_TIMEOUT = 60.0
"""Seconds for a mail, from connecting to the server's acceptance."""

_POLL_INTERVAL = timedelta(seconds=30)
"""Time between reads of the outbox; it is also read after each enquiry."""

LEASE = timedelta(seconds=2 * SEND_TIMEOUT)
"""Time for which a process claims a mail, longer than sending takes."""

MIN_RETRY_DELAY, MAX_RETRY_DELAY, REFUSED_RETRY_DELAY = timedelta(seconds=30), timedelta(minutes=15), timedelta(hours=1)
"""Delays after a failure, doubled from the shortest to the longest; and after a permanent refusal."""

MIN_ATTEMPTS = 10
"""Attempts before a mail to staff is given up, so that a clock that is ahead gives none up."""

log = logging.getLogger(__name__)


class MailError(RuntimeError):
    """A mail was not accepted; the error's text is the server's code or the kind of failure, nothing personal.

    `lasting`: the server will not accept it later either, nor any other to its address if it is `of_recipient`.
    `away`: the server accepts no mail now.
    """

    def __init__(self, code: str, *, lasting: bool = False, away: bool = False, of_recipient: bool = False) -> None:
        super().__init__(code)
        self.lasting = lasting
        self.away = away
        self.of_recipient = of_recipient


class Mailer(Protocol):
    async def send(self, mail: ClaimedMail, /) -> object:
        """Return once the server has accepted a mail; raises MailError."""


class Outbox:
    """Sends the mail of one database."""

    def __init__(self, store: OutboxStore, mailer: Mailer, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._store = store
        self._mailer = mailer
        self._clock = clock
        self._woken = asyncio.Event()

    def wake(self) -> None:
        self._woken.set()

    async def send_periodically(self) -> None:
        """Send due mail forever: at once, when woken, and at every interval."""
        while True:
            self._woken.clear()
            try:
                await self.send_due()
            except StorageError as error:
                log.warning("the outbox cannot be read: %s", error)
            if _is_cancelled():
                return
            try:
                async with asyncio.timeout(_POLL_INTERVAL.total_seconds()):
                    await self._woken.wait()
            except TimeoutError:
                continue

    async def send_due(self) -> int:
        """Send due mail until the mail server is unavailable; return how many were sent. Raises StorageError."""
        sent = 0
        while not _is_cancelled() and (mail := await self._claim()):
            try:
                await self._mailer.send(mail)
            except MailError as error:
                await self._settle_failure(mail, error)
                if error.away:
                    break
            else:
                await self._store.mark_sent(mail, self._clock())
                sent += 1
        if sent:
            await self._store.empty_log()
        return sent

    async def _claim(self) -> ClaimedMail | None:
        return await self._store.claim(self._clock(), lease=LEASE, longest=REFUSED_RETRY_DELAY)

    async def _settle_failure(self, mail: ClaimedMail, error: MailError) -> None:
        """Retry a mail later, or give it up: a visitor's that is refused for good, and staff's after LIFETIME."""
        now = self._clock()
        is_old = now - mail.created >= LIFETIME and mail.attempts >= MIN_ATTEMPTS
        if is_old or (error.lasting and mail.recipient):
            log.error("mail %d was given up after %d attempts: %s", mail.id, mail.attempts, error)
            await self._store.give_up(mail, now, problem=str(error), is_returned=error.of_recipient)
            return
        delay = REFUSED_RETRY_DELAY if error.lasting else retry_delay(mail.attempts)
        level = logging.ERROR if error.lasting else logging.WARNING
        log.log(level, "mail %d not sent, tried again in %d s: %s", mail.id, delay.total_seconds(), error)
        await self._store.reschedule(mail, due=now + delay, problem=str(error))


def _is_cancelled() -> bool:
    """Return whether the task is cancelled; Python 3.11's `wait_for` may swallow that when a result arrives too."""
    task = asyncio.current_task()
    return bool(task and task.cancelling())


def retry_delay(attempts: int) -> timedelta:
    """Return the delay after a number of failed attempts."""
    return min(MIN_RETRY_DELAY * 2 ** min(attempts - 1, 10), MAX_RETRY_DELAY)
