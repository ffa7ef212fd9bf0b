"""Staying and switching against a simulation of its own, which pays month by month in decimals."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from random import Random
from typing import Any

from broker.calculators.calculator import MAX_RATE
from broker.lending.days import months_earlier
from broker.plans.remortgage import INTEREST_ONLY, LET, OWN_HOME, PERCENT, POUNDS, REPAYMENT, remortgage
from tests.unit.plans.test_remortgage import LETTER, TODAY, WALK

SEED, PLANS = 20_261_126, 2_000

HALF_A_PENNY = Decimal("0.0050001")
"""How far a cost may be from its unrounded one; the rest is for a half that a float is just below."""


def random_plan(random: Random) -> dict[str, Any]:
    ahead = random.randrange(-3, 60)
    return {
        **WALK,
        "balance": random.randrange(2_500_000, 90_000_000) / 100,
        "term": random.randrange(2, 80) / 2,
        "rate": random.randrange(0, 9_000) / 1_000,
        "end": months_earlier(TODAY, -ahead),
        "followOn": random.randrange(0, 11_000) / 1_000,
        "charge": random.choice((PERCENT, POUNDS)),
        "chargePercent": random.randrange(0, 24) / 4,
        "chargePounds": random.randrange(0, 20_000),
        "newRate": random.randrange(1, 900) / 100,
        "newFees": random.choice((0, 999, 1_499.5, -250, random.randrange(0, 3_000))),
        "newMonths": random.choice((24, 27, 36, 60)),
        "legal": random.choice((0, 0, 350)),
        "offerRate": random.randrange(1, 9_000) / 1_000,
        "offerFee": random.choice((0, 0, 995, random.randrange(0, 3_000))),
        "offerEnd": random.choice((0, months_earlier(TODAY, -ahead - random.choice((3, 24, 61, 120))))),
        "repay": random.choice((REPAYMENT, REPAYMENT, INTEREST_ONLY)),
        "home": random.choice((OWN_HOME, LET)),
    }


def exact(number: float) -> Decimal:
    return Decimal(str(number))


def in_pence(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def months_between(first: int, last: int) -> int:
    return (last // 10_000 - first // 10_000) * 12 + last // 100 % 100 - first // 100 % 100


@dataclass(frozen=True)
class Next:
    """What follows today's deal: from which month, at which rate, with fees at each start of `months` (0 for none)."""

    start: int
    rate: Decimal
    fees: Decimal = Decimal(0)
    months: int = 0
    once: Decimal = Decimal(0)


class Simulation:
    """A loan paid month by month; `left` are the months of today's deal, `term` those of the loan.

    Today, 25 November, is past the middle of the month: the present lender starts a deal in a month, and a switch takes
    until 17 February.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        self.values, self.term = values, int(values["term"] * 12)
        self.left = min(max(months_between(TODAY, values["end"]), 0), self.term)
        self.own_start = min(max(self.left, 1), self.term)
        self.switch_start = min(max(self.left, 3), self.term)
        self.now_start = self.switch_start if self.switch_start > self.left else 0
        offered = months_between(TODAY, values["offerEnd"]) - self.own_start if values["offerEnd"] else 0
        self.own_months = offered if offered > 0 else values["newMonths"]

    def nothing(self) -> Next:
        return Next(self.left, exact(self.values["followOn"]))

    def own(self, rate: Decimal) -> Next:
        return Next(self.own_start, rate, exact(self.values["offerFee"]), self.own_months)

    def switch(self, start: int) -> Next:
        deal = [exact(self.values[name]) for name in ("newRate", "newFees", "legal")]
        return Next(start, deal[0], deal[1], self.values["newMonths"], deal[2])

    def payment(self, owed: Decimal, rate: Decimal, months: int) -> Decimal:
        monthly = rate / 1200
        if self.values["repay"] == INTEREST_ONLY:
            return owed * monthly
        return owed * monthly / (1 - (1 + monthly) ** -months) if monthly else owed / months

    def charge(self, owed: Decimal) -> Decimal:
        if self.values["charge"] == POUNDS:
            return min(exact(self.values["chargePounds"]), owed)
        return in_pence(owed * exact(self.values["chargePercent"]) / 100)

    def cost(self, way: Next, until: int) -> Decimal:
        """Return interest, fees and charge, unrounded; a deal begins with a balance in whole pence."""
        owed, rate, spent = exact(self.values["balance"]), exact(self.values["rate"]), Decimal(0)
        paid = self.payment(owed, rate, self.term)
        for month in range(until):
            if self.left == month < way.start:
                owed, rate = in_pence(owed), exact(self.values["followOn"])
                paid = self.payment(owed, rate, max(self.term - month, 1))
            if month == way.start:
                owed, rate = in_pence(owed), way.rate
                spent += way.once + way.fees + (self.charge(owed) if month < self.left else 0)
                paid = self.payment(owed, rate, max(self.term - month, 1))
            elif way.months and way.start < month < self.term and (month - way.start) % way.months == 0:
                spent += way.fees
            if month < self.term:
                interest = owed * rate / 1200
                spent, owed = spent + interest, owed + interest - paid
        return spent


def test_costs_of_random_plans_are_those_of_the_simulation_to_the_penny() -> None:
    random, late = Random(SEED), 0
    for _ in range(PLANS):
        values = random_plan(random)
        plan, simulated = remortgage(values), Simulation(values)
        starts = (simulated.left, simulated.own_start, simulated.switch_start)
        assert (plan.left, plan.own_start, plan.switch_start) == starts
        late += simulated.now_start > 0
        own = simulated.own(exact(values["offerRate"]))
        for until in (simulated.left + 24, simulated.left + 60):
            pairs = (
                (plan.doing_nothing(until), simulated.nothing()),
                (plan.staying(until), own),
                (plan.switching(until), simulated.switch(simulated.switch_start)),
                (plan.switching_now(until), simulated.switch(simulated.now_start)),
            )
            for cost, way in pairs:
                assert abs(exact(cost) - simulated.cost(way, until)) <= HALF_A_PENNY, (values, way)
    assert late > PLANS / 20


def test_a_hundredth_above_the_break_even_rate_the_other_way_wins() -> None:
    random, found = Random(SEED), 0
    for _ in range(PLANS):
        values = random_plan(random)
        plan, simulated = remortgage(values), Simulation(values)
        until = simulated.left + 60
        starts = (simulated.now_start, simulated.switch_start)
        best = min(in_pence(simulated.cost(simulated.switch(start), until)) for start in starts)

        def wins(hundredths: int, simulated: Simulation = simulated, until: int = until, best: Decimal = best) -> bool:
            return in_pence(simulated.cost(simulated.own(Decimal(hundredths) / 100), until)) < best

        highest = plan.break_even
        if highest < 0:
            assert not wins(0), values
        elif highest == MAX_RATE * 100:
            assert wins(highest), values
        else:
            found += 1
            assert (wins(highest), wins(highest + 1)) == (True, False), values
    assert found > PLANS * 0.75


def test_letter_of_the_design_wins_below_its_rate() -> None:
    plan = remortgage({**WALK, **LETTER})
    assert [plan.doing_nothing(28), plan.staying(28), plan.switching(28)] == [29_060.38, 16_103.73, 16_921.91]
    assert [plan.doing_nothing(64), plan.staying(64), plan.switching(64)] == [68_082.2, 36_492.03, 37_056.59]
    assert plan.break_even == 430
    assert plan.staying_at(430) < plan.best_switch <= plan.staying_at(431)


def test_interest_only_loan_is_owed_in_full_and_pays_the_interest() -> None:
    plan = remortgage({**WALK, **LETTER, "repay": INTEREST_ONLY})
    assert plan.owed_at_end == WALK["balance"]
    assert plan.payment(plan.owed_at_end, 6, years=1) == 937
    assert plan.staying(24 + 4) == round(187_400 * 1.6 / 1200 * 4 + 187_400 * 4.24 / 1200 * 24, 2)


def test_dates_follow_the_earlier_of_both_windows() -> None:
    late = {**WALK, "end": 20_280_331}
    assert (remortgage(late).act_on, remortgage(late).next_date) == (20_270_930, 20_270_930)
    early = remortgage({**late, "windowMonths": 0, "windowDays": 200})
    assert (early.act_on, early.book_from, early.next_date) == (20_270_913, 20_270_913, 20_270_913)
    between = remortgage({**WALK, "end": 20_270_430})
    assert (between.can_act, between.book_from, between.next_date) == (True, 20_261_230, 20_261_230)
    past = remortgage({**WALK, "end": 20_270_110})
    assert (past.next_date, past.switch_by, past.book_by) == (TODAY, 20_261_018, 20_261_215)
