"""The audit record for staff. Failures are values, never exceptions."""

import logging
from typing import Protocol

from broker.enquiries.contact_details import single_line
from broker.enquiries.enquiry import parse_reference
from broker.staff.audit import MAX_SUBJECT_LENGTH, AuditFilter, AuditPage
from broker.staff.audit_log import AuditStore
from broker.staff.enquiry_admin import EnquiryAdmin
from broker.staff.enquiry_workflow import Refused
from broker.storage.errors import StorageError

PAGE = 50
"""Lines that are read at once."""

AWAY = "The record cannot be reached just now. Please try again in a minute"


class AuditServices(Protocol):
    """The services that the record is read with."""

    @property
    def audit(self) -> AuditStore: ...

    @property
    def enquiry_admin(self) -> EnquiryAdmin: ...


log = logging.getLogger(__name__)


async def record_page(services: AuditServices, wanted: AuditFilter, *, most: int = PAGE) -> AuditPage | Refused:
    """Return the newest lines that are wanted, at most so many."""
    try:
        found = await services.audit.latest(
            most + 1, before=wanted.before, who=wanted.who, about=wanted.about, acts=wanted.acts
        )
    except StorageError as error:
        log.error("the audit record: %s", error)
        return Refused(words=AWAY)
    entries = found[:most]
    existing = await services.enquiry_admin.existing(filter(None, (parse_reference(entry.about) for entry in entries)))
    if isinstance(existing, Refused):
        return existing
    return AuditPage(entries=entries, has_more=len(found) > most, existing=existing)


async def record_names(services: AuditServices) -> tuple[str, ...] | Refused:
    """Return the names in the record."""
    try:
        return await services.audit.names()
    except StorageError as error:
        log.error("the audit record: %s", error)
        return Refused(words=AWAY)


async def recorded_about(services: AuditServices, typed: object) -> str | Refused:
    """Return what somebody means who types what the record is to be about, as the record has it; or why it is nothing.

    A reference may be typed in any way, a lender's number alone, and an account's name in capitals.
    """
    text = single_line(typed, MAX_SUBJECT_LENGTH) or ""
    for meant in dict.fromkeys((parse_reference(text), f"lender {text}" if text.isdigit() else "", text, text.lower())):
        if not meant:
            continue
        page = await record_page(services, AuditFilter(about=meant), most=1)
        if isinstance(page, Refused):
            return page
        if page.entries:
            return meant
    return Refused(words="Nothing in the record is about that") if text else ""
