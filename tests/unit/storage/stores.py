"""The stores of one database, and enquiries to put into them."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from broker.appointments.store import AppointmentStore
from broker.cases.case import EnquirySummary, Refused
from broker.cases.change_store import EnquiryChangeStore, EnquiryEdit, Plan
from broker.cases.changes import CaseChange, assigned
from broker.cases.store import EnquiryListStore
from broker.enquiries.contact_details import CallTime, ContactDetails
from broker.enquiries.enquiry import Consent, Enquiry, EnquiryKind, EnquiryState
from broker.enquiries.store import EnquiryStore, NewEnquiry
from broker.lenders.logos.store import LogoStore
from broker.questionnaire.journey_store import JourneyStore
from broker.staff.account_store import StaffStore
from broker.staff.audit import Act
from broker.staff.audit_log import AuditStore
from broker.staff.session_store import StaffSessionStore
from broker.storage.database import Database
from broker.storage.encryption import SecretKeys
from tests.databases.fixtures import KEY

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    database: Database
    enquiries: EnquiryStore
    journeys: JourneyStore
    changes: EnquiryChangeStore
    lists: EnquiryListStore
    audit: AuditStore
    logos: LogoStore
    accounts: StaffStore
    sessions: StaffSessionStore
    appointments: AppointmentStore


def stores_of(database: Database, key: str = KEY) -> Stores:
    keys = SecretKeys((key,))
    return Stores(
        database=database,
        enquiries=EnquiryStore(database, keys),
        journeys=JourneyStore(database, keys),
        changes=EnquiryChangeStore(database, keys),
        lists=EnquiryListStore(database, keys),
        audit=AuditStore(database),
        logos=LogoStore(database),
        accounts=StaffStore(database),
        sessions=StaffSessionStore(database),
        appointments=AppointmentStore(database, keys),
    )


def new(number: int, *, name: str = "", kind: EnquiryKind = EnquiryKind.CALLBACK, call_in: float = 0) -> NewEnquiry:
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


def edit(reference: str, version: int = 1, who: str = "ada") -> EnquiryEdit:
    return EnquiryEdit(reference=reference, version=version, who=who, at=LATER)


def moving(state: EnquiryState) -> Plan:
    def plan(case: EnquirySummary) -> CaseChange | Refused:
        return CaseChange(values={"state": state}, what=Act.ENQUIRY_STATE, detail=f"{case.state} to {state}")

    return plan


def giving(account: str) -> Plan:
    return lambda case: assigned(case, account)
