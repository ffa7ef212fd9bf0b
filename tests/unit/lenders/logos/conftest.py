"""The administration of logos over a database of the test's own."""

from collections.abc import AsyncIterator

import pytest

from broker.lenders.logos.admin import LogoAdmin
from tests.unit.lenders.logos.logo_testbed import running as running_logos
from tests.unit.rates.feed.changing_feed import Feed


@pytest.fixture
async def admin(database_url: str) -> AsyncIterator[LogoAdmin]:
    async with running_logos(database_url) as opened:
        yield opened


@pytest.fixture
async def fed_admin(database_url: str, feed: Feed) -> AsyncIterator[LogoAdmin]:
    async with running_logos(database_url, feed.client) as opened:
        yield opened
