import asyncio

import httpx

from broker.content.wordpress.client import WordPressClient
from broker.content.wordpress.download import CONNECTIONS, PartReader, download_site
from broker.staff.overview_view import PART_NAMES
from tests.unit.content.wordpress.answering import client, recorded, replied, run

TYPES = tuple(f"type-{number}" for number in range(20))


class Slow:
    """Answers the last call first, and counts the most calls under way at a time."""

    def __init__(self) -> None:
        self.under_way = self.most = 0

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        for _ in range(100 - self.under_way):
            await asyncio.sleep(0)
        self.under_way -= 1
        return recorded("graphql_site_data_ok") if request.url.path.endswith("graphql") else replied("[]")


def downloaded(site: WordPressClient) -> list[str]:
    parts = PartReader({}, now="2026-11-21T09:00:00+00:00")
    run(download_site(site, parts, types=TYPES))
    return list(parts.parts)


def test_calls_are_made_at_once_but_only_so_many() -> None:
    slow = Slow()
    downloaded(client(slow, max_connections=5))
    assert slow.most == 5


def test_parts_stand_in_the_order_of_their_calls() -> None:
    first = [*(connection.alias for connection in CONNECTIONS), "post", "pages", "lender_pages", "faqs"]
    assert downloaded(client(Slow()))[: len(first)] == first


def test_every_part_has_words_for_staff() -> None:
    assert {name.partition(" ")[0] for name in downloaded(client(Slow()))} == set(PART_NAMES)
