"""Encrypted, timestamped tokens for form tokens and links, each for one purpose."""

from dataclasses import dataclass
from datetime import UTC, datetime

from broker.storage.encryption import Cipher, DecryptionError

MAX_TOKEN_LENGTH = 1_000
"""Characters of a token; a longer text is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedToken:
    value: str
    made: datetime


class TokenSigner:
    """Writes and reads the tokens of one purpose, encrypted and authenticated by the purpose's keys."""

    def __init__(self, cipher: Cipher) -> None:
        self._cipher = cipher

    def write(self, value: str, *, made: datetime) -> str:
        return self._cipher.encrypt(f"{int(made.timestamp() * 1_000)} {value}".encode()).decode("ascii")

    def read(self, text: object) -> SignedToken | None:
        """Return a token; None for one that is forged, changed, cut short, or of another purpose."""
        if not isinstance(text, str) or len(text) > MAX_TOKEN_LENGTH or not text.isascii():
            return None
        try:
            made, _, value = self._cipher.decrypt(text.encode("ascii")).decode().partition(" ")
        except DecryptionError:
            return None
        return SignedToken(value=value, made=datetime.fromtimestamp(int(made) / 1_000, UTC))
