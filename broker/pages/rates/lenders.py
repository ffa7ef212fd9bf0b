"""Lender pages: best deals and rates by loan to value, and a page for each deal type (decision 4).

They are data: the edge fills one template for each of the two kinds when a page is asked for.
"""

from functools import partial
from typing import Any

import reflex as rx

from broker import routes
from broker.calculators.registry import CALCULATORS, calculators_of_page
from broker.components.elements.buttons import button_link
from broker.components.elements.picture import picture
from broker.components.elements.text import markup, more_link, no_break, titled_section
from broker.components.foreach import foreach
from broker.components.jinja import class_if, has_text, when, when_any, when_text
from broker.components.rates.best_deals import best_panels
from broker.components.rates.lender_table import lender_facts, rates_beside_market
from broker.components.rates.rate_tables import rate_table, table_example_and_date, table_words
from broker.content.models.site import Site
from broker.domain.rates.deal_types import DealType
from broker.domain.rates.lenders import KnownLender
from broker.pages.head import MODIFIED
from broker.pages.layout import columns, links_bar
from broker.pages.rates.lender_list import lender_list, text_of
from broker.pages.registry import BuildInputs, DataPage, Page, Section
from broker.presenters.lender_page import CALCULATOR_PAGE, LenderPage, kinds, lender_path
from broker.presenters.site_search import lender_words
from broker.presenters.social_images import LENDERS, path
from broker.sections.calculator import calculators_on_demand
from broker.sections.rates.live_rates import BASIS, no_deals
from broker.sections.site.contact import REMORTGAGE, contact_aside
from broker.sections.site.pictures import banner_picture

LENDER, LENDER_DEALS = "lender", "lender-deals"
"""The templates: of a lender, and of its deals of one kind."""

WORDS = "We compare this lender with the rest of the market before you decide."


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the list of lenders, every lender's page, and its pages of deal types."""
    with_page = sorted((lender for lender in inputs.lenders if lender.slug), key=lambda lender: lender.name.casefold())
    return (
        lender_list(inputs),
        *(page_of_lender(inputs, lender, kind=kind) for lender in with_page for kind in (None, *kinds(lender))),
    )


def data_pages(inputs: BuildInputs) -> tuple[DataPage, ...]:
    """Return the two kinds of a lender's pages."""
    site = inputs.store.site()
    return (
        DataPage(name=LENDER, view=LenderPage, draw=partial(_draw, site, is_kind=False), bar=_bar, dates=(MODIFIED,)),
        DataPage(
            name=LENDER_DEALS, view=LenderPage, draw=partial(_draw, site, is_kind=True), bar=_bar, dates=(MODIFIED,)
        ),
    )


def page_of_lender(inputs: BuildInputs, lender: KnownLender, *, kind: DealType | None) -> Page:
    text = text_of(inputs, lender)
    rates = f"The lowest {kind.words} rates from {lender.name} at each loan to value" if kind else ""
    return Page(
        route=lender_path(lender, kind),
        title=f"{lender.name} {kind.words + ' mortgages' if kind else 'mortgage rates'}",
        description=f"{rates}, with the APRC, fees and true cost of each deal." if kind else text.small_desc,
        label=kind.words if kind else lender.name,
        parents=(("Lenders", routes.LENDERS), *([(lender.name, routes.lender(lender.slug))] if kind else [])),
        section=None if kind else Section.LENDERS,
        search=None if kind else lender_words(lender),
        lastmod=text.updated.isoformat(),
        picture=path(LENDERS),
        template=LENDER_DEALS if kind else LENDER,
    )


def _bar(page: LenderPage | Any) -> rx.Component:
    return links_bar(page.crumbs, label="Lenders section")


def _draw(site: Site, page: LenderPage | Any, *, is_kind: bool) -> rx.Component:
    """Draw a lender's page, or its page of a kind of deals; `page` may be of the browser or of a template."""
    rates = _rates_of_kind(site, page) if is_kind else _rates(site, page)
    return rx.fragment(
        _banner(page, is_kind=is_kind),
        columns(
            rx.el.div(
                when_text(page.problem, _problem(page), otherwise=rates),
                *([] if is_kind else _lender_words(page)),
                class_name="stack loose",
            ),
            contact_aside(site, REMORTGAGE, when_text(page.advice, markup(page.advice), otherwise=rx.fragment(WORDS))),
        ),
    )


def _problem(page: LenderPage | Any) -> rx.Component:
    """Draw why there are no rates, and the searches for the lender's deals where there are any."""
    searches = when(page.is_top3, rx.fragment(), otherwise=_searches(page))
    return rx.fragment(
        rx.el.p(page.problem), when_text(page.own_search, rx.fragment(searches, _own_search(page), _ltv_words(page)))
    )


def _banner(page: LenderPage | Any, *, is_kind: bool) -> rx.Component:
    lead = rx.el.p(page.lead, class_name="lead") if is_kind else markup(page.lead, "lead")
    return rx.el.div(
        rx.el.div(
            rx.el.div(
                rx.el.span(picture(page.logo, width=190, height=78, lazy=False), class_name="logo large"),
                rx.el.h1(page.heading, tab_index=-1),
                lead,
                rx.el.p(page.by, class_name="by"),
                class_name="txt stack",
            ),
            *([] if is_kind else [banner_picture(page.banner)]),
            class_name="wrap",
        ),
        class_name="banner" if is_kind else class_if(has_text(page.banner.src), "banner with wide", otherwise="banner"),
    )


def _rates(site: Site, page: LenderPage | Any) -> rx.Component:
    """Draw the best deals or a link for each customer type (specification 2), the table, and the way onwards."""
    table = page.blocks.lender
    beside = when_any(table.rows, rates_beside_market(table), otherwise=no_deals())
    words = when(page.is_top3, table_example_and_date(page.blocks.tables), otherwise=_words(site, page.blocks.tables))
    return rx.fragment(
        when(page.is_top3, _best(site, page), otherwise=_searches(page)),
        titled_section("Rates by loan to value", "tables", beside, words, _ltv_words(page), _own_search(page)),
        titled_section(f"What {page.name} offers", "offers", lender_facts(table)),
    )


def _rates_of_kind(site: Site, page: LenderPage | Any) -> rx.Component:
    """Draw the best deals of a kind, their table by loan to value, and the way onwards."""
    tables = foreach(
        page.blocks.tables.tables,
        lambda table: when_any(table.rows, rate_table(table, first_head="Loan to value"), otherwise=no_deals()),
    )
    words = _words(site, page.blocks.tables)
    return rx.fragment(
        _best(site, page), titled_section("Rates by loan to value", "tables", tables, words, _own_search(page))
    )


def _words(site: Site, tables: Any) -> rx.Component:
    return table_words(tables, risk=site.risk_warning, buy_to_let=site.buy_to_let_sentence)


def _own_search(page: LenderPage | Any) -> rx.Component:
    return rx.el.p(button_link(f"See {page.name} deals for your figures", page.own_search))


def _best(site: Site, page: LenderPage | Any) -> rx.Component:
    head = rx.el.div(rx.el.h2("Its three best ", no_break(page.kind), page.deals, id="best"), rx.el.p(BASIS))
    panels = best_panels(page.blocks.best, risk=site.risk_warning, buy_to_let=site.buy_to_let_sentence)
    return rx.el.section(
        rx.el.div(head, more_link("View all", page.view_all), class_name="head"),
        when_any(page.blocks.best.deals, panels, otherwise=no_deals()),
        aria_labelledby="best",
    )


def _searches(page: LenderPage | Any) -> rx.Component:
    links = foreach(page.searches, lambda link: rx.el.li(rx.el.a(link.label, href=link.href)))
    words = rx.el.p("Choose what you are doing, then type your price and loan.")
    return titled_section("Its deals by what you are doing", "searches", words, rx.el.ul(links, class_name="prose"))


def _ltv_words(page: LenderPage | Any) -> rx.Component:
    """Draw the content's words on loans to value, each with its call to action (specification 3, rates_tables)."""
    return foreach(
        page.ltv_words,
        lambda each: rx.el.div(
            rx.el.h3(each.heading, class_name="as-h4"),
            rx.el.p(each.words),
            when_text(each.cta, rx.el.p(more_link(each.cta, routes.CONTACT))),
            class_name="stack tight-8",
        ),
    )


def _lender_words(page: LenderPage | Any) -> list[rx.Component]:
    known = calculators_of_page(tuple(each.slug for each in CALCULATORS), page=CALCULATOR_PAGE)
    panels = calculators_on_demand(page.calculators, page.calculator_links, calculators=known)
    return [
        when_any(page.calculators, titled_section("Work it out", "sums", *panels)),
        foreach(
            page.sections,
            lambda section: rx.el.section(
                when_text(section.heading, rx.el.h2(section.heading, id=section.anchor)),
                markup(section.html),
                when_text(section.cta, rx.el.p(more_link(section.cta, routes.CONTACT))),
                class_name="stack",
                aria_labelledby=section.anchor,
            ),
        ),
    ]
