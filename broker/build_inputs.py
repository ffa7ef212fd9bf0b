"""The content, rates and questions that pages are built from. Part of the composition root."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

from broker.content.models.pages import Faq
from broker.content.snapshot.snapshot_store import SnapshotStore
from broker.content.store import ContentStore
from broker.content.text.markdown import render_markdown
from broker.content.text.worked_figures import work_out_figures
from broker.domain.published_figures import read_published_figures
from broker.domain.questionnaire.flow import Flow
from broker.feeds.client import FeedClient
from broker.pages.registry import BuildInputs, Method
from broker.presenters.rates.rate_blocks import RateBlocks, rate_blocks
from broker.presenters.rates.rates_by_ltv import ByLtvView, by_ltv_view
from broker.presenters.rates.results import RatesList, rates_list
from broker.services.faqs import feed_faqs
from broker.services.lenders import LenderDirectory
from broker.services.rates.build_rates import CustomerRates, build_search, customer_rates
from broker.services.rates.lowest_rates import Search
from broker.services.rates.search import RatesService

Found = TypeVar("Found")


class BuildData:
    """The rates and questions of a build, read when the first page that shows them is drawn; serving reads none."""

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
        """Return the rates by customer type, the last good ones at worst; raises RatesError, and there is no build."""
        with_tables = {deal.customer for deal in self._store.deal_pages()}
        return self._read(partial(customer_rates, with_tables=with_tables))

    @cached_property
    def questions(self) -> Mapping[str, tuple[Faq, ...]]:
        """Return the feed's questions by service type; none without a feed, or where that call fails.

        A snapshot holds them already: a build from one needs no network for them.
        """
        return {} if isinstance(self._store, SnapshotStore) else _run(self._read_questions)

    def _read(self, read: Callable[[Search], Coroutine[None, None, Found]]) -> Found:
        async def with_client() -> Found:
            client = self._client()
            rates = self._rates(client)
            try:
                return await read(build_search(rates, now=datetime.now(UTC)))
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


def _run(read: Callable[[], Coroutine[None, None, Found]]) -> Found:
    """Run a coroutine to its end in a thread of its own: a build may itself run in an event loop."""
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
        lowest = data.customers.lowest.get(customer)
        return rate_blocks(data.customers.opening[customer], lowest, logos=directory.marks)

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
        method=method,
    )
