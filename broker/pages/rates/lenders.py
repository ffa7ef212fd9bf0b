"""Lender pages: best deals and rates by loan to value, and a page for each deal type (decision 4)."""

from dataclasses import replace
from functools import partial

import reflex as rx

from broker import routes
from broker.components.elements.buttons import button_link
from broker.components.elements.picture import picture
from broker.components.elements.text import markup, more_link, no_break, titled_section
from broker.content.models.lenders import LenderText, RateDisplay
from broker.content.models.pictures import Picture
from broker.domain.calculators.registry import calculators_of_page
from broker.domain.rates.customers import RULES, Customer, default_query
from broker.domain.rates.deal_types import DEAL_TYPES, TWO_YEARS_FIXED, DealType
from broker.domain.rates.lenders import KnownLender
from broker.pages.layout import Crumb, columns, layout
from broker.pages.rates.lender_list import lender_list, text_of
from broker.pages.registry import BuildInputs, Page, Section
from broker.presenters.rates.search_params import search_address
from broker.presenters.site_search import lender_words
from broker.presenters.social_images import LENDERS, path
from broker.sections.calculator import calculator_panel
from broker.sections.rates.live_rates import BASIS, best_rates_panels, facts_of_lender, lender_table, ltv_tables
from broker.sections.site.contact import REMORTGAGE, contact_aside
from broker.sections.site.pictures import banner_picture
from broker.state.rates.live_rates import LiveRatesState

FAMILY, PRODUCTS = "lender_pages", "lender_product_pages"
"""Page families, whose pages share a script: of lenders, and of their deal types."""


WORDS = "We compare this lender with the rest of the market before you decide."

WITHOUT_RATES = "Our rates search does not have this lender's deals today. Ask an adviser what it offers."


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the list of lenders, every lender's page, and its pages of deal types."""
    with_page = sorted((lender for lender in inputs.lenders if lender.slug), key=lambda lender: lender.name.casefold())
    return (
        lender_list(inputs),
        *(_page(inputs, lender, kind) for lender in with_page for kind in (None, *_kinds(lender))),
    )


def _kinds(lender: KnownLender) -> tuple[DealType, ...]:
    """Return the deal types that a lender has a page of: none where the feed does not have the lender."""
    return DEAL_TYPES if lender.lender_id else ()


def _page(inputs: BuildInputs, lender: KnownLender, kind: DealType | None) -> Page:
    text = text_of(inputs, lender)
    rates = f"The lowest {kind.words} rates from {lender.name} at each loan to value" if kind else ""
    return Page(
        route=_path(lender, kind),
        title=f"{lender.name} {kind.words + ' mortgages' if kind else 'mortgage rates'}",
        description=f"{rates}, with the APRC, fees and true cost of each deal." if kind else text.small_desc,
        render=partial(_render, inputs, lender, kind),
        label=kind.words if kind else lender.name,
        parents=(("Lenders", routes.LENDERS), *([(lender.name, routes.lender(lender.slug))] if kind else [])),
        section=None if kind else Section.LENDERS,
        search=None if kind else lender_words(lender),
        on_load=LiveRatesState.open_lender(lender.slug, kind.slug if kind else "") if lender.lender_id else None,
        lastmod=text.updated.isoformat(),
        picture=path(LENDERS),
        family=PRODUCTS if kind else FAMILY,
    )


def _path(lender: KnownLender, kind: DealType | None) -> str:
    return routes.lender_product(lender.slug, kind.slug) if kind else routes.lender(lender.slug)


def _render(inputs: BuildInputs, lender: KnownLender, kind: DealType | None) -> rx.Component:
    site, text = inputs.store.site(), text_of(inputs, lender)
    advice = markup(text.fixed_section_content) if text.fixed_section_content else WORDS
    return layout(
        inputs,
        _path(lender, kind),
        _banner(lender, kind, text=text, firm=site.name, art=inputs.store.banner(routes.lender(lender.slug))),
        columns(
            rx.el.div(
                *(_rates(inputs, lender, kind, text=text) if lender.lender_id else [rx.el.p(WITHOUT_RATES)]),
                *([] if kind else _lender_words(text)),
                class_name="stack loose",
            ),
            contact_aside(site, REMORTGAGE, advice),
        ),
        crumbs=_crumbs(lender),
        call=False,
    )


def _rates(
    inputs: BuildInputs, lender: KnownLender, kind: DealType | None, *, text: LenderText
) -> tuple[rx.Component, ...]:
    """Draw the best deals or a link for each customer type (specification 2), the table, and the way onwards."""
    site, blocks = inputs.store.site(), inputs.lender_rates(lender.slug, kind)
    top3 = kind is not None or text.rate_display_preference is RateDisplay.TOP_3
    view_all = blocks.best.href if text.view_all_link == routes.RATES else text.view_all_link
    best = _best(lender, kind or TWO_YEARS_FIXED, best_rates_panels(blocks.best, site), view_all)
    own = rx.el.p(button_link(f"See {lender.name} deals for your figures", _search(lender)))
    table = (
        ltv_tables(blocks.tables, site, first_head="Loan to value")
        if kind
        else lender_table(blocks, site, is_warned=top3)
    )
    return (
        best if top3 else _searches(lender, text),
        titled_section("Rates by loan to value", "tables", table, *([] if kind else _ltv_texts(text)), own),
        *([] if kind else [titled_section(f"What {lender.name} offers", "offers", facts_of_lender(blocks))]),
    )


def _search(lender: KnownLender) -> str:
    """Return the address of the search for a lender's deals, on the page for landlords where it lends to them alone."""
    query = default_query("" if lender.residential else Customer.BUY_TO_LET)
    return search_address(replace(query, lender_id=lender.lender_id))


def _ltv_texts(text: LenderText) -> list[rx.Component]:
    """Draw the content's words on loans to value, each with its call to action (specification 3, rates_tables)."""
    return [
        rx.el.div(
            rx.el.h3(f"At {table.ltv}% loan to value", class_name="as-h4"),
            rx.el.p(table.description),
            *([rx.el.p(more_link(table.cta_text, routes.CONTACT))] if table.cta_text else []),
            class_name="stack tight-8",
        )
        for table in text.rates_tables
    ]


def _lender_words(text: LenderText) -> list[rx.Component]:
    panels = [calculator_panel(calculator) for calculator in calculators_of_page(text.calculators, page="lenders")]
    return [
        *([titled_section("Work it out", "sums", *panels)] if panels else []),
        *(
            rx.el.section(
                *([rx.el.h2(section.heading, id=section.anchor)] if section.heading else []),
                markup(section.html),
                *([rx.el.p(more_link(section.cta_text, routes.CONTACT))] if section.cta_text else []),
                class_name="stack",
                aria_labelledby=section.anchor or None,
            )
            for section in text.details
        ),
    ]


def _crumbs(lender: KnownLender) -> tuple[Crumb, ...]:
    return (
        Crumb(label="Lenders", href=routes.LENDERS),
        Crumb(label=lender.name, href=routes.lender(lender.slug)),
        *(Crumb(label=kind.words, href=routes.lender_product(lender.slug, kind.slug)) for kind in _kinds(lender)),
    )


def _banner(
    lender: KnownLender, kind: DealType | None, *, text: LenderText, firm: str, art: Picture | None
) -> rx.Component:
    logo = picture(f"/art/lender-{lender.slug}.svg", width=190, height=78, lazy=False)
    lead = f"The lowest {kind.words} rates at each loan to value, and what each deal really costs." if kind else ""
    return rx.el.div(
        rx.el.div(
            rx.el.div(
                rx.el.span(logo, class_name="logo large"),
                rx.el.h1(f"{lender.name} {kind.words + ' ' if kind else ''}mortgage rates", tab_index=-1),
                rx.el.p(lead, class_name="lead") if lead else markup(text.banner_content, "lead"),
                rx.el.p(f"Updated on {text.updated:%-d %B, %Y}. {firm} is not owned by any lender.", class_name="by"),
                class_name="txt stack",
            ),
            *([banner_picture(art, rx.fragment())] if art and not kind else []),
            class_name="wrap",
        ),
        class_name="banner with wide" if art and not kind else "banner",
    )


def _best(lender: KnownLender, kind: DealType, panels: rx.Component, href: str) -> rx.Component:
    let = "" if lender.residential else "buy-to-let "
    head = rx.el.div(rx.el.h2("Its three best ", no_break(kind.words), f" {let}deals", id="best"), rx.el.p(BASIS))
    return rx.el.section(
        rx.el.div(head, more_link("View all", href), class_name="head"), panels, aria_labelledby="best"
    )


def _customers(lender: KnownLender, text: LenderText) -> tuple[Customer, ...]:
    """Return the customer types that the content names for a lender, else those that it lends to."""
    if text.customers:
        return tuple(Customer(name) for name in text.customers)
    homes = (Customer.FIRST_TIME_BUYER, Customer.HOME_MOVER, Customer.REMORTGAGING) if lender.residential else ()
    lets = (Customer.BUY_TO_LET_PURCHASE, Customer.BUY_TO_LET_REMORTGAGE) if lender.buy_to_let else ()
    return (*homes, *lets)


def _searches(lender: KnownLender, text: LenderText) -> rx.Component:
    """Draw a link to the search of each customer type, labelled by the content if it has a label."""
    links = (
        rx.el.li(
            rx.el.a(
                text.label(customer) or RULES[customer].title,
                href=search_address(replace(default_query(customer), lender_id=lender.lender_id)),
            )
        )
        for customer in _customers(lender, text)
    )
    words = rx.el.p("Choose what you are doing, then type your price and loan.")
    return titled_section("Its deals by what you are doing", "searches", words, rx.el.ul(*links, class_name="prose"))
