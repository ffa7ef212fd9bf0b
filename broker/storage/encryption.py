"""Authenticated encryption of personal data (Fernet).

Secret keys come from the settings, or from a file made at the first start. A key is derived from each for every
purpose (HKDF), so data of one purpose is invalid for another. The first key encrypts, all decrypt: to rotate, put a new
key first, and remove the old one when no data encrypted with it is left.
"""

import base64
import json
import logging
import os
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from sqlalchemy import ColumnElement, Row, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel

from broker.settings import MIN_SECRET_LENGTH, Settings, SettingsError
from broker.storage.database import Database
from broker.storage.errors import StorageError
from broker.storage.tables import (
    ComplaintLetterRow,
    ComplaintRow,
    DataRequestRow,
    DeskUndoRow,
    EnquiryRow,
    JourneyRow,
    MailRow,
    NoteDraftRow,
    NoteRow,
    StaffRow,
    WatchRow,
)

FILE = "secret.key"
"""The generated key, in `BROKER_STATE_DIR`."""

MISSING = (
    "BROKER_SECRET_KEY is missing: a site at an https address needs one, kept apart from the database. "
    'Make one with: python -c "import secrets; print(secrets.token_urlsafe(48))"'
)

_ENCRYPTED_COLUMNS: tuple[tuple[type[SQLModel], str, str], ...] = (
    (EnquiryRow, "contact", "enquiry contact"),
    (EnquiryRow, "answers", "enquiry answers"),
    (EnquiryRow, "waiting_note", "case work"),
    (EnquiryRow, "next_action", "case work"),
    (EnquiryRow, "needs", "support needs"),
    (NoteRow, "text", "enquiry notes"),
    (DeskUndoRow, "before", "desk undo"),
    (JourneyRow, "answers", "journey answers"),
    (MailRow, "recipient", "mail"),
    (MailRow, "context", "mail"),
    (WatchRow, "contact", "watch contact"),
    (WatchRow, "figures", "watch figures"),
    (ComplaintRow, "person", "complaint"),
    (ComplaintRow, "words", "complaint"),
    (ComplaintLetterRow, "words", "complaint"),
    (DataRequestRow, "person", "data request"),
    (NoteDraftRow, "text", "note draft"),
    (StaffRow, "code_secret", "one-time code secret"),
    (StaffRow, "code_pending", "one-time code secret"),
)
"""Table, column, and the purpose of the column's keys."""

_BATCH_ROWS = 200

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
        """Return the number of the key that decrypts some data, from 0; None for none."""
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
        """Return eight hexadecimal digits for each key, derived from it, to compare keys by."""
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
    """Return whether the next start will read the keys that are in use: the file of a generated one may be lost."""
    return (
        bool(settings.secret_keys)
        or SecretKeys(_former_key(settings.state_dir / FILE)).fingerprints == keys.fingerprints
    )


def _former_key(file: Path) -> tuple[str, ...]:
    """Return the key of a file to decrypt with, or none without a readable file."""
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


def decrypted_columns(table: type[SQLModel], row: Mapping[str, Any], keys: SecretKeys) -> dict[str, Any]:
    """Return the encrypted columns of a row in the clear: JSON as its values, else a text; raises DecryptionError."""
    found = dict[str, Any]()
    for owner, name, purpose in _ENCRYPTED_COLUMNS:
        if owner is table and (value := row[name]) is not None:
            plain = keys.cipher_for(purpose).decrypt(value).decode()
            try:
                found[name] = json.loads(plain)
            except json.JSONDecodeError:
                found[name] = plain
    return found


async def count_by_key(database: Database, keys: SecretKeys) -> Mapping[str, Counter[int | None]]:
    """Return how many values of each column (`enquiries.contact`) each key decrypts, None for no key.

    Keys are numbered from 0, in the order of the settings. Raises StorageError.
    """
    found: dict[str, Counter[int | None]] = {}
    for table, name, purpose in _ENCRYPTED_COLUMNS:
        cipher, counts = keys.cipher_for(purpose), Counter[int | None]()
        async for row in _rows(database, table, name):
            counts[cipher.key_of(row.value)] += 1
        found[_label(table, name)] = counts
    return found


async def find_unreadable(database: Database, keys: SecretKeys) -> Sequence[str]:
    """Return the columns (`enquiries.contact`) whose oldest or newest value no key decrypts; raises StorageError."""
    found = []
    for table, name, purpose in _ENCRYPTED_COLUMNS:
        cipher, values = keys.cipher_for(purpose), await database.read(partial(_ends, table, name))
        if any(cipher.key_of(value) is None for value in values):
            found.append(_label(table, name))
    return found


async def reencrypt(database: Database, keys: SecretKeys) -> Mapping[str, int]:
    """Encrypt with the first key what another key decrypts; return how many values of each column changed.

    A value written meanwhile is skipped: it has the first key already. Raises StorageError.
    """
    changed: dict[str, int] = {}
    for table, name, purpose in _ENCRYPTED_COLUMNS:
        cipher, count = keys.cipher_for(purpose), 0
        async for row in _rows(database, table, name):
            if cipher.key_of(row.value):
                count += await _replace(database, table, name, row=row, value=cipher.encrypt(cipher.decrypt(row.value)))
        changed[_label(table, name)] = count
    await database.empty_log()
    return changed


async def _rows(database: Database, table: type[SQLModel], name: str) -> AsyncIterator[Row[Any, Any]]:
    last = 0
    while batch := await database.read(partial(_batch, table, name, last)):
        for row in batch:
            yield row
        last = batch[-1].id


async def _batch(table: type[SQLModel], name: str, after: int, connection: AsyncConnection) -> Sequence[Row[Any, Any]]:
    key, value = _columns(table, name)
    wanted = select(key.label("id"), value.label("value")).where(key > after, value.is_not(None))
    return (await connection.execute(wanted.order_by(key).limit(_BATCH_ROWS))).all()


async def _ends(table: type[SQLModel], name: str, connection: AsyncConnection) -> Sequence[bytes]:
    """Return the oldest and the newest value of a column."""
    key, value = _columns(table, name)
    wanted = select(value).where(value.is_not(None)).limit(1)
    found = [await connection.scalar(wanted.order_by(order)) for order in (key, key.desc())]
    return [each for each in found if each]


def _columns(table: type[SQLModel], name: str) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    columns = table.__table__.columns  # pyright: ignore[reportAttributeAccessIssue] - SQLModel sets it on each table
    return columns["id"], columns[name]


async def _replace(database: Database, table: type[SQLModel], name: str, *, row: Row[Any, Any], value: bytes) -> int:
    key, column = _columns(table, name)

    async def work(connection: AsyncConnection) -> int:
        same = (key == row.id, column == row.value)
        return (await connection.execute(update(table).where(*same).values({name: value}))).rowcount

    return await database.write(work)


def _label(table: type[SQLModel], name: str) -> str:
    return f"{table.__tablename__}.{name}"
