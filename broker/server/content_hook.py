"""The webhook of the content service, a signed message that an editor has saved something.

The header `X-Hearthgate-Signature: t=SECONDS,v1=HEX` has the time in Unix seconds and the HMAC-SHA256 of the time, a
full stop and the body, in hexadecimal. The body is ignored: the content is read from the service.
"""

import hashlib
import hmac
import logging
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from starlette.types import Scope

from broker import routes
from broker.clock import utc_now
from broker.server.forms.posts import MessagePost, Sender
from broker.server.response import Answer, Handler, plain_text
from broker.services import DatabaseClosedError
from broker.settings import Settings
from broker.storage.errors import StorageError
from broker.storage.rate_limit import RateLimits

HEADER = "x-hearthgate-signature"

MAX_AGE_SECONDS = 300
"""Maximum difference between a message's time and ours, either way."""

MAX_MESSAGES, WINDOW = 120, timedelta(minutes=1)
"""Messages of one network in a window."""

MISSING = "This message has no signature of the form X-Hearthgate-Signature: t=SECONDS,v1=HEX."
FORGED = "The signature does not fit: sign the time, a full stop and the body with the shared secret."
EXPIRED = "This message was signed more than five minutes from now: look at the clock of the sender."
REPEATED = "This message was accepted before. Sign a new one."
TOO_MANY = "Too many messages came from this network. Try again in a minute."
AWAY = "The message cannot be stored at the moment. Try again in a minute."
ACCEPTED = "Accepted: what was saved is published shortly."

_SIGNATURE = re.compile(r"t=(\d{1,12}),v1=([0-9a-f]{64})", re.ASCII)

log = logging.getLogger(__name__)


class AcceptsChanges(Protocol):
    """Accepts a message by its signature, once."""

    async def accept(self, signature: str) -> bool: ...


def sign(secret: str, body: bytes, *, at: int) -> str:
    """Return the header's value for a body that is signed at a time in Unix seconds."""
    return f"t={at},v1={_signature(secret, str(at), body)}"


def signature_fault(header: str, body: bytes, *, secrets: Sequence[str], now: datetime) -> str:
    """Return why a signature is refused, empty for a valid one."""
    found = _SIGNATURE.fullmatch(header)
    if found is None:
        return MISSING
    given = [hmac.compare_digest(_signature(secret, found[1], body), found[2]) for secret in secrets]
    if not any(given):
        return FORGED
    return "" if abs(now.timestamp() - int(found[1])) <= MAX_AGE_SECONDS else EXPIRED


def _signature(secret: str, at: str, body: bytes) -> str:
    return hmac.new(secret.encode(), at.encode() + b"." + body, hashlib.sha256).hexdigest()


class ContentHook:
    """Handlers of the webhook, none without a secret."""

    def __init__(
        self, settings: Settings, changes: Callable[[], AcceptsChanges], *, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._secrets, self._changes, self._clock = settings.content_hook_secrets, changes, clock
        self._limit = RateLimits(clock=clock).limit("content changes", most=MAX_MESSAGES, window=WINDOW)

    def posts(self) -> dict[str, MessagePost]:
        return {routes.CONTENT_HOOK: MessagePost(answer=self._answer)} if self._secrets else {}

    def handlers(self) -> dict[str, Handler]:
        return {routes.CONTENT_HOOK: refuse_get} if self._secrets else {}

    async def _answer(self, body: bytes, sender: Sender) -> Answer:
        if not await self._limit.take(sender.address):
            return plain_text(429, TOO_MANY)
        header = sender.headers.get(HEADER, "")
        if fault := signature_fault(header, body, secrets=self._secrets, now=self._clock()):
            log.warning("a message to %s was refused: %s", routes.CONTENT_HOOK, fault)
            return plain_text(401, fault)
        try:
            is_new = await self._changes().accept(header.rpartition("=")[2])
        except (StorageError, DatabaseClosedError) as error:
            log.warning("a message to %s could not be stored: %s", routes.CONTENT_HOOK, error)
            return plain_text(503, AWAY)
        return plain_text(202, ACCEPTED) if is_new else plain_text(409, REPEATED)


async def refuse_get(_: Scope) -> Answer:
    refused = plain_text(405, "Send a signed message with POST.")
    return Answer(status=405, headers={**refused.headers, "allow": "POST"}, body=refused.body)
