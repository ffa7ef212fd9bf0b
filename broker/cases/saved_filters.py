"""Filters of the list of cases that each account saves, and the columns that it hides, in the database."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.cases.case import Refused
from broker.storage.database import Database, all_rows, rows_changed
from broker.storage.tables import SavedFilterRow, StaffRow

MAX_FILTERS = 20
"""Filters of an account."""

TOO_MANY = f"You have {MAX_FILTERS} saved filters already: remove one first"
NAME_TAKEN = "Another of your filters has this name"

_HIDDEN_COLUMNS = ""
"""Name of the row with the columns that an account hides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedFilter:
    """A filter of an account: its number, its name, and the query of the list's address."""

    number: int
    name: str
    query: str


class SavedFilterStore:
    """The saved filters of accounts; every method raises StorageError, and reaches the rows of `who` alone."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self, who: str) -> tuple[tuple[SavedFilter, ...], str]:
        """Return the filters of an account, in the order in which they were saved, and the columns that it hides."""
        wanted = select(SavedFilterRow).where(col(SavedFilterRow.who) == who).order_by(col(SavedFilterRow.id))
        rows = await self._database.read(all_rows(wanted))
        found = tuple(SavedFilter(number=row.id, name=row.name, query=row.query) for row in rows)
        hidden = next((each.query for each in found if each.name == _HIDDEN_COLUMNS), "")
        return tuple(each for each in found if each.name != _HIDDEN_COLUMNS), hidden

    async def save(self, who: str, name: str, query: str) -> Refused | None:
        """Save a filter; one of the same name is replaced."""
        values = {"who": who, "name": name, "query": query}
        named = and_(col(SavedFilterRow.who) == who, col(SavedFilterRow.name) == name)
        counted = select(func.count()).where(
            col(SavedFilterRow.who) == who, col(SavedFilterRow.name) != _HIDDEN_COLUMNS
        )

        async def work(connection: AsyncConnection) -> Refused | None:
            # one tab of an account at a time
            await connection.execute(select(col(StaffRow.id)).where(col(StaffRow.name) == who).with_for_update())
            done = await connection.execute(update(SavedFilterRow).where(named).values(values))
            if done.rowcount:
                return None
            if values["name"] != _HIDDEN_COLUMNS and (await connection.scalar(counted) or 0) >= MAX_FILTERS:
                return Refused(words=TOO_MANY)
            await connection.execute(insert(SavedFilterRow).values(values))
            return None

        return await self._database.write(work)

    async def hide_columns(self, who: str, columns: str) -> None:
        """Save the columns that an account hides."""
        await self.save(who, _HIDDEN_COLUMNS, columns)

    async def rename(self, who: str, number: int, name: str) -> Refused | None:
        """Give a filter another name; one that is gone stays gone."""
        wanted = update(SavedFilterRow).where(_numbered(who, number)).values(name=name)
        try:
            await self._database.write(rows_changed(wanted))
        except IntegrityError:
            return Refused(words=NAME_TAKEN)
        return None

    async def delete(self, who: str, number: int) -> None:
        wanted = delete(SavedFilterRow).where(_numbered(who, number))
        await self._database.write(rows_changed(wanted))


def _numbered(who: str, number: int) -> Any:
    return and_(
        col(SavedFilterRow.who) == who, col(SavedFilterRow.id) == number, col(SavedFilterRow.name) != _HIDDEN_COLUMNS
    )
