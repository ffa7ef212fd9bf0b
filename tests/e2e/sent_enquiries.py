"""Enquiries that visitors sent to a site which is running, at times of their own."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from broker.enquiries.service import Limits, Submission
from broker.settings import Settings
from tests.e2e.staff import StaffSite
from tests.unit.enquiries.enquiring import Calendar, running, sent, thanked

MANY = 10_000

_numbers = count(1)


def state_of(site: StaffSite) -> Path:
    return site.site.state_dir


def send(state: Path, *forms: Submission, days_ago: float = 0) -> list[str]:
    """Send forms to the site that keeps what it has in a folder, some days ago, and return their references.

    They are stored from a thread of their own: Playwright keeps the loop of this one.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(_stored(state, forms, days_ago))).result()


async def _stored(state: Path, forms: Sequence[Submission], days_ago: float) -> list[str]:
    calendar, many = Calendar(), Limits(sent=MANY, sent_without_token=MANY)
    calendar.now = datetime.now(UTC) - timedelta(days=days_ago, minutes=5)
    async with running(Settings(state_dir=state), calendar, limits=many) as services:
        stored = [await services.enquiries.submit(_another(form)) for form in forms]
    return [thanked(each).reference for each in stored]


def _another(form: Submission) -> Submission:
    """Return a form that is not the one before it, though it says the same: a field is numbered that nobody reads."""
    return replace(form, given={**form.given, "number": next(_numbers)})


def from_somebody(name: str, **fields: object) -> Submission:
    return sent(name=name, **fields)
