"""Staff accounts in a database of the test's own."""

from collections.abc import AsyncIterator

import pytest

from tests.unit.staff.staff_testbed import StaffTestbed, staff_testbed


@pytest.fixture
async def staff(database_url: str) -> AsyncIterator[StaffTestbed]:
    async with staff_testbed(database_url) as testbed:
        yield testbed
