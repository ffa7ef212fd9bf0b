"""Background jobs of a live feed: saved rates, lenders and logos are refreshed at intervals."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

from broker.background import Refresh, in_background, refresh_periodically
from broker.lenders.directory import LenderDirectory
from broker.rates.feed.client import FeedClient
from broker.rates.saved_rates import SavedLists
from broker.rates.search import SHOWN_FOR, Archive, RatesService
from broker.staff.source_health import LENDERS_INTERVAL

MAX_LISTS = 8_192
"""Saved lists in the archive: one a customer type, and eight a lender, by loan to value."""


class LiveFeed:
    """A live feed's client and its refreshed data; `saved` is empty until the feed runs.

    `by_customer` and `by_lender` refresh the saved rates, at intervals of `every`.
    """

    def __init__(
        self,
        client: FeedClient,
        directory: LenderDirectory,
        *,
        every: timedelta,
        lenders: Callable[[], Awaitable[None]],
        archive: Archive | None = None,
        shown_for: timedelta = SHOWN_FOR,
    ) -> None:
        """Set up the refreshes; `lenders` fetches lenders and logos, and raises RatesError or StorageError."""
        self.client = client
        self.saved = SavedLists(client, lender_ids=lambda: directory.ids, archive=archive, shown_for=shown_for)
        self._refresh_lenders = lenders
        self.by_customer, self.by_lender = Refresh(self.saved.refresh_customers), Refresh(self.saved.refresh_lenders)
        self.every = every

    @asynccontextmanager
    async def running(self, rates: RatesService) -> AsyncIterator[None]:
        """Refresh while the server runs; then finish writing to the archive and close the connections."""
        await self.saved.restore()
        jobs = (
            refresh_periodically("rates by customer type", self.by_customer.read, every=self.every),
            refresh_periodically("rates by lender", self.by_lender.read, every=self.every),
            refresh_periodically("lenders and logos", self._refresh_lenders, every=LENDERS_INTERVAL),
        )
        try:
            async with in_background(*jobs):
                yield
        finally:
            await rates.wait_until_saved()
            await self.client.aclose()
