from dataclasses import replace
from datetime import UTC, datetime

import pytest

from broker.cases.case_view import did_words
from broker.staff.audit import UNDONE, Act, ActKind, AuditEntry, AuditFilter


def test_every_act_has_words_of_its_own_and_every_kind_an_act() -> None:
    assert len({act.words for act in Act}) == len(Act)
    assert {act.kind for act in Act} == set(ActKind)
    assert (AuditFilter().acts, AuditFilter(kind=ActKind.FAILURES).acts) == ((), (Act.SIGN_IN_FAILED, Act.LOCKED))


@pytest.mark.parametrize("what", UNDONE)
def test_entry_of_an_undone_change_says_which_in_words(what: Act) -> None:
    entry = AuditEntry(
        at=datetime(2026, 11, 24, tzinfo=UTC), who="ada", what=Act.CHANGE_UNDONE, about="HG-7K3M-Q2XD", detail=what
    )
    assert entry.sentence == f"undid {UNDONE[what]} of enquiry HG-7K3M-Q2XD"
    assert did_words(entry) == f"undid {UNDONE[what]}"
    assert did_words(replace(entry, detail="")) == "undid a change"


def test_times_of_stored_details_are_uk_times_in_a_sentence() -> None:
    detail = "after one missed, 2026-07-24 09:00 UTC, ada, booked 2026-11-16 15:10 UTC"
    entry = AuditEntry(
        at=datetime(2026, 11, 24, tzinfo=UTC),
        who="ada",
        what=Act.APPOINTMENT_BOOKED,
        about="HG-7K3M-Q2XD",
        detail=detail,
    )
    assert entry.sentence == (
        "booked an appointment for enquiry HG-7K3M-Q2XD (after one missed, 24 July 2026 at 10:00, ada, "
        "booked 16 November 2026 at 15:10)"
    )
