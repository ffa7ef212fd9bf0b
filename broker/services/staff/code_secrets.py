"""The secrets of one-time codes, sealed, each for the account it was made for: in another's row it opens nothing."""

from __future__ import annotations

from broker.storage.encryption import Cipher


class StaffSecrets:
    """Seals and opens secrets."""

    def __init__(self, cipher: Cipher) -> None:
        """Keep what seals them."""
        self._cipher = cipher

    def seal(self, secret: bytes, account_id: int) -> bytes:
        """Return a secret sealed for an account."""
        return self._cipher.encrypt(f"{account_id} ".encode() + secret)

    def open(self, sealed: bytes, account_id: int) -> bytes:
        """Return the secret of an account; empty for one that was another's. Raises DecryptionError."""
        whose, _, secret = self._cipher.decrypt(sealed).partition(b" ")
        return secret if whose == str(account_id).encode() else b""
