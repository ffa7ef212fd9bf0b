"""What runs beside the site with a live feed, over the stand-in: saved rates, lenders and logos."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from broker.build_inputs import feed_faqs
from broker.lenders.directory import KnownLender, LenderDirectory
from broker.lenders.logos.admin import LogoAdmin
from broker.rates.customers import RULES, default_query
from broker.rates.deal_types import DEAL_TYPES, narrowed
from broker.rates.feed.client import FeedClient, FeedSettings
from broker.rates.feed.products import FeedRateSource
from broker.rates.lender_rates import LenderRates, SavedLenderRates
from broker.rates.live_feed import BestRates, LiveFeed
from broker.rates.search import RatesService
from broker.storage.database import Database, database_address
from broker.storage.migrations import migrate
from tests.standin import running
from tests.standin.market import market
from tests.standin.server import Standin

HALIFAX = KnownLender(lender_id=42, name="Halifax Bank", slug="ours")
EVERY = timedelta(minutes=10)
READ = {"get_saved_rates": 1, "service": 1, "get_saved_ltv_rates": 1, "get_saved_lenders": 1, "get_lenders": 1}

TRIED = {"get_saved_rates", "service", "get_saved_ltv_rates", "get_lenders"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    live: LiveFeed
    rates: RatesService
    best: BestRates
    lender_rates: LenderRates
    lenders: LenderDirectory
    logos: LogoAdmin


def with_site(standin: Standin, work: Callable[[Site], Awaitable[None]]) -> None:
    """Do some work while a site runs that knows one lender by itself."""

    async def run(folder: Path) -> None:
        directory = LenderDirectory([HALIFAX])
        client = FeedClient(FeedSettings(api_url=standin.url))
        logos = LogoAdmin(directory, client)
        live = LiveFeed(client, directory, every=EVERY, lenders=logos.refresh)
        rates = RatesService(FeedRateSource(client=client), fresh_for=EVERY)
        site = Site(
            live=live,
            rates=rates,
            best=BestRates(rates, live.saved),
            lender_rates=LenderRates(SavedLenderRates(saved=live.saved, directory=directory)),
            lenders=directory,
            logos=logos,
        )
        database = Database(database_address(f"sqlite:///{folder / 'logos.db'}"))
        await migrate(database)
        async with asyncio.timeout(40), logos.running(database), live.running(rates):
            await work(site)
        await database.close()

    with TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))


async def until(happened: Callable[[], object]) -> None:
    """Wait for the background to have done something; the test's own time-out ends what never comes."""
    while not happened():
        await asyncio.sleep(0.01)


async def _all_read(standin: Standin, site: Site) -> None:
    batches = -(-len(market().catalogue.lenders) // 20)
    await until(lambda: standin.asked().get("get_logos") == batches and standin.asked().get("get_saved_lenders"))
    await until(lambda: any(path.startswith("/logos/") for path in site.lenders.logos().values()))


def test_started_site_has_read_saved_rates_names_and_logos_once() -> None:
    with running() as standin:

        async def work(site: Site) -> None:
            await _all_read(standin, site)
            await until(lambda: site.live.saved.of_customer("home-mover") and site.live.saved.of_lender(42))
            asked = standin.asked()
            assert {name: asked[name] for name in READ} == READ
            for customer in filter(None, RULES):
                found = await site.best.of_customer(customer)
                assert (found.query, found.sample, found.stale) == (default_query(customer), False, False)
                assert found.products
            for kind in (None, *DEAL_TYPES):
                best, listing = await site.lender_rates.blocks(HALIFAX, kind)
                assert (len(best.products), best.sample, best.stale, listing.lowest.stale) == (3, False, False, False)
                places = {ltv for found, ltv in listing.lowest.found if kind in (None, found)}
                assert places == {60, 75, 80, 85, 90, 95}
            assert "get_rates" not in standin.asked()
            listing = (await site.lender_rates.blocks(HALIFAX, None))[1]
            for (kind, ltv), product in listing.lowest.found.items():
                searched = await site.rates.search(narrowed(HALIFAX.query, kind, ltv=ltv))
                assert (product.product_id, product.aprc) == (
                    searched.products[0].product_id,
                    searched.products[0].aprc,
                )
            other = next(lender for lender in market().catalogue.lenders.values() if lender.lender_id != 42)
            assert (site.lenders.name(42), site.lenders.name(other.lender_id)) == ("Halifax Bank", other.name)
            await until(lambda: site.lenders.logos()[42].startswith("/logos/42-"))
            file = await site.logos.logo_cache.file(site.lenders.logos()[42].removeprefix("/logos/"))
            assert file is not None
            assert file.data[:4] == b"\x89PNG"

        with_site(standin, work)


@pytest.mark.parametrize("failure", ["status-500", "html-200", "fault", "reset"])
def test_site_starts_and_searches_while_the_background_meets_failures(failure: str) -> None:
    with running() as standin:
        standin.switch(failure)

        async def work(site: Site) -> None:
            await until(lambda: standin.asked().keys() >= TRIED)
            standin.switch()
            assert (await site.best.of_customer("home-mover")).products
            await site.live.by_lender.now()
            assert len((await site.lender_rates.blocks(HALIFAX, None))[0].products) == 3
            assert 42 in site.lenders.logos()

        with_site(standin, work)


def test_questions_come_from_the_feed_or_not_at_all() -> None:
    with running() as standin:

        async def asked() -> int:
            client = FeedClient(FeedSettings(api_url=standin.url, backoff_seconds=0))
            found = await feed_faqs(client)
            await client.aclose()
            return sum(len(faqs) for faqs in found.values())

        assert asyncio.run(asked()) > 0
        standin.switch("html-502")
        assert asyncio.run(asked()) == 0
