"""Support needs of cases in the database, encrypted."""

from datetime import datetime
from typing import Any

from sqlalchemy import Row, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.cases.case import ONLY_ADVICE
from broker.duties.complaint import NotDone
from broker.duties.support_needs import CaseNeeds, SupportNeeds, read_needs, write_needs
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.enquiries.rows import in_case, only_advice_since
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import add_entry
from broker.storage.database import Database, all_rows, first_row
from broker.storage.encryption import SecretKeys
from broker.storage.tables import EnquiryRow


class NeedsStore:
    """Methods raise StorageError and DecryptionError."""

    def __init__(self, database: Database, keys: SecretKeys) -> None:
        self._database, self._cipher = database, EnquiryCipher(keys)

    async def find(self, reference: str) -> CaseNeeds | None:
        """Return the needs of a case, None for an unknown one."""
        wanted = select(EnquiryRow).where(col(EnquiryRow.reference) == reference)
        row = await self._database.read(first_row(wanted))
        return self._read(row) if row else None

    async def set(
        self, reference: str, needs: SupportNeeds | None, *, version: int, who: str, at: datetime
    ) -> CaseNeeds | NotDone | None:
        """Replace the needs of a case; return them, those it has where its version is another, or None for unknown.

        A case of which only the record of advice is kept gets none.
        """
        wanted = select(EnquiryRow).where(col(EnquiryRow.reference) == reference)
        what = Act.NEEDS_RECORDED if needs else Act.NEEDS_REMOVED

        async def work(connection: AsyncConnection) -> CaseNeeds | NotDone | None:
            row = (await connection.execute(wanted.with_for_update())).one_or_none()
            if row is None or row.version != version:
                return self._read(row) if row else None
            if needs and await only_advice_since(connection, row):
                return NotDone(words=ONLY_ADVICE)
            stored = self._cipher.needs_value(write_needs(needs)) if needs else None
            stamp = {"version": version + 1, "changed_by": who, "changed_at": at}
            changed = update(EnquiryRow).where(col(EnquiryRow.id) == row.id).values(needs=stored, **stamp)
            await connection.execute(changed)
            if needs is None:  # those that were merged into it keep a copy
                await connection.execute(update(EnquiryRow).where(in_case(row.id)).values(needs=None))
            await add_entry(connection, AuditEntry(at=at, who=who, what=what, about=reference))
            return CaseNeeds(version=version + 1, needs=needs)

        return await self._database.erase(work)

    async def all(self) -> tuple[SupportNeeds, ...]:
        """Return the needs of every case that has any."""
        wanted = select(EnquiryRow).where(col(EnquiryRow.needs).is_not(None), col(EnquiryRow.merged_into).is_(None))
        found = (self._read(row).needs for row in await self._database.read(all_rows(wanted)))
        return tuple(each for each in found if each)

    def _read(self, row: Row[Any]) -> CaseNeeds:
        return CaseNeeds(version=row.version, needs=read_needs(self._cipher.needs(row)))
