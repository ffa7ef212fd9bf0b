"""What the pages are built from: the content, and the rates and questions that their sources know at the time.

Part of the composition root: it joins services to pages, and `broker.broker` says which services.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TypeVar

from broker.content.models.pages import Faq
from broker.content.store import ContentStore
from broker.domain.questionnaire.flow import Flow
from broker.domain.rates.deal_types import TWO_YEARS_FIXED, DealType
from broker.pages.registry import BuildInputs
from broker.presenters.rates.rate_blocks import RateBlocks, rate_blocks
from broker.presenters.rates.rates_by_ltv import ByLtvView, by_ltv_view
from broker.presenters.rates.results import RatesList, rates_list
from broker.services.rates.build_rates import BuiltRates
from broker.services.rates.lenders import LenderDirectory

Found = TypeVar("Found")

Questions = Mapping[str, tuple[Faq, ...]]
"""Questions by service type."""


class Asked:
    """What a build asks once, when the first page that shows it is drawn: a server that only serves asks nothing."""

    def __init__(
        self, rates: Callable[[], Awaitable[BuiltRates]], questions: Callable[[], Awaitable[Questions]]
    ) -> None:
        """Keep what asks for each; asking for the rates raises RatesError, and then there is no build."""
        self._ask_for_rates, self._ask_for_questions = rates, questions

    @cached_property
    def rates(self) -> BuiltRates:
        """Return the rates of every page."""
        return _waited(self._ask_for_rates)

    @cached_property
    def questions(self) -> Questions:
        """Return the feed's questions, none where it has none."""
        return _waited(self._ask_for_questions)


def _waited(ask: Callable[[], Awaitable[Found]]) -> Found:
    """Do some asking to its end, in a thread of its own: a build may itself run in an event loop."""

    async def asked() -> Found:
        return await ask()

    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, asked()).result()


def build_inputs(
    store: ContentStore, asked: Asked, *, directory: LenderDirectory, site_url: str, flow: Flow
) -> BuildInputs:
    """Return what the pages are made from."""

    def rates(customer: str) -> RatesList:
        return rates_list(asked.rates.opening[customer], 1, logos=directory.marks)

    def deals(customer: str) -> RateBlocks:
        lowest = asked.rates.lowest.get(customer)
        return rate_blocks(asked.rates.opening[customer], lowest, logos=directory.marks)

    def lender_rates(slug: str, kind: DealType | None) -> RateBlocks:
        built = asked.rates.lenders[slug]
        best = built.lists[kind or TWO_YEARS_FIXED]
        return rate_blocks(best, built.lowest, kind=kind, logos=directory.marks)

    def rates_by_ltv(customer: str) -> ByLtvView:
        return by_ltv_view(asked.rates.by_ltv[customer])

    return BuildInputs(
        store=store,
        rates=rates,
        deals=deals,
        lender_rates=lender_rates,
        faqs=lambda topic: asked.questions.get(topic) or store.faqs(topic),
        rates_by_ltv=rates_by_ltv,
        lenders=directory.lenders,
        site_url=site_url,
        flow=flow,
    )
