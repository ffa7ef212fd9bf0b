"""Hours of advisers at a running site, set as staff would, and the times that its pages then have."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, time, timedelta
from pathlib import Path

from broker.appointments.slots import Absence, AdviserHours, TimeRange
from broker.appointments.store import AppointmentStore
from broker.clock import UK
from broker.markup import parse_page
from broker.settings import Settings
from broker.storage.database import database_for
from broker.storage.encryption import secret_keys_for
from tests.integration.staff_accounts import add_account

EVERY_DAY = AdviserHours(ranges=dict.fromkeys(range(7), (TimeRange(opens=time(9), closes=time(17)),)))


def add_adviser(state: Path, name: str, hours: AdviserHours = EVERY_DAY) -> None:
    """Add an account with hours to a site that has run; its first day with times is whole at any hour of today."""
    add_account(state, name)
    settings = Settings(state_dir=state)

    async def work() -> None:
        database = database_for(settings)
        try:
            store = AppointmentStore(database, secret_keys_for(settings))
            now = datetime.now(UK)
            await store.set_hours(name, hours, who=name, at=now)
            after_tomorrow = datetime.combine(now.date() + timedelta(days=2), time(), tzinfo=UK)
            await store.add_absence(name, Absence(start=now, end=after_tomorrow), who=name, at=now)
        finally:
            await database.close()

    with ThreadPoolExecutor(1) as thread:  # Playwright keeps the event loop of this one
        thread.submit(asyncio.run, work()).result()


def times_in(html: str, name: str = "when") -> list[str]:
    """Return the values of the times on a page, in order."""
    found = parse_page(html).xpath("//input[@type='radio'][@name=$name]/@value", name=name)
    return [str(each) for each in found if str(each)[:2] == "20"]
