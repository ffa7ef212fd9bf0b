"""Calendar files (RFC 5545, RFC 5546) of appointments, without the visitor's name; times are in UTC.

An event without a time zone of its own is at the right hour in every calendar: Outlook ignores zones by RDATE.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from icalendar import Calendar, Event, vCalAddress

from broker.appointments.appointment import Appointment, AppointmentState, Medium, Slot

_REFRESH = timedelta(hours=1)
"""How often a calendar is asked to read a feed."""

_HOW = {
    Medium.TELEPHONE: "We call you on the number you gave us.",
    Medium.VIDEO: "We send you a link to the video call before it begins.",
}
_SUMMARIES = {Medium.TELEPHONE: "Call from {firm}", Medium.VIDEO: "Video call with {firm}"}
_WORDS = {Medium.TELEPHONE: "Call", Medium.VIDEO: "Video call"}


class Method(StrEnum):
    """What a calendar does with the file: keeps it, takes it as an invitation, or removes its event."""

    PUBLISH = "PUBLISH"
    REQUEST = "REQUEST"
    CANCEL = "CANCEL"


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEvent:
    """An appointment as a calendar has it."""

    uid: str
    sequence: int
    slot: Slot
    is_cancelled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """The firm as the organiser of an appointment; `site_url` is the start of its links."""

    name: str
    email: str
    telephone: str
    site_url: str


def event_of(appointment: Appointment) -> CalendarEvent:
    return CalendarEvent(
        uid=appointment.uid,
        sequence=appointment.sequence,
        slot=appointment.slot,
        is_cancelled=appointment.state is AppointmentState.CANCELLED,
    )


def appointment_file(event: CalendarEvent, host: Host, method: Method, *, at: datetime, attendee: str = "") -> bytes:
    """Return the calendar file of one appointment for its visitor.

    `at` is when it was written. An invitation and its cancellation name the organiser and the `attendee`.
    """
    written = _event(event, host, at=at)
    written.add("summary", _SUMMARIES[event.slot.medium].format(firm=host.name))
    written.add("description", f"{_HOW[event.slot.medium]} To reach us: {host.telephone}.")
    if attendee:
        organiser = vCalAddress(f"mailto:{host.email}")
        organiser.params["CN"] = host.name
        written["organizer"] = organiser
        guest = vCalAddress(f"mailto:{attendee}")
        guest.params["ROLE"], guest.params["PARTSTAT"], guest.params["RSVP"] = "REQ-PARTICIPANT", "ACCEPTED", "FALSE"
        written.add("attendee", guest)
    calendar = _calendar(host, method)
    calendar.add_component(written)
    return calendar.to_ical()


def feed_file(appointments: Iterable[Appointment], host: Host, *, name: str) -> bytes:
    """Return the calendar of an adviser, called `name`: each event has the reference and nothing of the visitor."""
    calendar = _calendar(host, Method.PUBLISH)
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", _REFRESH, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", f"PT{int(_REFRESH.total_seconds() // 3_600)}H")
    for each in appointments:
        written = _event(event_of(each), host, at=each.changed_at or each.created)
        written.add("summary", f"{_WORDS[each.slot.medium]} {each.reference}")
        calendar.add_component(written)
    return calendar.to_ical()


def _calendar(host: Host, method: Method) -> Calendar:
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", f"-//{host.name}//Appointments//EN")
    calendar.add("method", method.value)
    return calendar


def _event(event: CalendarEvent, host: Host, *, at: datetime) -> Event:
    written = Event()
    written.add("uid", f"{event.uid}@{host.site_url.partition('://')[2].partition('/')[0]}")
    written.add("sequence", event.sequence)
    written.add("dtstamp", at.astimezone(UTC))
    written.add("dtstart", event.slot.start.astimezone(UTC))
    written.add("dtend", event.slot.end.astimezone(UTC))
    written.add("status", "CANCELLED" if event.is_cancelled else "CONFIRMED")
    return written
