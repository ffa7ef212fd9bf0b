"""The remortgage plan: when to act, what to ask for, and what doing nothing costs."""

from functools import partial

import reflex as rx

from broker import routes
from broker.components.rates.remortgage_plan import PlanTexts
from broker.components.share import share_link
from broker.domain.rates.customers import Customer
from broker.domain.site_search import Kind
from broker.pages.calculators import method_link
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, Page, Section, edge_template_page
from broker.plans.remortgage_form import SLUG
from broker.presenters.rates.search_params import offered_lenders
from broker.presenters.site_search import SearchWords
from broker.presenters.social_images import CALCULATORS as PICTURE
from broker.presenters.social_images import path
from broker.sections.rates.remortgage_deals import asked_at_rest, deals_in_browser, edge_answer
from broker.sections.remortgage_plan import remortgage_plan_section, remortgage_template

LABEL = "Remortgage plan"

DESCRIPTION = (
    "Plan your remortgage: what you will owe when your deal ends, today’s best deals for it, what doing nothing costs, "
    "and the date to act."
)

_KEYWORDS = ("when to remortgage", "deal ends", "reminder", "early repayment charge", "standard variable rate", "plan")


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the page of the remortgage plan."""
    return (
        Page(
            route=routes.REMORTGAGE_PLAN,
            title="Remortgage plan: when to act and what to ask for",
            description=DESCRIPTION,
            label=LABEL,
            render=partial(_render, inputs),
            picture=path(PICTURE),
            section=Section.TOOLS,
            search=SearchWords(kind=Kind.CALCULATOR, title=LABEL, description=DESCRIPTION, keywords=_KEYWORDS),
        ),
    )


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the plan as a template, which the export puts into its page."""
    return (
        edge_template_page(
            f"plan-{SLUG}",
            title=LABEL,
            description=DESCRIPTION,
            render=lambda: remortgage_template(_lenders(inputs), texts=_texts(inputs)),
        ),
    )


def _render(inputs: BuildInputs) -> rx.Component:
    answered = edge_answer()
    deals = deals_in_browser(answered)
    plan = remortgage_plan_section(
        _lenders(inputs),
        edge=answered,
        deals=deals,
        asked=lambda asked: asked_at_rest(asked, deals),
        texts=_texts(inputs),
    )
    return layout(
        inputs,
        routes.REMORTGAGE_PLAN,
        banner("Remortgage plan", "When to act, what to ask for, and what doing nothing costs."),
        rx.el.div(
            plan,
            share_link("this plan", pdf=routes.REMORTGAGE_PLAN + routes.RESULT_PDF),
            method_link(),
            class_name="wrap band-s stack",
        ),
        theme=Customer.REMORTGAGING.value,
    )


def _lenders(inputs: BuildInputs) -> dict[int, str]:
    return offered_lenders(Customer.REMORTGAGING, inputs.lenders)


def _texts(inputs: BuildInputs) -> PlanTexts:
    site = inputs.store.site()
    return PlanTexts(risk=site.risk_warning, buy_to_let=site.buy_to_let_sentence)
