import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import openpyxl
import pytest

from broker.appointments.appointment import Appointment, AppointmentState, Medium, Slot
from broker.cases.case import EnquiryExport, StaffNote
from broker.cases.export import KIND_WORDS, STATE_WORDS, enquiries_csv, enquiries_json, enquiries_workbook, export_name
from broker.documents.document import Document, Result
from broker.enquiries.contact_details import CallTime, ContactDetails
from broker.enquiries.enquiry import Attachment, EnquiryKind, EnquiryState
from tests.unit.cases.cases import case

SUMMER = datetime(2026, 6, 30, 23, 30, tzinfo=UTC)
NAME = '=cmd|"/c calc"!A1'
CASE = case(
    StaffNote(at=SUMMER, who="ada", text="Rang,\nno answer"),
    StaffNote(at=SUMMER, who="bob", text="Rang"),
    message="-2+3",
    answers={"Why are you here?": "To buy", "Where?": "@home"},
    kind=EnquiryKind.QUESTIONNAIRE,
    state=EnquiryState.CALLED,
    version=3,
    created=SUMMER,
    delete_after=SUMMER + timedelta(days=365),
    contact=ContactDetails(name=NAME, telephone="+447700900123", email="+zoe@quill.example", when=CallTime.MORNING),
    call_by=SUMMER + timedelta(hours=10),
    assigned="ada",
    changed_by="bob",
    changed_at=SUMMER + timedelta(hours=11),
)


DOCUMENT = Document(
    title="=A",
    figures=(("Income", "£2"), ("Term", "3 years")),
    result=Result(label="You might borrow", figure="£1"),
    address="/a/",
    file_name="a.pdf",
)


def read(export: EnquiryExport) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(enquiries_csv(export), newline="")))


def test_workbook_holds_the_rows_of_the_file_and_no_formula() -> None:
    export = EnquiryExport(cases=(CASE, case(message="=1+1\x0b")), complete=False)
    sheet = openpyxl.load_workbook(io.BytesIO(enquiries_workbook(export))).active
    assert sheet is not None
    heads, *rows = [[cell.value or "" for cell in row] for row in sheet.iter_rows()]
    assert [dict(zip(map(str, heads), row, strict=True)) for row in rows] == [
        {name: value.replace("\r\n", "\n") for name, value in row.items()} for row in read(export)
    ]
    assert "f" not in {cell.data_type for row in sheet.iter_rows() for cell in row}


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_no_text_of_a_case_is_a_formula_in_either_file(sign: str) -> None:
    text = f"{sign}1+1"
    words: dict[str, Any] = {"assigned": text, "changed_by": text, "next_action": text, "page": text}
    contact = replace(CASE.kept.enquiry.contact, name=text, email=text)
    (row,) = read(export := EnquiryExport(cases=(case(message=text, answers={text: text}, contact=contact, **words),)))
    sheet = openpyxl.load_workbook(io.BytesIO(enquiries_workbook(export))).active
    assert sheet is not None
    filled = [name for name, cell in row.items() if "1+1" in cell]
    assert {"Name", "Email", "Message", "Answers", "Assigned to", "Next action", "Changed by", "From the page"} <= set(
        filled
    )
    assert [name for name in filled if row[name].startswith(("=", "+", "-", "@", "\t", "\r", "\n"))] == []
    assert "f" not in {cell.data_type for line in sheet.iter_rows() for cell in line}


def test_row_holds_an_enquiry_and_no_formula() -> None:
    (row,) = read(EnquiryExport(cases=(CASE,)))
    assert row == {
        "Reference": "HG-7K3M-Q2XD",
        "Kind": "Questionnaire",
        "State": "Called",
        "Assigned to": "ada",
        "Stage": "Enquiry",
        "Waiting for": "us",
        "Next action": "",
        "Due (UK time)": "",
        "About": "Not said",
        "Source": "Other pages",
        "Loan in pounds": "",
        "Received (UK time)": "2026-07-01 00:30",
        "Call by (UK time)": "2026-07-01 10:30",
        "Appointment (UK time)": "",
        "Appointment is": "",
        "When to call": "Morning",
        "Name": '\'=cmd|"/c calc"!A1',
        "Telephone": "07700 900123",
        "Email": "'+zoe@quill.example",
        "Message": "'-2+3",
        "Answers": "Why are you here?: To buy\nWhere?: @home",
        "Attached result": "",
        "Merged into it": "",
        "Notes": "2026-07-01 00:30 ada: Rang,\nno answer\n2026-07-01 00:30 bob: Rang",
        "From the page": "/contact/",
        "News allowed by": "email, telephone, text",
        "Consent given (UK time)": "2026-03-03 11:00",
        "Wording of the consent": "2026-03",
        "Changed by": "bob",
        "Changed (UK time)": "2026-07-01 11:30",
        "Deleted after (UK time)": "2027-07-01 00:30",
    }


def test_files_hold_what_was_sent_with_the_enquiries_merged_into_a_case() -> None:
    other = replace(case(message="Me again", answers={"When?": "Soon"}).kept, reference="HG-2222-3333")
    export = EnquiryExport(cases=(replace(CASE, merged=(other, other)),))
    (row,) = read(export)
    words = (
        "HG-2222-3333, contact form of 2026-03-03 11:00\nZoë, 07700 900123, zoe&co@quill.example\nMe again\nWhen?: Soon"
    )
    assert row["Merged into it"] == f"{words}\n\n{words}"
    (held,) = json.loads(enquiries_json(export))["enquiries"]
    first = held["merged"][0]
    assert (len(held["merged"]), first["reference"], first["kind"]) == (2, "HG-2222-3333", "contact")
    assert (first["message"], first["answers"]) == ("Me again", [{"question": "When?", "answer": "Soon"}])


def test_json_holds_the_same_unchanged() -> None:
    held = json.loads(enquiries_json(EnquiryExport(cases=(CASE,))))
    (one,) = held["enquiries"]
    assert (held["version"], held["left_out"]) == (1, [])
    contact = {"telephone": "+447700900123", "email": "+zoe@quill.example", "when": "morning", "extension": ""}
    assert one["contact"] == {"name": NAME, **contact}
    assert one["answers"][1] == {"question": "Where?", "answer": "@home"}
    assert (one["created"], one["state"], one["version"]) == ("2026-06-30T23:30:00+00:00", "called", 3)
    assert one["consent"]["marketing"] == ["email", "telephone", "text"]
    assert [note["text"] for note in one["notes"]] == ["Rang,\nno answer", "Rang"]


def test_enquiry_that_nobody_changed_has_empty_cells() -> None:
    fresh = replace(CASE, head=replace(CASE.head, changed_by="", changed_at=None), notes=())
    (row,) = read(EnquiryExport(cases=(fresh,)))
    assert (row["Changed by"], row["Changed (UK time)"], row["Notes"]) == ("", "", "")
    assert json.loads(enquiries_json(EnquiryExport(cases=(fresh,))))["enquiries"][0]["changed_at"] is None


def test_files_hold_the_appointment() -> None:
    booked = Appointment(
        id=1,
        uid="1",
        sequence=2,
        adviser="ben",
        slot=Slot(start=SUMMER, minutes=40, medium=Medium.VIDEO),
        state=AppointmentState.CANCELLED,
        reference=CASE.head.reference,
        created=SUMMER,
    )
    export = EnquiryExport(cases=(replace(CASE, appointment=booked),))
    (row,) = read(export)
    assert (row["Appointment (UK time)"], row["Appointment is"]) == (
        "2026-07-01 00:30",
        "cancelled, 40 minutes, video, with ben",
    )
    (held,) = json.loads(enquiries_json(export))["enquiries"]
    assert (held["appointment"]["start"], held["appointment"]["state"]) == ("2026-06-30T23:30:00+00:00", "cancelled")


def test_files_hold_the_attached_result() -> None:
    enquiry = replace(CASE.kept.enquiry, attachment=Attachment(document=DOCUMENT))
    export = EnquiryExport(cases=(replace(CASE, kept=replace(CASE.kept, enquiry=enquiry)), CASE))
    rows, held = read(export), json.loads(enquiries_json(export))["enquiries"]
    words = "Attached result: =A: You might borrow £1\nIncome: £2\nTerm: 3 years"
    assert [row["Attached result"] for row in rows] == [words, ""]
    assert held[0]["attached_result"]["figures"] == [["Income", "£2"], ["Term", "3 years"]]
    assert held[1]["attached_result"] is None


def test_files_say_what_is_left_out() -> None:
    export = EnquiryExport(cases=(), complete=False, sealed=("HG-2222-3333",))
    words = [
        "There are more enquiries than one file takes: narrow the list for the others",
        "HG-2222-3333 is left out: no key of the server opens it",
    ]
    assert [row["Reference"] for row in read(export)] == words
    assert json.loads(enquiries_json(export))["left_out"] == words


def test_files_have_names_and_every_kind_and_state_its_words() -> None:
    names = [export_name(SUMMER, form) for form in ("CSV", "json")]
    assert names == ["enquiries-2026-07-01.csv", "enquiries-2026-07-01.json"]
    assert (set(KIND_WORDS), set(STATE_WORDS)) == (set(EnquiryKind), set(EnquiryState))
