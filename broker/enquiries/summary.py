"""A stored enquiry for its sender: in words, and as the values of the page that shows or deletes it."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from broker.clock import UK
from broker.content.models.site import Site
from broker.documents.attachment import attached_lines
from broker.duties.support_needs import SupportNeeds
from broker.enquiries.contact_details import CallTime, Problem
from broker.enquiries.enquiry import SPOKEN, Consent, EnquiryKind, EnquiryState, StoredEnquiry
from broker.enquiries.form_view import CALL_TIMES, CHANNELS, ERROR_TITLE, listed_problems
from broker.enquiries.working_time import NOON, working_week
from broker.questionnaire.answers import Line

KINDS = {
    EnquiryKind.CALLBACK: "Callback request",
    EnquiryKind.CONTACT: "Message",
    EnquiryKind.QUESTIONNAIRE: "Questionnaire",
    EnquiryKind.CALL: "Telephone call",
}
STATES = {
    EnquiryState.NEW: "Waiting for our call",
    EnquiryState.CALLED: "We have called",
    EnquiryState.BOOKED: "Appointment booked",
    EnquiryState.CLOSED: "Closed",
}
_NEEDS = "What makes a call easier"
NO_NEWS = "No: you did not ask for any"
AS_ASKED = {
    CallTime.ANY: "",
    CallTime.MORNING: ", in the morning as you asked",
    CallTime.AFTERNOON: ", in the afternoon as you asked",
}

REFERENCE, DIGITS, LINK, STEP = "reference", "digits", "link", "step"
"""Fields of the form: the credentials of an enquiry (the two first, or the link of a mail), and the step to take."""

CHANGE = "change"
"""Value of the page with the address that moves or cancels an appointment."""

ADVICE_UNTIL = "advice_until"
"""Value of the page with the day until which the record of advice is kept."""

CREDENTIALS = (REFERENCE, DIGITS, LINK)

BEGIN, SHOW, ASK, DELETE = "begin", "show", "ask", "delete"
"""Steps: ask for the digits, show the enquiry, ask whether to delete it, delete it."""

GROUPS = {
    "progress": "How far we are",
    "sent": "What you sent us",
    "allowed": "What you agreed to",
    "record": "About this enquiry",
}
"""Names of the lists of the page, with their headings."""

_EMPTY: Mapping[str, object] = {
    "problems": (),
    ERROR_TITLE: "",
    "is_deleted": False,
    "is_kept": False,
    "is_asked": False,
    "is_found": False,
    "is_searched": False,
    "error_reference": "",
    "error_digits": "",
    **dict.fromkeys((CHANGE, ADVICE_UNTIL, *CREDENTIALS, *GROUPS), ""),
}


def found_values(
    enquiry: StoredEnquiry,
    credentials: Mapping[str, str],
    *,
    asked: bool,
    progress: tuple[Line, ...],
    booked: str = "",
    change: str = "",
) -> dict[str, object]:
    """Return the page with an enquiry; `asked` if the visitor is to confirm its deletion.

    `progress` says how far its case is. `booked` is its appointment in words, and `change` the address that moves or
    cancels it; empty for none.
    """
    return {
        **_EMPTY,
        **credentials,
        "heading": "Delete your enquiry" if asked else "Your enquiry",
        "lead": f"These are the details we hold about you under the reference {enquiry.reference}.",
        "is_asked": asked,
        "is_found": True,
        CHANGE: change,
        ADVICE_UNTIL: _day(enquiry.advice_until),
        "progress": progress or (Line(label="Status", words=STATES[enquiry.state]),),
        "sent": sent_lines(enquiry, booked=booked),
        "allowed": (*consent_lines(enquiry.enquiry.consent), *_needs_consent(enquiry.enquiry.needs)),
        "record": record_lines(enquiry),
    }


def search_values(credentials: Mapping[str, str]) -> dict[str, object]:
    """Return the page with the form for the credentials, filled with those that are known."""
    lead = "Enter the last four digits of your telephone number to see or delete it."
    return {**_EMPTY, **credentials, "heading": "Your enquiry", "lead": lead, "is_searched": True}


def problem_values(problems: Sequence[Problem], credentials: Mapping[str, str]) -> dict[str, object]:
    """Return the page with the form for the credentials, and why no enquiry is shown."""
    return {
        **_EMPTY,
        **credentials,
        "heading": "Your enquiry",
        "lead": "We could not show your enquiry. Please try again below.",
        "is_searched": True,
        "problems": listed_problems(problems, {}),
        ERROR_TITLE: "Error: ",
    }


def deleted_values() -> dict[str, object]:
    return {
        **_EMPTY,
        "heading": "Your enquiry has been deleted",
        "lead": "We no longer hold any of it.",
        "is_deleted": True,
    }


def kept_values(until: date) -> dict[str, object]:
    """Return the page after a deletion of all but the record of advice, which is kept until a day."""
    return {
        **_EMPTY,
        "heading": "We keep the record of our advice",
        "lead": "The rest of your enquiry has been deleted.",
        "is_kept": True,
        ADVICE_UNTIL: _day(until),
    }


def sent_lines(stored: StoredEnquiry, *, booked: str = "") -> tuple[Line, ...]:
    """Return what was sent, in the order of the form, without empty fields; `booked` is the appointment in words."""
    enquiry, contact = stored.enquiry, stored.enquiry.contact
    lines = (
        *enquiry.lines,
        Line(label="Name", words=contact.name),
        Line(label="Telephone", words=contact.telephone_shown),
        Line(label="Email", words=contact.email),
        Line(label="Appointment", words=booked)
        if booked
        else Line(label="When to call", words=CALL_TIMES[contact.when]),
        Line(label=_NEEDS, words=enquiry.needs.sentence if enquiry.needs else ""),
        Line(label="Your message", words=enquiry.message),
        *attached_lines(enquiry.attachment),
    )
    return tuple(line for line in lines if line.words)


def _needs_consent(needs: SupportNeeds | None) -> tuple[Line, ...]:
    words = "You agreed that we keep it and show it to whoever calls you"
    return (Line(label=_NEEDS, words=words),) if needs else ()


def consent_lines(consent: Consent) -> tuple[Line, ...]:
    """Return the record of consent: its wording, time and page."""
    channels = [CHANNELS[channel] for channel in CHANNELS if channel in consent.marketing]
    if consent.text_version == SPOKEN:
        told = f"We told you about it by telephone, {uk_moment(consent.at)}"
        return (Line(label="Privacy notice", words=told), Line(label="News and offers", words=NO_NEWS))
    return (
        Line(label="Privacy notice", words="You ticked to say you have read it"),
        Line(label="News and offers", words=", ".join(channels) or NO_NEWS),
        Line(label="Recorded", words=f"{uk_moment(consent.at)}, on the page {consent.page}"),
        Line(label="Wording", words=f"Version {consent.text_version}"),
    )


def record_lines(stored: StoredEnquiry) -> tuple[Line, ...]:
    """Return reference, dates and page."""
    return (
        Line(label="Reference", words=stored.reference),
        Line(label="Type of enquiry", words=KINDS[stored.enquiry.kind]),
        Line(label="Sent", words=_sent_words(stored)),
        Line(label="Deleted automatically", words=f"On {uk_day(stored.delete_after)}, with everything above"),
    )


def _sent_words(stored: StoredEnquiry) -> str:
    how = "by telephone" if stored.enquiry.kind is EnquiryKind.CALL else f"from the page {stored.page}"
    return f"{uk_moment(stored.created)}, {how}"


def next_call(stored: StoredEnquiry, site: Site) -> str:
    """Return the sentence that says when we call, within the firm's hours."""
    contact = stored.enquiry.contact
    by = working_week((each.days, each.hours) for each in site.hours).call_by(stored.created, contact.when)
    action = "will read your message and call you" if stored.enquiry.kind is EnquiryKind.CONTACT else "will call you"
    return f"An adviser {action} on {contact.telephone_shown} by {uk_moment(by)}{AS_ASKED[contact.when]}."


def _day(day: date | None) -> str:
    return f"{day:%-d %B %Y}" if day else ""


def uk_moment(at: datetime) -> str:
    """Return a moment in UK time: `3:04pm on Monday 23 November 2026`."""
    return f"{uk_clock(at)} on {uk_day(at)}"


def uk_day(at: datetime) -> str:
    """Return the day of a moment in UK time: `Monday 23 November 2026`."""
    return f"{at.astimezone(UK):%A %-d %B %Y}"


def uk_clock(at: datetime) -> str:
    """Return the time of a moment in UK time: `3:04pm`, `9am` or `noon`."""
    local = at.astimezone(UK)
    if local.time() == NOON:
        return "noon"
    minutes = f":{local:%M}" if local.minute else ""
    return f"{local.hour % 12 or 12}{minutes}{'am' if local.hour < 12 else 'pm'}"
