"""Stored records of visitors: enquiries, and answers that are not sent yet (decisions 31 and 33)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from broker.enquiries.enquiry import Enquiry
from broker.questionnaire.answers import Value

HIDDEN, TOKEN = "company_website", "token"
"""Names of two fields of every form: the hidden field that people leave empty, and the signed token of its start."""


class EnquiryState(StrEnum):
    """The state of an enquiry."""

    NEW = "new"
    CALLED = "called"
    BOOKED = "booked"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEnquiry:
    """A stored enquiry; `page` is the path of its form, and it is deleted at `delete_after`.

    `version` counts the changes, for optimistic locking.
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
    """The answers by step, those off the path included; `version` counts the writes.

    `written` has the version of each step's last answer. `flow` names the flow that they answer.
    """

    flow: str
    entry: str
    answers: Mapping[str, Value]
    written: Mapping[str, int]
    version: int
    delete_after: datetime
