"""Service pages: text, calculators, best rates, guides and FAQs, with a contact aside."""

from functools import partial

import reflex as rx

from broker import routes
from broker.analytics.counted import Counted
from broker.calculators.contractor import CALCULATOR as CONTRACTOR
from broker.calculators.registry import calculators_of_page
from broker.calculators.self_employed import CALCULATOR as SELF_EMPLOYED
from broker.calculators.self_employed import CONTRACTOR_PAGE
from broker.components.elements import (
    button_link,
    icon,
    markup,
    more_link,
    no_break,
    question,
    questions,
    titled_section,
)
from broker.content.guide_pages import main_guide, service_first
from broker.content.menus import menu_links
from broker.content.models.pages import Service
from broker.content.page_head import image_path
from broker.content.page_parts import banner_view
from broker.content.structured_data import faq_data
from broker.lending.property_tax_rates import Buyer
from broker.pages.articles.guide_cards import guide_slider
from broker.pages.calculator import calculator_panel
from broker.pages.layout import banner, columns, layout, service_crumbs
from broker.pages.rates.live_rates import BASIS, best_rates_table, deposit_rates
from broker.pages.registry import BuildInputs, Page, Section
from broker.pages.site.contact import REMORTGAGE, contact_aside
from broker.pages.site.reviews import reviews_slider
from broker.pages.ways_in import TO_BUY, TO_LET, TO_REMORTGAGE, way_in
from broker.questionnaire.flow_reader import ENTRIES
from broker.rates.customers import Customer
from broker.site_search.view import service_words
from broker.state.rates.live_rates import LiveRatesState

_STRIP = 4
"""Maximum number of links in the deals strip (specification 2)."""

_SLIDES = 6
"""Number of guides shown on a service page."""

_PLANS = {
    TO_BUY.service: (TO_BUY.title, TO_BUY.path),
    "home-mover": (TO_BUY.title, f"{TO_BUY.path}?buyer={Buyer.NEXT}"),
    TO_REMORTGAGE.service: ("Stay or switch?", TO_REMORTGAGE.path),
    CONTRACTOR_PAGE: ("What could I borrow?", routes.calculator(CONTRACTOR.slug)),
    "self-employed": ("What could I borrow?", routes.calculator(SELF_EMPLOYED.slug)),
}
"""Words and address of the plan of a service, by slug; for contractors and the self-employed it is a calculator.

Landlords have the form of theirs in its place.
"""


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return tuple(
        Page(
            route=routes.service(service.slug),
            counted_as=Counted.SERVICE,
            title=service.meta_title,
            label=service.title,
            section=Section.SERVICES,
            search=service_words(service),
            description=service.description,
            render=partial(_render, inputs, service),
            lastmod=service.updated.isoformat(),
            picture=image_path(service.slug),
            json_ld=(*([faq_data(service.faqs)] if service.faqs else []),),
            on_load=LiveRatesState.open_customer(service.customer) if service.customer else None,
        )
        for service in inputs.store.services()
    )


def _render(inputs: BuildInputs, service: Service) -> rx.Component:
    site = inputs.store.site()
    look = inputs.store.look(service.slug)
    aside = REMORTGAGE if service.customer == Customer.REMORTGAGING else "Talk it through"
    by = rx.el.p(f"By {service.author}. Updated on {service.updated:%-d %B, %Y}", class_name="by")
    return layout(
        inputs,
        routes.service(service.slug),
        banner(
            service.heading or service.title,
            service.summary,
            by,
            *_way_in(inputs, service),
            *_buttons(service),
            door=service.slug,
            picture=banner_view(inputs.store.banner(routes.service(service.slug))),
            icon=look.icon if look else None,
        ),
        _deals_strip(inputs, service),
        columns(
            rx.el.div(
                markup(service.section_1),
                *_main_guide(inputs, service),
                _best_rates(inputs, service),
                _calculators(service),
                markup(service.section_2),
                *_questions(service),
                *([markup(service.footer_disclaimer, "small mute")] if service.footer_disclaimer else []),
                class_name="stack loose",
            ),
            contact_aside(site, aside, "No broker fee, and asking is free. ", site.how_we_are_paid),
        ),
        guide_slider(service_first(inputs.store.guides(), service)[:_SLIDES]),
        reviews_slider(inputs.store.reviews(), site.reviews),
        theme=service.theme,
        service=service.slug,
        crumbs=service_crumbs(service.title, service.slug, customer=service.customer),
        call=False,
    )


def _buttons(service: Service) -> list[rx.Component]:
    """Draw the links to the questionnaire and to the service's plan, where it has them."""
    entry = ENTRIES.get(service.customer) or ENTRIES.get(service.slug)
    first = [button_link("Find my mortgage", routes.question(entry), arrow=True)] if entry else []
    plan = [button_link(*_PLANS[service.slug], look="line")] if service.slug in _PLANS else []
    return [rx.el.p(*first, *plan, class_name="row")] if first or plan else []


def _way_in(inputs: BuildInputs, service: Service) -> list[rx.Component]:
    return [way_in(TO_LET, inputs.store, with_door=False)] if service.slug == TO_LET.service else []


def _main_guide(inputs: BuildInputs, service: Service) -> list[rx.Component]:
    guide = main_guide(inputs.store.guides(), service)
    return [rx.el.p(more_link(f"Read our guide: {guide.title}", routes.guide(guide.url)))] if guide else []


def _deals_strip(inputs: BuildInputs, service: Service) -> rx.Component:
    """Draw links to the deals of the first four services of the menu, except the current one."""
    by_path = {routes.service(entry.slug): entry for entry in inputs.store.services()}

    def deals(label: str) -> str:
        return " ".join([*(word for word in label.split() if word.lower() != "mortgage"), "Deals"])

    links = [
        rx.el.li(rx.el.a(deals(link.label), icon("arrow"), href=routes.deals(listed.customer)))
        for link in menu_links(inputs.store.menus().services.items)[:_STRIP]
        if (listed := by_path.get(link.href)) is not None and listed.slug != service.slug
    ]
    if not links:
        return rx.fragment()
    return rx.el.nav(rx.el.div(rx.el.ul(*links), class_name="wrap"), class_name="strip dark", aria_label="Deals")


def _best_rates(inputs: BuildInputs, service: Service) -> rx.Component:
    if not service.customer:
        return rx.fragment()
    site, blocks = inputs.store.site(), inputs.deals(service.customer)
    head = rx.el.div(rx.el.h2("The three lowest ", no_break("2-year fixed"), " rates", id="rates"), rx.el.p(BASIS))
    return rx.el.section(
        rx.el.div(head, more_link("View all", routes.deals(service.customer)), class_name="head"),
        rx.el.div(best_rates_table(blocks.best, site), deposit_rates(blocks, site), class_name="stack"),
        aria_labelledby="rates",
    )


def _calculators(service: Service) -> rx.Component:
    scope = "contractor_page" if service.slug == CONTRACTOR_PAGE else ""
    listed = calculators_of_page(service.calculators, page=service.slug)
    if not listed:
        return rx.fragment()
    first, *others = listed
    folded = (question(each.title, calculator_panel(each, scope=scope, is_brief=True)) for each in others)
    panel = calculator_panel(first, scope=scope, is_brief=True)
    return titled_section("Work it out", "calculators", panel, rx.el.div(*folded))


def _questions(service: Service) -> list[rx.Component]:
    listed = questions((faq.question, faq.answer) for faq in service.faqs)
    return [titled_section("Questions people ask", "questions", listed)] if service.faqs else []
