"""Enquiries in the database: each is stored once, together with the note that tells staff of it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, delete, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.domain.enquiries.enquiry import Enquiry
from broker.domain.enquiries.references import LENGTH, SIGNS, written
from broker.domain.enquiries.stored_records import EnquiryState, StorageError, StoredEnquiry
from broker.storage.database import Database
from broker.storage.encryption import SecretKeys
from broker.storage.enquiries.enquiry_rows import EnquiryCipher
from broker.storage.enquiries.journeys import token_digest
from broker.storage.tables import EnquiryRow, JourneyRow, OutboxRow

ATTEMPTS = 5
"""How often an enquiry is stored anew that met another one's reference, or the same form sent at the same moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEnquiry:
    """An enquiry to be stored.

    `submissions` are the digests under which the same form would have been stored before, the one to store it under
    first; `journey` is the token of the answers that it takes the place of, empty for none, read at a version.
    `call_by` is the moment by which we promise to call, at once where nothing is said.
    """

    enquiry: Enquiry
    page: str
    submissions: Sequence[str]
    created: datetime
    delete_after: datetime
    journey: str = ""
    journey_version: int = 0
    call_by: datetime | None = None


def new_reference() -> str:
    """Return a reference that nobody can guess: 37 bits."""
    return written("".join(secrets.choice(SIGNS) for _ in range(LENGTH)))


class JourneyChangedError(StorageError):
    """An answer came in after those were read that the enquiry holds: nothing was stored, they are to be read again."""


class EnquiryStore:
    """Enquiries by their reference."""

    def __init__(self, database: Database, keys: SecretKeys, *, reference: Callable[[], str] = new_reference) -> None:
        """Keep where they are, the keys that seal them, and what makes references."""
        self._database = database
        self._cipher = EnquiryCipher(keys)
        self._reference = reference

    async def add(self, new: NewEnquiry) -> str:
        """Store an enquiry, its note and the end of its journey in one transaction, and return its reference.

        The same form again changes nothing and returns the first reference; raises StorageError, JourneyChangedError.
        """
        values = self._cipher.values(new.enquiry)

        async def work(connection: AsyncConnection) -> str:
            known = await connection.execute(_by_submission(new.submissions))
            return known.scalar() or await self._add(connection, new, values)

        for _ in range(ATTEMPTS):
            try:
                return await self._database.write(work)
            except IntegrityError:
                continue
        raise StorageError("the database refuses an enquiry as one that is there")

    async def reference_of(self, submissions: Sequence[str]) -> str:
        """Return the reference under which a form was stored before, empty where it was not; raises StorageError."""

        async def work(connection: AsyncConnection) -> str:
            return (await connection.execute(_by_submission(submissions))).scalar() or ""

        return await self._database.read(work)

    async def find(self, reference: str) -> StoredEnquiry | None:
        """Return an enquiry, or None; raises StorageError, DecryptionError."""

        async def work(connection: AsyncConnection) -> StoredEnquiry | None:
            wanted = select(EnquiryRow).where(col(EnquiryRow.reference) == reference)
            row = (await connection.execute(wanted)).one_or_none()
            return self._cipher.read(row) if row else None

        return await self._database.read(work)

    async def delete(self, reference: str) -> bool:
        """Delete an enquiry with its note, and tell whether it was there; raises StorageError."""

        async def work(connection: AsyncConnection) -> bool:
            done = await connection.execute(delete(EnquiryRow).where(col(EnquiryRow.reference) == reference))
            return bool(done.rowcount)

        return await self._database.write(work)

    async def delete_due(self, now: datetime) -> int:
        """Delete the enquiries whose time is over, and return how many; raises StorageError."""

        async def work(connection: AsyncConnection) -> int:
            done = await connection.execute(delete(EnquiryRow).where(col(EnquiryRow.delete_after) <= now))
            return done.rowcount

        return await self._database.write(work)

    async def _add(self, connection: AsyncConnection, new: NewEnquiry, values: dict[str, object]) -> str:
        reference = self._reference()
        row = {
            **values,
            "reference": reference,
            "submission": new.submissions[0],
            "state": EnquiryState.NEW.value,
            "version": 1,
            "created": new.created,
            "delete_after": new.delete_after,
            "page": new.page,
            "call_by": new.call_by or new.created,
        }
        added = await connection.execute(insert(EnquiryRow).values(row).returning(col(EnquiryRow.id)))
        note = {"enquiry_id": added.scalar_one(), "created": new.created, "due": new.created}
        await connection.execute(insert(OutboxRow).values({**note, "attempts": 0, "problem": ""}))
        if new.journey:
            here = (col(JourneyRow.token) == token_digest(new.journey), col(JourneyRow.version) == new.journey_version)
            if not (await connection.execute(delete(JourneyRow).where(*here))).rowcount:
                raise JourneyChangedError("an answer came in meanwhile")
        return reference


def _by_submission(submissions: Sequence[str]) -> Select[str]:
    return select(col(EnquiryRow.reference)).where(col(EnquiryRow.submission).in_(submissions)).limit(1)
