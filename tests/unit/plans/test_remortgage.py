from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.calculators.changes import early_repayment
from broker.lending.days import months_earlier
from broker.lending.money import pounds
from broker.lending.mortgage import monthly_payment
from broker.plans.remortgage import HORIZON, PERCENT, POUNDS, Remortgage, remortgage
from broker.plans.remortgage_plan import (
    CHARGE_TOO_HIGH,
    NEGATIVE_EQUITY,
    NEVER,
    NO_DATE,
    NOTHING_LEFT,
    PAST,
    RemortgagePlan,
    remortgage_plan,
)

TODAY = 20_261_125

WALK: dict[str, Any] = {
    "balance": 187_400,
    "value": 310_000,
    "term": 19,
    "rate": 1.6,
    "end": 20_270_325,
    "lender": "",
    "followOn": 7.5,
    "charge": PERCENT,
    "chargePercent": 1,
    "chargePounds": 0,
    "heldFollowOn": 0,
    "heldWords": "",
    "newRate": 4.2,
    "newFees": 999,
    "newMonths": 24,
    "newName": "Halifax 2-year fixed",
    "newAprc": " (6.90% APRC)",
    "today": TODAY,
}
"""The walk of the specification, with a deal that is worked out by hand."""

rates = st.integers(0, 15_000).map(lambda thousandths: thousandths / 1_000)

inputs = st.fixed_dictionaries(
    {
        "balance": st.integers(1_000, 2_000_000),
        "value": st.integers(1_000, 3_000_000),
        "term": st.integers(2, 80).map(lambda halves: halves / 2),
        "rate": rates,
        "end": st.integers(0, 130).map(lambda months: months_earlier(TODAY, -months)),
        "followOn": rates,
        "charge": st.sampled_from((PERCENT, POUNDS)),
        "chargePercent": st.integers(0, 20).map(lambda quarters: quarters / 4),
        "chargePounds": st.integers(0, 20_000),
        "newRate": rates,
        "newFees": st.integers(0, 3_000),
        "newMonths": st.sampled_from((24, 36, 60)),
    }
).map(lambda typed: {**WALK, **typed})


def planned(**typed: Any) -> RemortgagePlan:
    return remortgage_plan({**WALK, **typed})


def headline(plan: RemortgagePlan) -> str:
    return f"{plan.working.label} {plan.working.figure} {plan.working.per}. {plan.working.caption}"


def month_by_month(plan: Remortgage, leave: int | None) -> list[float]:
    """Return the cost by each month of leaving after `leave` payments, or of doing nothing, a payment at a time."""
    months, owed, paid = int(plan.months), plan.balance, 0.0
    payment, rate, costs = monthly_payment(owed, plan.rate, months / 12), plan.rate, list[float]()
    for month in range(HORIZON + 1):
        is_change = month == (plan.left if leave is None else leave)
        if is_change and month < months:
            rate = plan.follow_on if leave is None else plan.new.rate
            payment = monthly_payment(owed, rate, (months - month) / 12)
        if is_change and leave is not None:
            paid += plan.charge(leave)
        if leave is not None and month >= leave and (is_change or (month - leave) % plan.new.months == 1):
            paid += plan.new.fees if is_change or month - leave > 1 else 0
        costs.append(paid)
        interest = owed * rate / 1200 if month < months else 0
        paid += interest
        owed = max(owed + interest - payment, 0)
    return costs


@given(inputs)
def test_costs_match_a_month_by_month_calculation(values: dict[str, Any]) -> None:
    plan = remortgage(values)
    nothing, now = month_by_month(plan, None), month_by_month(plan, 0)
    at_end = month_by_month(plan, int(plan.left))
    for month in range(HORIZON + 1):
        assert plan.doing_nothing(month) == pytest.approx(nothing[month], abs=0.05)
        assert plan.switching(month, leave=0) == pytest.approx(now[month], abs=0.05)
        assert plan.switching(month, leave=plan.left) == pytest.approx(at_end[month], abs=0.05)


@given(inputs)
def test_month_to_leave_and_crossing_are_those_of_the_costs(values: dict[str, Any]) -> None:
    plan = remortgage(values)
    every = [plan.switching(HORIZON, leave=leave) for leave in range(min(int(plan.left), HORIZON) + 1)]
    assert every.index(min(every)) == plan.cheapest_leave
    ahead = [
        month
        for month in range(1, min(HORIZON, int(plan.months)) + 1)
        if plan.switching(month, leave=0) < plan.doing_nothing(month)
    ]
    assert plan.crossing == (ahead[0] if ahead else 0)


@given(inputs)
def test_costs_until_the_deal_ends_are_those_of_the_early_repayment_calculator(values: dict[str, Any]) -> None:
    plan = remortgage({**values, "charge": PERCENT})
    if not 0 < plan.left <= min(plan.new.months, HORIZON):
        return
    typed = {"loan": plan.balance, "rate": plan.rate, "left": plan.left / 12, "term": plan.months / 12}
    more = {"charge": plan.charge_percent, "fees": plan.new.fees, "newRate": plan.new.rate}
    stay, leave = early_repayment.CALCULATOR.calculate({**typed, **more}).bars
    assert plan.doing_nothing(plan.left) == pytest.approx(stay.size, abs=0.011)
    assert plan.switching(plan.left, leave=0) == pytest.approx(leave.size, abs=0.011)


def test_specified_remortgage_matches_sums_by_hand() -> None:
    plan = planned()
    assert headline(plan) == (
        "If you do nothing, your payment would go from £953.73 to £1,533.40 a month. £579.67 more. Today’s best deal "
        "would make it £1,190.18: Halifax 2-year fixed at 4.20% (6.90% APRC)"
    )
    assert dict(plan.facts) == {
        "Owed when your deal ends": "£184,578.92",
        "Loan to value then": "59.6%",
        "Time left then": "18 years 8 months",
        "Arrange your next deal from": "Now: your deal ends within six months",
        "Cheapest month to leave": "March 2027, when your deal ends",
        "Switching now is ahead of doing nothing": "From December 2027",
    }
    assert plan.working.table
    assert [row[3:] for row in plan.working.table.rows] == [
        ("£23,598", "£61,493", "–"),
        ("£14,544", "£37,042", "From May 2027"),
        ("£18,081", "£40,652", "From December 2027"),
    ]
    assert plan.verdict == (
        "Over five years, switching when your deal ends costs least. Switching now costs £3,610 more, and doing "
        "nothing £24,451 more."
    )
    assert not any(plan.sentences)
    nothing, switch, leaving = map(str, plan.working.steps[2:5])
    assert nothing == "Do nothing: £184,578.92 at 7.50% over 18 years 8 months: £1,533.40 a month."
    assert switch.endswith("at 4.20% (6.90% APRC) over 18 years 8 months: £1,190.18 a month.")
    assert leaving == "Leaving now: a charge of £1,874 and fees of £999 make £2,873."


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ({"end": 0}, NO_DATE),
        ({"end": 20_261_124}, PAST),
        ({"end": 20_471_125}, NOTHING_LEFT),
        ({"charge": POUNDS, "chargePounds": 187_401}, CHARGE_TOO_HIGH),
        ({"value": 187_399}, NEGATIVE_EQUITY),
    ],
)
def test_inputs_that_do_not_fit_have_a_sentence_and_a_plan(typed: dict[str, Any], expected: str) -> None:
    plan = planned(**typed)
    assert [sentence for sentence in plan.sentences if sentence] == [expected]
    assert plan.working.figure.startswith("£")
    assert "nan" not in str(plan.working.steps)


def test_deal_that_has_ended_leaves_without_a_charge() -> None:
    plan = remortgage({**WALK, "end": 20_260_101})
    assert (plan.left, plan.charge(0), plan.owed_at_end) == (0, 0, 187_400)
    assert plan.switching(24, leave=plan.left) == plan.switching(24, leave=0)


def test_headline_is_the_change_of_the_payment_from_today() -> None:
    assert "go from £953.73 to £956.28 a month. £2.55 more. " in headline(planned(followOn=1.63))
    assert "go from £953.73 to £942.73 a month. £11.00 less. " in headline(planned(followOn=1.47))
    assert "go from £953.73 to £953.73 a month. No change. " in headline(planned(followOn=1.6))
    assert headline(planned(newName="an example deal", newAprc="")).endswith(
        "more. With an example deal at 4.20% it would be £1,190.18"
    )


@pytest.mark.parametrize(
    ("lender", "held", "words"),
    [
        ("", 0, ("", "")),
        ("", 7.29, ("", "")),
        ("75", 0, ("", "")),
        ("75", 7.29, ("We hold 7.29%: your plan counts the 6.58% in your form.", "Count 7.29% instead")),
        ("75", 6.58, ("We hold 7.29%: your plan counts that.", "")),
    ],
)
def test_typed_follow_on_rate_wins_and_a_held_one_is_offered(lender: str, held: float, words: tuple[str, str]) -> None:
    typed = {"lender": lender, "heldFollowOn": held, "heldWords": "We hold 7.29%", "followOn": 6.58}
    plan = planned(**typed)
    assert remortgage({**WALK, **typed}).follow_on == 6.58
    assert plan.working.figure == planned(followOn=6.58).working.figure
    assert (plan.held, plan.offer) == words


def test_low_rate_and_a_high_charge_never_get_ahead() -> None:
    plan = planned(chargePercent=25, followOn=4.2)
    assert dict(plan.facts)["Switching now is ahead of doing nothing"] == NEVER
    assert plan.working.chart and plan.working.table
    assert pounds(plan.working.chart.highest) == plan.working.table.rows[2][4]


def test_charge_in_pounds_is_counted_as_typed() -> None:
    plan = remortgage({**WALK, "charge": POUNDS, "chargePounds": 1_234.5})
    assert [plan.charge(leave) for leave in (0, 3, 4)] == [1_234.5, 1_234.5, 0]
