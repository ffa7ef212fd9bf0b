"""What is kept of visitors: their enquiries, and the answers they have not sent yet (decisions 31 and 33)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from broker.domain.enquiries.enquiry import Enquiry
from broker.domain.questionnaire.answers import Value

HIDDEN, TICKET = "company_website", "ticket"
"""Names of two fields of every form: one that people do not see and leave empty, and the ticket it was begun with."""


class StorageError(RuntimeError):
    """The database cannot be used now: nothing was stored. The message holds nothing personal."""


class EnquiryState(StrEnum):
    """How far an enquiry has come."""

    NEW = "new"
    CALLED = "called"
    BOOKED = "booked"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEnquiry:
    """An enquiry as it is stored; `page` is the path it came from, and it is deleted at `delete_after`.

    `version` counts the changes since it was stored: a change is made to the version that was read, or not at all.
    """

    reference: str
    state: EnquiryState
    version: int
    created: datetime
    delete_after: datetime
    page: str
    enquiry: Enquiry


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredJourney:
    """The answers so far by step, off the path included; `version` counts what was written.

    `written` holds the version at which each step was answered last.
    """

    entry: str
    answers: Mapping[str, Value]
    written: Mapping[str, int]
    version: int
    delete_after: datetime
