"""The mails of appointments, added in the transaction of what they are about."""

import logging
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.appointments.appointment import Appointment, AppointmentState
from broker.appointments.notices import Notice, appointment_links, notice_mail, staff_note
from broker.appointments.rows import IS_LIVE, appointment_of, change_row, with_enquiry
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.mail.mail import MailKind
from broker.mail.outbox_store import MailCipher, add_mail, drop_waiting
from broker.storage.encryption import DecryptionError, SecretKeys
from broker.storage.tables import AppointmentRow

log = logging.getLogger(__name__)


class VisitorMails:
    """Adds the mails of an appointment in the caller's transaction; a visitor without an address gets none."""

    def __init__(self, keys: SecretKeys) -> None:
        self._contact, self._mail, self._links = EnquiryCipher(keys), MailCipher(keys), appointment_links(keys)

    async def add(
        self, connection: AsyncConnection, row: Row[Any], notice: Notice, *, at: datetime, is_kept: bool = True
    ) -> None:
        """Add a mail to the visitor; one whose enquiry is not `is_kept` outlives it.

        A reminder that waits is removed when the time it names no longer holds.
        """
        if notice.kind in {MailKind.APPOINTMENT_MOVED, MailKind.APPOINTMENT_CANCELLED}:
            await drop_waiting(connection, MailKind.APPOINTMENT_REMINDER, enquiry_id=row.enquiry_id)
        try:
            recipient = self._contact.contact(row).email
        except DecryptionError:
            log.error("the visitor of an appointment gets no mail: no key decrypts the address")
            return
        if recipient:
            enquiry_id = row.enquiry_id if is_kept else None
            await self.add_to(connection, recipient, appointment_of(row), notice, enquiry_id=enquiry_id, at=at)

    async def add_to(
        self,
        connection: AsyncConnection,
        recipient: str,
        appointment: Appointment,
        notice: Notice,
        *,
        enquiry_id: int | None,
        at: datetime,
    ) -> None:
        """Add a mail to an address of the visitor."""
        mail = notice_mail(appointment, notice, recipient=recipient, links=self._links, enquiry_id=enquiry_id, at=at)
        await add_mail(connection, self._mail, mail)

    async def add_note(
        self, connection: AsyncConnection, row: Row[Any], *, change: str, at: datetime, is_kept: bool = True
    ) -> None:
        """Add a mail to staff."""
        enquiry_id = row.enquiry_id if is_kept else None
        await add_mail(
            connection, self._mail, staff_note(appointment_of(row), change=change, enquiry_id=enquiry_id, at=at)
        )

    async def withdraw(
        self, connection: AsyncConnection, *which: ColumnElement[bool], at: datetime, by_visitor: bool = False
    ) -> None:
        """Add the mails of the coming appointments of enquiries that are deleted in the same transaction."""
        coming = with_enquiry(*which, IS_LIVE, col(AppointmentRow.starts) > at)
        for row in (await connection.execute(coming)).all():
            # calendars remove an event only by a later version of it
            cancelled = await change_row(connection, row, {"state": AppointmentState.CANCELLED.value}, who="", at=at)
            notice = Notice(kind=MailKind.APPOINTMENT_CANCELLED)
            await self.add(connection, cancelled, notice, at=at, is_kept=False)
            if by_visitor:
                await self.add_note(connection, cancelled, change="cancelled", at=at, is_kept=False)
