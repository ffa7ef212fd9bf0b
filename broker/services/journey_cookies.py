"""Codes that a page of the questionnaire exchanges for the cookie of its journey.

A socket cannot set a cookie, and the token may not reach a script. So the state sends a code, and the page posts it to
the edge, which answers with the cookie.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from broker.services.signed_tokens import TokenSigner, utc_now

CODE_LIFETIME = timedelta(minutes=1)


class JourneyCookies:
    """Writes and reads the codes; nobody else can make one."""

    def __init__(self, codes: TokenSigner, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._codes, self._clock = codes, clock

    def code(self, token: str) -> str:
        """Return the code for the cookie with a token; for an empty token the cookie is deleted."""
        return self._codes.write(token, made=self._clock())

    def token(self, code: object) -> str | None:
        """Return the token that a code stands for; None for a code that is forged or older than CODE_LIFETIME."""
        signed = self._codes.read(code)
        return signed.value if signed and self._clock() < signed.made + CODE_LIFETIME else None
