"""Advisers with hours, and enquiries that book their slots."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.appointments.appointment import Appointment, Medium, Slot
from broker.appointments.slots import AdviserHours, TimeRange
from broker.enquiries.store import NewEnquiry
from broker.mail.mail import MailKind
from broker.mail.outbox_store import MailCipher
from broker.staff.audit import Act, AuditEntry
from broker.storage.database import Database
from broker.storage.encryption import SecretKeys
from broker.storage.tables import AppointmentCellRow, MailRow
from tests.databases.fixtures import KEY
from tests.unit.storage.stores import Stores, new

NOW = datetime(2026, 11, 30, 8, tzinfo=UTC)
"""A Monday."""

OFFICE = AdviserHours(ranges=dict.fromkeys(range(5), (TimeRange(opens=time(9), closes=time(17)),)))


def slot(
    day: int = 1, hour: int = 10, minute: int = 0, *, minutes: int = 20, medium: Medium = Medium.TELEPHONE
) -> Slot:
    """Return a slot some days after Monday."""
    start = (NOW + timedelta(days=day)).replace(hour=hour, minute=minute)
    return Slot(start=start, minutes=minutes, medium=medium)


async def add_adviser(stores: Stores, name: str = "ada", hours: AdviserHours = OFFICE, *, at: datetime = NOW) -> int:
    """Add an account with hours, and return its id."""
    entry = AuditEntry(at=at, who="test", what=Act.ACCOUNT_ADDED, about=name)
    assert await stores.accounts.add(name, "hash", entry=entry)
    await stores.appointments.set_hours(name, hours, who=name, at=at)
    account = await stores.accounts.find(name)
    assert account
    return account.id


async def disable(stores: Stores, account: int, name: str) -> None:
    entry = AuditEntry(at=NOW, who="test", what=Act.ACCOUNT_DISABLED, about=name)
    await stores.accounts.change(account, entry, enabled=False)


def wanting(number: int, wanted: Slot | None, *, at: datetime = NOW, email: str = "zoe@visitor.example") -> NewEnquiry:
    base = new(number)
    contact = replace(base.enquiry.contact, email=email)
    return replace(
        base,
        enquiry=replace(base.enquiry, contact=contact),
        created=at,
        delete_after=at + timedelta(days=365),
        slot=wanted,
        is_confirmed=bool(email),
    )


async def booked(stores: Stores, wanted: Slot, number: int = 1, *, at: datetime = NOW) -> Appointment:
    reference = await stores.enquiries.add(wanting(number, wanted, at=at))
    found = await stores.appointments.of_enquiry(reference)
    assert found
    return found


async def mails(database: Database) -> list[tuple[MailKind, str, dict[str, str]]]:
    """Return all mails that wait, in order: kind, recipient and values."""
    cipher = MailCipher(SecretKeys((KEY,)))

    async def work(connection: AsyncConnection) -> list[tuple[MailKind, str, dict[str, str]]]:
        rows = await connection.execute(select(MailRow).order_by(col(MailRow.id)))
        return [(MailKind(row.kind), cipher.recipient(row), cipher.context(row)) for row in rows]

    return await database.read(work)


async def kinds(database: Database) -> list[MailKind]:
    return [kind for kind, _, _ in await mails(database)]


async def cells_of(database: Database) -> list[tuple[str, int]]:
    async def work(connection: AsyncConnection) -> list[tuple[str, int]]:
        columns = (col(AppointmentCellRow.adviser), col(AppointmentCellRow.cell))
        return sorted((row.adviser, row.cell) for row in await connection.execute(select(*columns)))

    return await database.read(work)
