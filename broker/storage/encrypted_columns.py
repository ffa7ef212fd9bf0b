"""The encrypted columns of all tables: by which key each row opens, and encryption of all rows under the first key."""

from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Row, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel

from broker.storage.database import Database
from broker.storage.encryption import SecretKeys
from broker.storage.staff.tables import StaffRow
from broker.storage.tables import EnquiryRow, JourneyRow, NoteRow

COLUMNS: tuple[tuple[type[SQLModel], str, str], ...] = (
    (EnquiryRow, "contact", "enquiry contact"),
    (EnquiryRow, "answers", "enquiry answers"),
    (NoteRow, "text", "enquiry notes"),
    (JourneyRow, "answers", "journey answers"),
    (StaffRow, "code_secret", "one-time code secret"),
    (StaffRow, "code_pending", "one-time code secret"),
)
"""Each table's encrypted columns, with the purpose of their keys."""

BATCH = 200
"""Rows read and written at once."""


async def count_by_key(database: Database, keys: SecretKeys) -> Mapping[str, Counter[int | None]]:
    """Return how many values of each column (`enquiries.contact`) each key opens, None for no key.

    Keys are numbered from 0, in the order of the settings. Raises StorageError.
    """
    found: dict[str, Counter[int | None]] = {}
    for table, name, purpose in COLUMNS:
        cipher, counts = keys.cipher_for(purpose), Counter[int | None]()
        async for row in _rows(database, table, name):
            counts[cipher.key_of(row.value)] += 1
        found[_label(table, name)] = counts
    return found


async def find_unreadable(database: Database, keys: SecretKeys) -> Sequence[str]:
    """Return the columns (`enquiries.contact`) whose oldest or newest value no key opens.

    The keys are then not this database's, or were not. Raises StorageError.
    """
    found = []
    for table, name, purpose in COLUMNS:
        cipher, values = keys.cipher_for(purpose), await database.read(partial(_ends, table, name))
        if any(cipher.key_of(value) is None for value in values):
            found.append(_label(table, name))
    return found


async def encrypt_again(database: Database, keys: SecretKeys) -> Mapping[str, int]:
    """Encrypt under the first key what another key opens; return how many values of each column changed.

    A value that was written meanwhile is left as it is: it has the first key already. Raises StorageError.
    """
    changed: dict[str, int] = {}
    for table, name, purpose in COLUMNS:
        cipher, count = keys.cipher_for(purpose), 0
        async for row in _rows(database, table, name):
            if cipher.key_of(row.value):
                count += await _replace(database, table, name, row=row, value=cipher.encrypt(cipher.decrypt(row.value)))
        changed[_label(table, name)] = count
    await database.empty_log()
    return changed


async def _rows(database: Database, table: type[SQLModel], name: str) -> AsyncIterator[Row[Any, Any]]:
    """Yield the id and the value of every row that has one, batch by batch."""
    last = 0
    while batch := await database.read(partial(_batch, table, name, last)):
        for row in batch:
            yield row
        last = batch[-1].id


async def _batch(table: type[SQLModel], name: str, after: int, connection: AsyncConnection) -> Sequence[Row[Any, Any]]:
    key, value = _columns(table, name)
    wanted = select(key.label("id"), value.label("value")).where(key > after, value.is_not(None))
    return (await connection.execute(wanted.order_by(key).limit(BATCH))).all()


async def _ends(table: type[SQLModel], name: str, connection: AsyncConnection) -> Sequence[bytes]:
    """Return the oldest and the newest value of a column; none for an empty one."""
    key, value = _columns(table, name)
    wanted = select(value).where(value.is_not(None)).limit(1)
    found = [await connection.scalar(wanted.order_by(order)) for order in (key, key.desc())]
    return [each for each in found if each]


def _columns(table: type[SQLModel], name: str) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    """Return the columns of the id and of a value."""
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
