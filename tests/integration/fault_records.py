"""What a site has kept of all that visitors were told is kept: what is missing, and what is there twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from broker.questionnaire.journey_store import JourneyStore
from broker.settings import Settings
from broker.storage.database import database_for
from broker.storage.encryption import secret_keys_for
from tests.integration.fault_visitors import Acknowledged
from tests.integration.test_enquiries_kills import stored
from tests.unit.enquiries.enquiring import BEGINNING


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """How many writes were acknowledged, and how many of them are missing or doubled."""

    acknowledged: int
    lost: int
    doubled: int


async def compare(settings: Settings, told: Acknowledged) -> Kept:
    """Compare what visitors have been told until now with what the database holds then."""
    answered = {token: set(steps) for token, steps in told.steps.items() if token not in told.sending}
    thanked = set(told.thanked)
    found, messages = await answered_steps(settings, set(answered)), Counter((await stored(settings)).values())
    # those who sent their answers meanwhile have no journey any longer
    answered = {token: steps for token, steps in answered.items() if token not in told.sending}
    missing = sum(len(steps - found.get(token, set())) for token, steps in answered.items())
    return Kept(
        acknowledged=sum(map(len, told.steps.values())) + len(thanked),
        lost=missing + len(thanked - messages.keys()),
        doubled=sum(each - 1 for each in messages.values()),
    )


async def answered_steps(settings: Settings, tokens: set[str]) -> dict[str, set[str]]:
    database = database_for(settings)
    store = JourneyStore(database, secret_keys_for(settings))
    try:
        found = {token: await store.find(token, BEGINNING) for token in tokens}
    finally:
        await database.close()
    return {token: set(journey.answers) for token, journey in found.items() if journey}
