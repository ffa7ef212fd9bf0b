"""The audit record's words: a sentence for every act, and the kinds that a search is narrowed to."""

from datetime import UTC, datetime

import pytest

from broker.staff.audit import ACTS, DESCRIPTIONS, Act, ActKind, AuditEntry, AuditFilter

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_every_act_has_a_description_and_one_kind() -> None:
    assert set(DESCRIPTIONS) == set(Act)
    assert len(set(DESCRIPTIONS.values())) == len(Act)
    assert sorted(act for acts in ACTS.values() for act in acts) == sorted(Act)
    assert set(ACTS) == set(ActKind)
    assert (AuditFilter().acts, AuditFilter(kind=ActKind.FAILURES).acts) == ((), (Act.SIGN_IN_FAILED, Act.LOCKED))


@pytest.mark.parametrize(
    ("what", "about", "detail", "sentence"),
    [
        (Act.SIGNED_IN, "", "", "signed in"),
        (Act.ENQUIRY_READ, "HG-7K3M-Q2XD", "", "read enquiry HG-7K3M-Q2XD"),
        (Act.ENQUIRY_STATE, "HG-7K3M-Q2XD", "new to called", "moved enquiry HG-7K3M-Q2XD on (new to called)"),
        (Act.LOGO_REMOVED, "{about}", "{detail}", "removed the logo of {about} ({detail})"),
    ],
)
def test_entry_is_a_sentence(what: Act, about: str, detail: str, sentence: str) -> None:
    assert AuditEntry(at=NOON, who="ada", what=what, about=about, detail=detail).sentence == sentence
