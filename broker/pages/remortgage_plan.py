"""The remortgage plan: what doing nothing, staying with the present lender and switching cost, and when to act."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import reflex as rx

from broker import routes
from broker.analytics.counted import Counted
from broker.calculators.calculator import Form
from broker.calculators.view import FIXED_FIELDS, read_values, typed_fields
from broker.clock import utc_now
from broker.components.calculator import Panel
from broker.components.client_scripts import ask_at_rest, expression, script_function
from broker.components.client_values import BrowserValues, client_handler, memoized_section
from broker.components.elements import terms_line
from broker.components.rates.plan_deals import remortgage_parts
from broker.components.share import TALK_WORDS, share_link
from broker.components.url_params import edge_answer
from broker.content.models.site import Site
from broker.content.page_head import CALCULATORS as PICTURE
from broker.content.page_head import image_path
from broker.jinja_places import Placeholder, as_template, template_of
from broker.lending.arithmetic import shared
from broker.lending.days import day_number
from broker.pages.calculator import FormValues
from broker.pages.calculators import method_link, rate_history_link
from broker.pages.layout import layout
from broker.pages.registry import BuildInputs, Page, Section, edge_template_page
from broker.plans.remortgage import remortgage
from broker.plans.remortgage_plan import SLUG, remortgage_form, remortgage_view
from broker.plans.remortgage_search import question
from broker.rates.customers import Customer
from broker.rates.remortgage_deals import NO_DEALS, RemortgageDeals, values_of_deals
from broker.rates.search_page import option_name
from broker.rates.search_params import offered_lenders
from broker.site_search.index import Kind
from broker.site_search.view import SearchWords
from broker.state.rates.plan_deals import RemortgageDealsState

_SCOPE = "plan"

_IDENTITY = f"{_SCOPE}-{SLUG}"
"""The id of the plan, and the beginning of those of its fields."""

_LABEL = "Remortgage plan"

DESCRIPTION = (
    "Stay or switch? What doing nothing, a new deal from your own lender and today’s best switch would cost you, and "
    "the dates to act."
)

_KEYWORDS = (
    *("when to remortgage", "deal ends", "reminder", "early repayment charge", "standard variable rate", "plan"),
    *("product transfer", "stay or switch", "new deal", "letter"),
)


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        Page(
            route=routes.REMORTGAGE_PLAN,
            counted_as=Counted.PLAN,
            title="Stay or switch: your remortgage plan",
            description=DESCRIPTION,
            label=_LABEL,
            render=partial(_render, inputs),
            picture=image_path(PICTURE),
            section=Section.TOOLS,
            search=SearchWords(kind=Kind.CALCULATOR, title=_LABEL, description=DESCRIPTION, keywords=_KEYWORDS),
        ),
    )


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        edge_template_page(
            f"plan-{SLUG}",
            title=_LABEL,
            description=DESCRIPTION,
            render=lambda: _plan_template(_lenders(inputs), inputs.store.site()),
        ),
    )


def _deals_in_browser() -> RemortgageDeals:
    """Return the deals that a plan counts: at first those of the edge."""
    answered = edge_answer()
    own = rx.Var.create(RemortgageDealsState.found).to(list[RemortgageDeals])
    before = rx.cond(answered.bool(), answered["deals"].to(RemortgageDeals), rx.Var.create(NO_DEALS))
    return shared(rx.cond(own.length() > 0, own[0], before).to(RemortgageDeals))


def _plan_section(lenders: Mapping[int, str], site: Site) -> rx.Component:
    edge, deals = edge_answer(), _deals_in_browser()
    values = FormValues(remortgage_form(lenders), _SCOPE, path=routes.REMORTGAGE_PLAN)
    clock = BrowserValues("plan_clock", {"today": today()})
    day = rx.cond(edge.bool(), edge["today"].to(int), clock["today"])
    is_unknown = rx.cond(edge.bool(), edge["unknownLender"].to(bool), False)
    numbers = {**values.numbers, **values_of_deals(deals), "today": day, "unknownLender": is_unknown}
    view = remortgage_view(values.form, numbers, fields=values.fields_view())
    panel = Panel(form=values.form, view=view.panel, prefix=values.prefix, controls=values, path=routes.REMORTGAGE_PLAN)
    key = question(remortgage(numbers), numbers).key
    find = RemortgageDealsState.find(key)  # pyright: ignore[reportCallIssue] - Reflex's own way to name an event
    effects = (values.address_effect(), ask_at_rest(rx.Var.create(key), deals.key, find))
    started = clock.put({"today": script_function("plan", "today").call()})
    return memoized_section(
        values.values.state,
        values.seen.state,
        clock.state,
        *remortgage_parts(panel, view, deals=deals, site=site, figures=values.figures()),
        id=_IDENTITY,
        on_mount=_both(values.mount(), client_handler(started)),
        class_name="stay stack loose",
        aria_labelledby=expression(json.dumps(values.heading_id), *effects).to(str),
    )


def _both(first: rx.Var, second: rx.Var) -> rx.Var:
    return client_handler(expression(f"(({first!s})(), ({second!s})())", first, second))


def _plan_template(lenders: Mapping[int, str], site: Site) -> rx.Component:
    """Draw the plan as a template: the edge fills it with a `RemortgageView` of the name `plan`, and with its deals."""
    form = remortgage_form(lenders)
    values = read_values(form, {})
    numbers = {**values, **values_of_deals(NO_DEALS), "today": today(), "unknownLender": False}
    plan = remortgage_view(form, numbers, fields=typed_fields(form, {}, values=values))
    shown = as_template(plan, "plan", fixed=FIXED_FIELDS - {"heads"})
    view = replace(shown.panel, choices=_chosen(form))
    panel = Panel(form=form, view=view, prefix=_IDENTITY, path=routes.REMORTGAGE_PLAN)
    return rx.el.section(
        *remortgage_parts(panel, shown, deals=template_of(RemortgageDeals, "deals"), site=site),
        id=_IDENTITY,
        class_name="stay stack loose",
        aria_labelledby=f"{_IDENTITY}-title",
    )


def _chosen(form: Form) -> tuple[tuple[Placeholder, ...], ...]:
    """Return the places of whether each option is chosen, by name: the edge may know other lenders than the build."""
    return tuple(
        tuple(Placeholder(f"chosen.{option_name(choice.name, value)}") for value, _ in choice.options)
        for choice in form.choices
    )


def today() -> int:
    """Return today as a number, by the time of UTC, as the browser does."""
    return day_number(utc_now().date())


def _render(inputs: BuildInputs) -> rx.Component:
    return layout(
        inputs,
        routes.REMORTGAGE_PLAN,
        _plan_section(_lenders(inputs), inputs.store.site()),
        rx.el.div(
            share_link("this plan", pdf=routes.REMORTGAGE_PLAN + routes.RESULT_PDF, adviser_words=TALK_WORDS),
            terms_line("aprc", "erc", "follow-on-rate", "product-fee", "svr"),
            rate_history_link(),
            method_link(),
            class_name="wrap band-s stack",
        ),
        theme=Customer.REMORTGAGING.value,
    )


def _lenders(inputs: BuildInputs) -> dict[int, str]:
    return offered_lenders("", inputs.lenders)
