"""Deduplicate forms, and tell people from programs without a puzzle: hidden field, minimum time, signed token.

A questionnaire is identified by its journey, any other form by its content for ten minutes. The token says when a form
was begun; it is no part of the identity, as a browser that goes Back may send the same content with another token.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from broker.domain.enquiries.attachment import Attachment
from broker.domain.enquiries.contact_details import Problem
from broker.domain.enquiries.enquiry import EnquiryKind
from broker.domain.enquiries.stored_records import HIDDEN, TOKEN
from broker.services.signed_tokens import SignedToken, TokenSigner, utc_now

MIN_FILL_TIME = timedelta(seconds=2)
"""Shortest time in which a person fills in a form, from its token on."""

DUPLICATE_WINDOW = timedelta(minutes=10)
"""Time in which the same content is the same enquiry; up to twice that."""

HIDDEN_FILLED = "A hidden box on the form was filled in. Please leave it empty and send again, or call us"
TOO_FAST = "Please check what you entered, then press Send again"
NOT_OURS = "We could not check that this form came from our site. Please load the page again, or call us"


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A form as it was sent, and its origin.

    `given` holds the fields of `domain.enquiries.enquiry` and `stored_records`. `page` is the path that the form and
    its consent stand on, `came_from` the one before it where that is another. `address` is the sender's network
    address, which is never stored. `token` is the journey of a questionnaire. `attachment` is the result that a field
    names, worked out by the server.
    """

    kind: EnquiryKind
    given: Mapping[str, object]
    page: str
    text_version: str
    address: str
    came_from: str = ""
    token: str = ""
    attachment: Attachment | None = None


class Forms:
    """Draws tokens, and judges what comes back."""

    def __init__(self, tokens: TokenSigner, key: bytes, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._tokens = tokens
        self._key = key
        self._clock = clock

    def token(self) -> str:
        return self._tokens.write(secrets.token_hex(16), made=self._clock())

    def has_token(self, sent: Submission) -> bool:
        return self._token(sent) is not None

    def problem(self, sent: Submission) -> Problem | None:
        """Return why a form cannot have come from a person who used our page, None where it can."""
        if sent.given.get(HIDDEN):
            return Problem(field="", reason=HIDDEN_FILLED)
        is_ours = self.has_token(sent) or not sent.given.get(TOKEN)
        return None if is_ours else Problem(field="", reason=NOT_OURS)

    def is_too_fast(self, sent: Submission) -> bool:
        """Tell whether a form was begun so shortly ago that no person can have filled it in.

        One that was begun later than now was not: the clock has been set back since.
        """
        token = self._token(sent)
        return token is not None and timedelta(0) <= self._clock() - token.made < MIN_FILL_TIME

    def submissions(self, sent: Submission) -> tuple[str, ...]:
        """Return the digests that the same form is known by, the one to store it under first."""
        if sent.kind is EnquiryKind.QUESTIONNAIRE:
            return (self._digest("journey", sent.token),)
        words = {name: str(value)[:4_000] for name, value in sent.given.items() if name != TOKEN}
        said = json.dumps(words, sort_keys=True)
        period = int(self._clock().timestamp() // DUPLICATE_WINDOW.total_seconds())
        return tuple(self._digest(f"words {sent.kind} {each}", said) for each in (period, period - 1))

    def _token(self, sent: Submission) -> SignedToken | None:
        return self._tokens.read(sent.given.get(TOKEN))

    def _digest(self, sort: str, text: str) -> str:
        return hmac.new(self._key, f"{sort}\0{text}".encode("utf-8", "replace"), hashlib.sha256).hexdigest()
