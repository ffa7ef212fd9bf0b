"""Templates of replies in the database; each change has its entry in the audit record."""

from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.cases.case import Refused
from broker.cases.replies import MAX_TEMPLATES, NO_TEMPLATE, TOO_MANY_TEMPLATES, ReplyTemplate
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import add_entry
from broker.storage.database import Database
from broker.storage.tables import ReplyTemplateRow

_column = col(ReplyTemplateRow.name)
NAME_TAKEN = "Another template has this name"


class TemplateStore:
    """Templates by their name; methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> tuple[ReplyTemplate, ...]:
        """Return the templates by name."""

        async def work(connection: AsyncConnection) -> tuple[ReplyTemplate, ...]:
            return tuple(map(_template, await connection.execute(select(ReplyTemplateRow).order_by(_column))))

        return await self._database.read(work)

    async def save(self, template: ReplyTemplate, *, before: str, who: str, at: datetime) -> ReplyTemplate | Refused:
        """Add a template, or change the one that was named `before`."""
        values = {"name": template.name, "text": template.text, "changed_by": who, "changed_at": at}

        async def work(connection: AsyncConnection) -> ReplyTemplate | Refused:
            if before:
                changed = update(ReplyTemplateRow).where(_column == before).values(values)
                if not (await connection.execute(changed)).rowcount:
                    return Refused(words=NO_TEMPLATE)
            else:
                counted = select(func.count()).select_from(ReplyTemplateRow)
                if (await connection.execute(counted)).scalar_one() >= MAX_TEMPLATES:
                    return Refused(words=TOO_MANY_TEMPLATES)
                await connection.execute(insert(ReplyTemplateRow).values(values))
            await add_entry(connection, AuditEntry(at=at, who=who, what=Act.TEMPLATE_SAVED, about=template.name))
            return ReplyTemplate(name=template.name, text=template.text, changed_by=who, changed_at=at)

        try:
            return await self._database.write(work)
        except IntegrityError:
            return Refused(words=NAME_TAKEN)

    async def delete(self, name: str, *, who: str, at: datetime) -> bool:
        """Delete a template; return whether there was one."""

        async def work(connection: AsyncConnection) -> bool:
            done = await connection.execute(delete(ReplyTemplateRow).where(_column == name))
            if done.rowcount:
                await add_entry(connection, AuditEntry(at=at, who=who, what=Act.TEMPLATE_DELETED, about=name))
            return bool(done.rowcount)

        return await self._database.write(work)


def _template(row: Row[Any]) -> ReplyTemplate:
    return ReplyTemplate(name=row.name, text=row.text, changed_by=row.changed_by, changed_at=row.changed_at)
