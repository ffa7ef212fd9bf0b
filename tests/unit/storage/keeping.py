"""Enquiries kept for staff: stored one a minute, on each kind of database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from broker.domain.enquiries.contact_details import CallTime, ContactDetails
from broker.domain.enquiries.enquiry import Consent, Enquiry, EnquiryKind
from broker.storage.database import Database, database_address
from broker.storage.encryption import SecretKeys
from broker.storage.enquiries.enquiries import EnquiryStore, NewEnquiry
from broker.storage.staff.audit import AuditStore
from broker.storage.staff.enquiry_changes import EnquiryChangeStore, EnquiryEdit
from broker.storage.staff.enquiry_list import EnquiryListStore
from tests.databases.fixtures import KEY

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=1)

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """What there is over one database."""

    database: Database
    enquiries: EnquiryStore
    cases: EnquiryChangeStore
    lists: EnquiryListStore
    audit: AuditStore


def keeping(database: Database, key: str = KEY) -> Keeping:
    """Return the stores of a database."""
    keys = SecretKeys((key,))
    return Keeping(
        database=database,
        enquiries=EnquiryStore(database, keys),
        cases=EnquiryChangeStore(database, keys),
        lists=EnquiryListStore(database, keys),
        audit=AuditStore(database),
    )


def kept(url: str, block: Callable[[Keeping], Awaitable[Found]]) -> Found:
    """Return what comes of the enquiries of a database."""

    async def with_it() -> Found:
        database = Database(database_address(url))
        try:
            return await block(keeping(database))
        finally:
            await database.close()

    return asyncio.run(with_it())


def new(number: int, *, name: str = "", kind: EnquiryKind = EnquiryKind.CALLBACK, call_in: float = 0) -> NewEnquiry:
    """Return the enquiry of a minute after noon, to be called so many hours after noon."""
    when = NOON + timedelta(minutes=number)
    contact = ContactDetails(
        name=name or f"Visitor {number}", telephone=f"+44770090{number:04}", email="", when=CallTime.MORNING
    )
    consent = Consent(marketing=frozenset(), text_version="1", at=when, page="/")
    return NewEnquiry(
        enquiry=Enquiry(kind=kind, contact=contact, consent=consent, message=f"Message {number}"),
        page="/contact/",
        submissions=(f"form {number}",),
        created=when,
        delete_after=when + timedelta(days=365),
        call_by=NOON + timedelta(hours=call_in) if call_in else None,
    )


def turn(reference: str, version: int = 1, who: str = "ada") -> EnquiryEdit:
    """Return a turn of somebody's at an enquiry, a day after noon."""
    return EnquiryEdit(reference=reference, version=version, who=who, at=LATER)
