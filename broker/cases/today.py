"""An adviser's day: what is due of which case, and in which order."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from broker.appointments.appointment import Appointment
from broker.cases.case import EnquirySummary
from broker.clock import uk_date, uk_midnight
from broker.watches.watch import StaffWatch, WatchState

MAX_OF_A_KIND = 200
"""Rows of each list."""

WATCH_NEWS = timedelta(days=30)
"""Time for which a watch that told its owner something is among those to call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayAppointment:
    """An appointment with the case that it is of now, which has more than one where cases were merged."""

    case: EnquirySummary
    booked: Appointment


@dataclass(frozen=True, slots=True, kw_only=True)
class Today:
    """What is due until the end of a day of the UK; each list has at most `MAX_OF_A_KIND`.

    `appointments` are of the day, by time, held and missed ones too. `calls` were promised, by time; `due` are next
    actions, overdue ones first; `new` are enquiries that nobody has and nobody is booked for, the one promised first at
    the top; `watches` told their owners something lately, and nobody has called since.
    """

    appointments: tuple[DayAppointment, ...] = ()
    calls: tuple[EnquirySummary, ...] = ()
    due: tuple[EnquirySummary, ...] = ()
    new: tuple[EnquirySummary, ...] = ()
    watches: tuple[StaffWatch, ...] = ()


def day_of(now: datetime) -> tuple[datetime, datetime]:
    """Return the beginning and the end of a moment's day in the UK."""
    here = uk_date(now)
    return uk_midnight(here), uk_midnight(here + timedelta(days=1))


def is_to_call(watch: StaffWatch, now: datetime) -> bool:
    """Return whether a watch told its owner something lately."""
    latest = max((told.at for told in watch.told), default=None)
    return watch.state is WatchState.ACTIVE and latest is not None and now - latest <= WATCH_NEWS
