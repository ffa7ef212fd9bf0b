"""What a valid enquiry is: who asks, what they allow, and what they ask for (decisions 30 and 33).

What a form sends is a mapping of its fields to anything at all. It becomes an `Enquiry`, or the problems of its
fields, a sentence each; nothing is raised.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from broker.domain.enquiries.contact_details import (
    EMAIL,
    MAX_EMAIL,
    ContactDetails,
    Problem,
    contact_details,
    parse_word,
    single_line,
    visible_text,
)
from broker.domain.questionnaire.answers import Line, Value
from broker.domain.questionnaire.journey import Journey

MESSAGE, PRIVACY, MARKETING, ANSWERS = "message", "privacy", "marketing", "answers"
"""The names of a form's fields, beside those of `contact_details`, which problems are told by."""

MAX_MESSAGE, MAX_PAGE = 2_000, 200
"""Characters that each may have."""

_PATH = re.compile(r"/(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_-]*")


class EnquiryKind(StrEnum):
    """How an enquiry came about."""

    CALLBACK = "callback"
    CONTACT = "contact"
    QUESTIONNAIRE = "questionnaire"


class Channel(StrEnum):
    """The ways in which marketing may reach somebody who allows it; each is allowed by itself."""

    EMAIL = "email"
    TELEPHONE = "telephone"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """The record of what was allowed: the privacy notice acknowledged, marketing by these channels and no other.

    `text_version` names the wording that was read, `at` the time, with its zone, `page` the path it was read on.
    """

    marketing: frozenset[Channel]
    text_version: str
    at: datetime
    page: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Enquiry:
    """One request to be advised; `entry`, `answers` and `lines` are those of a questionnaire, else empty."""

    kind: EnquiryKind
    contact: ContactDetails
    consent: Consent
    message: str = ""
    entry: str = ""
    answers: Mapping[str, Value] = field(default_factory=dict)
    lines: tuple[Line, ...] = ()


def enquiry(
    kind: EnquiryKind,
    given: Mapping[str, object],
    *,
    text_version: str,
    at: datetime,
    page: str,
    journey: Journey | None = None,
) -> Enquiry | tuple[Problem, ...]:
    """Return the enquiry that a form makes, or every problem in the order of its fields.

    A contact form needs a message, a questionnaire a `journey` with every question answered.
    """
    contact, message = contact_details(given), _message(given.get(MESSAGE), needed=kind is EnquiryKind.CONTACT)
    allowed = consent(given, text_version=text_version, at=at, page=page)
    answered = journey if kind is EnquiryKind.QUESTIONNAIRE else None
    problems = [problem for part in (contact, message, allowed) if isinstance(part, tuple) for problem in part]
    if kind is EnquiryKind.QUESTIONNAIRE and not (answered and answered.is_complete):
        problems.append(Problem(field=ANSWERS, reason="Answer the questions that are left first"))
    if problems or isinstance(contact, tuple) or isinstance(message, tuple) or isinstance(allowed, tuple):
        return tuple(problems)
    return Enquiry(
        kind=kind,
        contact=contact,
        consent=allowed,
        message=message,
        entry=answered.entry if answered else "",
        answers={each.step.id: each.value for each in answered.done} if answered else {},
        lines=answered.lines if answered else (),
    )


def consent(
    given: Mapping[str, object], *, text_version: str, at: datetime, page: str
) -> Consent | tuple[Problem, ...]:
    """Return what is allowed, no channel unless it was chosen, or what is wrong with it.

    The privacy notice counts as acknowledged for a tick alone: `True`, or what a browser sends for one.
    """
    chosen = given.get(MARKETING) or ()
    listed = chosen if isinstance(chosen, list | tuple | set | frozenset) else (chosen,)
    channels = frozenset(channel for each in listed if (channel := parse_word(each, Channel)))
    problems: list[Problem] = []
    if Channel.EMAIL in channels and single_line(given.get(EMAIL), MAX_EMAIL) == "":
        problems.append(Problem(field=EMAIL, reason="Enter an email address, or do not choose news by email"))
    if given.get(PRIVACY) is not True and given.get(PRIVACY) not in ("on", "yes", "true"):
        problems.append(Problem(field=PRIVACY, reason="Tick the box to say that you have read the privacy notice"))
    if len(listed) > len(Channel) or any(parse_word(each, Channel) is None for each in listed):
        problems.append(Problem(field=MARKETING, reason="Choose from the ways that are listed"))
    return tuple(problems) or Consent(marketing=channels, text_version=text_version, at=at, page=page_path(page))


def page_path(value: object) -> str:
    """Return the path of one of our pages, without its query, which may say more than it should; `/` for all else."""
    path = re.split(r"[?#]", value, maxsplit=1)[0] if isinstance(value, str) else ""
    return path if len(path) <= MAX_PAGE and _PATH.fullmatch(path) else "/"


def _message(value: object, *, needed: bool) -> str | tuple[Problem, ...]:
    text = visible_text(value, MAX_MESSAGE)
    if text is None:
        return (Problem(field=MESSAGE, reason=f"Write at most {MAX_MESSAGE:,} characters"),)
    if needed and not text:
        return (Problem(field=MESSAGE, reason="Tell us in a few words how we can help"),)
    return text
