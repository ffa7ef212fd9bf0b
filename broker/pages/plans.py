"""The pages of plans, whose addresses have their figures."""

from functools import partial

import reflex as rx

from broker import routes
from broker.components.share import share_link
from broker.pages.calculators import FIGURES, method_link
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, Page, Section, edge_template_page
from broker.plans.buying_fields import BUYING_PLAN
from broker.presenters.site_search import calculator_words
from broker.presenters.social_images import CALCULATORS as PICTURE
from broker.presenters.social_images import path
from broker.sections.buying_plan import buying_plan_section, buying_plan_template
from broker.sections.landlord_test import landlord_test_template

DESCRIPTION = (
    "What you could buy, the cash to have ready on the day, the monthly payment and the deal for it, from your income, "
    "outgoings and savings."
)


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the plan to buy."""
    return (
        Page(
            route=routes.BUYING_PLAN,
            title="Plan to buy a home: price, cash and deal",
            description=DESCRIPTION,
            label=BUYING_PLAN.title,
            render=partial(_render, inputs),
            section=Section.TOOLS,
            search=calculator_words(BUYING_PLAN),
            picture=path(PICTURE),
        ),
    )


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the plan and the landlord's test, which have deals, as templates for the pages of their own."""
    return (
        edge_template_page(
            "plans",
            title=BUYING_PLAN.title,
            description=DESCRIPTION,
            render=lambda: rx.fragment(
                buying_plan_template(inputs.store.site()), landlord_test_template(inputs.store.site(), title=FIGURES)
            ),
        ),
    )


def _render(inputs: BuildInputs) -> rx.Component:
    return layout(
        inputs,
        routes.BUYING_PLAN,
        banner(BUYING_PLAN.title, "What you could buy, the cash for the day, and the deal. It changes as you type."),
        rx.el.div(
            buying_plan_section(inputs.store.site()),
            share_link("this plan", pdf=routes.BUYING_PLAN + routes.RESULT_PDF),
            *_guides(inputs),
            method_link(),
            class_name="wrap band-s stack",
        ),
    )


def _guides(inputs: BuildInputs) -> list[rx.Component]:
    """Draw links to the guides on what the plan counts."""
    listed = [guide for guide in inputs.store.guides() if guide.url in _GUIDES]
    links = (rx.el.li(rx.el.a(guide.title, href=routes.guide(guide.url))) for guide in listed)
    return [rx.el.p("Read more:"), rx.el.ul(*links)] if listed else []


_GUIDES = (
    "buying-your-first-home-step-by-step",
    "lifetime-isa-guide",
    "stamp-duty-explained",
    "mortgage-fees-explained",
)
