"""Appointments for visitors: the free slots, and moving and cancelling by the link of a mail or of the receipt."""

from collections.abc import Callable
from datetime import datetime, timedelta

from broker.appointments.appointment import AppointmentRefused, Medium, Slot, StoredAppointment
from broker.appointments.calendar_file import Host
from broker.appointments.store import AppointmentStore
from broker.clock import utc_now
from broker.storage.signed_tokens import TokenSigner

LINK_LIFETIME = timedelta(days=1)
"""Time after an appointment's end in which its link works."""


class AppointmentService:
    """No method raises: a database that is away means no slots, and a refusal."""

    def __init__(
        self,
        store: AppointmentStore,
        *,
        links: TokenSigner,
        host: Callable[[], Host],
        notify: Callable[[], None] = lambda: None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`notify` is called when mail is due."""
        self._store, self._links, self._host, self._notify, self._clock = store, links, host, notify, clock

    async def offered(self, minutes: int, medium: Medium) -> tuple[Slot, ...]:
        """Return the free slots of all advisers in order; none without advisers or hours."""
        raise NotImplementedError

    async def find(self, link: str) -> StoredAppointment | AppointmentRefused:
        """Return the appointment of a link, until a day after its end."""
        raise NotImplementedError

    async def of_enquiry(self, reference: str) -> StoredAppointment | None:
        """Return the appointment of an enquiry whose credentials the caller has checked."""
        raise NotImplementedError

    async def move(self, link: str, slot: Slot, sequence: int) -> StoredAppointment | AppointmentRefused:
        """Move a coming appointment to a free slot; a repeated press returns the appointment as it is."""
        raise NotImplementedError

    async def cancel(self, link: str, sequence: int) -> StoredAppointment | AppointmentRefused:
        """Cancel a coming appointment; a repeated press returns it as it is."""
        raise NotImplementedError

    async def calendar_file(self, link: str) -> bytes | None:
        """Return the appointment of a link as a calendar file to download; None for a link that opens nothing."""
        raise NotImplementedError
