"""The fields of the remortgage plan, as those of a calculator."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from broker.calculators.calculator import MIN_POUNDS, Calculator, Choice, Field, Group, Unit, rate_field, term_field
from broker.calculators.remortgage import FOLLOW_ON_RATE
from broker.calculators.view import CalculatorView, FieldView, answer_view, view_of
from broker.lending.arithmetic import Amount, Text
from broker.lending.days import iso_text
from broker.plans.remortgage import PERCENT, POUNDS, remortgage
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


SLUG = "remortgaging"

NO_LENDER = "Not listed"


def remortgage_form(lenders: Mapping[int, str]) -> Calculator:
    """Return the form of the plan; `lenders` are those to choose from, by id.

    Its answer takes the day and the deal that was found beside the values of its fields.
    """
    return Calculator(
        slug=SLUG,
        title="Remortgage plan",
        subtitle="When to act, what to ask for, and what doing nothing costs",
        group=Group.CHANGES,
        calculate=lambda values: remortgage_plan(values).working,
        fields=_FIELDS,
        choices=(
            Choice(
                name="lender",
                group="Your lender",
                label="Your lender today",
                default="",
                options=(("", NO_LENDER), *((str(key), name) for key, name in lenders.items())),
            ),
            Choice(
                name="charge",
                group="If you leave early",
                label="Early repayment charge",
                default=PERCENT,
                options=((PERCENT, "A percentage of the loan"), (POUNDS, "An amount in pounds")),
            ),
        ),
    )


def _pounds_field(name: str, label: str, default: float) -> Field:
    return Field(name=name, label=label, default=default, low=50_000, high=1_000_000, step=1_000, min_value=MIN_POUNDS)


_FIELDS = (
    _pounds_field("balance", "Loan left today", 200_000),
    _pounds_field("value", "Value of your home", 300_000),
    replace(term_field(40), label="Years left", default=20),
    rate_field("rate", "Rate today", default=2),
    Field(name="end", label="Your deal ends on", default=0, unit=Unit.DAY, high=0, hint="Your offer has the date"),
    replace(
        rate_field("followOn", "Rate after your deal", default=FOLLOW_ON_RATE),
        hint="Your lender’s follow-on or standard variable rate; your offer has it",
    ),
    Field(
        name="chargePercent",
        label="Of the loan left",
        default=1,
        unit=Unit.PERCENT,
        high=8,
        step=0.25,
        max_value=25,
        hint="0 if there is none",
        only_for=f"charge={PERCENT}",
    ),
    Field(
        name="chargePounds",
        label="In pounds",
        default=2_000,
        high=20_000,
        step=50,
        hint="0 if there is none",
        only_for=f"charge={POUNDS}",
    ),
)
