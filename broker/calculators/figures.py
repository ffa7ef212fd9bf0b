"""The visitor's figures: which fields of calculators, plans and questions mean the same.

A field takes the first of its figures that the visitor has typed, and stores what is typed in it as the first.
`components/js/figures.js` keeps the figures in the browser; of price, deposit and loan it keeps two and derives the
third. `search_form.js` has those of a rates search.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from broker.questionnaire.flow import Calculator, Inputs, Range, SecondValue, Step

Fields: TypeAlias = Mapping[str, tuple[str, ...]]
"""The figures of each field, by the field's name."""

_LOAN: Fields = {"loan": ("loan",), "term": ("term",)}
_PRESENT_LOAN: Fields = {**_LOAN, "rate": ("rate",)}
_INCOMES: Fields = {"income1": ("income",), "income2": ("income2",)}
INCOMES = ("incomes",)
"""All incomes together."""

_NONE: Fields = MappingProxyType({})

CALCULATOR_FIGURES: Mapping[str, Fields] = {
    "borrow": _INCOMES,
    "affordability": {**_INCOMES, "commitments": ("outgoings",), "term": ("term",)},
    "repayment": _LOAN,
    "interest-only": _LOAN,
    "two-deals": _LOAN,
    "offset": {"loan": ("loan",)},
    "overpayment": _PRESENT_LOAN,
    "rate-change": _PRESENT_LOAN,
    "early-repayment-charge": _PRESENT_LOAN,
    "remortgage": {**_LOAN, "currentRate": ("rate",)},
    "buying": {"price": ("price",), "deposit": ("deposit", "savings"), "term": ("term",)},
    "deposit": {"price": ("price",), "saved": ("savings", "deposit"), "monthly": ("monthly",)},
    "stamp-duty": {"price": ("price",), "nation": ("nation",), "buyer": ("buyer",)},
    "buying-plan": {
        "income": ("income",),
        "income2": ("income2",),
        "outgoings": ("outgoings",),
        "savings": ("savings", "deposit"),
        "monthly": ("monthly",),
        "term": ("term",),
        "price": ("price",),
        "buyer": ("buyer",),
        "nation": ("nation",),
    },
    "remortgaging": {
        "balance": ("loan",),
        "value": ("price",),
        "term": ("term",),
        "rate": ("rate",),
        "end": ("end",),
        "lender": ("lender",),
    },
}
"""By the slug of a calculator or a plan. Those for letting have none: their figures are of another home."""

_QUESTIONS: Fields = {"Deposit": ("deposit", "savings"), "Annual income": INCOMES}
"""By the label of a question's number."""


def calculator_figures(slug: str) -> Fields:
    return CALCULATOR_FIGURES.get(slug, _NONE)


def question_figures(step: Step) -> Fields:
    """Return the figures of a question's numbers, by key; a loan to value has the price, and the loan or deposit."""
    inputs = step.asks.inputs if isinstance(step.asks, Inputs) else ()
    ranges = [each for each in inputs if isinstance(each, Range)]
    found = {each.key: _QUESTIONS[each.label] for each in ranges if each.label in _QUESTIONS}
    for each in inputs:
        if isinstance(each, Calculator):
            second = ("loan",) if each.second is SecondValue.LOAN else _QUESTIONS["Deposit"]
            found |= {each.value_01: ("price",), each.value_02: second}
    return found
