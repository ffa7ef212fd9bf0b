"""An appointment with an adviser: its slot, its states, and the results of booking, moving and cancelling it."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

SLOT = "slot"
"""Name of the field in forms and problems; empty means as soon as we can."""

LENGTHS = (20, 40)
"""Minutes of an appointment."""

NEXT_ACTION = "Appointment"
"""What is to be done next in a case with an appointment."""

CANCELLED_ACTION = "Agree another time"
"""What is to be done at once in a case that was due at an appointment which is cancelled."""

OUTCOME_ACTION = "Record the outcome"
"""What is to be done until the end of the day in a case that was due at an appointment which was held or missed."""

MAX_NEXT_FREE = 6
"""Free slots that are offered where one was taken."""

_VALUE = re.compile(r"([0-9]{8}T[0-9]{4})Z-([0-9]{2})-([a-z]{5,9})")


class Medium(StrEnum):
    TELEPHONE = "telephone"
    VIDEO = "video"


class AppointmentState(StrEnum):
    """A live appointment is booked; the others are over."""

    BOOKED = "booked"
    CANCELLED = "cancelled"
    MISSED = "missed"
    HELD = "held"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Slot:
    """A time that can be booked; `start` is in UTC and on a whole minute."""

    start: datetime
    minutes: int
    medium: Medium

    @property
    def end(self) -> datetime:
        return self.start + timedelta(minutes=self.minutes)

    @property
    def value(self) -> str:
        """Return the slot as a form sends it: `20261127T1040Z-20-telephone`."""
        return f"{self.start.astimezone(UTC):%Y%m%dT%H%M}Z-{self.minutes}-{self.medium}"


def next_free(free: Sequence[Slot], slot: Slot) -> tuple[Slot, ...]:
    """Return at most MAX_NEXT_FREE of the free slots in order from the start of a slot on, itself first if it is free.

    Where there are none, the first ones of all.
    """
    at = bisect_left(free, slot)
    return tuple(free[at : at + MAX_NEXT_FREE] or free[:MAX_NEXT_FREE])


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """A booked slot of an adviser, by the name of the account.

    `uid` identifies it in calendars for ever. `sequence` counts its changes, and is the version that a change names.
    `reference` is that of its enquiry. `changed_by` is who made the last change: an account or `staff.audit.VISITOR`,
    empty before the first.
    """

    id: int
    uid: str
    sequence: int
    adviser: str
    slot: Slot
    state: AppointmentState
    reference: str
    created: datetime
    changed_by: str = ""
    changed_at: datetime | None = None

    @property
    def is_live(self) -> bool:
        return self.state is AppointmentState.BOOKED

    def is_over(self, now: datetime) -> bool:
        return self.slot.end <= now


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAppointment:
    """An appointment for the visitor; `link` is the secret that opens it and nothing else."""

    appointment: Appointment
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AppointmentRefused:
    """Nothing was shown or changed: `reason` in visitors' words, with the next free slots where one was taken.

    `appointment` is the one that was to be changed, as it is now, where there is one.
    """

    reason: str
    next_free: tuple[Slot, ...] = ()
    appointment: Appointment | None = None


class SlotTakenError(Exception):
    """No adviser is free in a slot, or it is too soon, too far ahead, or none that is offered."""

    def __init__(self) -> None:
        super().__init__("the slot is taken")


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffChange:
    """A change of an appointment by staff: which `sequence` of it, by whom, and a sentence for the visitor or empty."""

    id: int
    sequence: int
    who: str
    at: datetime
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppointmentChanged:
    appointment: Appointment


@dataclass(frozen=True, slots=True, kw_only=True)
class AppointmentConflict:
    """Nothing was changed: somebody else changed the appointment before; None where it no longer exists."""

    appointment: Appointment | None


StaffOutcome = AppointmentChanged | AppointmentConflict | AppointmentRefused


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Appointments of an absent or disabled adviser: those that colleagues took over, and those left to staff."""

    taken_over: tuple[Appointment, ...]
    left: tuple[Appointment, ...]


def parse_slot(text: object) -> Slot | None:
    """Return the slot of a form's value; None for anything else."""
    found = _VALUE.fullmatch(text) if isinstance(text, str) else None
    if found is None or int(found[2]) not in LENGTHS or found[3] not in set(Medium):
        return None
    try:
        start = datetime.fromisoformat(f"{found[1]}Z")
    except ValueError:
        return None
    return Slot(start=start, minutes=int(found[2]), medium=Medium(found[3]))
