"""Replies to visitors by mail: templates with fields that are filled in from the case."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from broker.cases.case import Case, Refused, WaitingFor
from broker.enquiries.contact_details import single_line, visible_text
from broker.enquiries.summary import uk_moment

MAX_REPLY, MAX_NAME, MAX_SUBJECT, MAX_TEMPLATES = 4_000, 60, 60, 50
"""Characters of a reply and of a template's name and subject, and the number of templates."""

FIELDS: Mapping[str, str] = {
    "name": "the name they gave",
    "adviser": "your own name, as your account says",
    "reference": "the reference of the case",
    "appointment": "the time of the appointment",
    "papers": "what the case waits for from the client",
}
"""The fields of a template in words; `{name}` stands for one."""

NO_TEXT, NO_NAME = "Write the reply first", "Give the template a name"
TOO_LONG = f"Write at most {MAX_REPLY:,} characters"
NAME_TOO_LONG = f"Name it in at most {MAX_NAME} characters"
SUBJECT_TOO_LONG = f"Write a subject of at most {MAX_SUBJECT} characters"
FIELD_IN_SUBJECT = "Leave fields out of the subject: others may read it, so nothing personal is in it"
TOO_MANY_TEMPLATES = f"There are {MAX_TEMPLATES} templates already: delete one first"
NO_EMAIL = "They gave no email address: call them"
RETURNED = "Mail to this address comes back: call them, or correct the address"
NO_TEMPLATE = "This template was deleted meanwhile. Save again to add it as a new one"

TRIED = "We tried to call"
"""The template, of those that are given, of the mail that is proposed after calls without an answer."""

_FIELD = re.compile(r"\{([^{}\n]{0,40})\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyTemplate:
    """A reply under a name, and who changed it last; `id` is 0 before it is stored.

    The subject of its mails has no fields, and is empty for that of every reply.
    """

    name: str
    text: str
    subject: str = ""
    id: int = 0
    version: int = 0
    changed_by: str = ""
    changed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateConflict:
    """The template as it is, where it has changed since it was seen and nothing was done."""

    template: ReplyTemplate


def parse_template(name: object, text: object, subject: object = "") -> ReplyTemplate | Refused:
    """Return a template, or why it is refused: a field that there is not is named."""
    known, words = single_line(name, MAX_NAME), visible_text(text, MAX_REPLY)
    about = single_line(subject, MAX_SUBJECT)
    if known is None:
        return Refused(words=NAME_TOO_LONG)
    if not known:
        return Refused(words=NO_NAME)
    if about is None:
        return Refused(words=SUBJECT_TOO_LONG)
    if "{" in about or "}" in about:
        return Refused(words=FIELD_IN_SUBJECT)
    if not words:
        return Refused(words=TOO_LONG if words is None else NO_TEXT)
    if unknown := [field for field in _fields(words) if field not in FIELDS]:
        return Refused(words=f"There is no field {_listed(unknown)}. There are {_listed(FIELDS)}")
    return ReplyTemplate(name=known, subject=about, text=words)


def parse_reply(text: object) -> str | Refused:
    """Return the text of a reply, or why it is not sent: a field that is not filled in is named."""
    words = visible_text(text, MAX_REPLY)
    if not words:
        return Refused(words=TOO_LONG if words is None else NO_TEXT)
    left = unfilled(words)
    return Refused(words=left) if left else words


def unfilled(text: str) -> str:
    """Return what to do about the fields that are left in a reply, empty for none."""
    left = _fields(text)
    return f"Write something instead of {_listed(left)}, of which the case says nothing" if left else ""


def filled(text: str, case: Case, *, adviser: str) -> str:
    """Return a text with its fields filled in; one that the case has nothing for stays, for staff to see.

    `adviser` is the name of the person who writes, empty where the account has none.
    """
    head = case.head
    values = {
        "name": head.contact.name if head.contact else "",
        "adviser": adviser,
        "reference": head.reference,
        "appointment": f"{uk_moment(head.appointment)}, UK time" if head.appointment else "",
        "papers": head.waiting_note if head.waiting_for is WaitingFor.CLIENT else "",
    }
    return _FIELD.sub(lambda found: values.get(found[1]) or found[0], text)


def _fields(text: str) -> list[str]:
    return list(dict.fromkeys(_FIELD.findall(text)))


def _listed(fields: Iterable[str]) -> str:
    return ", ".join(f"{{{field}}}" for field in fields)
