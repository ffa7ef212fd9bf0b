"""What runs beside the site while it has a live feed: saved rates, lenders and logos, read again and again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from broker.feeds.client import FeedClient
from broker.services.background import in_background, keep_refreshing
from broker.services.lender_feed import REFRESH_EVERY, LenderFeed
from broker.services.lenders import LenderDirectory
from broker.services.rates import Archive, RatesService
from broker.services.saved_rates import SavedLists

MOST_LISTS = 1_024
"""Saved lists kept for a restart: one a customer type, and one a lender."""


class LiveFeed:
    """A live feed's client, and what is kept up to date from it; `saved` is empty until the feed runs."""

    def __init__(
        self, client: FeedClient, directory: LenderDirectory, *, every: timedelta, archive: Archive | None = None
    ) -> None:
        """Keep the client, the lenders to be told of, how often saved rates are read, and where they are kept."""
        self.client = client
        self.saved = SavedLists(client, lender_ids=lambda: directory.ids, archive=archive)
        self._lenders = LenderFeed(client, directory)
        self._every = every

    @asynccontextmanager
    async def running(self, rates: RatesService) -> AsyncIterator[None]:
        """Refresh while the server runs; then let answers be written that are not yet, and close the connections."""
        await self.saved.restore()
        jobs = (
            keep_refreshing("rates by customer type", self.saved.refresh_customers, every=self._every),
            keep_refreshing("rates by lender", self.saved.refresh_lenders, every=self._every),
            keep_refreshing("lenders and logos", self._lenders.refresh, every=REFRESH_EVERY),
        )
        try:
            async with in_background(*jobs):
                yield
        finally:
            await rates.settled()
            await self.client.aclose()
