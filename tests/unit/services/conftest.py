"""Services, staff accounts and the administration of logos, each over a database of the test's own."""

from collections.abc import AsyncIterator

import pytest

from broker.lenders.logos.admin import LogoAdmin
from broker.services import Services
from broker.settings import Settings
from tests.unit.services.enquiring import Calendar, running
from tests.unit.services.feed import Feed
from tests.unit.services.logo_testbed import running as running_logos
from tests.unit.services.staff_testbed import StaffTestbed, staff_testbed


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture
async def services(db_settings: Settings, calendar: Calendar) -> AsyncIterator[Services]:
    async with running(db_settings, calendar) as opened:
        yield opened


@pytest.fixture
async def staff(database_url: str) -> AsyncIterator[StaffTestbed]:
    async with staff_testbed(database_url) as testbed:
        yield testbed


@pytest.fixture
def feed() -> Feed:
    return Feed({})


@pytest.fixture
async def admin(database_url: str) -> AsyncIterator[LogoAdmin]:
    async with running_logos(database_url) as opened:
        yield opened


@pytest.fixture
async def fed_admin(database_url: str, feed: Feed) -> AsyncIterator[LogoAdmin]:
    async with running_logos(database_url, feed.client) as opened:
        yield opened
