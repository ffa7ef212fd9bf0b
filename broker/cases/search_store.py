"""The search of cases in the database: an index in memory for each process, kept up to date by the audit record.

Every change by staff adds an audit entry with the reference of its case, so entries since the last search name the
cases that are to be read again, whichever process made the change.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

from sqlalchemy import Row, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.cases.search_index import SearchIndex, SearchText, search_text
from broker.enquiries.enquiry import parse_reference
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.staff.audit import Act
from broker.storage.database import Database
from broker.storage.encryption import DecryptionError, SecretKeys
from broker.storage.tables import AuditRow, EnquiryRow, NoteRow

_BATCH = 500
"""Cases that one statement reads."""

_OVERLAP = 100
"""Numbers before the newest that are looked at again on PostgreSQL, where a lower number may be committed later."""

_COLUMNS: tuple[Any, ...] = (
    EnquiryRow.id,
    EnquiryRow.reference,
    EnquiryRow.contact,
    EnquiryRow.answers,
    EnquiryRow.next_action,
    EnquiryRow.merged_into,
)
_CHANGES: tuple[Any, ...] = (AuditRow.id, AuditRow.about)

Rows = Sequence[Any]


class CaseSearch:
    """Finds cases by words; built at the first search, in which it decrypts every case in a thread."""

    def __init__(self, database: Database, keys: SecretKeys) -> None:
        self._database, self._cipher = database, EnquiryCipher(keys)
        self._lock = asyncio.Lock()
        self._index = SearchIndex()
        self._newest: int | None = None
        self._size = (0, 0)
        self._entries: frozenset[int] = frozenset()
        self.decrypted = 0
        """Cases decrypted so far."""

    async def find(self, text: str) -> frozenset[int]:
        """Return the ids of the rows of cases that match a text; raises StorageError."""
        async with self._lock:
            await self._refresh()
        return await asyncio.to_thread(self._index.find, text)

    async def sorter(self, by: Literal["name", "action"], *, descending: bool) -> Callable[[Iterable[int]], list[int]]:
        """Return what sorts ids of rows by what is encrypted; raises StorageError."""
        async with self._lock:
            await self._refresh()
        return lambda case_ids: self._index.in_order(case_ids, by, descending=descending)

    async def _refresh(self) -> None:
        """Read the cases that are new or were changed since the last search, and drop those that are gone."""
        entries, newest, size = await self._database.read(self._changes)
        fresh = [] if self._newest is None else [entry for entry in entries if entry.id not in self._entries]
        known = [entry.about for entry in fresh if parse_reference(entry.about) == entry.about]
        if size != self._size:
            case_ids = await self._database.read(_case_ids)
            self._index.keep(case_ids)
            await self._read("id", [each for each in case_ids if each not in self._index])
        await self._read("reference", dict.fromkeys(known))
        self._newest, self._size, self._entries = newest, size, frozenset(entry.id for entry in entries)

    async def _changes(self, connection: AsyncConnection) -> tuple[Rows, int, tuple[int, int]]:
        """Return the entries since the last search, the newest number, and the count of cases with the highest id."""
        newest = await connection.scalar(select(func.max(col(AuditRow.id)))) or 0
        counted = await connection.execute(select(func.count(), func.max(col(EnquiryRow.id))).select_from(EnquiryRow))
        count, last = counted.one()
        since = (newest if self._newest is None else self._newest) - (0 if self._database.is_file else _OVERLAP)
        wanted = select(*_CHANGES).where(
            col(AuditRow.id) > since, col(AuditRow.id) <= newest, col(AuditRow.what) != Act.ENQUIRY_READ.value
        )
        return (await connection.execute(wanted)).all(), newest, (count, last or 0)

    async def _read(self, name: Literal["id", "reference"], values: Iterable[int | str]) -> None:
        """Decrypt the cases with these values of a column, and put them into the index."""
        for batch in _batches(values):

            async def work(connection: AsyncConnection, batch: list[int | str] = batch) -> tuple[Rows, Rows]:
                rows = (await connection.execute(select(*_COLUMNS).where(_named(name, batch)))).all()
                notes = select(NoteRow).where(col(NoteRow.enquiry_id).in_([row.id for row in rows]))
                return rows, (await connection.execute(notes)).all()

            rows, notes = await self._database.read(work)
            texts = await asyncio.to_thread(self._texts, rows, notes)
            for row, text in zip(rows, texts, strict=True):
                self._index.put(row.id, text, merged_into=row.merged_into)
            self.decrypted += len(rows)

    def _texts(self, rows: Rows, notes: Rows) -> list[SearchText]:
        written: dict[int, list[str]] = defaultdict(list)
        for note in notes:
            written[note.enquiry_id].append(_opened(lambda row: self._cipher.note(row).text, note) or "")
        return [
            search_text(
                row.reference,
                _opened(self._cipher.contact, row),
                message=_opened(self._cipher.message, row) or "",
                notes=written[row.id],
                action=self._cipher.next_action(row),
            )
            for row in rows
        ]


async def _case_ids(connection: AsyncConnection) -> Sequence[int]:
    return (await connection.execute(select(col(EnquiryRow.id)))).scalars().all()  # pyright: ignore[reportReturnType] - a stored row has an id


def _named(name: Literal["id", "reference"], batch: list[int | str]) -> Any:
    """Return the condition of the cases of a batch; of references, also of what was merged into them."""
    if name == "id":
        return col(EnquiryRow.id).in_(batch)
    changed = col(EnquiryRow.reference).in_(batch)
    return or_(changed, col(EnquiryRow.merged_into).in_(select(col(EnquiryRow.id)).where(changed)))


def _opened(read: Callable[[Row[Any]], Any], row: Row[Any]) -> Any:
    """Return what a row holds; None if no key decrypts it."""
    try:
        return read(row)
    except DecryptionError:
        return None


def _batches(given: Iterable[Any]) -> list[list[Any]]:
    listed = list(given)
    return [listed[start : start + _BATCH] for start in range(0, len(listed), _BATCH)]
