"""An enquiry: parsed from a form with its consent, and as it is stored (decisions 30 and 33).

Form input is untrusted: an invalid field becomes a `Problem`, and nothing is raised.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from enum import StrEnum

from broker.appointments.appointment import SLOT, Medium, Slot, parse_slot
from broker.documents.document import Document
from broker.duties.support_needs import SupportNeeds, parse_needs
from broker.enquiries.contact_details import (
    EMAIL,
    MAX_EMAIL,
    ContactDetails,
    Problem,
    parse_contact_details,
    parse_word,
    single_line,
    visible_text,
)
from broker.questionnaire.answers import Line, Value
from broker.questionnaire.journey import Journey
from broker.staff.audit import VISITOR

MESSAGE, PRIVACY, MARKETING, ANSWERS = "message", "privacy", "marketing", "answers"
"""Names of fields in forms and problems, besides those of `contact_details`."""

HIDDEN, TOKEN = "company_website", "token"
"""Fields of every form: a hidden one that people leave empty, and the signed token with the time of the form."""

REFERENCE_ALPHABET = "23456789CDFGHJKMNPQRTVWXY"
"""No characters that look alike, and no vowels, so that no words appear."""

REFERENCE_LENGTH = 8
"""Characters of a reference: 25 to the 8th, 150 thousand million references."""

SPOKEN = "spoken"
"""The version of a consent that somebody heard by telephone."""

_MAX_MESSAGE, _MAX_PAGE = 2_000, 200
"""Characters."""

_MAX_ATTACHMENT_BYTES = 40_000
"""Bytes of a document as JSON: three times the longest, a remortgage plan."""

_PATH = re.compile(r"/(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_-]*")
_PREFIX = "HG"
_MISREAD = str.maketrans({"B": "8", "S": "5", "Z": "2", "U": "V"})
_REFERENCE = re.compile(f"(?:{_PREFIX})?([{REFERENCE_ALPHABET}]{{{REFERENCE_LENGTH}}})")


class EnquiryKind(StrEnum):
    """The form that an enquiry came from."""

    CALLBACK = "callback"
    CONTACT = "contact"
    QUESTIONNAIRE = "questionnaire"
    CALL = "call"
    """Not a form: somebody telephoned, and staff entered it."""


class EnquiryState(StrEnum):
    NEW = "new"
    CALLED = "called"
    BOOKED = "booked"
    CLOSED = "closed"


class Channel(StrEnum):
    """A channel for marketing; each needs its own consent."""

    EMAIL = "email"
    TELEPHONE = "telephone"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """The record of consent: the privacy notice acknowledged, and marketing by these channels.

    `text_version` is the version of the wording, `at` the time, with its zone, `page` the path of the form.
    """

    marketing: frozenset[Channel]
    text_version: str
    at: datetime
    page: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """The result that a visitor attached; `document` is None where it could not be attached."""

    document: Document | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Enquiry:
    """A request for advice; `entry`, `answers` and `lines` are those of a questionnaire, or empty."""

    kind: EnquiryKind
    contact: ContactDetails
    consent: Consent
    message: str = ""
    entry: str = ""
    answers: Mapping[str, Value] = field(default_factory=dict)
    lines: tuple[Line, ...] = ()
    attachment: Attachment | None = None
    needs: SupportNeeds | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEnquiry:
    """A stored enquiry; `page` is the path of its form, and it is deleted at `delete_after`.

    `version` counts the changes, for optimistic locking. `advice_until` is the day until which the record of advice in
    its case is kept: None without advice, and where staff read it.
    """

    reference: str
    state: EnquiryState
    version: int
    created: datetime
    delete_after: datetime
    page: str
    enquiry: Enquiry
    advice_until: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceKept:
    """Of the case of an enquiry only the record of advice is left, kept until a day."""

    until: date


def parse_enquiry(
    kind: EnquiryKind,
    given: Mapping[str, object],
    *,
    text_version: str,
    at: datetime,
    page: str,
    journey: Journey | None = None,
) -> Enquiry | tuple[Problem, ...]:
    """Return the enquiry of a form, or every problem in the order of its fields.

    A contact form needs a message, a questionnaire a `journey` with every question answered.
    """
    contact, message = parse_contact_details(given), _message(given.get(MESSAGE), needed=kind is EnquiryKind.CONTACT)
    consent = parse_consent(given, text_version=text_version, at=at, page=page)
    answered = journey if kind is EnquiryKind.QUESTIONNAIRE else None
    needs = parse_needs(given, at=at, who=VISITOR)
    problems = [problem for part in (contact, message, needs, consent) if isinstance(part, tuple) for problem in part]
    if kind is EnquiryKind.QUESTIONNAIRE and not (answered and answered.is_complete):
        problems.append(Problem(field=ANSWERS, reason="Answer the questions that are left first"))
    if (
        problems
        or isinstance(contact, tuple)
        or isinstance(message, tuple)
        or isinstance(needs, tuple)
        or isinstance(consent, tuple)
    ):
        return tuple(problems)
    return Enquiry(
        kind=kind,
        contact=contact,
        consent=consent,
        message=message,
        entry=answered.entry if answered else "",
        answers={each.step.id: each.value for each in answered.done} if answered else {},
        lines=answered.lines if answered else (),
        needs=needs,
    )


def is_ticked(value: object) -> bool:
    """Return whether a box is ticked: `True`, or what a browser sends for one."""
    return value is True or value in ("on", "yes", "true")


def parse_consent(
    given: Mapping[str, object], *, text_version: str, at: datetime, page: str
) -> Consent | tuple[Problem, ...]:
    """Return the consent of a form, with the chosen channels only, or its problems.

    The privacy notice needs a ticked box.
    """
    chosen = given.get(MARKETING) or ()
    listed = chosen if isinstance(chosen, list | tuple | set | frozenset) else (chosen,)
    channels = frozenset(channel for each in listed if (channel := parse_word(each, Channel)))
    problems: list[Problem] = []
    if Channel.EMAIL in channels and single_line(given.get(EMAIL), MAX_EMAIL) == "":
        problems.append(Problem(field=EMAIL, reason="Enter an email address, or do not choose news by email"))
    if not is_ticked(given.get(PRIVACY)):
        problems.append(Problem(field=PRIVACY, reason="Tick the box to say that you have read the privacy notice"))
    if len(listed) > len(Channel) or any(parse_word(each, Channel) is None for each in listed):
        problems.append(Problem(field=MARKETING, reason="Choose from the ways that are listed"))
    return tuple(problems) or Consent(marketing=channels, text_version=text_version, at=at, page=page_path(page))


def wanted_slot(given: Mapping[str, object]) -> Slot | tuple[Problem, ...] | None:
    """Return the slot of a form, None for as soon as we can, or its problem; a video call needs an email address."""
    if not given.get(SLOT):
        return None
    slot = parse_slot(given[SLOT])
    if slot is None:
        return (Problem(field=SLOT, reason="Choose one of the times that are listed"),)
    if slot.medium is Medium.VIDEO and not single_line(given.get(EMAIL), MAX_EMAIL):
        return (Problem(field=EMAIL, reason="Enter an email address, where we send the link to the video call"),)
    return slot


def _message(value: object, *, needed: bool) -> str | tuple[Problem, ...]:
    text = visible_text(value, _MAX_MESSAGE)
    if text is None:
        return (Problem(field=MESSAGE, reason=f"Write at most {_MAX_MESSAGE:,} characters"),)
    if needed and not text:
        return (Problem(field=MESSAGE, reason="Tell us in a few words how we can help"),)
    return text


def page_path(value: object) -> str:
    """Return the path of a page of the site without its query, which may hold personal data; `/` for anything else."""
    path = re.split(r"[?#]", value, maxsplit=1)[0] if isinstance(value, str) else ""
    return path if len(path) <= _MAX_PAGE and _PATH.fullmatch(path) else "/"


def attachment(document: Document | None) -> Attachment:
    """Return a document as an attachment, without it where it is too large."""
    if document is None:
        return Attachment()
    size = len(json.dumps(asdict(document), ensure_ascii=False).encode("utf-8", "replace"))
    return Attachment(document=document if size <= _MAX_ATTACHMENT_BYTES else None)


def format_reference(characters: str) -> str:
    """Return eight characters formatted as a reference."""
    return f"{_PREFIX}-{characters[:4]}-{characters[4:]}"


def parse_reference(text: object) -> str:
    """Return a typed reference in its standard format, empty for anything else.

    Lower case, spaces and dashes are accepted, and letters that look like a digit are replaced by it.
    """
    typed = text.upper() if isinstance(text, str) and len(text) <= 40 else ""
    found = _REFERENCE.fullmatch(re.sub(r"[\s.\-‐‑–—]", "", typed).translate(_MISREAD))
    return format_reference(found[1]) if found else ""
