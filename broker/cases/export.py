"""Enquiries as files for staff: CSV and Excel, in which no text is a formula, and JSON."""

import io
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime

import pandas as pd

from broker.appointments.appointment import Appointment
from broker.cases.case import Case, EnquiryExport
from broker.cases.words import SERVICE_WORDS, SOURCE_WORDS, STAGE_WORDS
from broker.clock import UK
from broker.documents.attachment import attached_lines
from broker.documents.document import Document
from broker.documents.spreadsheet import csv_text, guarded
from broker.enquiries.enquiry import Enquiry, EnquiryKind, EnquiryState, StoredEnquiry
from broker.enquiries.form_view import CALL_TIMES
from broker.questionnaire.answers import Line

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")

_JSON_VERSION = 1
"""Raised with every incompatible change of the JSON file."""

KIND_WORDS: Mapping[EnquiryKind, str] = {
    EnquiryKind.CALLBACK: "Callback request",
    EnquiryKind.CONTACT: "Contact form",
    EnquiryKind.QUESTIONNAIRE: "Questionnaire",
    EnquiryKind.CALL: "Telephone call",
}
STATE_WORDS: Mapping[EnquiryState, str] = {state: state.capitalize() for state in EnquiryState}

_COLUMNS: Mapping[str, Callable[[Case], str]] = {
    "Reference": lambda case: case.head.reference,
    "Kind": lambda case: KIND_WORDS[case.head.kind],
    "State": lambda case: STATE_WORDS[case.head.state],
    "Assigned to": lambda case: case.head.assigned,
    "Stage": lambda case: STAGE_WORDS[case.head.stage],
    "Waiting for": lambda case: case.head.waiting_for,
    "Next action": lambda case: case.head.next_action,
    "Due (UK time)": lambda case: _uk(case.head.due),
    "About": lambda case: SERVICE_WORDS[case.head.service],
    "Source": lambda case: SOURCE_WORDS[case.head.source],
    "Loan in pounds": lambda case: str(case.head.amount or ""),
    "Received (UK time)": lambda case: _uk(case.head.created),
    "Call by (UK time)": lambda case: _uk(case.head.call_by),
    "Appointment (UK time)": lambda case: _uk(case.appointment.slot.start) if case.appointment else "",
    "Appointment is": lambda case: _appointment_words(case.appointment) if case.appointment else "",
    "When to call": lambda case: CALL_TIMES[case.kept.enquiry.contact.when],
    "Name": lambda case: case.kept.enquiry.contact.name,
    "Telephone": lambda case: case.kept.enquiry.contact.telephone_shown,
    "Email": lambda case: case.kept.enquiry.contact.email,
    "Message": lambda case: case.kept.enquiry.message,
    "Answers": lambda case: _in_words(case.kept.enquiry.lines),
    "Attached result": lambda case: _in_words(attached_lines(case.kept.enquiry.attachment)),
    "Merged into it": lambda case: "\n\n".join(map(_merged_words, case.merged)),
    "Notes": lambda case: "\n".join(f"{_uk(note.at)} {note.who}: {note.text}" for note in case.notes),
    "From the page": lambda case: case.kept.page,
    "News allowed by": lambda case: ", ".join(sorted(case.kept.enquiry.consent.marketing)),
    "Consent given (UK time)": lambda case: _uk(case.kept.enquiry.consent.at),
    "Wording of the consent": lambda case: case.kept.enquiry.consent.text_version,
    "Changed by": lambda case: case.head.changed_by,
    "Changed (UK time)": lambda case: _uk(case.head.changed_at),
    "Deleted after (UK time)": lambda case: _uk(case.head.delete_after),
}


def enquiries_csv(export: EnquiryExport) -> str:
    """Return a CSV row for each enquiry, then one for each sentence about those left out."""
    return csv_text(_table(export), quoted=True)


def enquiries_workbook(export: EnquiryExport) -> bytes:
    """Return an Excel workbook with the rows of the CSV file."""
    data = io.BytesIO()
    with pd.ExcelWriter(data, engine="openpyxl") as writer:
        _table(export).to_excel(writer, sheet_name="Enquiries", index=False)
    return data.getvalue()


def enquiries_json(export: EnquiryExport) -> str:
    """Return the enquiries as JSON, with a version and sentences about those left out; times are ISO 8601 in UTC."""
    held = {
        "version": _JSON_VERSION,
        "left_out": _left_out(export),
        "enquiries": [_plain(case) for case in export.cases],
    }
    return json.dumps(held, ensure_ascii=False, indent=1)


def export_name(at: datetime, form: str) -> str:
    """Return the name of a `csv`, `json` or `xlsx` file, with the UK date."""
    return f"enquiries-{at.astimezone(UK):%Y-%m-%d}.{form.lower()}"


def _table(export: EnquiryExport) -> pd.DataFrame:
    rows = [[_cell(read(case)) for read in _COLUMNS.values()] for case in export.cases]
    blank = [""] * (len(_COLUMNS) - 1)
    rows += [[words, *blank] for words in _left_out(export)]
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def _cell(text: str) -> str:
    """Return a cell that is no formula, without the signs that a workbook cannot hold."""
    return guarded(_CONTROLS.sub("", text))


def _plain(case: Case) -> dict[str, object]:
    head, notes = case.head, case.notes
    return {
        "reference": head.reference,
        "kind": head.kind.value,
        "state": head.state.value,
        "version": head.version,
        "assigned": head.assigned,
        "stage": head.stage.value,
        "waiting_for": head.waiting_for.value,
        "next_action": head.next_action,
        "next_due": _iso(head.next_due),
        "service": head.service.value,
        "source": head.source.value,
        "amount": head.amount,
        "created": _iso(head.created),
        "call_by": _iso(head.call_by),
        "delete_after": _iso(head.delete_after),
        "changed_by": head.changed_by,
        "changed_at": _iso(head.changed_at),
        "page": head.page,
        "appointment": _appointment(case.appointment) if case.appointment else None,
        **_sent(case.kept.enquiry),
        "merged": [
            {
                "reference": each.reference,
                "kind": each.enquiry.kind.value,
                "created": _iso(each.created),
                "page": each.page,
                **_sent(each.enquiry),
            }
            for each in case.merged
        ],
        "notes": [{"at": _iso(note.at), "who": note.who, "text": note.text} for note in notes],
    }


def _merged_words(kept: StoredEnquiry) -> str:
    """Return what somebody sent with an enquiry that is merged into a case, by lines."""
    enquiry, contact = kept.enquiry, kept.enquiry.contact
    who = ", ".join(filter(None, (contact.name, contact.telephone_shown, contact.email)))
    sent = (enquiry.message, _in_words(enquiry.lines), _in_words(attached_lines(enquiry.attachment)))
    first = f"{kept.reference}, {KIND_WORDS[enquiry.kind].lower()} of {_uk(kept.created)}"
    return "\n".join(filter(None, (first, who, *sent)))


def _appointment_words(appointment: Appointment) -> str:
    slot = appointment.slot
    return f"{appointment.state}, {slot.minutes} minutes, {slot.medium}, with {appointment.adviser}"


def _appointment(appointment: Appointment) -> dict[str, object]:
    slot = appointment.slot
    return {
        "start": _iso(slot.start),
        "minutes": slot.minutes,
        "medium": slot.medium.value,
        "adviser": appointment.adviser,
        "state": appointment.state.value,
        "changed_by": appointment.changed_by,
        "changed_at": _iso(appointment.changed_at),
    }


def _sent(enquiry: Enquiry) -> dict[str, object]:
    consent = enquiry.consent
    return {
        "contact": asdict(enquiry.contact),
        "message": enquiry.message,
        "answers": [{"question": line.label, "answer": line.words} for line in enquiry.lines],
        "attached_result": asdict(document) if (document := _document(enquiry)) else None,
        "consent": {
            "marketing": sorted(consent.marketing),
            "text_version": consent.text_version,
            "at": _iso(consent.at),
            "page": consent.page,
        },
    }


def _in_words(lines: Iterable[Line]) -> str:
    return "\n".join(f"{line.label}: {line.words}" for line in lines)


def _document(enquiry: Enquiry) -> Document | None:
    return enquiry.attachment.document if enquiry.attachment else None


def _left_out(export: EnquiryExport) -> list[str]:
    more = [] if export.complete else ["There are more enquiries than one file takes: narrow the list for the others"]
    return more + [f"{reference} is left out: no key of the server opens it" for reference in export.sealed]


def _uk(at: datetime | None) -> str:
    return f"{at.astimezone(UK):%Y-%m-%d %H:%M}" if at else ""


def _iso(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat() if at else None
