from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.calculators.changes import early_repayment
from broker.calculators.view import answer_view, typed_fields
from broker.lending.days import months_earlier
from broker.lending.money import pounds_and_pence
from broker.plans.remortgage import INTEREST_ONLY, OWN_HOME, PERCENT, POUNDS, REPAYMENT, remortgage
from broker.plans.remortgage_plan import (
    CHARGE_TOO_HIGH,
    LITTLE_TIME,
    NEGATIVE_EQUITY,
    NEVER,
    NO_DATE,
    NOTHING_LEFT,
    OFFER_DEARER,
    OFFER_DEARER_NOW,
    OFFER_ENDED,
    OFFER_FEE_TOO_HIGH,
    OFFER_UNDATED,
    PAST,
    UNKNOWN_LENDER,
    RemortgagePlan,
    remortgage_form,
    remortgage_plan,
    remortgage_view,
)

TODAY = 20_261_125

WALK: dict[str, Any] = {
    "balance": 187_400,
    "value": 310_000,
    "term": 19,
    "rate": 1.6,
    "end": 20_270_325,
    "lender": "",
    "unknownLender": False,
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
    "newLegal": "Its legal work is free.",
    "legal": 0,
    "offerRate": 0,
    "offerFee": 0,
    "offerEnd": 0,
    "repay": REPAYMENT,
    "home": OWN_HOME,
    "windowMonths": 4,
    "windowDays": 0,
    "laterMonths": 4,
    "laterDays": 0,
    "windowWords": "Ask your lender.",
    "today": TODAY,
}
"""The walk of the specification, with a deal that is worked out by hand."""

LETTER = {"offerRate": 4.24, "offerFee": 0, "offerEnd": 20_320_331, "newRate": 4.19, "newMonths": 60, "followOn": 7.79}
"""The letter of the design, and its best switch."""

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
        "repay": st.sampled_from((REPAYMENT, INTEREST_ONLY)),
    }
).map(lambda typed: {**WALK, **typed})


def planned(**typed: Any) -> RemortgagePlan:
    return remortgage_plan({**WALK, **typed})


def headline(plan: RemortgagePlan) -> str:
    return f"{plan.working.label} {plan.working.figure} {plan.working.per}. {plan.working.caption}"


@given(inputs)
def test_month_to_leave_and_crossing_are_those_of_the_costs(values: dict[str, Any]) -> None:
    plan = remortgage(values)
    every = [plan.leaving(plan.five_years, leave=leave) for leave in range(int(plan.left) + 1)]
    assert plan.cheapest_leave == (plan.switch_start if plan.is_late else every.index(min(every)))
    ahead = [
        month
        for month in range(1, int(min(plan.five_years, plan.months)) + 1)
        if plan.switching_now(month) < plan.doing_nothing(month)
    ]
    assert plan.crossing == (ahead[0] if ahead else 0)


@given(inputs)
def test_costs_until_the_deal_ends_are_those_of_the_early_repayment_calculator(values: dict[str, Any]) -> None:
    plan = remortgage({**values, "charge": PERCENT, "repay": REPAYMENT})
    if not 0 < plan.left <= plan.new.months:
        return
    typed = {"loan": plan.balance, "rate": plan.rate, "left": plan.left / 12, "term": plan.months / 12}
    more = {"charge": plan.charge_percent, "fees": plan.new.fees, "newRate": plan.new.rate}
    stay, leave = early_repayment.CALCULATOR.calculate({**typed, **more}).bars
    assert plan.doing_nothing(plan.left) == pytest.approx(stay.size, abs=0.011)
    assert plan.leaving(plan.left, leave=0) == pytest.approx(leave.size, abs=0.011)


def test_specified_remortgage_matches_sums_by_hand() -> None:
    plan = planned()
    assert headline(plan) == (
        "Your payment would go from £953.73 to £1,533.40 a month. That is £579.67 more from April 2027 if you do "
        "nothing. The best switch we found would make it £1,190.18."
    )
    assert dict(plan.facts) == {
        "Owed when your deal ends": "£184,578.92",
        "Loan to value then": "59.6%",
        "Time left then": "18 years 8 months",
        "Cheapest month to leave": "March 2027, when your deal ends",
        "Switching now is ahead of doing nothing": "From December 2027",
    }
    assert plan.working.table
    assert [row[3:] for row in plan.working.table.rows] == [
        ("£27,995", "£65,453"),
        ("–", "–"),
        ("£16,958", "£39,141"),
        ("£21,503", "£42,759"),
    ]
    assert plan.verdict == (
        "Counted to March 2032, switching when your deal ends costs least. Switching now costs £3,618 more. Doing "
        "nothing costs £26,312 more."
    )
    assert not any(plan.sentences)
    nothing, own, switch, leaving = map(str, plan.working.steps[2:6])
    assert nothing == "Do nothing: £184,578.92 at 7.50% over 18 years 8 months: £1,533.40 a month."
    assert own == "Your lender’s new deal: no numbers from its letter yet."
    assert switch.endswith("at 4.20% (6.90% APRC) over 18 years 8 months: £1,190.18 a month.")
    assert leaving == "Leaving now: a charge of £1,874 and fees of £999 make £2,873."


def test_letter_of_the_design_is_compared_as_it_is_drawn() -> None:
    plan = planned(**LETTER)
    assert plan.verdict == (
        "Counted to March 2032, your lender’s new deal costs least. Switching when your deal ends costs £565 more. "
        "Switching now costs £5,174 more. Doing nothing costs £31,590 more."
    )
    assert headline(plan).endswith(
        "Your lender’s new deal would make it £1,194.06; the best switch we found, £1,189.21."
    )
    assert [way.is_least for way in plan.ways] == [False, True, False, False]
    assert plan.ways[1].words == "4.24% until March 2032, no fee. From your letter."
    assert (plan.beat.figure, plan.beat.caption) == ("4.31%", "fixed until March 2032, with no fee")
    assert plan.beat.exact == (
        "The best switch costs £37,056.59 by March 2032. At 4.30% your lender’s deal comes to £37,013.79 and costs "
        "less; at 4.31%, to £37,100.80, it no longer does."
    )
    assert plan.beat.yours == "Yours, at 4.24%, wins: staying costs £565 less."
    assert planned(**{**LETTER, "offerRate": 4.5}).beat.yours == ("Yours, at 4.50%, costs £1,699 more: switching wins.")


def test_plan_without_a_letter_says_what_it_must_beat() -> None:
    plan = planned(**{**LETTER, "offerRate": 0})
    assert (plan.beat.figure, plan.ways[1].is_least) == ("4.31%", False)
    assert plan.beat.yours.startswith("Copy the three numbers from your lender’s letter")
    assert plan.ways[1].words == "With no fee it costs less than a switch if its rate is below 4.31%."
    assert plan.ways[1].key == "Drawn once you copy your letter"
    chart = answer_view(plan.working).chart
    assert chart
    assert [bool(line.path) for line in chart.lines] == [True, False, True, True]
    assert {row[2] for row in chart.rows} == {"–"}
    cheap = planned(newRate=0.01, newFees=-500, offerFee=3_000)
    assert (cheap.beat.label, cheap.beat.figure) == ("Your lender’s offer wins", "at no rate")
    assert cheap.ways[1].words == "With its fee of £3,000 it would cost more than a switch at any rate."


def test_scale_has_the_rate_to_beat_in_its_middle() -> None:
    scale = planned(**LETTER).scale
    assert (scale.edge, scale.best, scale.yours) == ("4.31%", "Best switch 4.19%", "Yours 4.24%")
    assert (scale.best_place, scale.yours_place, scale.edge_look) == ("32.4%", "39.7%", "edge")
    above = planned(**{**LETTER, "offerRate": 5.31}).scale
    assert (above.yours_place, above.edge_look) == ("94.0%", "edge before")
    assert not planned(**{**LETTER, "offerRate": 0}).scale.has_offer
    assert not planned(newRate=0.01, newFees=-500, offerFee=3_000).scale.is_drawn


def test_way_that_costs_least_is_the_one_of_the_verdict() -> None:
    names = ("doing nothing", "your lender’s new deal", "switching when your deal ends", "switching now")
    cases = ({}, LETTER, {"followOn": 1}, {"rate": 9, "chargePercent": 0, "newFees": 0}, {**LETTER, "offerRate": 5})
    for typed in cases:
        plan = planned(**typed)
        (least,) = [name for name, way in zip(names, plan.ways, strict=True) if way.is_least]
        assert f", {least} costs least." in plan.verdict


def test_dates_to_act_are_in_words() -> None:
    dates = planned(laterMonths=3, end=20_270_331).dates
    assert [str(each.when) for each in dates] == [
        "Now",
        "30 November 2026",
        "6 January 2027",
        "15 March 2027",
        "31 March 2027",
    ]
    assert dates[1].words == "Ask your lender. By the later of these it opens on 31 December 2026."
    assert dates[4].words == "Without a new one, £1,533.40 a month is due from April 2027."
    assert planned(end=20_270_930).next.words.startswith("From then most other lenders")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ({"end": 0}, NO_DATE),
        ({"end": 20_471_125}, NOTHING_LEFT),
        ({"charge": POUNDS, "chargePounds": 187_401}, CHARGE_TOO_HIGH),
        ({"value": 187_399}, NEGATIVE_EQUITY),
        ({"end": 20_270_110}, LITTLE_TIME),
        ({**LETTER, "rate": 4.2}, OFFER_DEARER),
        ({"offerFee": 18_741}, OFFER_FEE_TOO_HIGH),
        ({"offerRate": 1.5}, OFFER_UNDATED),
        ({"offerRate": 1.5, "offerEnd": 20_270_301}, OFFER_ENDED),
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
    assert plan.switching(24) == plan.switching_now(24)


OVER = {**LETTER, "end": 20_260_630}
"""A deal that is over, with a letter."""


def test_deal_that_is_over_has_a_headline_facts_and_dates_of_its_own() -> None:
    plan = planned(**OVER)
    assert headline(plan) == (
        "Your deal is over: you now pay £1,577.27 a month. That is at your lender’s follow-on rate, 7.79%, which can "
        "change. Your lender’s new deal would make it £1,199.48; the best switch we found, £1,196.85."
    )
    assert plan.verdict == (
        "Counted to November 2031, your lender’s new deal costs least. Switching now costs £1,751 more. Doing nothing "
        "costs £31,553 more."
    )
    assert [name for name, _ in plan.facts[:4]] == ["Owed today", "Loan to value", "Time left", "First month to leave"]
    assert [each.when for each in plan.dates] == ["30 June 2026", "Now", "Now", "", ""]
    assert (plan.dates[0].title, plan.next.when, plan.has_date) == ("Your deal ended", "Today", False)
    assert [sentence for sentence in plan.sentences if sentence] == [PAST]
    assert OFFER_DEARER_NOW in planned(**{**OVER, "offerRate": 7.8}).sentences


def test_deal_that_is_over_has_three_ways_and_no_word_of_its_end() -> None:
    plan = planned(**OVER)
    names = ["Do nothing", "A new deal from your own lender", "Switch now", ""]
    assert plan.working.table
    assert ([way.name for way in plan.ways], [row[0] for row in plan.working.table.rows]) == (names, names)
    chart = answer_view(plan.working).chart
    assert chart
    assert [line.label for line in chart.lines] == ["Do nothing", "Your lender’s new deal", "Switch now", ""]
    assert [bool(line.path) for line in chart.lines] == [True, True, True, False]
    assert plan.working.table.heads[2:] == ("A month once it starts", "Cost to November 2028", "Cost to November 2031")
    words = str(replace(plan, sentences=()))
    assert [phrase for phrase in ("your deal ends", "the end", "Four ways", "early repayment") if phrase in words] == []


def test_line_of_figures_names_the_home_and_how_long_the_rate_lasts() -> None:
    form, fields = remortgage_form({}), typed_fields(remortgage_form({}), {}, values=WALK)
    views = [remortgage_view(form, {**WALK, "end": end}, fields=fields) for end in (0, 20_270_325, 20_260_630)]
    assert (views[0].loan, views[0].term) == ("£187,400 of £310,000", "19 years")
    deals = ["1.60%, no end date yet", "1.60% to 25 March 2027", "7.50% since 30 June 2026"]
    assert [view.deal for view in views] == deals


def test_lender_that_we_do_not_know_has_a_sentence_until_one_is_chosen() -> None:
    assert [each for each in planned(unknownLender=True).sentences if each] == [UNKNOWN_LENDER]
    assert not any(planned(unknownLender=True, lender="7").sentences)


def test_switch_that_cannot_be_ready_starts_late_and_pays_the_follow_on_rate() -> None:
    late = {**LETTER, "end": 20_261_231, "offerEnd": 20_311_231}
    plan, words = remortgage({**WALK, **late}), planned(**late)
    assert (plan.left, plan.own_start, plan.switch_start) == (1, 1, 3)
    assert plan.switching(3) == plan.doing_nothing(3) + 999
    assert words.ways[2].words.endswith("It starts in February 2027: before it, 2 months at the follow-on rate.")
    assert words.ways[3].words == "A switch that you begin today takes as long, so it costs the same."
    assert words.ways[1].words == "4.24% until December 2031, no fee. From your letter."
    assert dict(words.facts)["Cheapest month to leave"] == "February 2027, when a switch should be ready"
    assert "from February 2027, when it should be ready." in words.beat.counted
    chart = answer_view(words.working).chart
    assert chart
    assert [row[1:] for row in chart.rows[:2]] == [
        ["£954", "£954", "£954", "£954"],
        ["£1,574", "£1,197", "£1,195", "£1,195"],
    ]
    in_time = remortgage({**WALK, "end": 20_270_217})
    assert (in_time.left, in_time.switch_start, in_time.is_late) == (3, 3, False)
    missed = remortgage({**WALK, "end": 20_261_130})
    assert (missed.left, missed.own_start) == (0, 1)


def test_headline_is_the_change_of_the_payment_from_today() -> None:
    after = {1.63: "£956.28 a month. That is £2.55 more from April 2027 if you do nothing. "}
    after |= {1.47: "£942.73 a month. That is £11.00 less from April 2027 if you do nothing. "}
    after |= {1.6: "£953.73 a month. That is no change if you do nothing. "}
    for rate, words in after.items():
        assert f"go from £953.73 to {words}" in headline(planned(followOn=rate))
    example = {"newName": "an example deal", "newAprc": ""}
    assert headline(planned(**example)).endswith("With an example deal at 4.20% it would be £1,190.18.")
    assert headline(planned(**{**LETTER, **example})).endswith("£1,194.06; an example deal at 4.19%, £1,189.21.")


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
    plan = planned(chargePercent=25, followOn=4.2, offerRate=4.5)
    assert dict(plan.facts)["Switching now is ahead of doing nothing"] == NEVER
    assert plan.working.chart and plan.working.table
    assert pounds_and_pence(plan.working.chart.highest) == plan.working.table.rows[1][2]


def test_charge_in_pounds_is_counted_as_typed() -> None:
    plan = remortgage({**WALK, "charge": POUNDS, "chargePounds": 1_234.5})
    assert [plan.charge(leave) for leave in (0, 3, 4)] == [1_234.5, 1_234.5, 0]
