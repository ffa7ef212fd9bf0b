from dataclasses import replace
from datetime import UTC, datetime

import pytest

from broker.documents.attachment import SENT_WITHOUT, document_words
from broker.documents.document import Document, Result
from broker.duties.support_needs import Need, SupportNeeds
from broker.enquiries.contact_details import CallTime, ContactDetails
from broker.enquiries.enquiry import (
    SPOKEN,
    Attachment,
    Channel,
    Consent,
    Enquiry,
    EnquiryKind,
    EnquiryState,
    StoredEnquiry,
)
from broker.enquiries.summary import (
    CALL_TIMES,
    KINDS,
    STATES,
    consent_lines,
    found_values,
    next_call,
    record_lines,
    sent_lines,
    uk_day,
    uk_moment,
)
from broker.questionnaire.answers import Line
from broker.staff.audit import VISITOR
from tests.our_content import STORE

RESULT = Result(label="You save", figure="£1", per="a month")
FRIDAY = datetime(2026, 11, 20, 16, 30, tzinfo=UTC)
ADA = ContactDetails(name="Ada <b>", telephone="+447700900123", email="ada@example.com", when=CallTime.MORNING)
KEPT = StoredEnquiry(
    reference="HG-7K3M-Q2XD",
    state=EnquiryState.NEW,
    version=1,
    created=FRIDAY,
    delete_after=datetime(2027, 11, 20, 16, 30, tzinfo=UTC),
    page="/remortgaging/",
    enquiry=Enquiry(
        kind=EnquiryKind.CONTACT,
        contact=ADA,
        message="One\nTwo",
        consent=Consent(marketing=frozenset({Channel.TEXT}), text_version="v-1", at=FRIDAY, page="/contact/"),
        lines=(Line(label="Home value", words="£325,000"),),
    ),
)


def words(lines: tuple[Line, ...]) -> dict[str, str]:
    return {line.label: line.words for line in lines}


def test_summary_has_the_visitors_words_and_no_empty_lines() -> None:
    assert words(sent_lines(KEPT)) == {
        "Home value": "£325,000",
        "Name": "Ada <b>",
        "Telephone": "07700 900123",
        "Email": "ada@example.com",
        "When to call": "Morning",
        "Your message": "One\nTwo",
    }
    bare = Enquiry(kind=EnquiryKind.CALLBACK, contact=replace(ADA, email=""), consent=KEPT.enquiry.consent)
    assert list(words(sent_lines(replace(KEPT, enquiry=bare)))) == ["Name", "Telephone", "When to call"]


def test_support_needs_are_in_what_was_sent_and_agreed_to() -> None:
    needs = SupportNeeds(needs=(Need.LARGE_PRINT,), words="", consent="2026-11", at=FRIDAY, who=VISITOR)
    page = found_values(replace(KEPT, enquiry=replace(KEPT.enquiry, needs=needs)), {}, asked=False, progress=())
    for group, said in (("sent", "Large print"), ("allowed", "You agreed that we keep it")):
        lines = page[group]
        assert isinstance(lines, tuple)
        assert words(lines)["What makes a call easier"].startswith(said)


def test_attached_result_is_in_what_was_sent_with_a_line_a_figure() -> None:
    figures = (("Loan", "£187,400"), ("Term", "25 years"))
    document = Document(title="Side by side", figures=figures, address="/a/", file_name="a.pdf")
    attached = Attachment(document=document)
    lines = words(sent_lines(replace(KEPT, enquiry=replace(KEPT.enquiry, attachment=attached))))
    assert list(lines.items())[-3:] == [("Attached result", "Side by side"), *figures]
    lost = words(sent_lines(replace(KEPT, enquiry=replace(KEPT.enquiry, attachment=Attachment()))))
    assert list(lost.items())[-1] == ("Attached result", SENT_WITHOUT)


@pytest.mark.parametrize(
    ("document", "line"),
    {
        "an answer": (Document(title="A", result=RESULT, address="", file_name=""), "A: You save £1 a month"),
        "a question": (Document(title="A?", result=RESULT, address="", file_name=""), "A? You save £1 a month"),
        "a list": (Document(title="9 deals", subtitle="1 to 5", address="", file_name=""), "9 deals: 1 to 5"),
    }.values(),
)
def test_document_is_named_in_one_line(document: Document, line: str) -> None:
    assert document_words(document) == line


def test_record_of_consent_names_wording_time_and_page() -> None:
    assert words(consent_lines(KEPT.enquiry.consent)) == {
        "Privacy notice": "You ticked to say you have read it",
        "News and offers": "By text message",
        "Recorded": "4:30pm on Friday 20 November 2026, on the page /contact/",
        "Wording": "Version v-1",
    }
    none = replace(KEPT.enquiry.consent, marketing=frozenset())
    assert words(consent_lines(none))["News and offers"] == "No: you did not ask for any"


def test_caller_was_told_by_telephone() -> None:
    consent = replace(KEPT.enquiry.consent, text_version=SPOKEN, marketing=frozenset())
    assert words(consent_lines(consent)) == {
        "Privacy notice": "We told you about it by telephone, 4:30pm on Friday 20 November 2026",
        "News and offers": "No: you did not ask for any",
    }
    called = replace(KEPT, enquiry=replace(KEPT.enquiry, kind=EnquiryKind.CALL))
    assert words(record_lines(called))["Sent"] == "4:30pm on Friday 20 November 2026, by telephone"


def test_page_says_how_far_the_case_is_and_the_state_where_that_cannot_be_read() -> None:
    progress = (Line(label="Status", words="The property is being valued"),)
    pages = [found_values(KEPT, {}, asked=False, progress=given) for given in (progress, ())]
    assert pages[0]["progress"] == progress
    assert pages[1]["progress"] == (Line(label="Status", words="Waiting for our call"),)


def test_record_says_when_it_is_deleted() -> None:
    assert words(record_lines(KEPT)) == {
        "Reference": "HG-7K3M-Q2XD",
        "Type of enquiry": "Message",
        "Sent": "4:30pm on Friday 20 November 2026, from the page /remortgaging/",
        "Deleted automatically": "On Saturday 20 November 2027, with everything above",
    }


@pytest.mark.parametrize(
    ("kind", "when", "promise"),
    [
        (EnquiryKind.CALLBACK, CallTime.MORNING, "will call you on {} by noon on {}, in the morning as you asked."),
        (EnquiryKind.CONTACT, CallTime.ANY, "will read your message and call you on {} by 4:30pm on {}."),
    ],
)
def test_call_is_promised_in_the_hours_of_the_firm(kind: EnquiryKind, when: CallTime, promise: str) -> None:
    enquiry = replace(KEPT.enquiry, kind=kind, contact=replace(ADA, when=when))
    sentence = "An adviser " + promise.format("07700 900123", "Monday 23 November 2026")
    assert next_call(replace(KEPT, enquiry=enquiry), STORE.site()) == sentence


def test_moments_are_written_in_uk_time() -> None:
    summer = datetime(2026, 7, 1, 8, 5, tzinfo=UTC)
    moments = (summer, summer.replace(hour=11, minute=0), datetime(2026, 12, 31, 0, tzinfo=UTC))
    assert [uk_moment(at) for at in moments] == [
        "9:05am on Wednesday 1 July 2026",
        "noon on Wednesday 1 July 2026",
        "12am on Thursday 31 December 2026",
    ]
    assert uk_day(datetime(2026, 1, 5, 9, 5, tzinfo=UTC)) == "Monday 5 January 2026"


def test_every_kind_state_and_time_has_its_words() -> None:
    assert (set(KINDS), set(STATES), set(CALL_TIMES)) == (set(EnquiryKind), set(EnquiryState), set(CallTime))
