"""The composition root: settings, services, pages and the web edge, joined into the app. It alone knows everything."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import cache

import reflex as rx

from broker import services
from broker.content.embedded import EmbeddedStore
from broker.domain.rates.customers import RULES, default_query
from broker.domain.rates.product import RatesAnswer, RateSource
from broker.feeds.calls import FeedSettings
from broker.feeds.client import FeedClient
from broker.feeds.rates import FeedRateSource
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


catalogue = load(settings.data_dir / "market")


def _source(client: FeedClient | None) -> RateSource:
    """Return the broker's own API where there is a client for it, else the sample market."""
    return FeedRateSource(client=client) if client else MarketRateSource(catalogue=catalogue)


def _feed_client() -> FeedClient | None:
    return FeedClient(FeedSettings(api_url=settings.api_url)) if settings.api_url else None


def _services(client: FeedClient | None) -> services.Services:
    fresh_for = timedelta(minutes=settings.rates_minutes) if client else None
    known = [
        KnownLender(lender_id=lender.lender_id, name=lender.name, slug=lender.slug) for lender in lenders(catalogue)
    ]
    return services.Services(rates=RatesService(_source(client), fresh_for=fresh_for), lenders=LenderDirectory(known))


async def _opening_answers() -> dict[str, RatesAnswer]:
    """Return the answer that each customer type's page opens with; raises RatesError, and then there is no build."""
    client = _feed_client()
    try:
        return {customer: await _source(client).search(default_query(customer)) for customer in RULES}
    finally:
        if client:
            await client.aclose()


@cache
def _opening_rates(customer: str) -> RatesList:
    """Return the list that a customer type's page is built with."""
    return rates_list(_asked_at_build()[customer], 1, logos=services.current().lenders.logos())


@cache
def _asked_at_build() -> dict[str, RatesAnswer]:
    """Ask once, in a thread of its own: a build may itself run in an event loop."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, _opening_answers()).result()


@asynccontextmanager
async def _closing(client: FeedClient) -> AsyncIterator[None]:
    """Keep the connections of the feed while the server runs."""
    yield
    await client.aclose()


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


feed = _feed_client()
services.install(_services(feed))
quieten_logs()
app = _app()
if feed:
    app.register_lifespan_task(_closing, client=feed)
