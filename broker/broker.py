"""The composition root: settings, services, pages and the web edge, joined into the app. It alone knows everything."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import cache
from typing import Any, TypeVar

import reflex as rx

from broker import routes, services
from broker.content.embedded import EmbeddedStore
from broker.content.model import Faq
from broker.content.store import ContentStore
from broker.domain.rates.deal_types import TWO_YEARS_FIXED, DealType
from broker.domain.rates.product import RateSource
from broker.feeds.calls import FeedSettings
from broker.feeds.client import FeedClient
from broker.feeds.rates import FeedRateSource
from broker.market.catalogue import lenders, load
from broker.market.source import MarketRateSource
from broker.pages import all_pages, not_found
from broker.pages.head import full_title, meta_tags
from broker.pages.registry import BuildInputs, Page
from broker.presenters.rate_blocks import RateBlocks, rate_blocks
from broker.presenters.rates import RatesList, rates_list
from broker.presenters.rates_by_ltv import ByLtvView, by_ltv_view
from broker.services.at_build import BuiltRates, rates_at_build
from broker.services.best_rates import BestRates
from broker.services.faqs import feed_faqs
from broker.services.lenders import KnownLender, LenderDirectory
from broker.services.live import MOST_LISTS, LiveFeed
from broker.services.logo_files import FOLDER
from broker.services.rates import RatesService
from broker.settings import ROOT, read_settings
from broker.storage.answers import MOST_ANSWERS, AnswerArchive
from broker.web.edge import transformer
from broker.web.flood import EventLimit, quieten_logs
from broker.web.logo_files import logo_answers
from broker.web.rates_csv import rates_file

EXPORT = ROOT / ".web" / "build" / "client"

Found = TypeVar("Found")

settings = read_settings()

RATES_PERIOD = timedelta(minutes=settings.rates_minutes)
"""How long an answer of the live feed is used again, and how often its saved rates are read."""

catalogue = load(settings.data_dir / "market")


def _source(client: FeedClient | None) -> RateSource:
    """Return the broker's own API where there is a client for it, else the sample market."""
    return FeedRateSource(client=client) if client else MarketRateSource(catalogue=catalogue)


def _feed_client() -> FeedClient | None:
    return FeedClient(FeedSettings(api_url=settings.api_url)) if settings.api_url else None


def _directory() -> LenderDirectory:
    return LenderDirectory(
        KnownLender(
            lender_id=lender.lender_id,
            name=lender.name,
            slug=lender.slug,
            kind=lender.kind,
            residential=lender.residential,
            buy_to_let=lender.buy_to_let,
        )
        for lender in lenders(catalogue)
    )


def _archive(name: str, most: int = MOST_ANSWERS) -> AnswerArchive:
    return AnswerArchive(settings.state_dir / name, source=settings.api_url, most=most)


def _services(live: LiveFeed | None, directory: LenderDirectory) -> services.Services:
    """Return the services of the process; what a live feed answers is kept for the next one."""
    if live is None:
        rates = RatesService(_source(None))
        return services.Services(rates=rates, best=BestRates(rates), lenders=directory)
    rates = RatesService(_source(live.client), fresh_for=RATES_PERIOD, archive=_archive("answers"))
    return services.Services(rates=rates, best=BestRates(rates, live.saved), lenders=directory)


async def _ask_for_the_build() -> BuiltRates:
    """Return the rates that the pages are built with; raises RatesError, and then there is no build."""
    client = _feed_client()
    try:
        return await rates_at_build(RatesService(_source(client)).search, services.current().lenders.lenders)
    finally:
        if client:
            await client.aclose()


async def _ask_for_questions() -> Mapping[str, tuple[Faq, ...]]:
    """Return the feed's questions by service type; none without a feed, or where that call fails."""
    if (client := _feed_client()) is None:
        return {}
    try:
        return await feed_faqs(client)
    finally:
        await client.aclose()


def _waited(work: Coroutine[Any, Any, Found]) -> Found:
    """Do some asking to its end, in a thread of its own: a build may itself run in an event loop."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, work).result()


@cache
def _built_rates() -> BuiltRates:
    return _waited(_ask_for_the_build())


@cache
def _feed_questions() -> Mapping[str, tuple[Faq, ...]]:
    return _waited(_ask_for_questions())


def _drawn(page: Page) -> Callable[[], rx.Component]:
    """Return the page's drawing as a function of its own module.

    Reflex compiles the parts that work in the browser into a script a Python module, so pages that share
    a module load each other's: a family does, any other page has a module to itself.
    """

    def draw() -> rx.Component:
        return page.render()

    name = page.route.strip("/").replace("/", "_").replace("-", "_") or "home"
    draw.__module__, draw.__name__ = f"{__package__}.pages.drawn_{page.family or name}", name
    return draw


def _rates_by_ltv(customer: str) -> ByLtvView:
    return by_ltv_view(_built_rates().by_ltv[customer])


def _inputs(store: ContentStore) -> BuildInputs:
    """Return what the pages are made from; the rates are asked for when the first page that shows any is drawn."""
    known = services.current().lenders

    def rates(customer: str) -> RatesList:
        return rates_list(_built_rates().opening[customer], 1, logos=known.logos())

    def deals(customer: str) -> RateBlocks:
        built = _built_rates()
        return rate_blocks(built.opening[customer], built.lowest.get(customer), logos=known.logos())

    def lender_rates(slug: str, kind: DealType | None) -> RateBlocks:
        built = _built_rates().lenders[slug]
        best = built.lists[kind or TWO_YEARS_FIXED]
        return rate_blocks(best, built.lowest, kind=kind, logos=known.logos())

    return BuildInputs(
        store=store,
        rates=rates,
        deals=deals,
        lender_rates=lender_rates,
        faqs=lambda topic: _feed_questions().get(topic) or store.faqs(topic),
        rates_by_ltv=_rates_by_ltv,
        lenders=known.lenders,
        site_url=settings.site_url,
    )


def _tell_progress() -> None:
    """Have the log tell what a live feed answers, not only what fails: some of its answers are only for the log."""
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger(__package__).setLevel(logging.INFO)


def _app() -> rx.App:
    store = EmbeddedStore(settings.data_dir / "content")
    inputs = _inputs(store)
    firm = store.site().name
    app = rx.App(
        toaster=None,
        html_lang="en-GB",
        stylesheets=["/site.css"],
        head_components=[rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml")],
        api_transformer=transformer(settings, EXPORT, handlers=handlers),
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


directory = _directory()
handlers = {FOLDER: logo_answers(directory), routes.RATES_CSV: rates_file}
feed = _feed_client()
live = LiveFeed(feed, directory, every=RATES_PERIOD, archive=_archive("saved", MOST_LISTS)) if feed else None
services.install(_services(live, directory))
quieten_logs()
app = _app()
if live:
    _tell_progress()
    app.register_lifespan_task(live.running, rates=services.current().rates)
