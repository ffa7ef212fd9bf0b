"""A site that the states of the staff area reach."""

from collections.abc import AsyncIterator

import pytest

from broker import services
from broker.settings import Settings
from broker.staff.account_store import StaffStore
from broker.staff.audit import COMMAND_LINE, Act, AuditEntry
from broker.storage.database import database_for
from tests.unit.enquiries.enquiring import BEGINNING
from tests.unit.staff import watched_site
from tests.unit.staff.watched_site import Site


@pytest.fixture
async def empty_site(db_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Site]:
    monkeypatch.setattr(services, "_installed", [])
    async with watched_site.site(db_settings) as site:
        services.install(site.services)
        yield site


@pytest.fixture
async def staff_site(empty_site: Site, db_settings: Settings) -> Site:
    database = database_for(db_settings)
    for name in ("ada", "ben"):
        entry = AuditEntry(at=BEGINNING, who=COMMAND_LINE, what=Act.ACCOUNT_ADDED, about=name)
        await StaffStore(database).add(name, "hash", entry=entry)
    await database.close()
    return empty_site
