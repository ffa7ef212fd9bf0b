"""Sends mail to an SMTP server."""

import asyncio
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from email.errors import MessageError
from urllib.parse import parse_qs, unquote, urlsplit

import aiosmtplib
from dkim import DKIMException
from jinja2 import TemplateError

from broker.mail.dkim_signature import DkimSigner, dkim_signer
from broker.mail.mail import UNWRITTEN, ClaimedMail
from broker.mail.outbox import SEND_TIMEOUT, MailError
from broker.mail.rendering import Firm, MailRenderer
from broker.settings import Settings, SettingsError

_PORTS = {"smtp": 25, "smtps": 465}
_SERVER_REFUSALS = (
    aiosmtplib.SMTPConnectResponseError,
    aiosmtplib.SMTPHeloError,
    aiosmtplib.SMTPAuthenticationError,
    aiosmtplib.SMTPSenderRefused,
)
_STATUS = re.compile(r"5\.\d{1,3}\.\d{1,3}\b", re.ASCII)
"""The enhanced status at the start of a permanent refusal (RFC 3463)."""

_OF_SENDER = ("5.1.7", "5.1.8")

_NO_SUCH_ADDRESS = (550, 551, 553)
"""Answers to RCPT TO (RFC 5321, 4.2.2); 554 says no more than that the transaction failed, as for a blocked sender."""

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_URL_FORMAT = "BROKER_SMTP_URL takes smtp://user:password@host:587?starttls or smtps://user:password@host"


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """An SMTP server; `encrypted` from the first byte, or upgraded by `starttls`."""

    host: str
    port: int
    encrypted: bool
    starttls: bool
    user: str | None
    password: str | None


class SmtpMailer:
    """Writes, signs and sends mail; without a `signer` it is not signed."""

    def __init__(
        self, server: MailServer, renderer: MailRenderer, *, sender: str, staff: str, signer: DkimSigner | None = None
    ) -> None:
        self._server, self._renderer, self._signer = server, renderer, signer
        self._sender, self._staff = sender, staff

    async def send(self, mail: ClaimedMail) -> str:
        """Return the answer of the server that has accepted a mail; raises MailError."""
        server = self._server
        try:
            content = await asyncio.to_thread(self.content, mail)
        except (ValueError, LookupError, MessageError, TemplateError, DKIMException) as error:
            log.error("mail %d cannot be written: %s", mail.id, type(error).__name__)
            raise MailError(UNWRITTEN, lasting=True) from error
        try:
            async with asyncio.timeout(SEND_TIMEOUT):
                _, answer = await aiosmtplib.send(
                    content,
                    sender=self._sender,
                    recipients=[mail.recipient or self._staff],
                    hostname=server.host,
                    port=server.port,
                    username=server.user,
                    password=server.password,
                    use_tls=server.encrypted,
                    start_tls=server.starttls,
                    timeout=SEND_TIMEOUT / 2,
                )
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            raise mail_error(error) from error
        return answer

    def content(self, mail: ClaimedMail) -> bytes:
        """Return a mail as it is sent, with its signature."""
        content = self._renderer.content(mail)
        return self._signer.sign(content) + content if self._signer else content


def mailer_for(settings: Settings, firm: Callable[[], Firm]) -> SmtpMailer | None:
    """Return the mailer of the settings, None for no mail server; raises SettingsError."""
    if not settings.smtp_url:
        return None
    if not (settings.mail_to and settings.mail_from):
        raise SettingsError("BROKER_SMTP_URL needs BROKER_MAIL_TO and BROKER_MAIL_FROM beside it")
    renderer = MailRenderer(firm, sender=settings.mail_from, staff=settings.mail_to)
    return SmtpMailer(
        mail_server(settings.smtp_url),
        renderer,
        sender=settings.mail_from,
        staff=settings.mail_to,
        signer=dkim_signer(settings),
    )


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
        error = min(error.recipients, key=lambda each: each.code)
    if not isinstance(error, aiosmtplib.SMTPResponseException):
        return MailError(type(error).__name__, away=True)
    code = error.code
    away = isinstance(error, _SERVER_REFUSALS) or code == 421
    lasting = code >= 500 and not away
    return MailError(str(code), lasting=lasting, away=away, of_recipient=lasting and _is_of_recipient(error))


def _is_of_recipient(refusal: aiosmtplib.SMTPResponseException) -> bool:
    """Return whether a permanent refusal is of the recipient's address, and not of the sender or of what is sent."""
    found = _STATUS.match(refusal.message)
    status = found[0] if found else ""
    if status.startswith("5.1."):
        return status not in _OF_SENDER
    is_of_address = isinstance(refusal, aiosmtplib.SMTPRecipientRefused) and refusal.code in _NO_SUCH_ADDRESS
    return is_of_address and not status.startswith(("5.5.", "5.7."))
