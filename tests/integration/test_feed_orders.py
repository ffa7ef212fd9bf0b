"""A feed that sends its first rows only, and whose first rows by fees are all fee-free."""

import asyncio

from broker.rates.feed.client import FeedClient, FeedSettings
from broker.rates.feed.products import FeedRateSource
from broker.rates.product import RatesAnswer
from broker.rates.query import RatesQuery, SortOrder
from broker.rates.ranking import ranked
from tests.standin import running


def test_sort_by_fees_skips_fee_free_products_sent_first() -> None:
    with running() as standin:

        async def asked() -> RatesAnswer:
            client = FeedClient(FeedSettings(api_url=standin.url))
            try:
                return await FeedRateSource(client=client).search(RatesQuery(sort=SortOrder.FEES))
            finally:
                await client.aclose()

        answer = asyncio.run(asked())
        assert len(answer.products) > 50
        assert list(answer.products) == ranked(answer.products, SortOrder.FEES)
        assert all(product.total_fees > 0 for product in answer.products)
        assert standin.asked()["get_rates"] == 2
