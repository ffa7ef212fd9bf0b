"""Authenticated encryption of personal data (Fernet).

Secret keys come from the settings, or from a file made at the first start. A key is derived from each for every
purpose (HKDF), so data of one purpose is invalid for another. The first key encrypts, all decrypt: to rotate, put a new
key first, and remove the old one when no data encrypted with it is left.
"""

import base64
import logging
import os
import secrets
from contextlib import suppress
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from broker.domain.enquiries.stored_records import StorageError
from broker.settings import MIN_SECRET_LENGTH, Settings, SettingsError

FILE = "secret.key"
"""File name of the generated key, in `BROKER_STATE_DIR`."""

MISSING = (
    "BROKER_SECRET_KEY is missing: a site at an https address needs one, kept apart from the database. "
    'Make one with: python -c "import secrets; print(secrets.token_urlsafe(48))"'
)


log = logging.getLogger(__name__)


class DecryptionError(StorageError):
    """The data was encrypted with another key or for another purpose, or was changed."""


class Cipher:
    """Encryption for one purpose; `keys` have 32 bytes each, and the first encrypts."""

    def __init__(self, keys: tuple[bytes, ...]) -> None:
        self._each = [Fernet(base64.urlsafe_b64encode(key)) for key in keys]
        self._fernet = MultiFernet(self._each)

    def encrypt(self, plain: bytes) -> bytes:
        return self._fernet.encrypt(plain)

    def decrypt(self, encrypted: bytes) -> bytes:
        """Return the decrypted data; raises DecryptionError."""
        try:
            return self._fernet.decrypt(encrypted)
        except InvalidToken as error:
            raise DecryptionError("encrypted with no key of BROKER_SECRET_KEY, or changed since") from error

    def key_of(self, encrypted: bytes) -> int | None:
        """Return the number of the key that opens some data, from 0; None for none."""
        for number, fernet in enumerate(self._each):
            with suppress(InvalidToken):
                fernet.decrypt(encrypted)
                return number
        return None


class SecretKeys:
    """The secret keys of an installation, the current one first."""

    def __init__(self, secret_keys: tuple[str, ...]) -> None:
        self._secrets = secret_keys

    def derive(self, purpose: str) -> tuple[bytes, ...]:
        """Return the keys derived for a purpose, 32 bytes each."""
        return tuple(
            HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose.encode()).derive(secret.encode())
            for secret in self._secrets
        )

    @property
    def fingerprints(self) -> tuple[str, ...]:
        """Return eight hexadecimal digits that tell the keys apart and say nothing of them."""
        return tuple(key.hex()[:8] for key in self.derive("fingerprint"))

    def cipher_for(self, purpose: str) -> Cipher:
        return Cipher(self.derive(purpose))


def secret_keys_for(settings: Settings) -> SecretKeys:
    """Return the keys of the settings, else that of the key file, which is created if missing.

    The key of an existing file still decrypts, where the file can be read. Raises SettingsError for an https site
    without a key in its settings.
    """
    file = settings.state_dir / FILE
    if settings.secret_keys:
        return SecretKeys((*settings.secret_keys, *_former_key(file)))
    if settings.site_url.startswith("https://"):
        raise SettingsError(MISSING)
    if not file.exists():
        _create_key(file)
    return SecretKeys((_read_key(file),))


def is_key_stored(settings: Settings, keys: SecretKeys) -> bool:
    """Return whether the next start will have the keys that are in use: the file of a generated one may be lost."""
    return (
        bool(settings.secret_keys)
        or SecretKeys(_former_key(settings.state_dir / FILE)).fingerprints == keys.fingerprints
    )


def _former_key(file: Path) -> tuple[str, ...]:
    """Return the key of a file, beside those of the settings; none where there is no file, or it is of no use."""
    try:
        return (_read_key(file),)
    except FileNotFoundError:
        return ()
    except (OSError, SettingsError) as error:
        log.warning("the keys are those of BROKER_SECRET_KEY alone: %s", error)
        return ()


def _read_key(file: Path) -> str:
    key = file.read_text(encoding="ascii").strip()
    if len(key) < MIN_SECRET_LENGTH:
        raise SettingsError(f"{file} holds no key: put the one back that was in it, or set BROKER_SECRET_KEY")
    return key


def _create_key(file: Path) -> None:
    """Create a key file that only the owner can read; if two processes start at once, the first one wins."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{FILE}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as written:
        written.write(secrets.token_urlsafe(48))
        written.flush()
        os.fsync(written.fileno())
    try:
        os.link(part, file)
    except FileExistsError:
        pass
    finally:
        part.unlink()
