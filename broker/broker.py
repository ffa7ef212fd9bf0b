"""The composition root: settings, services, pages and the web edge, joined into the app. It alone knows everything."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import reflex as rx

from broker import services
from broker.content.embedded import EmbeddedStore
from broker.domain.rates.customers import default_query
from broker.market.catalogue import lenders, load
from broker.market.source import MarketRateSource
from broker.pages import all_pages, not_found
from broker.pages.head import full_title, meta_tags
from broker.pages.registry import BuildInputs, Page
from broker.presenters.rates import RatesList, rates_list
from broker.services.lenders import KnownLender, LenderDirectory
from broker.services.rates import RatesService
from broker.settings import ROOT, read_settings
from broker.web.edge import transformer
from broker.web.flood import EventLimit, quieten_logs

EXPORT = ROOT / ".web" / "build" / "client"

settings = read_settings()


def _services() -> services.Services:
    catalogue = load(settings.data_dir / "market")
    known = [
        KnownLender(lender_id=lender.lender_id, name=lender.name, slug=lender.slug) for lender in lenders(catalogue)
    ]
    return services.Services(rates=RatesService(MarketRateSource(catalogue=catalogue)), lenders=LenderDirectory(known))


@cache
def _opening_rates(customer: str) -> RatesList:
    """Return the list that a customer type's page opens with; a thread of its own, as a build may run in a loop."""
    current = services.current()
    with ThreadPoolExecutor(max_workers=1) as thread:
        answer = thread.submit(asyncio.run, current.rates.search(default_query(customer))).result()
    return rates_list(answer, 1, logos=current.lenders.logos())


def _drawn(page: Page) -> Callable[[], rx.Component]:
    """Return the page's drawing as a function of its own module.

    Reflex compiles the parts that work in the browser into a script a Python module, so pages that share
    a module would load each other's.
    """

    def draw() -> rx.Component:
        return page.render()

    name = page.route.strip("/").replace("/", "_").replace("-", "_") or "home"
    draw.__module__, draw.__name__ = f"{__package__}.pages.drawn_{name}", name
    return draw


def _app() -> rx.App:
    store = EmbeddedStore(settings.data_dir / "content")
    inputs = BuildInputs(store=store, rates=_opening_rates)
    firm = store.site().name
    app = rx.App(
        toaster=None,
        html_lang="en-GB",
        stylesheets=["/site.css"],
        head_components=[rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml")],
        api_transformer=transformer(settings, EXPORT),
    )
    # Reflex's own "cannot connect" layer; broker.sections.connection says it in our words.
    app.app_wraps.pop((5, "Overlay"))
    app.add_middleware(EventLimit())
    for page in all_pages(inputs):
        app.add_page(
            _drawn(page),
            route=page.route.rstrip("/") or "/",
            title=full_title(page, firm),
            description=page.description,
            image=settings.site_url + page.picture,
            meta=meta_tags(page, site_url=settings.site_url, firm=firm),
            on_load=page.on_load,
        )
    app.add_page(lambda: not_found.unknown_path(inputs), route="404", title="Page not found")
    return app


services.install(_services())
quieten_logs()
app = _app()
