from broker.staff.audit import ACTS, DESCRIPTIONS, Act, ActKind, AuditFilter


def test_every_act_has_a_description_and_one_kind() -> None:
    assert set(DESCRIPTIONS) == set(Act)
    assert len(set(DESCRIPTIONS.values())) == len(Act)
    assert sorted(act for acts in ACTS.values() for act in acts) == sorted(Act)
    assert set(ACTS) == set(ActKind)
    assert (AuditFilter().acts, AuditFilter(kind=ActKind.FAILURES).acts) == ((), (Act.SIGN_IN_FAILED, Act.LOCKED))
