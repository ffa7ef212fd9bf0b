"""The plan to buy: figures worked out by hand, and agreement with the calculators and the rates search."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.calculators.affordability import affordability
from broker.calculators.buying.purchase import MARKET_RATE
from broker.calculators.calculator import Tone
from broker.calculators.registry import CALCULATORS
from broker.lending.money import pounds, years_and_months
from broker.lending.mortgage import monthly_payment
from broker.lending.property_tax import charge, highest_price
from broker.lending.property_tax_rates import Buyer, Nation
from broker.plans.buying import (
    ALLOWED,
    COSTS,
    MAX_MONTHS,
    TAX_SINCE,
    TESTED_RATE,
    BuyingPlan,
    buying_plan,
    limits,
    next_band,
)
from broker.plans.buying_plan import BUYING_PLAN
from broker.rates.lowest_rates import MAX_DISTANCE, lower_band_search
from broker.rates.query import RatesQuery

BY_SLUG = {calculator.slug: calculator for calculator in CALCULATORS}
NOVEMBER_2026 = 2026 * 12 + 10

figures = st.fixed_dictionaries(
    {
        "income": st.integers(0, 400_000),
        "income2": st.integers(0, 200_000),
        "outgoings": st.integers(0, 5_000),
        "savings": st.integers(0, 2_000_000),
        "monthly": st.integers(0, 5_000),
        "term": st.integers(2, 80).map(lambda halves: halves / 2),
        "price": st.integers(1, 3_000_000),
        "goal": st.sampled_from(("most", "price")),
        "buyer": st.sampled_from([buyer.value for buyer in Buyer]),
        "nation": st.sampled_from([nation.value for nation in Nation]),
        "lisa": st.sampled_from(("no", "open", "new")),
        "age": st.sampled_from((0, 17, 30, 39, 40, 48.5, 50, 60)),
    }
)


def values(**changes: Any) -> dict[str, Any]:
    return {**BUYING_PLAN.defaults(), "thisMonth": NOVEMBER_2026, **changes}


def plan(**changes: Any) -> BuyingPlan:
    return buying_plan(values(**changes))


def test_couple_on_62_000_with_28_000_saved_is_limited_by_the_income() -> None:
    found = plan()
    # 28,000 - 3,399 leaves 24,601; 4.5 x 62,000 is 279,000
    assert (found.limits.spendable, found.limits.income_loan) == (24_601, 279_000)
    # 40% of 62,000 / 12 less 300 is 1,766.67, which pays for 297,210 at 5.92% over 30 years
    assert found.limits.room == pytest.approx(1_766.6667)
    assert round(found.limits.budget_loan) == 297_210
    # income: P + 5% of (P - 300,000) = 24,601 + 279,000; deposit: 5% of P and the tax = 24,601
    assert (found.limits.by_income, found.limits.by_budget, found.limits.by_deposit) == (303_429, 320_772, 396_010)
    assert (found.price, found.tax, found.deposit, found.loan) == (303_429, 171, 24_430, 278_999)
    assert (found.cash, found.short, found.goal.band, found.goal.extra) == (28_000, 0, 90, 5_913)
    assert found.goal.months == 12


def test_price_beyond_reach_says_how_much_is_missing_and_until_when() -> None:
    found = plan(goal="price", price=350_000)
    assert (found.least, found.tax, found.short) == (71_000, 2_500, 48_899)
    assert found.goal.months == 98
    assert plan(goal="price", price=350_000, lisa="open").goal.months == 84


@pytest.mark.parametrize("changes", [{"buyer": "next"}, {"goal": "price", "price": 450_001}])
def test_lisa_has_no_bonus_for_another_home_or_a_dear_one(changes: dict[str, Any]) -> None:
    found = plan(lisa="open", **changes)
    assert not found.goal.has_bonus
    [warning] = [note.title for note in BUYING_PLAN.calculate(values(lisa="open", **changes)).warnings if note.title]
    assert warning == "Your Lifetime ISA does not count here"


@pytest.mark.parametrize(("lisa", "age"), [("new", 60), ("new", 40), ("new", 17), ("open", 50), ("open", 60)])
def test_lifetime_isa_that_a_buyer_is_too_old_for_has_no_bonus(lisa: str, age: int) -> None:
    typed = {"income": 60_000, "income2": 0, "outgoings": 0, "savings": 5_000, "monthly": 200, "term": 15}
    typed |= {"goal": "price", "price": 200_000, "age": age}
    found = plan(**typed, lisa=lisa)
    assert (found.goal.has_bonus, found.goal.months, found.goal.saving.bonus) == (False, 42, 0)
    shown = BUYING_PLAN.calculate(values(**typed, lisa=lisa))
    [warning] = [note for note in shown.warnings if note.title == "Your Lifetime ISA does not count here"]
    alone = "You must open one from 18 to 39, and may pay in until you are 50. The plan adds no bonus."
    assert warning.text == alone
    couple = BUYING_PLAN.calculate(values(**{**typed, "income2": 1}, lisa=lisa)).warnings
    two = f"{alone} If it is the younger of you who saves in one, enter that age instead."
    assert [note.text for note in couple if note.title == warning.title] == [two]
    assert "in 3 years 6 months" in shown.caption
    young = plan(**{**typed, "age": 30}, lisa=lisa)
    assert (young.goal.has_bonus, young.goal.months) == (True, 34)


@pytest.mark.parametrize(
    ("changes", "warnings"),
    [
        ({}, []),
        ({"income": 0, "income2": 0}, ["Type your income"]),
        ({"outgoings": 2_400}, ["Your outgoings leave no room for a mortgage"]),
        ({"savings": 3_399}, ["Save for the fees first"]),
        ({"goal": "price", "price": 20_000}, ["Your savings cover the whole price"]),
        ({"age": 45}, []),
        ({"age": 45.5}, ["Your mortgage would run until you are 75.5"]),
    ],
)
def test_impossible_plan_has_a_warning_beside_its_figures(changes: dict[str, Any], warnings: list[str]) -> None:
    answer = BUYING_PLAN.calculate(values(**changes))
    assert [note.title for note in answer.warnings if note.title] == warnings
    assert len(answer.bars) == 3
    assert answer.table
    assert len(answer.table.rows) == len(COSTS) + 5


@pytest.mark.parametrize(
    ("changes", "place"),
    [({}, 0), ({"outgoings": 1_500}, 1), ({"income": 200_000}, 2), ({"income": 0, "income2": 0}, 0)],
)
def test_limit_that_binds_alone_has_a_colour(changes: dict[str, Any], place: int) -> None:
    bars = BUYING_PLAN.calculate(values(**changes)).bars
    assert [bar.tone for bar in bars] == [Tone.OWN if each == place else Tone.NOW for each in range(3)]
    assert bars[place].size == min(bar.size for bar in bars)


def cash_of(**changes: Any) -> dict[str, tuple[str, str]]:
    table = BUYING_PLAN.calculate(values(**changes)).table
    assert table is not None
    return {str(label): (str(figure), str(words)) for label, figure, words in table.rows}


def test_fee_of_the_deal_is_in_the_cash_and_changes_the_price() -> None:
    deal = {"dealFee": 1_995, "allowedFee": 1_995, "hasDeal": True}
    cash = cash_of(**deal)
    assert cash["Lender’s fee"] == ("£1,995", "Of the deal for this plan")
    assert (cash["In all"][0], cash["Left of your savings"][0]) == ("£28,000", "£0")
    assert BUYING_PLAN.calculate(values(**deal)).figure == "£302,480"
    assert "less £4,395 for fees" in " ".join(map(str, BUYING_PLAN.calculate(values(**deal)).steps))
    free = cash_of(dealFee=0, allowedFee=999, hasDeal=True)
    assert (free["Lender’s fee"][0], free["In all"][0]) == ("£0", "£27,001")
    assert free["Left of your savings"][0] == "£999"
    assert free["Deposit"][1].startswith(
        "What your savings leave after the costs below, with £999 kept for a larger lender’s fee. You would borrow"
    )
    assert cash_of(**deal)["Deposit"][1].startswith("What your savings leave after the costs below. You would borrow")
    short = cash_of(goal="price", price=310_000, **deal)
    assert (short["In all"][0], short["Still to save"][0]) == ("£35,895", "£7,895")
    caption = BUYING_PLAN.calculate(values(goal="price", price=310_000, **deal)).caption
    assert caption.startswith("£310,000 takes £7,895 more than you have. ")


def test_price_within_reach_says_the_least_cash_and_what_is_left() -> None:
    caption = BUYING_PLAN.calculate(values(goal="price", price=250_000)).caption
    assert caption == "£250,000 is within reach: it takes £15,899 of your £28,000"
    assert cash_of(goal="price", price=250_000)["The least cash for this price"] == (
        "£15,899",
        "With a deposit of £12,500, the smallest that this price takes. It would leave you £12,101",
    )
    assert cash_of(goal="price", price=310_000)["The least cash for this price"] == (
        "£34,899",
        "With a deposit of £31,000, the smallest that this price takes. You have £6,899 less",
    )


def test_caption_names_the_limit_or_answers_for_a_price() -> None:
    captions = [
        BUYING_PLAN.calculate(values(**changes)).caption
        for changes in (
            {},
            {"outgoings": 500},
            {"savings": 12_000},
            {"goal": "price"},
            {"goal": "price", "price": 310_000},
        )
    ]
    assert captions == [
        "Your income sets the limit: a loan of 4.5 times it is £279,000",
        "Your monthly budget sets the limit: it has room for £1,567 a month, at a test rate of 5.92%",
        "Your savings set the limit: lenders want a deposit of 5% or more",
        "£300,000 is within reach: it takes £24,399 of your £28,000",
        "£310,000 takes £6,899 more than you have. At £500 a month, you have it by January 2028, in 1 year 2 months",
    ]


def test_first_time_relief_is_counted_and_its_end_is_named() -> None:
    tax = {
        price: BUYING_PLAN.calculate(values(goal="price", price=price)).table.rows[1]  # type: ignore[union-attr]
        for price in (100_000, 400_000, 500_001)
    }
    assert tax == {
        100_000: ("Stamp duty", "£0", "First-time relief makes no difference here"),
        400_000: ("Stamp duty", "£5,000", "First-time relief counted: it saves you £5,000"),
        500_001: ("Stamp duty", "£15,000", "No first-time relief above £500,000"),
    }


@pytest.mark.parametrize(
    ("price", "tax", "words"),
    [
        (39_999, "£0", "No tax on an additional home below £40,000"),
        (40_000, "£3,200", "At the rates for an additional home"),
    ],
)
def test_additional_home_in_scotland_is_taxed_from_40_000_pounds(price: int, tax: str, words: str) -> None:
    table = BUYING_PLAN.calculate(values(goal="price", price=price, nation="scotland", buyer="additional")).table
    assert table is not None
    assert table.rows[1][1:] == (tax, words)


@given(
    cash=st.integers(0, 3_000_000),
    share=st.sampled_from((0.05, 0.5, 1)),
    nation=st.sampled_from(list(Nation)),
    buyer=st.sampled_from(list(Buyer)),
)
def test_highest_price_is_the_inverse_of_the_tax(cash: int, share: float, nation: Nation, buyer: Buyer) -> None:
    price = highest_price(cash, share=share, nation=nation.value, buyer=buyer.value, since=TAX_SINCE) // 1

    def taken(at: float) -> float:
        return at * share + charge(at, nation=nation.value, buyer=buyer.value, since=TAX_SINCE, is_abroad=False).tax

    assert taken(price) <= cash + 1e-6
    assert taken(price + 2 + 1 / share) > cash


@given(figures)
def test_plan_and_calculators_have_one_figure_for_one_thing(typed: dict[str, Any]) -> None:
    given_values = values(**typed)
    found = buying_plan(given_values)
    duty = BY_SLUG["stamp-duty"]
    taxed = {"price": found.price, "nation": typed["nation"], "buyer": typed["buyer"]}
    assert duty.calculate({**duty.defaults(), **taxed}).figure == pounds(found.tax)
    incomes = {"income1": typed["income"], "income2": typed["income2"], "commitments": typed["outgoings"]}
    budget = affordability({**incomes, "rate": MARKET_RATE, "term": typed["term"], "fixed": False})
    assert budget.high == (found.limits.loan + 1e-6) // 1
    assert monthly_payment(found.limits.budget_loan, TESTED_RATE, typed["term"]) == pytest.approx(found.limits.room)
    if found.goal.months <= MAX_MONTHS:
        saver = BY_SLUG["deposit"]
        saved = {"goal": found.goal.target, "price": found.price, "saved": typed["savings"]}
        lisa = {"lisa": found.goal.has_bonus, "lisaOpen": typed["lisa"] == "open", "age": typed["age"]}
        lisa |= {"monthly": typed["monthly"], "rate": 0}
        figure = saver.calculate({**saver.defaults(), **saved, **lisa}).figure
        assert figure == ("No time at all" if found.goal.months == 0 else years_and_months(found.goal.months))


@given(figures)
def test_plan_adds_up(typed: dict[str, Any]) -> None:
    found = plan(**typed)
    assert found.price == found.deposit + found.loan
    assert found.loan <= found.price * 0.95
    assert found.loan <= max(found.limits.loan, 0) + 1e-6
    assert found.short == max(found.needed - found.savings, 0)
    assert found.cash == max(found.needed, min(found.savings, found.price + found.tax + ALLOWED))
    if typed["goal"] == "most" and found.price:
        assert (found.short, found.price) == (0, limits(values(**typed)).price)


@given(figures)
def test_price_is_within_reach_up_to_the_limit_and_no_further(typed: dict[str, Any]) -> None:
    most = plan(**{**typed, "goal": "most"})
    if 0 < most.price < 3_000_000:
        assert plan(**{**typed, "goal": "price", "price": most.price}).short == 0
        assert plan(**{**typed, "goal": "price", "price": most.price + 25}).short > 0


@given(st.integers(1, 2_000_000), st.integers(1, 2_000_000))
def test_next_band_is_that_of_the_rates_search(loan: int, price: int) -> None:
    loan = min(loan, price)
    near = lower_band_search(RatesQuery(price=price, amount=loan))
    band = next_band(loan, price)
    if band and loan / price * 100 - band <= MAX_DISTANCE and price * band // 100:
        assert near
        assert (near[0], near[1].amount) == (band, price * band // 100)
    else:
        assert near is None
