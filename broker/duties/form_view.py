"""Forms of the page of duties as values: each is drawn by the same function."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from broker.duties.complaint import (
    ABOUT,
    ASSIGNED,
    CAUSE,
    CAUSES,
    CLOSED,
    EMAIL,
    LETTER,
    LETTERS,
    MATTER,
    MAX_ABOUT,
    MAX_MATTER,
    MAX_NAME,
    NAME,
    OUTCOME,
    OUTCOMES,
    RECEIVED,
    REDRESS,
    REFERENCE,
    REMEDY,
    SENT,
    SUBJECT,
    TELEPHONE,
    VULNERABLE,
    WORDS,
    Complaint,
    Subject,
)
from broker.enquiries.contact_details import MAX_EMAIL, Problem

SUBJECTS: Mapping[Subject, str] = {
    Subject.SERVICE: "Our service: 8 weeks",
    Subject.DATA: "Personal data: 30 days",
    Subject.BOTH: "Both: both clocks run",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    value: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field: `kind` is `text`, `date`, `select`, `area`, `tick` or `hidden`; `problem` is why it was refused.

    `has_focus`: it takes the focus when its form is drawn.
    """

    name: str
    label: str = ""
    kind: str = "text"
    value: str = ""
    hint: str = ""
    problem: str = ""
    has_focus: bool = False
    most: int = MAX_MATTER
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FormView:
    """A form that is open; `key` changes whenever its values are replaced. Without a title it is closed."""

    title: str = ""
    button: str = ""
    key: str = ""
    fields: tuple[Field, ...] = ()


def filled(fields: Sequence[Field], given: Mapping[str, object], problems: Sequence[Problem] = ()) -> tuple[Field, ...]:
    """Return fields with the values and the problems of a form that was sent.

    The first field with a problem, else the first of all, has the focus once the form is drawn.
    """
    reasons = {problem.field: problem.reason for problem in problems}
    seen = [field.name for field in fields if field.kind != "hidden"]
    focused = next((name for name in seen if name in reasons), next(iter(seen), ""))
    return tuple(
        replace(
            field,
            value=value if isinstance(value := given.get(field.name, field.value), str) else "",
            problem=reasons.get(field.name, ""),
            has_focus=field.name == focused,
        )
        for field in fields
    )


def complaint_fields(today: str, accounts: Sequence[str], *, who: str) -> tuple[Field, ...]:
    """Return the fields of a new complaint, received on a day like `2026-11-25`, with `who` if one of them."""
    return (
        Field(name=NAME, label="Who complains", most=MAX_NAME),
        Field(name=TELEPHONE, label="Telephone (optional)", most=40),
        Field(name=EMAIL, label="Email (optional)", most=MAX_EMAIL),
        Field(name=REFERENCE, label="Reference of their enquiry (optional)", most=40),
        Field(name=RECEIVED, label="Received", kind="date", value=today),
        Field(name=SUBJECT, label="About", kind="select", choices=_choices(SUBJECTS)),
        Field(name=CAUSE, label="Root cause", kind="select", choices=_choices(CAUSES)),
        Field(
            name=ASSIGNED,
            label="With",
            kind="select",
            choices=_choices({name: name for name in accounts}, "Nobody"),
            value=who if who in accounts else "",
        ),
        Field(name=ABOUT, label="In a few words", most=MAX_ABOUT),
        Field(name=MATTER, label="What they say", kind="area"),
        Field(
            name=VULNERABLE,
            label="The person is in vulnerable circumstances",
            kind="tick",
            hint="Counted in the half-year return; write no diagnosis",
        ),
    )


def complaint_values(complaint: Complaint) -> Mapping[str, str]:
    """Return the values of the fields for a recorded complaint."""
    record = complaint.record
    return {
        NAME: record.person.name,
        TELEPHONE: record.person.telephone_shown,
        EMAIL: record.person.email,
        REFERENCE: record.reference,
        RECEIVED: record.received.isoformat(),
        SUBJECT: record.subject.value,
        CAUSE: record.cause.value,
        ASSIGNED: record.assigned,
        ABOUT: record.about,
        MATTER: record.matter,
        VULNERABLE: "on" if record.person.vulnerable else "",
    }


def letter_fields(today: str) -> tuple[Field, ...]:
    return (
        Field(name=LETTER, label="Letter", kind="select", choices=_choices(LETTERS)),
        Field(name=SENT, label="Sent", kind="date", value=today),
        Field(name=WORDS, label="What it said, in short (optional)", kind="area"),
    )


def ending_fields(today: str) -> tuple[Field, ...]:
    return (
        Field(name=OUTCOME, label="Outcome", kind="select", choices=_choices(OUTCOMES)),
        Field(name=CLOSED, label="Closed", kind="date", value=today),
        Field(name=REDRESS, label="Redress in pounds (optional)", most=20),
        Field(name=REMEDY, label="What was done (optional)", kind="area"),
        Field(name=LETTER, kind="hidden"),
    )


def _choices(words: Mapping[Any, str], unchosen: str = "Choose") -> tuple[Choice, ...]:
    first = Choice(value="", label=unchosen)
    return (first, *(Choice(value=str(value), label=label) for value, label in words.items()))
