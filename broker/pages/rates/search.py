"""The general rates search, and the deals page of each customer type."""

from functools import partial

import reflex as rx

from broker import routes
from broker.calculators.registry import calculators_of_page
from broker.components.elements import faq_band, more_link, questions
from broker.content.models.pages import FrontPage
from broker.content.page_head import RATES, json_ld, path
from broker.content.store import service_for
from broker.content.structured_data import answers
from broker.pages.calculator import calculator_panel
from broker.pages.head import linked_data
from broker.pages.layout import banner, columns, front_text, layout, service_crumbs
from broker.pages.rates.live_rates import printed_line, rates_by_ltv
from broker.pages.rates.rate_details import rate_details_modal
from broker.pages.rates.results import rates_results, rates_template
from broker.pages.rates.search_form import search_region, search_template
from broker.pages.registry import BuildInputs, Page, Section, edge_template_page
from broker.rates.customers import RULES
from broker.site_search.view import rates_words
from broker.state.rates.live_rates import ByLtvState
from broker.state.rates.search import CompareState, RatesState

MAX_QUESTIONS = 8


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the rates page of every customer type, the general one among them."""
    return tuple(_page(inputs, customer) for customer in RULES)


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the search and the list of every page as templates, which the export puts into the page of each."""
    page = inputs.store.front_page(routes.RATES)
    return (
        edge_template_page(
            "rates",
            title=page.title,
            description=page.description,
            render=lambda: rx.fragment(*(_template(inputs, customer) for customer in RULES)),
        ),
    )


def _template(inputs: BuildInputs, customer: str) -> rx.Component:
    return rx.el.div(
        search_template(customer, inputs.lenders),
        rates_template(customer, site=inputs.store.site()),
        id=routes.search_template(customer),
    )


def _page(inputs: BuildInputs, customer: str) -> Page:
    page = inputs.store.front_page(routes.deals(customer))
    service = service_for(inputs.store, customer) if customer else None
    return Page(
        route=routes.deals(customer),
        title=page.meta_title,
        description=page.description,
        render=partial(_render, inputs, customer),
        on_load=[
            RatesState.open(customer),
            RatesState.show_details,
            CompareState.open(customer),
            ByLtvState.open(customer),
        ],
        label=page.title,
        parents=((service.title, routes.service(service.slug)),) if service else (),
        section=Section.DEALS if customer else Section.TOOLS,
        search=rates_words(page),
        picture=path(RATES),
    )


def _render(inputs: BuildInputs, customer: str) -> rx.Component:
    site, page = inputs.store.site(), inputs.store.front_page(routes.deals(customer))
    service = service_for(inputs.store, customer) if customer else None
    crumbs = service_crumbs(service.title, service.slug, customer=customer) if service else ()
    return layout(
        inputs,
        routes.deals(customer),
        banner(page.title, page.summary, rx.el.p(more_link("All lenders, A to Z", routes.LENDERS))),
        columns(
            search_region(customer, inputs.lenders, built=inputs.rates(customer)),
            rx.el.div(
                rates_results(customer, built=inputs.rates(customer), site=site),
                rates_by_ltv(customer, built=inputs.rates_by_ltv(customer), site=site),
                class_name="stack loose",
            ),
            look="side left",
        ),
        rate_details_modal(site),
        printed_line(
            customer, address=inputs.site_url + routes.deals(customer), built=inputs.rates(customer), site=site
        ),
        *_calculators(page),
        *front_text(page),
        _questions(inputs, service.slug if service else routes.FAQS),
        theme=customer,
        service=service.slug if service else "",
        crumbs=crumbs,
    )


def _calculators(page: FrontPage) -> list[rx.Component]:
    return [
        rx.el.section(
            rx.el.div(calculator_panel(calculator, heading=rx.el.h2), class_name="wrap narrow-panel"),
            class_name="band-s",
            aria_label=calculator.title,
        )
        for calculator in calculators_of_page(page.calculators, page=page.path)
    ]


def _questions(inputs: BuildInputs, topic: str) -> rx.Component:
    asked = inputs.faqs(topic)[:MAX_QUESTIONS]
    if not asked:
        return rx.fragment()
    entries = questions((faq.question, faq.answer) for faq in asked)
    return rx.fragment(faq_band("Questions people ask", entries), linked_data(json_ld(answers(asked))))
