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
from tests.unit.services.enquiring import Calendar, answered, questionnaire, running, sent, thanked

MANY = 10_000

_numbers = count(1)


def state_of(site: StaffSite) -> Path:
    return site.site.state_dir


def send(state: Path, *forms: Submission, days_ago: float = 0) -> list[str]:
    """Send forms to the site that keeps what it has in a folder, some days ago, and return their references."""
    return _run(state, forms, days_ago)


def send_answers(state: Path) -> str:
    """Send a questionnaire with every question answered, and return its reference."""
    return _run(state, (), 0)[0]


def _run(state: Path, forms: Sequence[Submission], days_ago: float) -> list[str]:
    """Store forms from a thread of their own: Playwright keeps the loop of this one. No form means a questionnaire."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(_stored(state, forms, days_ago))).result()


async def _stored(state: Path, forms: Sequence[Submission], days_ago: float) -> list[str]:
    calendar, many = Calendar(), Limits(sent=MANY, sent_without_token=MANY)
    calendar.now = datetime.now(UTC) - timedelta(days=days_ago, minutes=5)
    async with running(Settings(state_dir=state), calendar, limits=many) as services:
        sending = list(forms) or [questionnaire(await answered(services))]
        stored = [await services.enquiries.submit(_another(form)) for form in sending]
    return [thanked(each).reference for each in stored]


def _another(form: Submission) -> Submission:
    """Return a form that is not the one before it, though it says the same: a field is numbered that nobody reads."""
    return replace(form, given={**form.given, "number": next(_numbers)})


def from_somebody(name: str, **fields: object) -> Submission:
    return sent(name=name, **fields)
