"""Somebody who telephones, as staff enter them by hand."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime

from broker.cases.case import MAX_NOTE, NoteKind, Outcome, Service, Source, StaffNote
from broker.cases.changes import AMOUNT, NOT_A_SERVICE, SERVICE
from broker.cases.origin import NOT_POUNDS, Origin, pounds_in
from broker.cases.outcomes import after_first_call
from broker.enquiries.contact_details import (
    ContactDetails,
    Problem,
    parse_contact_details,
    parse_word,
    single_line,
    visible_text,
)
from broker.enquiries.enquiry import PRIVACY, SPOKEN, Consent, Enquiry, EnquiryKind, is_ticked
from broker.enquiries.store import EnteredByHand, NewEnquiry
from broker.enquiries.working_time import WorkingWeek

NOTE, SOURCE = "note", "source"
"""Fields of the form, beside those of contact details and of figures, and `PRIVACY`: ticked once they were told."""

TOLD = "Told by telephone how we use and keep their details"
"""The first entry of the timeline: by whom and when is beside it."""

_BY_TELEPHONE = "by telephone"
"""Stands for the page of a form."""
_PRESS_WINDOW = 600
"""Seconds in which the same form, sent twice, is one case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """A caller: contact details, what it is about, and what they said."""

    contact: ContactDetails
    service: Service = Service.OTHER
    amount: int | None = None
    note: str = field(default="", repr=False)
    source: Source = Source.TELEPHONE


def parse_caller(given: Mapping[str, object]) -> Caller | tuple[Problem, ...]:
    """Return the caller of a form, or the problem of each invalid field."""
    contact, note = parse_contact_details(given, whose="the caller’s"), visible_text(given.get(NOTE), MAX_NOTE)
    service, amount = given.get(SERVICE) or Service.OTHER, single_line(given.get(AMOUNT), 40)
    problems = list(contact) if isinstance(contact, tuple) else []
    if parse_word(service, Service) is None:
        problems.append(Problem(field=SERVICE, reason=NOT_A_SERVICE))
    if amount is None or (amount and pounds_in(amount) is None):
        problems.append(Problem(field=AMOUNT, reason=NOT_POUNDS))
    if note is None:
        problems.append(Problem(field=NOTE, reason=f"Write at most {MAX_NOTE:,} characters"))
    if not is_ticked(given.get(PRIVACY)):
        problems.append(Problem(field=PRIVACY, reason="Read this out to them, then tick the box"))
    if problems or isinstance(contact, tuple):
        return tuple(problems)
    is_of_watch = given.get(SOURCE) == Source.WATCH
    return Caller(
        contact=contact,
        service=parse_word(service, Service) or Service.OTHER,
        amount=pounds_in(amount or ""),
        note=note or "",
        source=Source.WATCH if is_of_watch else Source.TELEPHONE,
    )


def caller_enquiry(caller: Caller, *, who: str, now: datetime, delete_after: datetime, week: WorkingWeek) -> NewEnquiry:
    """Return the enquiry of a caller, which begins as called, and is that of whoever entered it."""
    first = StaffNote(at=now, who=who, text=TOLD, kind=NoteKind.SYSTEM)
    said = StaffNote(at=now, who=who, text=caller.note, kind=NoteKind.CALL, outcome=Outcome.REACHED)
    action, due = after_first_call(now, week=week, when=caller.contact.when)
    consent = Consent(marketing=frozenset(), text_version=SPOKEN, at=now, page=_BY_TELEPHONE)
    return NewEnquiry(
        enquiry=Enquiry(kind=EnquiryKind.CALL, contact=caller.contact, consent=consent),
        page=_BY_TELEPHONE,
        submissions=_submissions(caller, who, now),
        created=now,
        delete_after=delete_after,
        call_by=now,
        entered=EnteredByHand(
            who=who,
            origin=Origin(source=caller.source, service=caller.service, amount=caller.amount),
            notes=(first, said),
            next_action=action,
            next_due=due,
        ),
    )


def _submissions(caller: Caller, who: str, now: datetime) -> tuple[str, str]:
    """Return the digests of a form in this window and in the one before."""
    content = json.dumps(asdict(caller), default=str)
    window = int(now.timestamp()) // _PRESS_WINDOW
    digests = [hashlib.sha256(f"{who} {place} {content}".encode()).hexdigest() for place in (window, window - 1)]
    return digests[0], digests[1]
