"""The home page: promise, quick calculator, customer types, lowest rates, calculators, guides and FAQs."""

from dataclasses import replace
from functools import partial

import reflex as rx

from broker import routes
from broker.components.elements.buttons import button_link
from broker.components.elements.faqs import faq_band, questions
from broker.components.elements.icons import icon
from broker.components.elements.lists import steps
from broker.components.elements.picture import drawing
from broker.components.elements.text import more_link, telephone_link
from broker.content.models.guides import Guide
from broker.content.models.site import Site
from broker.content.store import HOME_FAQS, ContentStore
from broker.domain.calculators import registry, repayment
from broker.domain.money import number_word
from broker.pages.layout import layout
from broker.pages.registry import BuildInputs, Page
from broker.presenters.site_search import SearchWords
from broker.presenters.social_images import HOME, path
from broker.presenters.structured_data import answers, firm, website
from broker.sections.calculator import quick_repayment
from broker.sections.guide_list import Listing, guides_listing
from broker.sections.rates.live_rates import BASIS, best_rates_table
from broker.sections.reviews import footer_reviews
from broker.sections.site.customer_types import customer_types
from broker.state.rates.live_rates import LiveRatesState

TITLE = "Fee-free mortgage advice, with the working shown"
DESCRIPTION = (
    "A UK mortgage broker that charges no broker fee. Calculators with their working, rates with the true cost, and "
    "one adviser to call."
)
SECOND = "The home page at its second address, which search engines leave out."
LEAD = (
    "We search the whole market, show the working behind every figure and charge you nothing for advice. The lender "
    "pays us when your mortgage completes."
)
NEWEST = 6
"""Number of guides shown when none is marked for the home page."""

COUNT = number_word(len(registry.CALCULATORS)).capitalize()

STEPS = (
    (
        "Work out the sum",
        f"{COUNT} calculators show what you could borrow and what it costs, with every step written out.",
    ),
    ("Compare the deals", "Every rate stands beside its overall cost, its fees and what it really costs in pounds."),
    ("Speak to one adviser", "One person recommends, applies for you and stays with it until you have the keys."),
)


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the home page, and its copy at `/home2/` (specification 2)."""
    home = partial(_render, inputs)
    site = inputs.store.site()
    first = Page(
        route=routes.HOME,
        title=TITLE,
        description=DESCRIPTION,
        render=home,
        on_load=LiveRatesState.open_customer(""),
        json_ld=(
            firm(site, site_url=inputs.site_url),
            website(site, site_url=inputs.site_url),
            answers(inputs.store.faqs(HOME_FAQS)),
        ),
        picture=path(HOME),
        search=SearchWords(
            title=site.name,
            description=site.company_description,
            keywords=("home page", "contact address telephone email", *site.slogans),
            faqs=inputs.store.faqs(HOME_FAQS),
        ),
    )
    return (
        first,
        replace(first, route=routes.HOME2, title="Home", description=SECOND, indexed=False, json_ld=(), search=None),
    )


def _render(inputs: BuildInputs) -> rx.Component:
    store = inputs.store
    site = store.site()
    return layout(
        inputs,
        routes.HOME,
        _hero(site),
        _band(
            "doors",
            "Which door is yours?",
            customer_types(store.services(), store.look),
            lead=("Start from where you are. Each door opens onto its own advice, rates and calculators."),
            white=True,
        ),
        _band(
            "rates",
            "Rates, with the whole cost beside them",
            best_rates_table(inputs.deals("").best, site),
            lead=f"{BASIS}: £100,000 over 25 years, repayment, 2-year fixed.",
            aside=more_link("Compare all deals", routes.RATES),
        ),
        _band("how", "How it works", steps(STEPS), white=True),
        _calculators(),
        _questions(inputs),
        guides_listing(_chosen_guides(store), Listing(is_slider=True)),
        footer_reviews(store.reviews(), site.reviews),
    )


def _chosen_guides(store: ContentStore) -> tuple[Guide, ...]:
    """Return the guides marked for the home page, or the most recently updated ones when none is marked."""
    guides = store.guides()
    return tuple(guide for guide in guides if guide.show_on_homepage) or guides[:NEWEST]


def _hero(site: Site) -> rx.Component:
    promise, _, fee = site.strapline.partition(". ")
    proof = ("No broker fee, ever", "No credit check to look", f"FRN {site.frn_shown}")
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h1(f"{promise}.", rx.el.br(), rx.el.em(fee), tab_index=-1),
                rx.el.p(LEAD, class_name="lead"),
                rx.el.div(
                    telephone_link(icon("phone"), f"Call us on {site.phone}", number=site.tel, class_name="btn lamp"),
                    button_link("Find my mortgage", routes.QUESTIONNAIRE, look="line", arrow=True),
                    class_name="row",
                ),
                rx.el.ul(*(rx.el.li(icon("check"), text) for text in proof), class_name="proof"),
                class_name="stack loose",
            ),
            quick_repayment(repayment.CALCULATOR, title="What would it cost?"),
            class_name="wrap",
        ),
        drawing("street-home-dusk", width=1440, height=250, class_name="skyline", lazy=False),
        class_name="hero dark",
    )


def _band(
    name: str,
    title: str,
    content: rx.Component,
    *,
    lead: str = "",
    aside: rx.Component | None = None,
    white: bool = False,
) -> rx.Component:
    head = rx.el.div(rx.el.h2(title, id=f"{name}-title"), *([rx.el.p(lead)] if lead else []))
    return rx.el.section(
        rx.el.div(rx.el.div(head, *([aside] if aside else []), class_name="head"), content, class_name="wrap"),
        id=name,
        class_name="band white" if white else "band",
        aria_labelledby=f"{name}-title",
    )


def _calculators() -> rx.Component:
    rows = (
        rx.el.a(
            rx.el.strong(calculator.title),
            rx.el.span(calculator.subtitle),
            icon("arrow"),
            href=f"{routes.CALCULATORS}#{calculator.slug}",
        )
        for calculator in registry.CALCULATORS
    )
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h2(f"{COUNT} calculators, and all of them show their working", id="calculators-title"),
                rx.el.p(
                    "Type a number or move the slider. Open “How we worked this out” to see the sum with your own "
                    "figures.",
                    class_name="lead",
                ),
                button_link("Open the calculators", routes.CALCULATORS),
                class_name="stack",
            ),
            rx.el.div(*rows, class_name="index"),
            class_name="wrap side wide",
        ),
        class_name="band",
        aria_labelledby="calculators-title",
    )


def _questions(inputs: BuildInputs) -> rx.Component:
    entries = [(faq.question, faq.answer) for faq in inputs.store.faqs(HOME_FAQS)]
    lead = rx.el.p("Not here? ", rx.el.a("See all mortgage FAQs", href=routes.FAQS), ".", class_name="lead")
    return faq_band("Questions people ask first", questions(entries), lead)
