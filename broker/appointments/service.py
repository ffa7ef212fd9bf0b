"""Appointments for visitors: the free slots, and moving and cancelling by the link of a mail or of the receipt."""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from broker.analytics.counted import Counted
from broker.appointments.appointment import (
    Appointment,
    AppointmentChanged,
    AppointmentConflict,
    AppointmentRefused,
    AppointmentState,
    Medium,
    Slot,
    SlotTakenError,
    StaffOutcome,
    StoredAppointment,
    next_free,
)
from broker.appointments.calendar_file import Host, Method, appointment_file, event_of
from broker.appointments.store import AppointmentStore
from broker.clock import utc_now
from broker.storage.errors import StorageError
from broker.storage.signed_tokens import TokenSigner

LINK_LIFETIME = timedelta(days=1)
"""Time after an appointment's end in which its link works."""

_CHECK_INTERVAL = 60.0
"""Seconds between looks for reminders that are due and for advisers who are away."""

NO_LINK = "This link is incomplete, or the appointment is over"
SLOT_TAKEN = "This time has just gone. Choose another one, nothing else is lost"
CHANGED = "The appointment was changed meanwhile. This is how it is now"
AWAY = "We could not change your appointment just now. Please try again in a minute, or call us"

log = logging.getLogger(__name__)


class AppointmentService:
    """No method raises: a database that is away means no slots, and a refusal."""

    def __init__(
        self,
        store: AppointmentStore,
        *,
        links: TokenSigner,
        host: Callable[[], Host],
        notify: Callable[[], None] = lambda: None,
        observe: Callable[[Counted], None] = lambda _: None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`notify` is called when mail is due, `observe` with what a visitor has changed."""
        self._store, self._links, self._host = store, links, host
        self._notify, self._observe, self._clock = notify, observe, clock

    @property
    def now(self) -> datetime:
        return self._clock()

    async def offered(self, minutes: int, medium: Medium) -> tuple[Slot, ...]:
        """Return the free slots of all advisers in order; none without advisers or hours."""
        try:
            return await self._store.free(minutes, medium, now=self._clock())
        except StorageError as error:
            log.error("no slots are offered: %s", error)
            return ()

    async def find(self, link: str) -> StoredAppointment | AppointmentRefused:
        """Return the appointment of a link, until a day after its end."""
        try:
            found = await self._find(link)
        except StorageError as error:
            return _unavailable(error)
        return StoredAppointment(appointment=found, link=link) if found else AppointmentRefused(reason=NO_LINK)

    async def of_enquiry(self, reference: str) -> StoredAppointment | None:
        """Return the appointment of an enquiry whose credentials the caller has checked."""
        try:
            found = await self._store.of_enquiry(reference)
        except StorageError as error:
            log.error("an appointment is not shown: %s", error)
            return None
        if found is None:
            return None
        return StoredAppointment(appointment=found, link=self._links.write(found.uid, made=self._clock()))

    async def move(self, link: str, slot: Slot, sequence: int) -> StoredAppointment | AppointmentRefused:
        """Move a coming appointment to a free slot; a repeated press returns the appointment as it is."""
        try:
            found = await self._find(link)
            if found is None:
                return AppointmentRefused(reason=NO_LINK)
            try:
                done = await self._store.move(found.uid, slot, sequence=sequence, at=self._clock())
            except SlotTakenError:
                free = await self._store.free(slot.minutes, slot.medium, now=self._clock())
                return AppointmentRefused(reason=SLOT_TAKEN, next_free=next_free(free, slot), appointment=found)
        except StorageError as error:
            return _unavailable(error)
        return self._settle(link, found, done, Counted.APPOINTMENT_MOVED)

    async def cancel(self, link: str, sequence: int) -> StoredAppointment | AppointmentRefused:
        """Cancel a coming appointment; a repeated press returns it as it is."""
        try:
            found = await self._find(link)
            if found is None:
                return AppointmentRefused(reason=NO_LINK)
            done = await self._store.cancel(found.uid, sequence=sequence, at=self._clock())
        except StorageError as error:
            return _unavailable(error)
        return self._settle(link, found, done, Counted.APPOINTMENT_CANCELLED)

    async def calendar_file(self, link: str) -> bytes | None:
        """Return the appointment of a link as a calendar file to download; None for a link that opens nothing."""
        found = await self.find(link)
        if isinstance(found, AppointmentRefused):
            return None
        appointment = found.appointment
        is_cancelled = appointment.state is AppointmentState.CANCELLED
        method = Method.CANCEL if is_cancelled else Method.PUBLISH
        at = appointment.changed_at or appointment.created
        return appointment_file(event_of(appointment), self._host(), method, at=at)

    async def work_periodically(self) -> None:
        """Remind visitors and hand over the appointments of advisers who are away, forever."""
        while True:
            try:
                await self.work()
            except StorageError as error:
                log.warning("reminders of appointments wait: %s", error)
            await asyncio.sleep(_CHECK_INTERVAL)

    async def work(self) -> None:
        """Add due reminders, and offer colleagues what absent or disabled advisers have; raises StorageError."""
        reminded = 0
        while count := await self._store.remind_due(self._clock()):
            reminded += count
        if reminded:
            self._notify()
        await self._store.cover(self._clock())

    async def _find(self, link: str) -> Appointment | None:
        token = self._links.read(link)
        found = await self._store.find(token.value) if token else None
        return found if found and self._clock() < found.slot.end + LINK_LIFETIME else None

    def _settle(
        self, link: str, before: Appointment, done: StaffOutcome, counted: Counted
    ) -> StoredAppointment | AppointmentRefused:
        if isinstance(done, AppointmentRefused):
            return done
        if isinstance(done, AppointmentConflict):
            return AppointmentRefused(reason=CHANGED if done.appointment else NO_LINK, appointment=done.appointment)
        if isinstance(done, AppointmentChanged) and done.appointment.sequence != before.sequence:
            self._notify()
            self._observe(counted)
        return StoredAppointment(appointment=done.appointment, link=link)


def _unavailable(error: StorageError) -> AppointmentRefused:
    log.error("appointments: %s", error)
    return AppointmentRefused(reason=AWAY)
