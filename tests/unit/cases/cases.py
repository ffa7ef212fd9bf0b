"""An enquiry as staff have it before them, with what a test wants of it."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from broker.cases.case import Case, EnquirySummary, StaffNote
from broker.enquiries.contact_details import CallTime, ContactDetails
from broker.enquiries.enquiry import Channel, Consent, Enquiry, EnquiryKind, EnquiryState, StoredEnquiry
from broker.questionnaire.answers import Line

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
REFERENCE = "HG-7K3M-Q2XD"
CONTACT = ContactDetails(name="Zoë", telephone="+447700900123", email="zoe&co@quill.example", when=CallTime.MORNING)
ANSWERS = {"What for?": "A house"}


def head(**fields: Any) -> EnquirySummary:
    """Return an enquiry as the list has it: new, received an hour ago, to be called in an hour."""
    usual: dict[str, Any] = {
        "reference": REFERENCE,
        "kind": EnquiryKind.CONTACT,
        "state": EnquiryState.NEW,
        "version": 4,
        "created": NOW - timedelta(hours=1),
        "delete_after": NOW + timedelta(days=365),
        "page": "/contact/",
        "contact": CONTACT,
        "call_by": NOW + timedelta(hours=1),
    }
    return EnquirySummary(**{**usual, **fields})


def case(*notes: StaffNote, message: str = "Hello", answers: Mapping[str, str] = ANSWERS, **fields: Any) -> Case:
    top = head(**fields)
    at, lines = NOW - timedelta(hours=1), tuple(Line(label=label, words=words) for label, words in answers.items())
    consent = Consent(marketing=frozenset(Channel), text_version="2026-03", at=at, page="/remortgaging/")
    contact = top.contact or CONTACT
    enquiry = Enquiry(kind=top.kind, contact=contact, consent=consent, message=message, lines=lines)
    shared = ("reference", "state", "version", "created", "delete_after", "page")
    kept = StoredEnquiry(enquiry=enquiry, **{name: getattr(top, name) for name in shared})
    return Case(head=top, kept=kept, notes=notes)
