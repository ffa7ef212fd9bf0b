"""Appointments in the database: advisers' hours and absences, what is booked, moved and cancelled, and its mail."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.appointments.appointment import (
    Appointment,
    AppointmentState,
    Coverage,
    Medium,
    Slot,
    StaffChange,
    StaffOutcome,
)
from broker.appointments.slots import Absence, AdviserHours, Holidays
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.enquiries.working_time import bank_holidays
from broker.storage.database import Database
from broker.storage.encryption import SecretKeys


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviserDiary:
    """An adviser's hours and absences; `enabled` is that of the account, `has_feed` whether a calendar may read."""

    adviser: str
    hours: AdviserHours
    absences: tuple[Absence, ...] = ()
    enabled: bool = True
    has_feed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BookedEnquiry:
    """An appointment with the encrypted row of its enquiry, for staff: read it with `EnquiryCipher.contact`."""

    appointment: Appointment
    enquiry: Row


async def book(
    connection: AsyncConnection, slot: Slot, *, enquiry_id: int, at: datetime, holidays: Holidays = bank_holidays
) -> Appointment:
    """Book a slot in the caller's transaction with the free adviser who has the fewest appointments that day.

    Raises SlotTakenError, and IntegrityError where another process books the same time of the adviser at once.
    """
    raise NotImplementedError


class AppointmentStore:
    """Every method raises StorageError; times are with their zone."""

    def __init__(self, database: Database, keys: SecretKeys, *, holidays: Holidays = bank_holidays) -> None:
        self._database, self._cipher, self._holidays = database, EnquiryCipher(keys), holidays

    # for visitors

    async def free(self, minutes: int, medium: Medium, *, now: datetime) -> tuple[Slot, ...]:
        """Return the free slots of all advisers, in order and each once."""
        raise NotImplementedError

    async def find(self, uid: str) -> Appointment | None:
        raise NotImplementedError

    async def of_enquiry(self, reference: str) -> Appointment | None:
        """Return the appointment of an enquiry, None for an enquiry without one."""
        raise NotImplementedError

    # for staff

    async def diaries(self) -> tuple[AdviserDiary, ...]:
        """Return the diary of every enabled account, and of disabled ones with hours or live appointments, by name."""
        raise NotImplementedError

    async def set_hours(self, adviser: str, hours: AdviserHours, *, who: str, at: datetime) -> None:
        """Replace the hours of an adviser, with an audit entry; appointments stay."""
        raise NotImplementedError

    async def add_absence(self, adviser: str, absence: Absence, *, who: str, at: datetime) -> Coverage:
        """Add an absence and offer the appointments in it to colleagues, with audit entries."""
        raise NotImplementedError

    async def remove_absence(self, id_: int, *, who: str, at: datetime) -> bool:
        """Remove an absence, with an audit entry; return whether it existed."""
        raise NotImplementedError

    async def between(self, start: datetime, end: datetime, *, adviser: str = "") -> tuple[BookedEnquiry, ...]:
        """Return the appointments that begin in [start, end), in order, cancelled ones included."""
        raise NotImplementedError

    async def get(self, id_: int) -> BookedEnquiry | None:
        raise NotImplementedError

    async def uncovered(self, now: datetime) -> tuple[BookedEnquiry, ...]:
        """Return the coming appointments whose adviser is absent then or disabled."""
        raise NotImplementedError

    async def move_by_staff(self, change: StaffChange, slot: Slot, *, adviser: str = "") -> StaffOutcome:
        """Move an appointment to a coming time in which its adviser, or the `adviser` named, has no other.

        The visitor gets a mail, with the sentence of staff.
        """
        raise NotImplementedError

    async def cancel_by_staff(self, change: StaffChange) -> StaffOutcome:
        """Cancel a coming appointment and tell the visitor, with the sentence of staff."""
        raise NotImplementedError

    async def close(self, change: StaffChange, state: AppointmentState) -> StaffOutcome:
        """Record that a past appointment was held or missed, or neither (booked); no mail."""
        raise NotImplementedError

    # calendar feeds

    async def make_feed(self, adviser: str, *, at: datetime) -> str:
        """Return the token of a new feed of an adviser, whose earlier one ends."""
        raise NotImplementedError

    async def revoke_feed(self, adviser: str, *, at: datetime) -> bool:
        """End the feed of an adviser; return whether there was one."""
        raise NotImplementedError

    async def feed(self, token: str, *, now: datetime) -> tuple[str, tuple[Appointment, ...]] | None:
        """Return the adviser of a feed's token and the appointments of 30 days back and all to come.

        Cancelled ones are included. None for an unknown token, and for one whose account is disabled.
        """
        raise NotImplementedError
