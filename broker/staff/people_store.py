"""People with an account in the database: the owner's list, one-time links, roles, sessions and hand-over."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import cycle
from typing import Any

from sqlalchemy import Delete, Select, and_, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.appointments.appointment import AppointmentState
from broker.duties.complaint import complaint_label
from broker.enquiries.enquiry import EnquiryState
from broker.mail.mail import NewMail
from broker.mail.outbox_store import MailCipher, add_mail
from broker.staff.account_store import Account, account_of
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import add_entry
from broker.staff.people import OpenLink, OpenSession, Passkey, Person
from broker.staff.roles import Role
from broker.staff.session_store import open_sessions
from broker.storage.database import Database
from broker.storage.encryption import DecryptionError, SecretKeys
from broker.storage.tables import (
    AppointmentRow,
    ComplaintRow,
    EnquiryRow,
    PasskeyRow,
    RecoveryCodeRow,
    StaffInviteRow,
    StaffRow,
    StaffSessionRow,
)

_IS_OPEN_CASE = and_(col(EnquiryRow.merged_into).is_(None), col(EnquiryRow.state) != EnquiryState.CLOSED.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLink:
    """A one-time link to store, by the digest of its token, with the mail that brings it."""

    digest: str
    is_reset: bool
    made_by: str
    expires: datetime
    mail: NewMail | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOver:
    """How much open work of a disabled account went to others."""

    cases: int
    complaints: int


class PeopleStore:
    """Methods raise StorageError; each change and its audit entry are one transaction."""

    def __init__(self, database: Database, keys: SecretKeys) -> None:
        self._database, self._mail_cipher = database, MailCipher(keys)
        self._email = keys.cipher_for("staff email")

    async def people(self, now: datetime) -> tuple[Person, ...]:
        """Return everybody with an account, by name."""
        cases = (
            select(col(EnquiryRow.assigned), func.count())
            .where(col(EnquiryRow.assigned) != "", _IS_OPEN_CASE)
            .group_by(col(EnquiryRow.assigned))
        )
        complained = (
            select(col(ComplaintRow.assigned), func.count())
            .where(col(ComplaintRow.closed).is_(None))
            .group_by(col(ComplaintRow.assigned))
        )
        booked = (
            select(col(AppointmentRow.adviser), func.count())
            .where(col(AppointmentRow.state) == AppointmentState.BOOKED.value, col(AppointmentRow.starts) > now)
            .group_by(col(AppointmentRow.adviser))
        )

        async def work(connection: AsyncConnection) -> tuple[Person, ...]:
            sessions: dict[int, list[OpenSession]] = defaultdict(list)
            for account_id, session in await open_sessions(connection, now):
                sessions[account_id].append(session)
            passkeys: dict[int, list[Passkey]] = defaultdict(list)
            for row in await connection.execute(select(PasskeyRow).order_by(col(PasskeyRow.id))):
                passkeys[row.staff_id].append(Passkey(id=row.id, name=row.name, added=row.added, used=row.used))
            links = {
                row.staff_id: OpenLink(is_reset=row.is_reset, made_by=row.made_by, expires=row.expires)
                for row in await connection.execute(select(StaffInviteRow).where(col(StaffInviteRow.expires) > now))
            }
            open_cases = {row[0]: row[1] for row in await connection.execute(cases)}
            complaints = {row[0]: row[1] for row in await connection.execute(complained)}
            appointments = {row[0]: row[1] for row in await connection.execute(booked)}
            rows = await connection.execute(select(StaffRow).order_by(col(StaffRow.name)))
            return tuple(
                Person(
                    id=account.id,
                    name=account.name,
                    shown_name=account.shown_name,
                    email=self._email_of(account),
                    role=account.role,
                    enabled=account.enabled,
                    is_set_up=bool(account.password),
                    created=account.created,
                    signed_in_at=account.signed_in_at,
                    disabled_at=account.disabled_at,
                    has_codes=account.code_secret is not None,
                    sessions=tuple(sessions[account.id]),
                    passkeys=tuple(passkeys[account.id]),
                    open_cases=open_cases.get(account.name, 0),
                    complaints=complaints.get(account.name, 0),
                    appointments=appointments.get(account.name, 0),
                    link=links.get(account.id),
                )
                for account in map(account_of, rows)
            )

        return await self._database.read(work)

    async def invite(
        self, *, account: str, shown_name: str, email: str, role: Role, link: NewLink, entry: AuditEntry
    ) -> bool:
        """Store an account that is disabled until its link is used; return False if the name is taken."""
        row = {
            "name": account,
            "display_name": shown_name,
            "email": self._email.encrypt(email.encode()),
            "role": role.value,
            "password": "",
            "created": entry.at,
            "enabled": False,
            "epoch": 1,
            "code_step": 0,
        }

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(insert(StaffRow).values(row))
            wanted = select(col(StaffRow.id)).where(col(StaffRow.name) == account)
            account_id = (await connection.execute(wanted)).scalar_one()
            assert account_id is not None
            await self._add_link(connection, account_id, link)
            await add_entry(connection, entry)

        return await self._database.write_new(work)

    async def make_link(self, account_id: int, link: NewLink, entry: AuditEntry) -> None:
        """Store a link of an account; an earlier one ends."""

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(delete(StaffInviteRow).where(col(StaffInviteRow.staff_id) == account_id))
            await self._add_link(connection, account_id, link)
            await add_entry(connection, entry)

        await self._database.write(work)

    async def withdraw(self, account_id: int, entry: AuditEntry) -> bool:
        """End the link of an account, and remove an account that never was set up; False without a link."""
        unused = (col(StaffRow.id) == account_id, col(StaffRow.password) == "")

        async def work(connection: AsyncConnection) -> bool:
            ended = delete(StaffInviteRow).where(col(StaffInviteRow.staff_id) == account_id)
            if not (await connection.execute(ended)).rowcount:
                return False
            await connection.execute(delete(StaffRow).where(*unused))
            await add_entry(connection, entry)
            return True

        return await self._database.write(work)

    async def linked(self, digest: str, now: datetime) -> tuple[Account, bool] | None:
        """Return the account of a link that still works, and whether it is a reset; None for any other."""
        wanted = _linked(digest, now)

        async def work(connection: AsyncConnection) -> tuple[Account, bool] | None:
            invite = (await connection.execute(wanted)).one_or_none()
            if invite is None:
                return None
            row = (await connection.execute(select(StaffRow).where(col(StaffRow.id) == invite.staff_id))).one()
            return account_of(row), invite.is_reset

        return await self._database.read(work)

    async def use_link(self, digest: str, password: str, entry: AuditEntry) -> bool:
        """Use a link up and set the hash of a password: what signed the account in before ends.

        Return False, with nothing changed, for a link that was used, has ended or was replaced.
        """
        used = delete(StaffInviteRow).where(col(StaffInviteRow.link) == digest, col(StaffInviteRow.expires) > entry.at)

        async def work(connection: AsyncConnection) -> bool:
            invite = (await connection.execute(_linked(digest, entry.at))).one_or_none()
            if invite is None or not (await connection.execute(used)).rowcount:
                return False
            here = col(StaffRow.id) == invite.staff_id
            values = {"password": password, "code_secret": None, "code_pending": None, "code_step": 0}
            if not invite.is_reset:
                values |= {"enabled": True, "disabled_at": None}
            changed = update(StaffRow).where(here).values({**values, "epoch": col(StaffRow.epoch) + 1})
            await connection.execute(changed)
            for table in (StaffSessionRow, RecoveryCodeRow, PasskeyRow):
                await connection.execute(delete(table).where(col(table.staff_id) == invite.staff_id))
            await add_entry(connection, entry)
            return True

        return await self._database.write(work)

    async def set_role(self, account_id: int, role: Role, entry: AuditEntry) -> bool:
        """Change a role, which ends the account's sessions; return False for the last owner."""

        async def work(connection: AsyncConnection) -> bool:
            if role is not Role.OWNER and await _is_last_owner(connection, account_id):
                return False
            changed = {"role": role.value, "epoch": col(StaffRow.epoch) + 1}
            await connection.execute(update(StaffRow).where(col(StaffRow.id) == account_id).values(changed))
            await connection.execute(delete(StaffSessionRow).where(col(StaffSessionRow.staff_id) == account_id))
            await add_entry(connection, entry)
            return True

        return await self._database.write(work)

    async def disable(
        self, account: Account, to: Sequence[str], entry: AuditEntry, *, may_be_last_owner: bool = False
    ) -> HandedOver | None:
        """Disable an account, end its sessions and its link, and give its open work to colleagues in turn.

        Without colleagues it becomes nobody's. Return what was given, None for the last owner unless it may be that.
        """
        own = (col(EnquiryRow.assigned) == account.name, _IS_OPEN_CASE)
        cases = select(col(EnquiryRow.id), col(EnquiryRow.reference), col(EnquiryRow.version)).where(*own)
        cases = cases.order_by(col(EnquiryRow.id))
        mine = (col(ComplaintRow.assigned) == account.name, col(ComplaintRow.closed).is_(None))
        complaints = select(col(ComplaintRow.id), col(ComplaintRow.version)).where(*mine).order_by(col(ComplaintRow.id))

        async def work(connection: AsyncConnection) -> HandedOver | None:
            if not may_be_last_owner and await _is_last_owner(connection, account.id):
                return None
            heirs = cycle(to or ("",))

            async def give(table: type[EnquiryRow | ComplaintRow], row: Any, given: AuditEntry) -> None:
                heir = next(heirs)
                stamp = {"version": row.version + 1, "changed_by": entry.who, "changed_at": entry.at}
                here = update(table).where(col(table.id) == row.id)
                await connection.execute(here.values({"assigned": heir, **stamp}))
                detail = f"{given.detail}to {heir or 'nobody'}, before to {account.name}, whose account is disabled"
                await add_entry(connection, replace(given, detail=detail))

            of_cases = (await connection.execute(cases.with_for_update())).all()
            for row in of_cases:
                await give(EnquiryRow, row, replace(entry, what=Act.ENQUIRY_ASSIGNED, about=row.reference))
            of_complaints = (await connection.execute(complaints.with_for_update())).all()
            for row in of_complaints:
                changed = replace(entry, what=Act.COMPLAINT_CHANGED, about=complaint_label(row.id), detail="assigned ")
                await give(ComplaintRow, row, changed)
            off = {"enabled": False, "disabled_at": entry.at, "epoch": col(StaffRow.epoch) + 1}
            await connection.execute(update(StaffRow).where(col(StaffRow.id) == account.id).values(off))
            for table in (StaffSessionRow, StaffInviteRow):
                await connection.execute(delete(table).where(col(table.staff_id) == account.id))
            await add_entry(connection, entry)
            return HandedOver(cases=len(of_cases), complaints=len(of_complaints))

        return await self._database.write(work)

    async def end_sessions(self, account_id: int, session_id: int, entry: AuditEntry) -> bool:
        """End a session of an account, or all with 0; return False if none was open."""
        which = [col(StaffSessionRow.staff_id) == account_id]
        if session_id:
            which.append(col(StaffSessionRow.id) == session_id)
        return await self._remove(delete(StaffSessionRow).where(*which), entry)

    async def remove_passkey(self, account_id: int, passkey_id: int, entry: AuditEntry) -> bool:
        """Remove a passkey of an account; return False if it is not there."""
        here = (col(PasskeyRow.staff_id) == account_id, col(PasskeyRow.id) == passkey_id)
        return await self._remove(delete(PasskeyRow).where(*here), entry)

    async def _remove(self, statement: Delete, entry: AuditEntry) -> bool:
        async def work(connection: AsyncConnection) -> bool:
            if not (await connection.execute(statement)).rowcount:
                return False
            await add_entry(connection, entry)
            return True

        return await self._database.write(work)

    async def _add_link(self, connection: AsyncConnection, account_id: int, link: NewLink) -> None:
        row = {
            "staff_id": account_id,
            "link": link.digest,
            "is_reset": link.is_reset,
            "made_by": link.made_by,
            "expires": link.expires,
        }
        await connection.execute(insert(StaffInviteRow).values(row))
        if link.mail:
            await add_mail(connection, self._mail_cipher, link.mail)

    def _email_of(self, account: Account) -> str:
        try:
            return self._email.decrypt(account.email).decode() if account.email else ""
        except DecryptionError:
            return ""


def _linked(digest: str, now: datetime) -> Select[Any]:
    return select(StaffInviteRow).where(col(StaffInviteRow.link) == digest, col(StaffInviteRow.expires) > now)


async def _is_last_owner(connection: AsyncConnection, account_id: int) -> bool:
    """Return whether an account is the only enabled owner; owners stay locked until the transaction ends."""
    owners = select(col(StaffRow.id)).where(col(StaffRow.role) == Role.OWNER.value, col(StaffRow.enabled))
    found = (await connection.execute(owners.with_for_update())).scalars().all()
    return list(found) == [account_id]
