import re
from html import unescape

from broker.calculators import affordability, borrow, contractor, self_employed
from broker.calculators.calculator import Calculator
from broker.lending.lending_rules import HIGH_LENDING, HIGH_SOURCE
from broker.plans.buying import THIS_MONTH
from broker.plans.buying_plan import BUYING_PLAN
from tests.unit.pages.whole_site import inputs

CALCULATORS = (affordability.CALCULATOR, borrow.CALCULATOR, contractor.CALCULATOR, self_employed.CALCULATOR)


def words_of(calculator: Calculator) -> str:
    answer = calculator.calculate({**calculator.defaults(), THIS_MONTH: 0})
    return " ".join(map(str, (*answer.steps, answer.note.text if answer.note else "")))


def test_every_tool_explains_high_loans_in_the_same_words() -> None:
    assert [each.slug for each in (*CALCULATORS, BUYING_PLAN) if HIGH_LENDING not in words_of(each)] == []
    assert [each.slug for each in CALCULATORS if HIGH_SOURCE not in each.sources] == []


def test_guide_explains_high_loans_in_the_same_words() -> None:
    (guide,) = (each for each in inputs().store.guides() if each.url == "how-much-can-i-borrow")
    assert HIGH_LENDING in unescape(re.sub("<[^>]+>", "", guide.html))
