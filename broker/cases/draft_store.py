"""Drafts of notes in the database: what an account is writing to a case, encrypted, until it is saved."""

from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.duties.retention_rules import DRAFT_TIME
from broker.enquiries.rows import in_case
from broker.storage.database import Database
from broker.storage.encryption import SecretKeys
from broker.storage.tables import EnquiryRow, NoteDraftRow


class NoteDraftStore:
    """A draft for each account and case, with what was typed to enquiries that are merged into it.

    Every method raises StorageError and DecryptionError.
    """

    def __init__(self, database: Database, keys: SecretKeys) -> None:
        self._database, self._cipher = database, keys.cipher_for("note draft")

    async def find(self, reference: str, who: str) -> str:
        """Return the draft of an account for a case, empty for none; several, of merged cases, are joined."""

        async def work(connection: AsyncConnection) -> list[bytes]:
            case = await _case(connection, reference)
            wanted = select(col(NoteDraftRow.text)).where(_drafts(case, who)).order_by(col(NoteDraftRow.at))
            return list((await connection.execute(wanted)).scalars())

        return "\n\n".join([self._cipher.decrypt(text).decode() for text in await self._database.read(work)])

    async def keep(self, reference: str, who: str, text: str, at: datetime) -> None:
        """Replace the draft of an account for a case; an empty text deletes it, as does the time of an old one."""
        old = delete(NoteDraftRow).where(col(NoteDraftRow.at) < at - DRAFT_TIME)

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(old)
            case = await _case(connection, reference)
            if case is None:
                return
            await connection.execute(delete(NoteDraftRow).where(_drafts(case, who)))
            if text:
                values = {"text": self._cipher.encrypt(text.encode()), "at": at}
                await connection.execute(insert(NoteDraftRow).values(enquiry_id=case, who=who, **values))

        await self._database.write(work)


async def _case(connection: AsyncConnection, reference: str) -> int | None:
    """Return the id of a reference's case, None for an unknown one."""
    id_ = func.coalesce(col(EnquiryRow.merged_into), col(EnquiryRow.id))
    return await connection.scalar(select(id_).where(col(EnquiryRow.reference) == reference))


def _drafts(case: int | None, who: str) -> ColumnElement[bool]:
    ids = select(col(EnquiryRow.id)).where(in_case(case or 0))
    return and_(col(NoteDraftRow.enquiry_id).in_(ids), col(NoteDraftRow.who) == who)
