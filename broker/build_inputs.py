"""The content, rates and questions that pages are built from. Part of the composition root."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property, partial
from pathlib import Path
from time import monotonic
from typing import TypeVar

from broker.calculators.published_figures import read_published_figures
from broker.clock import utc_now
from broker.content.models.pages import Faq
from broker.content.models.pictures import SafeHtml
from broker.content.snapshot.snapshot_store import SnapshotStore
from broker.content.store import ContentStore
from broker.content.text.markdown import render_markdown
from broker.content.text.placeholders import work_out_figures
from broker.content.text.term_links import TermLinks
from broker.lenders.directory import LenderDirectory
from broker.pages.registry import BuildInputs, Method
from broker.questionnaire.flow import Flow
from broker.rates.customers import RULES, default_query
from broker.rates.deal_types import table_ltvs
from broker.rates.feed.client import FeedClient
from broker.rates.feed.errors import FeedError
from broker.rates.feed.site_content import fetch_faqs
from broker.rates.lender_rates import find_rates_by_ltv, lowest_rates, small_deposit_rates
from broker.rates.lender_tables import RateBlocks, rate_blocks
from broker.rates.lowest_rates import LowestRates, RatesByLtv
from broker.rates.product import RatesAnswer, RatesError
from broker.rates.query import RatesQuery
from broker.rates.rates_by_ltv import ByLtvView, by_ltv_view
from broker.rates.results import RatesList, rates_list
from broker.rates.search import RatesService, Search

log = logging.getLogger(__name__)


async def feed_faqs(client: FeedClient) -> Mapping[str, tuple[Faq, ...]]:
    """Return the questions with an answer by service type; none where the call fails, which is only logged.

    Visitors see nothing of a failure (specification 8, decision 27).
    """
    try:
        found = await fetch_faqs(client)
    except FeedError as error:
        log.warning("questions not read: %s", error)
        return {}
    answered = {
        kind: tuple(Faq(question=faq.question, answer=SafeHtml(faq.answer)) for faq in faqs if faq.answer)
        for kind, faqs in found.items()
    }
    return {kind: faqs for kind, faqs in answered.items() if faqs}


MAX_SEARCHES = 6
"""Concurrent searches of a build, which has one for each customer type, deal type and loan to value."""

MAX_AGE = timedelta(hours=6)
"""Maximum age of archived rates that a build uses without asking the feed."""

RETRY_TIMEOUT, RETRY_SECONDS = 60.0, 2.0
"""Seconds for which a build retries a failed search without an archived result, and between two attempts."""

MAX_UNREAD = 20
"""Searches that may fail in a build; more of them fail the build."""

Key = TypeVar("Key")
Query = TypeVar("Query")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerRates:
    """Lists and charts by customer type, and the lowest rates of the types whose pages have tables.

    `deposits` are the lowest rates at small deposits, None for customer types whose pages do not show them.
    """

    opening: Mapping[str, RatesAnswer]
    by_ltv: Mapping[str, RatesByLtv]
    lowest: Mapping[str, LowestRates]
    deposits: Mapping[str, LowestRates | None]


def build_search(rates: RatesService, *, now: datetime, timeout: float = RETRY_TIMEOUT) -> Search:
    """Return the search of a build: MAX_SEARCHES at a time, and archived results up to MAX_AGE.

    A search that fails returns the archived result of any age or, after `timeout` seconds, an empty list marked as
    stale. It raises RatesError after MAX_UNREAD of those.
    """
    turns, unread, until = asyncio.Semaphore(MAX_SEARCHES), list[RatesQuery](), monotonic() + timeout

    async def search(query: RatesQuery) -> RatesAnswer:
        async with turns:
            if recent := await rates.archived(query, now=now, max_age=MAX_AGE):
                return recent
            try:
                return await _search_with_retries(rates, query, now=now, until=until)
            except RatesError as error:
                unread.append(query)
                if len(unread) > MAX_UNREAD:
                    raise
                log.warning("rates of lender %s were not read for the build: %s", query.lender_id or "any", error)
                return RatesAnswer.empty(query, read_at=now)

    return search


async def _search_with_retries(rates: RatesService, query: RatesQuery, *, now: datetime, until: float) -> RatesAnswer:
    """Return the source's or the archived result; without either, retry until a time of the monotonic clock."""
    while True:
        try:
            return await rates.for_page(query)
        except RatesError:
            if last := await rates.archived(query, now=now, max_age=timedelta.max):
                return replace(last, stale=True)
            if monotonic() >= until:
                raise
        await asyncio.sleep(RETRY_SECONDS)


async def customer_rates(search: Search, *, with_tables: Collection[str]) -> CustomerRates:
    """Search for every customer type, and for the tables of some; raises RatesError."""
    queries = {customer: default_query(customer) for customer in RULES}
    tabled = {customer: query for customer, query in queries.items() if customer in with_tables}

    async def lowest(query: RatesQuery) -> LowestRates:
        return await lowest_rates(search, query, ltvs=table_ltvs(query))

    return CustomerRates(
        opening=await _of_each(search, queries),
        by_ltv=await _of_each(partial(find_rates_by_ltv, search), queries),
        lowest=await _of_each(lowest, tabled),
        deposits=await _of_each(partial(small_deposit_rates, search), queries),
    )


async def _of_each(read: Callable[[Query], Awaitable[Result]], queries: Mapping[Key, Query]) -> dict[Key, Result]:
    """Return the result of each query, all read concurrently."""
    results = await asyncio.gather(*map(read, queries.values()))
    return dict(zip(queries, results, strict=True))


class BuildData:
    """Rates and questions of a build, read at their first use: a server reads none."""

    def __init__(
        self,
        client: Callable[[], FeedClient | None],
        rates: Callable[[FeedClient | None], RatesService],
        *,
        store: ContentStore,
    ) -> None:
        self._client, self._rates, self._store = client, rates, store

    @cached_property
    def customers(self) -> CustomerRates:
        """The rates by customer type; raises RatesError, which fails the build."""
        with_tables = {deal.customer for deal in self._store.deal_pages()}
        return self._read(partial(customer_rates, with_tables=with_tables))

    @cached_property
    def questions(self) -> Mapping[str, tuple[Faq, ...]]:
        """The feed's questions by service type; none without a feed, or from a snapshot, which holds them already."""
        return {} if isinstance(self._store, SnapshotStore) else _run(self._read_questions)

    def _read(self, read: Callable[[Search], Coroutine[None, None, Result]]) -> Result:
        async def with_client() -> Result:
            client = self._client()
            rates = self._rates(client)
            try:
                return await read(build_search(rates, now=utc_now()))
            finally:
                await rates.wait_until_saved()
                if client:
                    await client.aclose()

        return _run(with_client)

    async def _read_questions(self) -> Mapping[str, tuple[Faq, ...]]:
        client = self._client()
        if client is None:
            return {}
        try:
            return await feed_faqs(client)
        finally:
            await client.aclose()


def _run(read: Callable[[], Coroutine[None, None, Result]]) -> Result:
    """Run a coroutine in another thread: a build may itself run in an event loop."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(lambda: asyncio.run(read())).result()


def read_method(folder: Path) -> Method:
    """Read how the site calculates from a data folder; raises PublishedFiguresError, or FigureError of the text."""
    text = render_markdown(work_out_figures((folder / "how-we-calculate.md").read_text(encoding="utf-8")))
    figures = read_published_figures((folder / "published_figures.json").read_text(encoding="utf-8"))
    return Method(html=text.html, headings=text.headings, figures=figures)


def build_inputs(
    store: ContentStore, data: BuildData, *, directory: LenderDirectory, site_url: str, flow: Flow, method: Method
) -> BuildInputs:
    """Return what the pages are made from."""

    def rates(customer: str) -> RatesList:
        return rates_list(data.customers.opening[customer], 1, logos=directory.marks)

    def deals(customer: str) -> RateBlocks:
        built = data.customers
        lowest, deposits = built.lowest.get(customer), built.deposits[customer]
        return rate_blocks(built.opening[customer], lowest, deposits=deposits, logos=directory.marks)

    def rates_by_ltv(customer: str) -> ByLtvView:
        return by_ltv_view(data.customers.by_ltv[customer], is_example=True)

    return BuildInputs(
        store=store,
        rates=rates,
        deals=deals,
        faqs=lambda topic: data.questions.get(topic) or store.faqs(topic),
        rates_by_ltv=rates_by_ltv,
        lenders=directory.lenders,
        site_url=site_url,
        flow=flow,
        method=replace(method, html=TermLinks(store.glossary().terms).texts((method.html,))[0]),
    )
