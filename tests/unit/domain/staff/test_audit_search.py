"""The kinds of acts that the record is narrowed to."""

from broker.domain.staff.audit import Act
from broker.domain.staff.audit_search import ACTS, ActKind, AuditFilter


def test_every_act_is_of_one_kind_alone() -> None:
    assert sorted(act for acts in ACTS.values() for act in acts) == sorted(Act)
    assert set(ACTS) == set(ActKind)


def test_filter_without_a_kind_wants_every_act() -> None:
    assert AuditFilter().acts == ()
    assert AuditFilter(kind=ActKind.FAILURES).acts == (Act.SIGN_IN_FAILED, Act.LOCKED)
