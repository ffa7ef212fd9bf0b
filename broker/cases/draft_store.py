"""Drafts of notes in the database: what an account is writing to a case, encrypted, until it is saved."""

from datetime import datetime

from sqlalchemy import and_, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.duties.retention_rules import DRAFT_TIME
from broker.storage.database import Database
from broker.storage.encryption import SecretKeys
from broker.storage.tables import EnquiryRow, NoteDraftRow


class NoteDraftStore:
    """A draft for each account and case; every method raises StorageError and DecryptionError."""

    def __init__(self, database: Database, keys: SecretKeys) -> None:
        self._database, self._cipher = database, keys.cipher_for("note draft")

    async def find(self, reference: str, who: str) -> str:
        """Return the draft of an account for a case, empty for none."""
        wanted = (
            select(col(NoteDraftRow.text))
            .join(EnquiryRow, col(EnquiryRow.id) == col(NoteDraftRow.enquiry_id))
            .where(col(EnquiryRow.reference) == reference, col(NoteDraftRow.who) == who)
        )
        found = await self._database.read(lambda connection: connection.scalar(wanted))
        return self._cipher.decrypt(found).decode() if found else ""

    async def keep(self, reference: str, who: str, text: str, at: datetime) -> None:
        """Replace the draft of an account for a case; an empty text deletes it, as does the time of an old one."""
        case = select(col(EnquiryRow.id)).where(col(EnquiryRow.reference) == reference)
        old = delete(NoteDraftRow).where(col(NoteDraftRow.at) < at - DRAFT_TIME)

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(old)
            id_ = await connection.scalar(case)
            if id_ is None:
                return
            here = and_(col(NoteDraftRow.enquiry_id) == id_, col(NoteDraftRow.who) == who)
            if not text:
                await connection.execute(delete(NoteDraftRow).where(here))
                return
            values = {"text": self._cipher.encrypt(text.encode()), "at": at}
            if not (await connection.execute(update(NoteDraftRow).where(here).values(values))).rowcount:
                await connection.execute(insert(NoteDraftRow).values(enquiry_id=id_, who=who, **values))

        await self._database.write(work)
