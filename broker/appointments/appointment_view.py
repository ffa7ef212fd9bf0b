"""An appointment for its visitor: in words, and as the values of the page that moves or cancels it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from broker.appointments.appointment import Appointment, AppointmentState, Medium, StoredAppointment
from broker.appointments.times_view import CALLS
from broker.enquiries.form_view import ERROR_TITLE, TIMES, ListedProblem
from broker.enquiries.summary import LINK, uk_clock, uk_day, uk_moment
from broker.routes import YOUR_APPOINTMENT_FILE, appointment_link, with_query

SEQUENCE, MOVED = "sequence", "moved"
"""Field of the page's forms with the version of the appointment; parameter of its address after it was moved."""

MOVE, CANCEL = "move", "cancel"
"""Steps of the forms that change an appointment."""

_HOW = {
    Medium.TELEPHONE: "We call you on the number you gave us.",
    Medium.VIDEO: "We send you the link to the video call before it begins.",
}

_EMPTY: Mapping[str, object] = {
    "problems": (),
    ERROR_TITLE: "",
    TIMES: "",
    "appointment": "",
    "refusal": "",
    "is_moved": False,
    "is_asked": False,
    "is_coming": False,
    LINK: "",
    SEQUENCE: "",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AppointmentView:
    """An appointment in words, with the addresses of its page and of its calendar file.

    `how` is empty for one that is not to come.
    """

    title: str
    day: str
    time: str
    kind: str
    how: str
    address: str
    calendar: str


def appointment_view(stored: StoredAppointment, *, is_coming: bool = True) -> AppointmentView:
    slot = stored.appointment.slot
    return AppointmentView(
        title="When and how" if is_coming else "The time that you had",
        day=uk_day(slot.start),
        time=f"{uk_clock(slot.start)} to {uk_clock(slot.end)}",
        kind=f"{CALLS[slot.medium].capitalize()}, {slot.minutes} minutes",
        how=_HOW[slot.medium] if is_coming else "",
        address=appointment_link(stored.link),
        calendar=with_query(YOUR_APPOINTMENT_FILE, {LINK: stored.link}),
    )


def appointment_words(stored: StoredAppointment) -> str:
    """Return an appointment in one line."""
    appointment, view = stored.appointment, appointment_view(stored)
    state = {AppointmentState.CANCELLED: "Cancelled: ", AppointmentState.MISSED: "Missed: "}.get(appointment.state, "")
    return f"{state}{view.time} on {view.day}, UK time. {view.kind}"


def thanks_values(stored: StoredAppointment | None) -> dict[str, object]:
    """Return the values of the thank-you page of which `stored` is the appointment, None for an enquiry without one."""
    if stored is None or not stored.appointment.is_live:
        return {"heading": "Thank you. We have your details.", "appointment": "", "is_coming": False, "is_asked": False}
    slot = stored.appointment.slot
    sentence = f"Your {slot.minutes}-minute {CALLS[slot.medium]} is at {uk_moment(slot.start)}, UK time."
    return {
        "heading": "Thank you. Your time is booked.",
        "next_call": sentence,
        "appointment": appointment_view(stored),
        "is_coming": True,
        "is_asked": False,
    }


def page_values(
    stored: StoredAppointment,
    *,
    now: datetime,
    asked: bool = False,
    moved: bool = False,
    reason: str = "",
    times: str = "",
    anchor: str = "",
) -> dict[str, object]:
    """Return the page with an appointment and the ways to change it while it is to come.

    `asked` if the visitor is to confirm that it be cancelled, `moved` if it was just moved; `reason` is why a change
    was refused, at the field with the id `anchor` if any, and `times` the HTML of the times that it can be moved to.
    """
    appointment = stored.appointment
    is_coming = appointment.is_live and appointment.slot.start > now
    heading, lead = _heading(appointment, is_coming=is_coming)
    return {
        **_EMPTY,
        "heading": heading,
        "lead": lead,
        "appointment": appointment_view(stored, is_coming=is_coming),
        "is_moved": moved and is_coming and appointment.sequence > 0,
        "is_asked": asked and is_coming,
        "is_coming": is_coming,
        LINK: stored.link,
        SEQUENCE: str(appointment.sequence),
        TIMES: times,
        **_problem(reason, anchor=anchor if is_coming and times else ""),
    }


def refused_values(reason: str) -> dict[str, object]:
    """Return the page of a link that opens no appointment."""
    lead = "To change a time, open the link in the mail that confirmed it, or call us."
    return {**_EMPTY, "heading": "Your appointment", "lead": lead, "refusal": reason}


def _problem(reason: str, *, anchor: str) -> dict[str, object]:
    return {"problems": (ListedProblem(reason=reason, anchor=anchor),), ERROR_TITLE: "Error: "} if reason else {}


def _heading(appointment: Appointment, *, is_coming: bool) -> tuple[str, str]:
    """Return the heading of the page, and the sentence below it."""
    if appointment.state is AppointmentState.CANCELLED:
        return (
            "Your appointment is cancelled",
            "Nobody will call you at this time. You can book another whenever you like.",
        )
    if not is_coming:
        return "Your appointment", "This time has begun or is over, so it can no longer be changed here."
    return "Your appointment", "An adviser has kept this time for you. You can move or cancel it here until it begins."
