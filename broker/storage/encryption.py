"""What is personal is sealed before it is stored: unreadable, and not to be changed unnoticed, without the keys.

The keys come from the settings, or from a file that is made at the first start. From each of them a key a purpose is
derived, so that what was sealed or signed for one purpose is nothing for another. The first key seals, all of them
open: a new one is put before the old, which may go once nothing sealed with it is kept any longer.
"""

from __future__ import annotations

import base64
import os
import secrets
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from broker.domain.enquiries.stored_records import StorageError
from broker.settings import MIN_SECRET_LENGTH, Settings, SettingsError

FILE = "secret.key"
"""The file of the generated key, in the folder of what must survive a restart."""

MISSING = (
    "BROKER_SECRET_KEY is missing: a site at an https address needs one, kept apart from the database. "
    'Make one with: python -c "import secrets; print(secrets.token_urlsafe(48))"'
)


class DecryptionError(StorageError):
    """What was to be opened was not sealed with any of these keys for this purpose, or was changed since."""


class Cipher:
    """Seals and opens for one purpose."""

    def __init__(self, keys: tuple[bytes, ...]) -> None:
        """Keep the keys of the purpose, 32 bytes each."""
        self._fernet = MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys])

    def encrypt(self, plain: bytes) -> bytes:
        """Return something sealed, in signs that an address may hold."""
        return self._fernet.encrypt(plain)

    def decrypt(self, sealed: bytes) -> bytes:
        """Return what was sealed; raises DecryptionError."""
        try:
            return self._fernet.decrypt(sealed)
        except InvalidToken as error:
            raise DecryptionError("sealed with no key of BROKER_SECRET_KEY, or changed since") from error


class SecretKeys:
    """The keys of an installation, the one for what is new first."""

    def __init__(self, secret_keys: tuple[str, ...]) -> None:
        """Keep the keys as they are written."""
        self._secrets = secret_keys

    def derive(self, purpose: str) -> tuple[bytes, ...]:
        """Return the keys of a purpose, 32 bytes each."""
        return tuple(
            HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose.encode()).derive(secret.encode())
            for secret in self._secrets
        )

    def cipher_for(self, purpose: str) -> Cipher:
        """Return what seals for a purpose."""
        return Cipher(self.derive(purpose))


def secret_keys_for(settings: Settings) -> SecretKeys:
    """Return the keys of the settings, else of the key file, made where there is none.

    A site at an https address needs a key in its settings: raises SettingsError. The file's key, where there is one,
    goes on opening what it has sealed.
    """
    file = settings.state_dir / FILE
    if settings.secret_keys:
        return SecretKeys((*settings.secret_keys, *((_key_in(file),) if file.exists() else ())))
    if settings.site_url.startswith("https://"):
        raise SettingsError(MISSING)
    if not file.exists():
        _make(file)
    return SecretKeys((_key_in(file),))


def _key_in(file: Path) -> str:
    key = file.read_text(encoding="ascii").strip()
    if len(key) < MIN_SECRET_LENGTH:
        raise SettingsError(f"{file} holds no key: put the one back that was in it, or set BROKER_SECRET_KEY")
    return key


def _make(file: Path) -> None:
    """Make a key for nobody but us to read; where two start at once the first one's stands."""
    file.parent.mkdir(parents=True, exist_ok=True)
    half = file.with_name(f"{FILE}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as written:
        written.write(secrets.token_urlsafe(48))
        written.flush()
        os.fsync(written.fileno())
    try:
        os.link(half, file)
    except FileExistsError:
        pass
    finally:
        half.unlink()
