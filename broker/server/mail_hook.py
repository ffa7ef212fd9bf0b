"""The webhook for reports of returned mail: raw messages, signed like those of the content service.

A bounce (RFC 3464) for good or a complaint (ARF) ends mail to its address. Anything else is accepted and ignored, so
that a mailbox may be sent whole.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from broker import routes
from broker.clock import utc_now
from broker.mail.mail import ReportOutcome
from broker.mail.reports import MailReport, parse_report
from broker.server.content_hook import AWAY, HEADER, MAX_MESSAGES, TOO_MANY, WINDOW, refuse_get, signature_fault
from broker.server.forms.posts import MessagePost, Sender
from broker.server.response import Answer, Handler, plain_text
from broker.services import DatabaseClosedError
from broker.settings import Settings
from broker.storage.errors import StorageError
from broker.storage.rate_limit import RateLimits

MAX_REPORT_BYTES = 256 * 1024
"""Bytes of a report, which may have the whole mail in it."""

IGNORED = "Accepted: this reports no mail that came back for good, and changes nothing."
ANSWERS = {
    ReportOutcome.RECORDED: (202, "Accepted: no more mail is sent to this address."),
    ReportOutcome.REPEATED: (409, "This mail was reported before."),
    ReportOutcome.UNKNOWN: (202, "Accepted: this mail is not one of ours, or its record is deleted. Nothing changes."),
}

log = logging.getLogger(__name__)


class RecordsReports(Protocol):
    async def record(self, report: MailReport) -> ReportOutcome: ...


class MailHook:
    """Handlers of the webhook, none without a secret."""

    def __init__(
        self, settings: Settings, mail: Callable[[], RecordsReports], *, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._secrets, self._mail, self._clock = settings.mail_hook_secrets, mail, clock
        self._limit = RateLimits(clock=clock).limit("reports of mail", most=MAX_MESSAGES, window=WINDOW)

    def posts(self) -> dict[str, MessagePost]:
        post = MessagePost(answer=self._answer, max_bytes=MAX_REPORT_BYTES)
        return {routes.MAIL_HOOK: post} if self._secrets else {}

    def handlers(self) -> dict[str, Handler]:
        return {routes.MAIL_HOOK: refuse_get} if self._secrets else {}

    async def _answer(self, body: bytes, sender: Sender) -> Answer:
        if not await self._limit.take(sender.address):
            return plain_text(429, TOO_MANY)
        if fault := signature_fault(sender.headers.get(HEADER, ""), body, secrets=self._secrets, now=self._clock()):
            log.warning("a message to %s was refused: %s", routes.MAIL_HOOK, fault)
            return plain_text(401, fault)
        report = await asyncio.to_thread(parse_report, body)
        if report is None:
            return plain_text(202, IGNORED)
        try:
            status, words = ANSWERS[await self._mail().record(report)]
        except (StorageError, DatabaseClosedError) as error:
            log.warning("a message to %s could not be stored: %s", routes.MAIL_HOOK, error)
            return plain_text(503, AWAY)
        return plain_text(status, words)
