"""The remortgage plan, computed in the browser from the address, the day and the deals that are given to it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

import reflex as rx
from reflex.vars import ObjectVar, VarData

from broker import routes
from broker.calculators.calculator import Calculator
from broker.calculators.view import read_values, typed_fields
from broker.components.calculator_panel import Panel
from broker.components.client_scripts import script_function
from broker.components.client_values import BrowserValues, client_handler, memoized_section
from broker.components.rates.remortgage_plan import PlanTexts, remortgage_parts
from broker.domain.days import day_number
from broker.plans.remortgage import remortgage
from broker.plans.remortgage_form import SLUG, remortgage_form
from broker.plans.remortgage_search import Question, question
from broker.plans.remortgage_view import remortgage_view
from broker.presenters.jinja import Placeholder, placeholders, places_of
from broker.presenters.rates.search.remortgage_deals import NO_DEALS, RemortgageDeals, values_of_deals
from broker.presenters.rates.search.search_page import option_name
from broker.sections.calculator_values import CalculatorValues

SCOPE = "plan"
IDENTITY = f"{SCOPE}-{SLUG}"
"""The id of the plan, and the beginning of those of its fields."""

Asked = Callable[[Question], VarData | None]


def remortgage_plan_section(
    lenders: Mapping[int, str], *, edge: ObjectVar, deals: RemortgageDeals, asked: Asked, texts: PlanTexts
) -> rx.Component:
    """Draw the plan; `edge` is what the edge answered with, `asked` the effect that asks for other deals."""
    values = CalculatorValues(remortgage_form(lenders), SCOPE, path=routes.REMORTGAGE_PLAN)
    clock = BrowserValues("plan_clock", {"today": today()})
    day = rx.cond(edge.bool(), edge["today"].to(int), clock["today"])
    numbers = {**values.numbers, **values_of_deals(deals), "today": day}
    view = remortgage_view(values.calculator, numbers, fields=values.fields_view())
    panel = Panel(
        calculator=values.calculator,
        view=view.panel,
        prefix=values.prefix,
        controls=values,
        path=routes.REMORTGAGE_PLAN,
    )
    effects = VarData.merge(
        values.address_effect(), asked(question(remortgage(numbers), lender=values.numbers["lender"]))
    )
    started = clock.put({"today": script_function("figures_at_rest", "today").call()})
    return memoized_section(
        values.values.state,
        values.seen.state,
        clock.state,
        *values.figures(),
        *remortgage_parts(panel, view, deals=deals, texts=texts),
        id=IDENTITY,
        on_mount=_both(values.mount(), client_handler(started)),
        class_name="stack",
        aria_labelledby=rx.Var(json.dumps(values.heading_id), _var_data=effects).to(str),
    )


def _both(first: rx.Var, second: rx.Var) -> rx.Var:
    data = VarData.merge(first._get_all_var_data(), second._get_all_var_data())
    return client_handler(rx.Var(f"(({first!s})(), ({second!s})())", _var_data=data))


def remortgage_template(lenders: Mapping[int, str], *, texts: PlanTexts) -> rx.Component:
    """Draw the plan as a template: the edge fills it with a `RemortgageView` of the name `plan`, and with its deals."""
    form = remortgage_form(lenders)
    values = read_values(form, {})
    numbers = {**values, **values_of_deals(NO_DEALS), "today": today()}
    plan = remortgage_view(form, numbers, fields=typed_fields(form, {}, values=values))
    shown = placeholders(plan, "plan", fixed={"per", "tone", "subject", "heads"})
    view = replace(shown.panel, choices=_chosen(form))
    panel = Panel(calculator=form, view=view, prefix=IDENTITY, path=routes.REMORTGAGE_PLAN)
    return rx.el.section(
        *remortgage_parts(panel, shown, deals=places_of(RemortgageDeals, "deals"), texts=texts),
        id=IDENTITY,
        class_name="stack",
        aria_labelledby=f"{IDENTITY}-title",
    )


def _chosen(form: Calculator) -> tuple[tuple[Placeholder, ...], ...]:
    """Return the places of whether each option is chosen, by name: the edge may know other lenders than the build."""
    return tuple(
        tuple(Placeholder(f"chosen.{option_name(choice.name, value)}") for value, _ in choice.options)
        for choice in form.choices
    )


def today() -> int:
    """Return today as a number, by the time of UTC, as the browser does."""
    return day_number(datetime.now(UTC).date())
