"""The form of every enquiry: its fields, and the values of its template."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from broker.appointments.appointment import SLOT
from broker.documents.attachment import NO_ATTACHMENT
from broker.duties.support_needs import AGREED, NEEDS_WORDS
from broker.enquiries.contact_details import EMAIL, NAME, TELEPHONE, WHEN, CallTime, Problem
from broker.enquiries.enquiry import MARKETING, MESSAGE, PRIVACY, Channel, EnquiryKind

KIND, CAME_FROM, TEXT_VERSION = "kind", "came_from", "text_version"
"""More fields of the form: call or message, the page before it, the version of the consent's wording."""

TIMES = "times"
"""Value of the template with the free times as HTML, empty for none."""

ERROR_TITLE = "error_title"
"""Value of the template that begins the page's title where there are errors."""

_TEXT_FIELDS = (NAME, TELEPHONE, EMAIL, MESSAGE, NEEDS_WORDS)

OPTIONS: Mapping[str, tuple[str, ...]] = {
    KIND: (EnquiryKind.CALLBACK, EnquiryKind.CONTACT),
    WHEN: tuple(CallTime),
    MARKETING: tuple(Channel),
    AGREED: ("yes",),
    PRIVACY: ("yes",),
}
"""Values of the fields that are chosen."""

_DEFAULTS = {KIND: EnquiryKind.CALLBACK, WHEN: CallTime.ANY}

CALL_TIMES = {CallTime.ANY: "Any time", CallTime.MORNING: "Morning", CallTime.AFTERNOON: "Afternoon"}
CHANNELS = {Channel.EMAIL: "By email", Channel.TELEPHONE: "By telephone", Channel.TEXT: "By text message"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedProblem:
    """A problem in the error summary; `anchor` is the id of its field, empty for none."""

    reason: str
    anchor: str = ""


def field_id(name: str, value: str = "") -> str:
    """Return the id of a field; one that is chosen from several values has an id for each."""
    return f"enquiry-{name}-{value}" if value else f"enquiry-{name}"


def first_field_id(name: str) -> str:
    """Return the id that the error summary links to: the first value's, for a field with several."""
    return field_id(name, OPTIONS[name][0]) if name in OPTIONS else field_id(name)


def checked_name(name: str, value: str) -> str:
    """Return the name of the template's flag that a value is chosen."""
    return f"{name}_{value}"


def error_name(name: str) -> str:
    """Return the name of the template's error message of a field, empty for none."""
    return f"error_{name}"


def form_values(fields: Mapping[str, object], problems: Sequence[Problem] = ()) -> dict[str, object]:
    """Return the values of the form's template: what was entered, and each problem at its field and in the summary."""
    values: dict[str, object] = {**NO_ATTACHMENT, TIMES: "", ERROR_TITLE: "Error: " if problems else ""}
    values |= {name: _text(fields.get(name)) for name in (*_TEXT_FIELDS, CAME_FROM)}
    for name, options in OPTIONS.items():
        chosen = _chosen(fields.get(name)) or _chosen(_DEFAULTS.get(name))
        values |= {checked_name(name, option): option in chosen for option in options}
    names = (*_TEXT_FIELDS, *OPTIONS)
    for name in names:
        reasons = dict.fromkeys(each.reason for each in problems if each.field == name)
        values[error_name(name)] = ". ".join(reasons)
    return {**values, "problems": listed_problems(problems, {name: first_field_id(name) for name in (*names, SLOT)})}


def listed_problems(problems: Sequence[Problem], anchors: Mapping[str, str]) -> tuple[ListedProblem, ...]:
    """Return the error summary; `anchors` are the ids of fields by name."""
    return tuple(ListedProblem(reason=each.reason, anchor=anchors.get(each.field, "")) for each in problems)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _chosen(value: object) -> tuple[object, ...]:
    if isinstance(value, list | tuple):
        return tuple(value)
    return (value,) if value else ()
