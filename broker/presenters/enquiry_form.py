"""The form that every enquiry is sent with: its fields, and what fills it again where it could not be taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from broker.domain.enquiries.contact_details import EMAIL, NAME, TELEPHONE, WHEN, CallTime, Problem
from broker.domain.enquiries.enquiry import MARKETING, MESSAGE, PRIVACY, Channel, EnquiryKind
from broker.presenters.marks import Value, Values

KIND, CAME_FROM, TEXT_VERSION = "kind", "came_from", "text_version"
"""Fields beside those of `domain.enquiries.enquiry`: call or message, the page before, the wording that was read."""

TYPED = (NAME, TELEPHONE, EMAIL, MESSAGE)
"""Fields that hold what somebody typed."""

CHOSEN: Mapping[str, tuple[str, ...]] = {
    KIND: (EnquiryKind.CALLBACK, EnquiryKind.CONTACT),
    WHEN: tuple(CallTime),
    MARKETING: tuple(Channel),
    PRIVACY: ("yes",),
}
"""Fields that are chosen from a few values."""

BY_DEFAULT = {KIND: EnquiryKind.CALLBACK, WHEN: CallTime.ANY}
"""What is chosen before anybody chose."""

CALL_TIMES = {CallTime.ANY: "Any time", CallTime.MORNING: "Morning", CallTime.AFTERNOON: "Afternoon"}
CHANNELS = {Channel.EMAIL: "By email", Channel.TELEPHONE: "By telephone", Channel.TEXT: "By text message"}


def identity(name: str, value: str = "") -> str:
    """Return the id of a field; one that is chosen from several values has an id for each."""
    return f"enquiry-{name}-{value}" if value else f"enquiry-{name}"


def place(name: str) -> str:
    """Return the id of where a problem of a field is put right: its first value, where it has several."""
    return identity(name, CHOSEN[name][0]) if name in CHOSEN else identity(name)


def choice(name: str, value: str) -> str:
    """Return the name of the flag that a value is chosen by."""
    return f"{name}-{value}"


def wrong(name: str) -> str:
    """Return the name of the flag of a field with a problem, and of the part that says which."""
    return f"wrong-{name}"


def form_values(given: Mapping[str, object], problems: Sequence[Problem] = ()) -> dict[str, Value]:
    """Return what fills the form once more: all that was given, and the problems, each at its field and in one list."""
    reasons: dict[str, list[str]] = {}
    for problem in problems:
        reasons.setdefault(problem.field, []).append(problem.reason)
    values: dict[str, Value] = {name: text_in(given, name) for name in (*TYPED, CAME_FROM)}
    for name, options in CHOSEN.items():
        chosen = _all_of(given.get(name)) or _all_of(BY_DEFAULT.get(name))
        values |= {choice(name, option): option in chosen for option in options}
    known = {*TYPED, *CHOSEN}
    for name in known & set(reasons):
        values[wrong(name)] = [{"reason": _sentences(reasons[name])}]
    return values | problem_list(problems, {name: place(name) for name in known})


def problem_list(problems: Sequence[Problem], places: Mapping[str, str]) -> dict[str, Value]:
    """Return what fills the list of problems: each leads to its field, by the ids of `places`, where it has one."""
    listed: list[Values] = [
        {"reason": each.reason, "linked": [{"place": places[each.field]}]}
        if each.field in places
        else {"reason": each.reason, "plain": [{}]}
        for each in problems
    ]
    return {"problems": [{"problem": listed}] if listed else []}


def text_in(given: Mapping[str, object], name: str) -> str:
    """Return the text of a field; an empty one for anything else."""
    value = given.get(name)
    return value if isinstance(value, str) else ""


def _all_of(value: object) -> tuple[object, ...]:
    if isinstance(value, list | tuple):
        return tuple(value)
    return (value,) if value else ()


def _sentences(reasons: Sequence[str]) -> str:
    return ". ".join(dict.fromkeys(reasons))
