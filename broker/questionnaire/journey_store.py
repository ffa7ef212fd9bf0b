"""Answers of unsent questionnaires in the database, encrypted, under the digest of the visitor's token."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, bindparam, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.questionnaire.answers import Value
from broker.storage.database import BEGINNING, Database, first_value, rows_changed
from broker.storage.encryption import SecretKeys
from broker.storage.errors import StorageError
from broker.storage.tables import JourneyRow


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredJourney:
    """Answers to the questions of a flow (by name), by step, also to steps off the path; `version` counts the writes.

    `written` has the version of each step's last answer.
    """

    flow: str
    entry: str
    answers: Mapping[str, Value]
    written: Mapping[str, int]
    version: int
    delete_after: datetime


# built once: every page of the questionnaire looks for a journey
_FIND = select(JourneyRow).where(
    col(JourneyRow.token) == bindparam("digest"), col(JourneyRow.delete_after) > bindparam("now")
)


class JourneyStore:
    """Journeys by their token; methods raise StorageError."""

    def __init__(self, database: Database, keys: SecretKeys) -> None:
        self._database = database
        self._cipher = keys.cipher_for("journey answers")

    async def find(self, token: str, now: datetime) -> StoredJourney | None:
        """Return a journey, or None if there is none or it has expired; raises StorageError, DecryptionError."""

        async def work(connection: AsyncConnection) -> Row[Any] | None:
            return (await connection.execute(_FIND, {"digest": token_digest(token), "now": now})).one_or_none()

        row = await self._database.read(work)
        return self._read(row) if row else None

    async def add(self, token: str, journey: StoredJourney, *, now: datetime) -> None:
        """Store a journey under a new token; raises StorageError."""
        row = {**self._values(journey, now), "token": token_digest(token), "created": now}

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(insert(JourneyRow).values(row))

        try:
            await self._database.write(work)
        except IntegrityError as error:
            raise StorageError("a token is taken") from error

    async def save(self, token: str, journey: StoredJourney, *, now: datetime) -> bool:
        """Store the next version of a journey; return False if another writer was faster. Raises StorageError."""
        here = (_is(token), col(JourneyRow.version) == journey.version - 1)
        values = self._values(journey, now)

        async def work(connection: AsyncConnection) -> bool:
            done = await connection.execute(update(JourneyRow).where(*here).values(values))
            return bool(done.rowcount)

        return await self._database.write(work)

    async def delete(self, token: str) -> bool:
        """Delete a journey; return whether it existed. Raises StorageError."""
        return bool(await self._database.erase(rows_changed(delete(JourneyRow).where(_is(token)))))

    async def count_due(self, now: datetime) -> int:
        """Return how many journeys are past their time; raises StorageError."""
        due = select(func.count()).select_from(JourneyRow).where(col(JourneyRow.delete_after) <= now)
        return await self._database.read(first_value(due))

    async def delete_due(self, now: datetime, *, after: datetime = BEGINNING) -> int:
        """Delete journeys whose time ended `after` a moment, and return how many; raises StorageError."""
        due = (col(JourneyRow.delete_after) <= now, col(JourneyRow.delete_after) > after)
        return await self._database.erase(rows_changed(delete(JourneyRow).where(*due)))

    def _values(self, journey: StoredJourney, now: datetime) -> dict[str, object]:
        content = {"flow": journey.flow, "answers": dict(journey.answers), "written": dict(journey.written)}
        return {
            "entry": journey.entry,
            "answers": self._cipher.encrypt(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()),
            "version": journey.version,
            "touched": now,
            "delete_after": journey.delete_after,
        }

    def _read(self, row: Row[Any]) -> StoredJourney:
        content = json.loads(self._cipher.decrypt(row.answers))
        return StoredJourney(
            flow=content.get("flow", ""),
            entry=row.entry,
            answers=content["answers"],
            written=content["written"],
            version=row.version,
            delete_after=row.delete_after,
        )


def token_digest(token: str) -> str:
    """Return the SHA-256 of a token, which needs no salt since tokens have 256 random bits."""
    return hashlib.sha256(token.encode()).hexdigest()


def _is(token: str) -> ColumnElement[bool]:
    return col(JourneyRow.token) == token_digest(token)
