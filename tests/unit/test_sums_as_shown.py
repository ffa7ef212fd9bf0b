"""Sums, differences and products as they are shown, read from the display strings of every page that has one.

A figure of whole pounds that follows from pence may be their sum rounded; one that follows from whole pounds is exact.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broker.calculators.calculator import Calculator, Unit, Working
from broker.calculators.registry import CALCULATORS
from broker.documents.document import Table
from broker.documents.search import search_document
from broker.plans.buying import buying_plan
from broker.plans.buying_plan import BUYING_PLAN
from broker.plans.remortgage_plan import remortgage_plan
from broker.rates.best_deals import best_deals
from broker.rates.comparison import comparison
from broker.rates.lowest_rates import LowerBand
from broker.rates.product import Incentives, RateProduct
from broker.rates.query import RatesQuery
from broker.rates.ranking import answer_of
from broker.rates.rate_details import rate_details
from broker.rates.results import band_sentence, rates_list
from tests.unit.plans.test_buying import NOVEMBER_2026
from tests.unit.plans.test_buying import figures as buying_figures
from tests.unit.plans.test_remortgage import WALK as REMORTGAGE
from tests.unit.plans.test_remortgage import inputs as remortgage_inputs
from tests.unit.rates.products import priced

unhurried = settings(deadline=None)
"""A first import takes longer than those after."""

FIGURE = re.compile(r"£([0-9][0-9,]*(?:\.[0-9]{2})?)")

Sum = tuple[str, Decimal, str]
"""What a sum says, its result from the figures shown, and the text that begins with the result as shown."""


def amounts(text: object) -> list[Decimal]:
    """Return the amounts of a text in pounds, which has no minus behind a pound sign."""
    assert "£-" not in str(text)
    return [Decimal(figure.replace(",", "")) for figure in FIGURE.findall(str(text))]


def amount(text: object) -> Decimal:
    return amounts(text)[0]


def is_shown(result: Decimal, text: object) -> bool:
    """Return whether the first amount of a text is a result, rounded to the places that it shows."""
    shown = amount(text)
    return abs(result - shown) * 2 <= Decimal(1).scaleb(int(shown.as_tuple().exponent))


def assert_shown(sums: Iterator[Sum]) -> None:
    wrong = [(what, result, text) for what, result, text in sums if not is_shown(result, text)]
    assert wrong == []


def after(text: object, words: str) -> str:
    """Return what follows some words of a text."""
    before, found, rest = str(text).partition(words)
    assert found, before
    return rest


def table_of(working: Working) -> list[list[str]]:
    assert working.table
    return [[str(cell) for cell in row] for row in working.table.rows]


def bars_of(working: Working) -> list[Decimal]:
    return [amount(bar.figure) for bar in working.bars]


REMORTGAGE_WAYS = ("doing nothing", "your lender’s new deal", "switching when your deal ends", "switching now")


def remortgage_sums(values: dict[str, Any]) -> Iterator[Sum]:
    plan = remortgage_plan(values)
    working, rows = plan.working, dict(zip(REMORTGAGE_WAYS, table_of(plan.working), strict=True))
    now, later, caption = amount(working.label), amount(working.figure), str(working.caption)
    if now == later:
        assert caption.startswith("That is no change ")
    else:
        assert (" more from " in caption, " less from " in caption) == (later > now, later < now)
        yield "headline", abs(later - now), caption
    payments = [row[2] for row in rows.values()]
    assert (payments[0], payments[2]) == (working.figure, f"£{amounts(caption)[-1]:,.2f}")
    costs = {name: amount(row[4]) for name, row in rows.items() if FIGURE.search(row[4])}
    winner = next(name for name in costs if f", {name} costs least." in plan.verdict)
    dearer = re.findall(r"(\w[\w’ ]+?) costs (?:(£[\d,]+) more|the same)\.", after(plan.verdict, "least. "))
    assert {name.lower() for name, _ in dearer} == costs.keys() - {winner}
    for name, gap in dearer:
        yield f"verdict on {name}", costs[name.lower()] - costs[winner], gap or "£0"
    charge, fees, leaving = amounts(next(step for step in working.steps if str(step).startswith("Leaving now")))
    yield "leaving", charge + fees, f"£{leaving}"


@unhurried
@given(remortgage_inputs)
def test_sums_of_a_remortgage_plan_hold(values: dict[str, Any]) -> None:
    assert_shown(remortgage_sums(values))


def test_verdict_of_a_remortgage_plan_takes_the_costs_of_its_table() -> None:
    """The costs shown are £7,717 and £9,796, to the penny nearly a pound less apart."""
    typed = {"balance": 60_000, "value": 420_000, "term": 12, "rate": 2.5, "followOn": 7.49, "end": 20_290_513}
    deal = {"newRate": 3.95, "newMonths": 24, "chargePercent": 0, "today": 20_261_125}
    for fees in range(0, 2_000, 7):
        assert_shown(remortgage_sums({**REMORTGAGE, **typed, **deal, "newFees": fees / 10 + 900}))


def buying_sums(values: dict[str, Any]) -> Iterator[Sum]:
    plan, working = buying_plan(values), BUYING_PLAN.calculate(values)
    *costs, total, left, least = table_of(working)
    savings = amount(left[2])
    yield "cash in all", sum((amount(row[1]) for row in costs), Decimal()), total[1]
    assert (left[0] == "Still to save") == (amount(total[1]) > savings)
    yield "left or to save", abs(savings - amount(total[1])), left[1]
    yield "least cash", amount(least[2]) + amount(total[1]) - amount(costs[0][1]), least[1]
    yield "after the least", abs(savings - amount(least[1])), f"£{amounts(least[2])[1]}"
    loan = next(str(step) for step in working.steps if str(step).startswith("Loan: "))
    yield "loan", amounts(loan)[0] - amounts(loan)[1], f"£{amounts(loan)[2]}"
    if plan.loan > 0:
        yield "borrowed", amounts(loan)[2], after(costs[0][2], "You would borrow ")
    saving = amounts(next(step for step in working.steps if str(step).startswith("Saving: ")))
    yield "to save", saving[0] - saving[1], f"£{saving[2]}"
    if values["goal"] == "price":
        price, figure, *_ = amounts(working.caption)
        assert price == amount(total[2])
        yield "caption", figure, left[1] if left[0] == "Still to save" else least[1]


@unhurried
@given(
    buying_figures,
    st.none() | st.tuples(st.integers(0, 300_000), st.integers(0, 100_000)).map(lambda pence: (pence[0] / 100, 0)),
)
def test_sums_of_a_buying_plan_hold(typed: dict[str, Any], deal: tuple[float, float] | None) -> None:
    values = {**BUYING_PLAN.defaults(), "thisMonth": NOVEMBER_2026, **typed}
    if deal:
        values |= {"dealFee": deal[0], "allowedFee": max(999, -(-deal[0] // 1)), "hasDeal": True}
    assert_shown(buying_sums(values))


def interest_only_sums(working: Working, values: dict[str, Any]) -> Iterator[Sum]:
    monthly, interest, owed, paid = table_of(working)
    yield "less a month", amount(monthly[1]) - amount(monthly[2]), working.tiles[0][0]
    yield "more interest", max(amount(interest[2]) - amount(interest[1]), Decimal()), working.tiles[1][0]
    for column in (1, 2):
        yield f"paid in all, {column}", Decimal(str(values["loan"])) + amount(interest[column]), paid[column]
    assert amount(owed[2]) == Decimal(str(values["loan"]))


def overpayment_sums(working: Working, _: dict[str, Any]) -> Iterator[Sum]:
    agreed, interest = bars_of(working)
    is_sooner = working.label == "You would finish sooner by"
    yield "saved", agreed - interest, working.tiles[0][0] if is_sooner else str(working.figure)


def repayment_sums(working: Working, values: dict[str, Any]) -> Iterator[Sum]:
    total, interest = amounts(working.caption)
    yield "interest", max(total - Decimal(str(values["loan"])), Decimal()), f"£{interest}"


def rate_change_sums(working: Working, _: dict[str, Any]) -> Iterator[Sum]:
    now, dearer, cheaper = bars_of(working)
    yield "rise", dearer - now, str(working.figure)
    yield "fall", now - cheaper, after(working.caption, "would save ")
    for rate, payment, change in table_of(working):
        gap = amount(payment) - now
        assert (change.endswith(" more"), change.endswith(" less"), change == "None") == (gap > 0, gap < 0, gap == 0)
        if gap:
            yield f"change at {rate}", abs(gap), change


def remortgage_saving_sums(working: Working, _: dict[str, Any]) -> Iterator[Sum]:
    now, new, following = bars_of(working)
    if now != new:
        yield "saving", abs(now - new), str(working.figure)
        yield "a year", abs(now - new) * 12, str(working.caption)
    if new != following:
        yield "after the deal", abs(following - new), after(working.caption, "It is ")


def two_deals_sums(working: Working, _: dict[str, Any]) -> Iterator[Sum]:
    first, second = bars_of(working)
    yield "lower true cost", abs(first - second) or first, str(working.figure)
    for step in working.steps[:2]:
        paid, fees, cash, again, repaid, true = amounts(step)[-6:]
        assert cash == again
        yield "cash", paid + fees, f"£{cash}"
        yield "true cost", cash - repaid, f"£{true}"


def offset_sums(working: Working, _: dict[str, Any]) -> Iterator[Sum]:
    offset, plain, net = bars_of(working)
    yield "better off", abs(plain - net - offset), str(working.figure)


def early_repayment_sums(working: Working, _: dict[str, Any]) -> Iterator[Sum]:
    stay, leave = bars_of(working)
    if stay != leave:
        yield "leaving now", abs(leave - stay), after(working.caption, "would cost ")
    charge, fees, cost = amounts(working.steps[0])[1:]
    yield "cost of leaving", charge + fees, f"£{cost}"
    yield "leave", amounts(working.steps[2])[0] + cost, f"£{leave}"


def deposit_sums(working: Working, values: dict[str, Any]) -> Iterator[Sum]:
    if values["saved"] < values["goal"]:
        goal, saved, left = amounts(working.steps[1])
        yield "to save", goal - saved, f"£{left}"


def buying_calculator_sums(working: Working, values: dict[str, Any]) -> Iterator[Sum]:
    for name, tax, cash in table_of(working):
        yield name, Decimal(str(values["deposit"])) + amount(tax), cash
    if values["price"] > values["deposit"]:
        price, deposit, loan = amounts(working.steps[0])
        yield "loan", price - deposit, f"£{loan}"


def rental_yield_sums(working: Working, _: dict[str, Any]) -> Iterator[Sum]:
    rent, costs, interest = bars_of(working)
    net, left = table_of(working)[1:]
    yield "after costs", abs(rent - costs), net[1]
    yield "after interest", abs(rent - costs - interest), left[1]


def landlord_sums(working: Working, _: dict[str, Any]) -> Iterator[Sum]:
    loan = bars_of(working)[0]
    for name, limit, verdict in ((row[0], *row[2:]) for row in table_of(working)):
        assert (verdict == "Passes") == (loan <= amount(limit))
        if verdict != "Passes":
            yield name, loan - amount(limit), verdict


def self_employed_sums(working: Working, values: dict[str, Any]) -> Iterator[Sum]:
    yield "together", sum(bars_of(working), Decimal()), str(working.figure)
    yield from multiples(working, sum((year_of(values, applicant) for applicant in "12"), Decimal()))


def year_of(values: dict[str, Any], applicant: str) -> Decimal:
    def of(*names: str) -> Decimal:
        return sum((Decimal(str(values[name + applicant])) for name in names), Decimal())

    return {
        "employed": of("annualSalary", "additionalIncome"),
        "sole-trader": of("curentYearNetProfit"),
        "director": of("directorSalary", "recentYearDividend"),
        "contractor": of("dayRateIncome") * 5 * 48,
    }[values["work" + applicant]]


def contractor_sums(working: Working, values: dict[str, Any]) -> Iterator[Sum]:
    yield from multiples(working, Decimal(str(values["dayRate"])) * 5 * 48)


def multiples(working: Working, year: Decimal) -> Iterator[Sum]:
    for times, loan in (row[:2] for row in table_of(working)):
        yield f"{times} times", year * Decimal(times), loan


def borrow_sums(working: Working, values: dict[str, Any]) -> Iterator[Sum]:
    yield "bars", sum(bars_of(working), Decimal()), str(working.figure)
    total = Decimal(str(values["income1"])) + Decimal(str(values["income2"]))
    yield from multiples(working, total)


SUMS: dict[str, Callable[[Working, dict[str, Any]], Iterator[Sum]]] = {
    "interest-only": interest_only_sums,
    "overpayment": overpayment_sums,
    "repayment": repayment_sums,
    "rate-change": rate_change_sums,
    "remortgage": remortgage_saving_sums,
    "two-deals": two_deals_sums,
    "offset": offset_sums,
    "early-repayment-charge": early_repayment_sums,
    "deposit": deposit_sums,
    "buying": buying_calculator_sums,
    "rental-yield": rental_yield_sums,
    "landlord-test": landlord_sums,
    "self-employed": self_employed_sums,
    "contractor": contractor_sums,
    "borrow": borrow_sums,
}
"""By calculator; one that is not here shows a sum only as an equation of its working."""


def typed_in(calculator: Calculator) -> st.SearchStrategy[dict[str, Any]]:
    """Return values of every field, with pence, halves and thousandths, and of every choice and checkbox."""

    def number(field: Any) -> st.SearchStrategy[float]:
        if field.unit is Unit.POUNDS:
            pence = st.integers(int(field.min_value * 100), int(field.high * 100)).map(lambda each: each / 100)
            return st.integers(int(field.min_value), int(field.high)) | pence
        if field.unit is Unit.YEARS:
            return st.integers(int(field.min_value * 2), int(field.max_value * 2)).map(lambda each: each / 2)
        return st.integers(0, int(field.high * 1_000)).map(lambda each: each / 1_000)

    fields = {field.name: number(field) for field in calculator.fields}
    choices = {each.name: st.sampled_from([value for value, _ in each.options]) for each in calculator.choices}
    return st.fixed_dictionaries({**fields, **choices, **{box.name: st.booleans() for box in calculator.checkboxes}})


@pytest.mark.parametrize("slug", SUMS)
@unhurried
@given(data=st.data())
def test_sums_of_a_calculator_hold(slug: str, data: st.DataObject) -> None:
    [calculator] = [each for each in CALCULATORS if each.slug == slug]
    values = data.draw(typed_in(calculator))
    assert_shown(SUMS[slug](calculator.calculate(values), values))


def test_every_calculator_with_a_table_or_bars_is_read() -> None:
    """Of those left out, each bar and cell is a figure by itself: none is a sum or difference of others."""
    workings = {each.slug: each.calculate(each.defaults()) for each in CALCULATORS}
    others = {slug for slug, working in workings.items() if working.table or working.bars} - set(SUMS)
    assert others == {"affordability", "buy-to-let-borrowing", "buy-to-let-rent", "stamp-duty"}


@st.composite
def products(draw: st.DrawFn) -> RateProduct:
    """Draw a product whose fees may have pence, with cashback below its interest."""
    pence = st.integers(0, 300_000).map(lambda each: each / 100)
    cashback = draw(st.sampled_from((0, 0, 250, 500, 1_000)))
    product = priced(
        f"p{draw(st.integers(0, 10_000))}",
        rate=draw(st.integers(100, 900)) / 100,
        fees=draw(st.sampled_from((0, 495, 999, 1_995)) | pence),
        months=draw(st.sampled_from((24, 27, 36, 60))),
        loan=draw(st.integers(100_000, 1_000_000)),
        years=draw(st.integers(6, 40)),
        follow_on=draw(st.integers(100, 900)) / 100,
        interest_only=draw(st.booleans()),
        incentives=Incentives(cashback=cashback),
    )
    return replace(product, true_cost=round(product.true_cost - cashback, 2))


found = st.lists(products(), min_size=2, max_size=5, unique_by=lambda product: product.product_id)


def answered(found: list[RateProduct]) -> Any:
    query = RatesQuery(price=2_000_000, amount=int(found[0].loan_amount), with_fee_free=True)
    return answer_of(query, found, fee_free=0, read_at=datetime(2026, 3, 4, tzinfo=UTC), sample=True)


def card_sums(found: list[RateProduct]) -> Iterator[Sum]:
    answer = answered(found)
    listed = rates_list(answer, 1, logos={})
    yearly = {f"{each.headline.lender} at {each.headline.rate}": amount(each.true_year) for each in listed.cards}
    for card, product in zip(listed.cards, answer.products, strict=True):
        back = Decimal(str(product.incentives.cashback))
        yield "parts of the total", amount(card.repaid) + amount(card.true_cost) + back, card.total
        if back:
            yield "after cashback", amount(card.total) - back, card.total_caption
        if len(set(yearly)) == len(found) and " a year more" in card.why.replace(" more in true cost", " more"):
            least = min(yearly.values())
            yield "dearer", amount(card.true_year) - least, card.why
    document = search_document(answer, 1, filters="")
    table = document.sections[0].parts[0] if document else None
    assert isinstance(table, Table)
    assert [row[5:7] for row in table.rows] == [(card.total, card.true_cost) for card in listed.cards]


@unhurried
@given(found)
def test_sums_of_cards_hold(found: list[RateProduct]) -> None:
    assert_shown(card_sums(found))


def best_deal_sums(found: list[RateProduct]) -> Iterator[Sum]:
    answer = answered(found)
    for deal, product in zip(best_deals(answer, logos={}).deals, answer.products, strict=False):
        lines = {label.partition(",")[0]: amount(figure) for label, figure in deal.lines}
        if "After cashback" in lines:
            back = Decimal(str(product.incentives.cashback))
            yield "after cashback", lines["Total to pay"] - back, f"£{lines['After cashback']}"


@unhurried
@given(found)
def test_sums_of_best_deals_hold(found: list[RateProduct]) -> None:
    assert_shown(best_deal_sums(found))


def detail_sums(product: RateProduct) -> Iterator[Sum]:
    shown = rate_details(product, logo="", unregulated=False, sample=True, today=date(2026, 11, 25))
    total, last = Decimal(), Decimal()
    for label, figure in shown.costs:
        if label.startswith(("Total", "True cost")):
            yield label, total, figure
            last = amount(figure)
        else:
            total += -amount(figure) if figure.startswith("− ") else amount(figure)
    payments = amount(shown.costs[0][0]) * product.initial_months
    yield "payments", payments, shown.costs[0][1]
    back = Decimal(str(product.incentives.cashback))
    interest, fees, capital = (amount(part) for part in (shown.split.interest, shown.split.fees, shown.split.capital))
    yield "parts of the true cost", interest + fees - back, f"£{last}"
    paid = next(figure for label, figure in shown.costs if label.startswith("Total to pay"))
    yield "parts of the total", capital + interest + fees, paid
    ends = dict(shown.end.figures)
    for side, sign in (("Rise", 1), ("Fall", -1)):
        if ends.get(side, "none") != "none":
            change = (amount(ends["Payment if you do nothing"]) - amount(shown.payment)) * sign
            yield side, change, ends[side]
            yield f"{side} a year", change * 12, f"£{amounts(ends[side])[1]}"
    yield "owed", Decimal(str(product.loan_amount)) - capital, ends["Still owed then"]


@unhurried
@given(products())
def test_sums_of_a_products_details_hold(product: RateProduct) -> None:
    assert_shown(detail_sums(product))


def comparison_sums(found: list[RateProduct]) -> Iterator[Sum]:
    shown = comparison(found, logos=[""] * len(found))
    rows = {row.label: [figure.text for figure in row.figures] for row in shown.rows}
    rows |= {label: [text] * len(found) for label, text in shown.same}
    for place, product in enumerate(found[:4]):
        row = {label: texts[place] for label, texts in rows.items()}
        paid, back = amount(row["Total to pay in the deal"]), Decimal(str(product.incentives.cashback))
        monthly, fees = amount(row["Monthly payment"]), amount(row["Lender fees"])
        yield "total", monthly * product.initial_months + fees, row["Total to pay in the deal"]
        if "Total to pay, after cashback" in row:
            yield "after cashback", paid - back, row["Total to pay, after cashback"]
        repaid = Decimal(str(product.loan_amount)) - amount(row["Owed when the deal ends"])
        yield "true cost", paid - back - repaid, row["True cost of the deal"]


@unhurried
@given(found)
def test_sums_of_a_comparison_hold(found: list[RateProduct]) -> None:
    assert_shown(comparison_sums(found))


@unhurried
@given(products(), products(), st.integers(1, 20_000))
def test_sums_of_the_next_band_hold(here: RateProduct, there: RateProduct, less: int) -> None:
    query = RatesQuery(price=2_000_000, amount=int(here.loan_amount) - less)
    sentence = band_sentence(LowerBand(ltv=60, query=query, here=here, there=there), amount=int(here.loan_amount))
    deposit, loan, saved = amounts(sentence)
    payments = [Decimal(str(product.initial_payment)) for product in (here, there)]
    assert deposit == loan == less
    assert is_shown(abs(payments[0] - payments[1]), f"£{saved}")
