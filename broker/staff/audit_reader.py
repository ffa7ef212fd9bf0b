"""Read the audit record for staff; failures are values, never exceptions."""

import logging
from typing import Protocol

from broker.cases.case import Refused
from broker.cases.service import CaseService
from broker.enquiries.contact_details import single_line
from broker.enquiries.enquiry import parse_reference
from broker.staff.audit import MAX_SUBJECT_LENGTH, AuditFilter, AuditPage
from broker.staff.audit_log import AuditStore
from broker.storage.errors import StorageError

PAGE_SIZE = 50
"""Entries on a page."""

AWAY = "The record cannot be reached just now. Please try again in a minute"


class AuditServices(Protocol):
    @property
    def audit(self) -> AuditStore: ...

    @property
    def cases(self) -> CaseService: ...


log = logging.getLogger(__name__)


async def record_page(services: AuditServices, wanted: AuditFilter, *, most: int = PAGE_SIZE) -> AuditPage | Refused:
    """Return the newest entries of a filter, at most `most`."""
    try:
        found = await services.audit.latest(
            most + 1, before=wanted.before, who=wanted.who, about=wanted.about, acts=wanted.acts
        )
    except StorageError as error:
        log.error("the audit record: %s", error)
        return Refused(words=AWAY)
    entries = found[:most]
    existing = await services.cases.existing(filter(None, (parse_reference(entry.about) for entry in entries)))
    if isinstance(existing, Refused):
        return existing
    return AuditPage(entries=entries, has_more=len(found) > most, existing=existing)


async def record_names(services: AuditServices) -> tuple[str, ...] | Refused:
    try:
        return await services.audit.names()
    except StorageError as error:
        log.error("the audit record: %s", error)
        return Refused(words=AWAY)


async def recorded_about(services: AuditServices, typed: object) -> str | Refused:
    """Return the subject that a typed text means, as the record has it; Refused if no entry has it.

    A reference may be in any spelling, a lender a bare number, and an account's name in capitals.
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
