"""What we hand out and take back unchanged: forms' tickets, links to come back by. Sealed, each for one purpose."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from broker.storage.encryption import Cipher, DecryptionError

MAX_TOKEN_LENGTH = 1_000
"""Characters of a ticket that is looked at."""


def utc_now() -> datetime:
    """Return the time, with its zone."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedToken:
    """What a ticket says, and when it was made."""

    value: str
    made: datetime


class TokenSigner:
    """TokenSigner of one purpose; without the keys nobody can make one, read one, or change one."""

    def __init__(self, cipher: Cipher) -> None:
        """Keep what seals them."""
        self._cipher = cipher

    def write(self, ticket: SignedToken) -> str:
        """Return a ticket as text that an address or a form may hold."""
        made = int(ticket.made.timestamp() * 1_000)
        return self._cipher.encrypt(f"{made} {ticket.value}".encode()).decode("ascii")

    def read(self, text: object) -> SignedToken | None:
        """Return what a ticket of ours says; None for one that is forged, changed, cut short, or of another purpose."""
        if not isinstance(text, str) or len(text) > MAX_TOKEN_LENGTH or not text.isascii():
            return None
        try:
            made, _, value = self._cipher.decrypt(text.encode("ascii")).decode().partition(" ")
        except DecryptionError:
            return None
        return SignedToken(value=value, made=datetime.fromtimestamp(int(made) / 1_000, UTC))
