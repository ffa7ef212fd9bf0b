"""The general rates search and the deals page of each customer type, with their form: a plain GET form."""

import functools
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import reflex as rx
from reflex.vars import ObjectVar

from broker import routes
from broker.analytics.counted import Counted
from broker.calculators.registry import calculators_of_page
from broker.components.chart import ltv_gauge_of
from broker.components.client_values import memoized_section
from broker.components.elements import button, faq_band, icon, more_link, questions, visually_hidden
from broker.components.forms.fields import Box, Segment, labelled_box, segmented, select
from broker.components.jinja import Text, block_if, set_attribute, when, when_text
from broker.content.models.pages import FrontPage
from broker.content.page_head import RATES, image_path, json_ld
from broker.content.store import service_for
from broker.content.structured_data import faq_data
from broker.jinja_places import Placeholder, template_of
from broker.lenders.lender import KnownLender
from broker.lending.loan_to_value import gauge_view, loan_to_value
from broker.pages.calculator import calculator_panel
from broker.pages.calculators import rate_history_link
from broker.pages.layout import front_text, layout, service_crumbs
from broker.pages.rates.browser_search import (
    FORM,
    search_figures,
    search_form_of,
    search_in_browser,
    starting_form,
    typed_figures,
)
from broker.pages.rates.live_rates import printed_line, rates_by_ltv
from broker.pages.rates.rate_details import rate_details_modal
from broker.pages.rates.results import rates_results, rates_template
from broker.pages.registry import BuildInputs, Page, Section, edge_template_page, linked_data
from broker.rates import search_params
from broker.rates.customers import RULES, default_query
from broker.rates.filters import FILTERS
from broker.rates.query import AMOUNT, PRICE, TERM, field_problems, whole_pounds
from broker.rates.results import RatesList
from broker.rates.search_page import CHOSEN, BoxView, SearchFormView, ShownSearch, option_name
from broker.rates.search_params import FEES, FEES_OPTIONS, LENDER, ON, offered_lenders
from broker.site_search.view import rates_words
from broker.state.rates.live_rates import ByLtvState
from broker.state.rates.search import CompareState, RatesState

_MAX_QUESTIONS = 8

_CHOICES = {
    search_params.PURPOSE: ("I want to", ("Buy", "Remortgage")),
    search_params.RATE: ("Rate type", ("Fixed", "Variable")),
    search_params.PERIOD: ("Deal length", ("2 years", "3 years", "5 years")),
    search_params.REPAY: ("Repay by", ("Repayment", "Interest only")),
    search_params.PROPERTY: ("Property", ("Residential", "Buy to let")),
}
"""The legend and labels of each segmented choice, in the order of `search_params.CHOICES`."""

_NUMBERS = {PRICE: "Property price", AMOUNT: "Mortgage amount", TERM: "Term"}

_REGION = "search-region"
"""The id of the region of the form, in which the edge writes it."""


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
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
        _search_template(customer, inputs.lenders),
        rates_template(customer, site=inputs.store.site()),
        id=routes.search_template(customer),
    )


def _page(inputs: BuildInputs, customer: str) -> Page:
    page = inputs.store.front_page(routes.deals(customer))
    service = service_for(inputs.store, customer) if customer else None
    return Page(
        route=routes.deals(customer),
        counted_as=Counted.RATES,
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
        picture=image_path(RATES),
    )


def _render(inputs: BuildInputs, customer: str) -> rx.Component:
    site, page = inputs.store.site(), inputs.store.front_page(routes.deals(customer))
    service = service_for(inputs.store, customer) if customer else None
    crumbs = service_crumbs(service.title, service.slug, customer=customer) if service else ()
    return layout(
        inputs,
        routes.deals(customer),
        rx.el.div(
            rx.el.div(
                rx.el.h1(page.title, tab_index=-1, class_name="one"),
                search_region(customer, inputs.lenders, built=inputs.rates(customer)),
                class_name="wrap",
            ),
            class_name="fh",
        ),
        rx.el.div(rates_results(customer, built=inputs.rates(customer), site=site)),
        rx.el.section(
            rx.el.div(
                rx.el.div(
                    when_text(page.summary, rx.el.p(page.summary, class_name="lead")),
                    rx.el.p(more_link("All lenders, A to Z", routes.LENDERS)),
                ),
                rates_by_ltv(customer, built=inputs.rates_by_ltv(customer), site=site),
                *([rate_history_link()] if default_query(customer).residential else []),
                class_name="wrap stack loose",
            ),
            class_name="band-s",
            aria_label="About these deals",
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
    asked = inputs.faqs(topic)[:_MAX_QUESTIONS]
    if not asked:
        return rx.fragment()
    entries = questions((faq.question, faq.answer) for faq in asked)
    return rx.fragment(faq_band("Questions people ask", entries), linked_data(json_ld(faq_data(asked))))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    """A form with the view of its fields; `start` has the options chosen at first, None in a template."""

    customer: str
    lenders: Sequence[KnownLender]
    view: SearchFormView
    start: ObjectVar[dict[str, str]] | None = None

    def chosen(self, name: str, values: Sequence[str]) -> Text | tuple[Text, ...]:
        if self.start is None:
            return tuple(Placeholder(f"{CHOSEN}.{option_name(name, value)}") for value in values)
        return self.start[name]


def search_region(customer: str, lenders: Sequence[KnownLender], *, built: RatesList) -> rx.Component:
    """Draw the search of a customer type's page: in a line what the list answers, and its form, which that opens.

    `lenders` are all lenders; the form offers those of the customer type.
    """
    start, typed = starting_form(customer), typed_figures(customer)
    problems = field_problems(typed[PRICE], typed[AMOUNT], term=typed[TERM])
    price, amount, term = (BoxView(text=start[name], problem=problems[name]) for name in _NUMBERS)
    view = SearchFormView(
        price=price,
        amount=amount,
        term=term,
        is_wrong=functools.reduce(operator.or_, (problem != "" for problem in problems.values())),
        gauge=gauge_view(loan_to_value(whole_pounds(typed[AMOUNT]), whole_pounds(typed[PRICE]))),
    )
    form = _Form(customer=customer, lenders=lenders, view=view, start=start)
    return _region(form, search_in_browser(customer, built=built), search_figures(typed))


def _search_template(customer: str, lenders: Sequence[KnownLender]) -> rx.Component:
    view = template_of(SearchFormView, "form")
    return _region(_Form(customer=customer, lenders=lenders, view=view), template_of(ShownSearch, "search"))


def _region(form: _Form, shown: ShownSearch, *figures: rx.Component) -> rx.Component:
    is_open = set_attribute("open", form.view.is_wrong, otherwise={})
    return memoized_section(
        *figures,
        rx.el.details(
            rx.el.summary(
                _summary(shown),
                rx.el.span(icon("filter"), "Change", visually_hidden(" your search"), class_name="btn line s"),
                class_name="ask",
            ),
            class_name="find-opener",
            custom_attrs=is_open,
        ),
        ltv_gauge_of(form.view.gauge),
        _form(form),
        id=_REGION,
        class_name="find",
        aria_label="Search",
    )


def _form(form: _Form) -> rx.Component:
    """Draw the form; options that the customer type rules out are disabled, with the reason."""
    customer, view, reason = form.customer, form.view, RULES[form.customer].reason
    purpose, *choices = (_choice(form, name) for name in _CHOICES)
    offered = [(str(each), name) for each, name in offered_lenders(customer, form.lenders).items()]
    return search_form_of(
        customer,
        rx.el.h2("Your search", id=f"{FORM}-title", class_name="vh"),
        *([rx.el.p(reason, class_name="hint all")] if reason else []),
        purpose,
        _number_box(PRICE, view.price),
        _number_box(AMOUNT, view.amount),
        _number_box(TERM, view.term),
        *choices,
        _filter(form, LENDER, "Lender", [("", "Any lender"), *offered]),
        _filter(form, FEES, "Lender fees", FEES_OPTIONS),
        _kept_filters(form),
        rx.el.div(
            button("Update results", icon_name="search", kind="submit"),
            when(
                view.is_wrong,
                rx.el.p("Correct the figures marked above, then search again.", class_name="small"),
                otherwise=rx.el.p(
                    "Your search is saved in the page address, so you can share or bookmark it.",
                    class_name="small mute",
                ),
            ),
            class_name="all row",
        ),
    )


def _kept_filters(form: _Form) -> rx.Component:
    """Draw the active filters that have no field, so that the form sends them again without scripts.

    React does not look into a `noscript`, so the edge may write there what the first render does not draw.
    """
    if form.start is not None:
        return rx.el.noscript()
    names = {each.parameter: option_name(each.parameter, ON) for each in FILTERS}
    inputs = (
        block_if(f"{CHOSEN}.{option}", rx.el.input(type="hidden", name=name, value=ON))
        for name, option in names.items()
    )
    return rx.el.noscript(*inputs)


def _summary(shown: ShownSearch) -> rx.Component:
    """Write the search that the list answers: its loan and its deal, on a line each where there is little room."""
    loan, deal = shown.summary[0], shown.summary[1]
    return rx.el.p(rx.el.b(loan), rx.el.span(" · ", class_name="sep", aria_hidden="true"), rx.el.span(deal))


def _number_box(name: str, view: BoxView) -> rx.Component:
    years = name == TERM
    box = Box(
        identity=f"{FORM}-{name}",
        name=name,
        value=view.text,
        problem=view.problem,
        prefix="" if years else "£",
        suffix="years" if years else "",
        whole=True,
    )
    return labelled_box(_NUMBERS[name], box, hint="1 to 40" if years else "")


def _choice(form: _Form, name: str) -> rx.Component:
    legend, labels = _CHOICES[name]
    values, out = search_params.CHOICES[name], RULES[form.customer].excluded
    segments = [
        Segment(value=value, label=label, disabled=value in out) for value, label in zip(values, labels, strict=True)
    ]
    return segmented(legend, segments, name=name, chosen=form.chosen(name, values))


def _filter(form: _Form, name: str, label: str, options: Sequence[tuple[str, str]]) -> rx.Component:
    chosen = form.chosen(name, [value for value, _ in options])
    return select(label, options, identity=f"{FORM}-{name}", name=name, chosen=chosen)
