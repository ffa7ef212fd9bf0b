"""The sitemap for people: every page of the site by what it is about."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import reflex as rx

from broker import routes
from broker.domain.rates.customers import RULES
from broker.pages.layout import banner, layout
from broker.pages.rates.search import heading
from broker.pages.registry import BuildInputs, Page
from broker.presenters.structured_data import trail

Links = Iterable[tuple[str, str]]


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the sitemap."""
    return (
        Page(
            route=routes.SITE_MAP,
            title="Sitemap: every page of this site",
            description="Every page of this site in one list: services, calculators, rates, guides, towns, lenders "
            "and what the firm says about itself.",
            render=partial(_render, inputs),
            json_ld=(trail((("Sitemap", routes.SITE_MAP),), site_url=inputs.site_url),),
        ),
    )


def _render(inputs: BuildInputs) -> rx.Component:
    store = inputs.store
    groups: tuple[tuple[str, Links], ...] = (
        ("Services", ((service.title, routes.service(service.slug)) for service in store.services())),
        ("Tools", (("Mortgage calculators", routes.CALCULATORS), ("Mortgage rates", routes.RATES))),
        ("Deals", _deals(inputs)),
        ("Guides", _guides(inputs)),
        ("Local brokers", ((town.name, routes.town(town.slug)) for town in store.towns())),
        (
            "Lenders",
            (
                ("All lenders", routes.LENDERS),
                *((lender.name, routes.lender(lender.slug)) for lender in inputs.lenders),
            ),
        ),
        ("The firm and this site", ((page.title, page.path) for page in store.pages())),
    )
    return layout(
        inputs,
        routes.SITE_MAP,
        banner("Sitemap", "Every page of this site, by what it is about."),
        rx.el.div(*(_group(title, links) for title, links in groups), class_name="wrap band-s stack loose"),
    )


def _deals(inputs: BuildInputs) -> Links:
    return (
        *((heading(customer), routes.deals(customer)) for customer in RULES if customer),
        *((deal.title, deal.path) for deal in inputs.store.deal_pages()),
    )


def _guides(inputs: BuildInputs) -> Links:
    store = inputs.store
    return (
        *((f"{service.title} guides", routes.guides(service.slug)) for service in store.services()),
        *sorted((guide.title, routes.guide(guide.url)) for guide in store.guides()),
    )


def _group(title: str, links: Links) -> rx.Component:
    return rx.el.section(
        rx.el.h2(title),
        rx.el.ul(*(rx.el.li(rx.el.a(label, href=href)) for label, href in links), class_name="columns"),
        class_name="stack",
    )
