"""Templates of replies in the database; each change has its entry in the audit record."""

from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.cases.case import Refused
from broker.cases.replies import MAX_TEMPLATES, NO_TEMPLATE, TOO_MANY_TEMPLATES, ReplyTemplate, TemplateConflict
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import add_entry
from broker.storage.database import Database, all_rows
from broker.storage.tables import ReplyTemplateRow

_id, _version = col(ReplyTemplateRow.id), col(ReplyTemplateRow.version)
NAME_TAKEN = "Another template has this name"


class TemplateStore:
    """Templates of replies; methods raise StorageError.

    A change names the template as it was seen: one that somebody has changed since stays as it is.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> tuple[ReplyTemplate, ...]:
        """Return the templates by name."""
        wanted = select(ReplyTemplateRow).order_by(col(ReplyTemplateRow.name))
        return tuple(map(_template, await self._database.read(all_rows(wanted))))

    async def save(
        self, template: ReplyTemplate, *, seen: ReplyTemplate | None, who: str, at: datetime
    ) -> ReplyTemplate | TemplateConflict | Refused:
        """Add a template, or change the one that was `seen`."""
        texts = {"name": template.name, "subject": template.subject, "text": template.text}
        values = {**texts, "version": seen.version + 1 if seen else 1, "changed_by": who, "changed_at": at}

        async def work(connection: AsyncConnection) -> ReplyTemplate | TemplateConflict | Refused:
            if seen:
                here = (_id == seen.id, _version == seen.version)
                stored = update(ReplyTemplateRow).where(*here).values(values).returning(ReplyTemplateRow)
            else:
                counted = select(func.count()).select_from(ReplyTemplateRow)
                if (await connection.execute(counted)).scalar_one() >= MAX_TEMPLATES:
                    return Refused(words=TOO_MANY_TEMPLATES)
                stored = insert(ReplyTemplateRow).values(values).returning(ReplyTemplateRow)
            row = (await connection.execute(stored)).one_or_none()
            if row is None:
                return await _changed(connection, seen) or Refused(words=NO_TEMPLATE)
            await add_entry(connection, AuditEntry(at=at, who=who, what=Act.TEMPLATE_SAVED, about=template.name))
            return _template(row)

        try:
            return await self._database.write(work)
        except IntegrityError:
            return Refused(words=NAME_TAKEN)

    async def delete(self, seen: ReplyTemplate, *, who: str, at: datetime) -> bool | TemplateConflict:
        """Delete the template that was `seen`; return whether there was one."""

        async def work(connection: AsyncConnection) -> bool | TemplateConflict:
            here = delete(ReplyTemplateRow).where(_id == seen.id, _version == seen.version)
            if not (await connection.execute(here)).rowcount:
                return await _changed(connection, seen) or False
            await add_entry(connection, AuditEntry(at=at, who=who, what=Act.TEMPLATE_DELETED, about=seen.name))
            return True

        return await self._database.write(work)


async def _changed(connection: AsyncConnection, seen: ReplyTemplate | None) -> TemplateConflict | None:
    """Return a template as somebody has changed it since it was seen, None if it is deleted."""
    row = (await connection.execute(select(ReplyTemplateRow).where(_id == seen.id))).one_or_none() if seen else None
    return TemplateConflict(template=_template(row)) if row else None


def _template(row: Row[Any]) -> ReplyTemplate:
    return ReplyTemplate(
        id=row.id,
        version=row.version,
        name=row.name,
        subject=row.subject,
        text=row.text,
        changed_by=row.changed_by,
        changed_at=row.changed_at,
    )
