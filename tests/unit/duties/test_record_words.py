from datetime import UTC, datetime

import pytest

from broker.cases.case import Outcome
from broker.cases.case_view import did_words
from broker.duties.record_words import entry_in_words
from broker.staff.audit import Act, AuditEntry

DETAILS = [
    (Act.CALL_RECORDED, "advice-given", "advice given"),
    (Act.CASE_STAGE, "principle, waiting for lender", "In principle, waiting for the lender"),
    (Act.APPOINTMENT_CLOSED, "booked to held", "held"),
    (Act.APPOINTMENT_CLOSED, "held to missed", "did not come, before: held"),
    (Act.APPOINTMENT_CLOSED, "missed to booked", "not recorded, before: did not come"),
    (Act.COMPLAINT_CLOSED, "not-upheld", "not upheld"),
    (Act.COMPLAINT_LETTER, "final, 2026-03-03", "final response, 2026-03-03"),
    (Act.PERSON_ASKED, "copy", "a copy of their data (Article 15)"),
    (Act.CASE_CLOSED, "it is spam", "it is spam"),
]


def entry(what: Act, detail: str) -> AuditEntry:
    return AuditEntry(at=datetime(2026, 3, 3, tzinfo=UTC), who="ada", what=what, about="HG-7K3M-Q2XD", detail=detail)


@pytest.mark.parametrize(("what", "detail", "words"), DETAILS)
def test_detail_is_in_words(what: Act, detail: str, words: str) -> None:
    assert entry_in_words(entry(what, detail)).detail == words


@pytest.mark.parametrize("what", Act)
def test_unknown_detail_stays(what: Act) -> None:
    assert entry_in_words(entry(what, "none of these")) == entry(what, "none of these")


def test_no_outcome_is_said_by_its_name_in_code() -> None:
    assert not [each for each in Outcome if "-" in entry_in_words(entry(Act.CALL_RECORDED, each)).detail]


def test_case_says_what_came_of_its_appointment() -> None:
    assert (
        did_words(entry(Act.APPOINTMENT_CLOSED, "booked to held")) == "recorded the outcome of the appointment (held)"
    )
