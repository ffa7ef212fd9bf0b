"""Mail to staff over SMTP, from the outbox: the reference of an enquiry and the address of its page.

Retention does not reach mailboxes, so a message holds nothing personal, not even a name.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Protocol
from urllib.parse import parse_qs, unquote, urlsplit

import aiosmtplib

from broker.clock import UK, utc_now
from broker.enquiries.enquiry import EnquiryKind
from broker.enquiries.outbox_store import OutboxMessage, OutboxStore
from broker.settings import Settings, SettingsError
from broker.storage.errors import StorageError

_SEND_TIMEOUT = 60.0
"""Seconds for a mail, from connecting to the server's acceptance."""

_KINDS: Mapping[EnquiryKind, str] = {
    EnquiryKind.CALLBACK: "Callback request",
    EnquiryKind.CONTACT: "Contact form",
    EnquiryKind.QUESTIONNAIRE: "Questionnaire",
}

_PORTS = {"smtp": 25, "smtps": 465}
_SERVER_REFUSALS = (
    aiosmtplib.SMTPConnectResponseError,
    aiosmtplib.SMTPHeloError,
    aiosmtplib.SMTPAuthenticationError,
    aiosmtplib.SMTPSenderRefused,
)
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_URL_FORMAT = "BROKER_SMTP_URL takes smtp://user:password@host:587?starttls or smtps://user:password@host"

_POLL_INTERVAL = timedelta(seconds=30)
"""Time between reads of the outbox; it is also read after each enquiry."""

LEASE = timedelta(seconds=2 * _SEND_TIMEOUT)
"""Time for which a process claims a message, longer than sending takes."""

MIN_RETRY_DELAY, MAX_RETRY_DELAY, REFUSED_RETRY_DELAY = timedelta(seconds=30), timedelta(minutes=15), timedelta(hours=1)
"""Delays after a failure, doubled from the shortest to the longest; and after a permanent refusal."""

log = logging.getLogger(__name__)


class MailError(RuntimeError):
    """A mail was not accepted; the error's text is the server's code or the kind of failure, nothing personal.

    `lasting`: the server will not accept it later either. `away`: the server accepts no mail now.
    """

    def __init__(self, code: str, *, lasting: bool = False, away: bool = False) -> None:
        super().__init__(code)
        self.lasting = lasting
        self.away = away


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """An SMTP server; `encrypted` from the first byte, or upgraded by `starttls`."""

    host: str
    port: int
    encrypted: bool
    starttls: bool
    user: str | None
    password: str | None


class Mailer(Protocol):
    async def send(self, message: OutboxMessage) -> None:
        """Return once the server has accepted a message; raises MailError."""


class Outbox:
    """Sends the messages of one database."""

    def __init__(self, store: OutboxStore, mailer: Mailer, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._store = store
        self._mailer = mailer
        self._clock = clock
        self._woken = asyncio.Event()

    def wake(self) -> None:
        self._woken.set()

    async def send_periodically(self) -> None:
        """Send due messages forever: at once, when woken, and at every interval."""
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
        """Send due messages until the mail server is unavailable; return how many were sent. Raises StorageError."""
        sent = 0
        while not _is_cancelled() and (message := await self._claim()):
            try:
                await self._mailer.send(message)
            except MailError as error:
                await self._reschedule(message, error)
                if error.away:
                    return sent
            else:
                await self._store.mark_sent(message, self._clock())
                sent += 1
        return sent

    async def _claim(self) -> OutboxMessage | None:
        return await self._store.claim(self._clock(), lease=LEASE, longest=REFUSED_RETRY_DELAY)

    async def _reschedule(self, message: OutboxMessage, error: MailError) -> None:
        delay = REFUSED_RETRY_DELAY if error.lasting else retry_delay(message.attempts)
        level = logging.ERROR if error.lasting else logging.WARNING
        log.log(level, "message %d not sent, tried again in %d s: %s", message.id, delay.total_seconds(), error)
        await self._store.reschedule(message, due=self._clock() + delay, problem=str(error))


def _is_cancelled() -> bool:
    """Return whether the task is cancelled; Python 3.11's `wait_for` may swallow that when a result arrives too."""
    task = asyncio.current_task()
    return bool(task and task.cancelling())


def retry_delay(attempts: int) -> timedelta:
    """Return the delay after a number of failed attempts."""
    return min(MIN_RETRY_DELAY * 2 ** min(attempts - 1, 10), MAX_RETRY_DELAY)


class SmtpMailer:
    def __init__(self, server: MailServer, *, to: str, sender: str, staff_url: str) -> None:
        self._server = server
        self._to = to
        self._sender = sender
        self._staff_url = staff_url

    async def send(self, message: OutboxMessage) -> None:
        """Return once the server has accepted a message; raises MailError."""
        server = self._server
        try:
            async with asyncio.timeout(_SEND_TIMEOUT):
                await aiosmtplib.send(
                    self.mail(message),
                    hostname=server.host,
                    port=server.port,
                    username=server.user,
                    password=server.password,
                    use_tls=server.encrypted,
                    start_tls=server.starttls,
                    timeout=_SEND_TIMEOUT / 2,
                )
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            raise mail_error(error) from error

    def mail(self, message: OutboxMessage) -> EmailMessage:
        """Return the mail of a message: the same at each attempt, its Message-ID included."""
        kind = _KINDS[message.kind]
        mail = EmailMessage()
        mail["Subject"] = f"{kind} {message.reference}"
        mail["From"] = self._sender
        mail["To"] = self._to
        mail["Date"] = format_datetime(message.created)
        mail["Message-ID"] = f"<{message.reference}@{self._sender.rpartition('@')[2]}>"
        mail["Auto-Submitted"] = "auto-generated"
        mail.set_content(
            f"{kind} {message.reference}\n\n"
            f"Sent from {message.page} at {_uk_time(message.created)}.\n"
            f"We promised a call before {_uk_time(message.call_by)}, UK time.\n"
            f"Read it at {self._staff_url}?reference={message.reference}\n"
        )
        return mail


def _uk_time(moment: datetime) -> str:
    """Return a moment as `14:02 on 31 March 2026`."""
    return f"{moment.astimezone(UK):%H:%M on %-d %B %Y}"


def mailer_for(settings: Settings, *, staff_url: str) -> SmtpMailer | None:
    """Return the mailer of the settings, None for no mail server; raises SettingsError."""
    if not settings.smtp_url:
        return None
    if not (settings.mail_to and settings.mail_from):
        raise SettingsError("BROKER_SMTP_URL needs BROKER_MAIL_TO and BROKER_MAIL_FROM beside it")
    server = mail_server(settings.smtp_url)
    return SmtpMailer(server, to=settings.mail_to, sender=settings.mail_from, staff_url=staff_url)


def mail_server(url: str) -> MailServer:
    """Parse the URL of a mail server; raises SettingsError, which does not repeat the URL.

    A password needs an encrypted connection, or a server on the same machine.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS[parts.scheme]
    except (KeyError, ValueError) as error:
        raise SettingsError(_URL_FORMAT) from error
    starttls = "starttls" in parse_qs(parts.query, keep_blank_values=True)
    encrypted = parts.scheme == "smtps"
    if not parts.hostname or (encrypted and starttls):
        raise SettingsError(_URL_FORMAT)
    if parts.password and not (encrypted or starttls or parts.hostname in _LOOPBACK):
        raise SettingsError(f"{_URL_FORMAT}: a password is not sent unencrypted")
    return MailServer(
        host=parts.hostname,
        port=port,
        encrypted=encrypted,
        starttls=starttls,
        user=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
    )


def mail_error(error: Exception) -> MailError:
    """Classify a failure: 4xx is temporary, 5xx permanent, and no response means that the server is away.

    So does a refusal before the mail itself (greeting, password, sender), or 421, which closes the connection.
    """
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        code = min(each.code for each in error.recipients)
    elif isinstance(error, aiosmtplib.SMTPResponseException):
        code = error.code
    else:
        return MailError(type(error).__name__, away=True)
    away = isinstance(error, _SERVER_REFUSALS) or code == 421
    return MailError(str(code), lasting=code >= 500 and not away, away=away)
