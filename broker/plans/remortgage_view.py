"""The remortgage plan as its page shows it: display strings, in the browser and on the server."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from broker.calculators.calculator import Calculator
from broker.calculators.view import CalculatorView, FieldView, answer_view, view_of
from broker.domain.days import iso_text
from broker.lending.arithmetic import Amount, Text
from broker.plans.remortgage import remortgage
from broker.plans.remortgage_plan import remortgage_plan

TABLE_STEP = 1
"""Years from row to row of the chart's table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemortgageView:
    """The plan: its form with the answer, and what stands beside it; `end` is the deal's last day, for its reminder."""

    panel: CalculatorView
    verdict: Text
    facts: tuple[tuple[str, Text], ...]
    sentences: tuple[Text, ...]
    held: Text
    offer: Text
    has_date: Any
    end: Text


def remortgage_view(form: Calculator, values: Mapping[str, Amount], *, fields: tuple[FieldView, ...]) -> RemortgageView:
    """Return the plan of a form's values, with those of the day and of the deal that was found."""
    plan = remortgage_plan(values)
    return RemortgageView(
        panel=view_of(form, values, fields=fields, answer=answer_view(plan.working, table_step=TABLE_STEP)),
        verdict=plan.verdict,
        facts=plan.facts,
        sentences=plan.sentences,
        held=plan.held,
        offer=plan.offer,
        has_date=plan.has_date,
        end=iso_text(remortgage(values).end),
    )
