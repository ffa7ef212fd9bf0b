"""Deal pages: what deals for one kind of customer cost, and how to choose (decision 6)."""

from functools import partial

import reflex as rx

from broker import routes
from broker.analytics.counted import Counted
from broker.components.elements import markup, more_link, no_break, questions, titled_section
from broker.content.models.pages import DealPage
from broker.content.page_head import DEALS, image_path, json_ld
from broker.content.page_parts import banner_view
from broker.content.store import service_for
from broker.content.structured_data import faq_data
from broker.pages.layout import banner, columns, layout, service_crumbs
from broker.pages.rates.live_rates import BASIS, best_rates_panels, deposit_rates, ltv_tables
from broker.pages.registry import BuildInputs, Page, Section, linked_data
from broker.pages.site.contact import contact_aside
from broker.site_search.view import deal_page_words
from broker.state.rates.live_rates import LiveRatesState

_FAMILY = "deal_pages"


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return tuple(
        Page(
            route=deal.path,
            counted_as=Counted.DEALS,
            title=deal.meta_title,
            label=deal.title,
            section=Section.DEALS,
            search=deal_page_words(deal),
            description=deal.description,
            render=partial(_render, inputs, deal),
            on_load=LiveRatesState.open_deals(deal.customer),
            lastmod=deal.updated.isoformat(),
            picture=image_path(DEALS),
            family=_FAMILY,
        )
        for deal in inputs.store.deal_pages()
    )


def _render(inputs: BuildInputs, deal: DealPage) -> rx.Component:
    site, blocks = inputs.store.site(), inputs.deals(deal.customer)
    service = service_for(inputs.store, deal.customer)
    author = f"By {deal.author}. " if deal.author else ""
    by = rx.el.p(f"{author}Updated on {deal.updated:%-d %B, %Y}", class_name="by")
    best = rx.el.section(
        rx.el.div(
            rx.el.div(rx.el.h2("The three lowest ", no_break("2-year fixed"), " rates", id="best"), rx.el.p(BASIS)),
            more_link("View all", routes.deals(deal.customer)),
            class_name="head",
        ),
        rx.el.div(best_rates_panels(blocks.best, site), deposit_rates(blocks, site), class_name="stack"),
        aria_labelledby="best",
    )
    tables = ltv_tables(blocks.tables, site, first_head="Deal")
    return layout(
        inputs,
        deal.path,
        banner(
            deal.title,
            deal.summary,
            by,
            door=service.slug if service else "",
            picture=banner_view(inputs.store.banner(deal.path)),
        ),
        columns(
            rx.el.div(
                best,
                titled_section("The lowest rate at each loan to value", "tables", tables),
                *([markup(deal.html)] if deal.html else []),
                *_questions(inputs, deal),
                class_name="stack loose",
            ),
            contact_aside(site, "Talk it through", "No broker fee, and asking is free. ", site.how_we_are_paid),
        ),
        theme=deal.customer,
        service=service.slug if service else "",
        crumbs=service_crumbs(service.title, service.slug, customer=deal.customer) if service else (),
        call=False,
    )


def _questions(inputs: BuildInputs, deal: DealPage) -> list[rx.Component]:
    service = service_for(inputs.store, deal.customer)
    entries = inputs.faqs(service.slug) if service else ()
    if not entries:
        return []
    listed = questions((faq.question, faq.answer) for faq in entries)
    return [titled_section("Questions people ask", "questions", listed), linked_data(json_ld(faq_data(entries)))]
