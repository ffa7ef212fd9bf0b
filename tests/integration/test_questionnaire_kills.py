"""The real server, killed while visitors answer and send: what they were told is kept is there, once."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import httpx
import pytest
from simple_websocket import ConnectionClosed
from simple_websocket import ConnectionError as NoConnectionError
from wsproto.utilities import RemoteProtocolError

from broker import routes
from broker.enquiries.form_view import TEXT_VERSION
from broker.questionnaire.forms import JOURNEY_COOKIE
from broker.questionnaire.journey_store import JourneyStore
from broker.settings import Settings
from broker.storage.database import database_for
from broker.storage.encryption import secret_keys_for
from tests.databases.fixtures import KEY
from tests.integration.enquiry_site import FORM
from tests.integration.hostile import children
from tests.integration.tabs import Tab
from tests.integration.test_enquiries_kills import stored
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.domain.questionnaire.journeys import JOURNEYS
from tests.unit.services.enquiring import BEGINNING
from tools.project import Project
from tools.server import Server, free_port, start

TOLD = JOURNEYS["home mover, still looking, a loan"]
VISITORS = 6
LONGEST = 4.0
"""Seconds that a server is answered at most before it is killed."""


@dataclass(slots=True)
class Acknowledged:
    """What visitors were told is kept: the steps answered under each token, and the enquiries thanked for."""

    steps: dict[str, set[str]] = field(default_factory=dict)
    sending: set[str] = field(default_factory=set)
    thanked: set[str] = field(default_factory=set)


async def visit(url: str, name: str, numbers: count[int], told: Acknowledged) -> None:
    """Answer and send, one journey after the other, until the server is gone."""
    try:
        async with httpx.AsyncClient(base_url=url, timeout=ANSWER_TIMEOUT) as client:
            while True:
                number = next(numbers)
                tab = await Tab.connected(url, f"{name}-{number}")
                for step, words in TOLD.replies:
                    await tab.open(step)
                    await tab.answer(step, words)
                    told.steps.setdefault(tab.token, set()).add(step)
                told.sending.add(tab.token)
                if await sends(client, tab.token, number):
                    told.thanked.add(f"Enquiry {number}")
                await tab.leave()
    except (OSError, ConnectionClosed, NoConnectionError, RemoteProtocolError, httpx.HTTPError, TimeoutError):
        return  # RemoteProtocolError: killed in the middle of the socket's greeting


async def sends(client: httpx.AsyncClient, token: str, number: int) -> bool:
    """Send a journey's answers from an address of its own, and tell whether they were thanked for."""
    form = {
        "name": "Zebedee Quillfeather",
        "telephone": "07700 900123",
        "when": "any",
        "privacy": "yes",
        TEXT_VERSION: FORM["text_version"],
    }
    answer = await client.post(
        routes.SEND_ANSWERS,
        data={**form, "message": f"Enquiry {number}"},
        headers={"cookie": f"{JOURNEY_COOKIE}={token}", "x-forwarded-for": f"192.0.2.{number % 250}-{number}"},
    )
    return answer.status_code == 303 and answer.headers["location"].startswith(routes.THANK_YOU)


async def killed(server: Server, seconds: float, *, numbers: count[int], told: Acknowledged, thanked: int) -> None:
    """Have visitors answer, and kill the server so many seconds after some were thanked, in the middle of it."""
    visits = [asyncio.create_task(visit(server.url, f"tab-{each}", numbers, told)) for each in range(VISITORS)]
    async with asyncio.timeout(2 * ANSWER_TIMEOUT):
        while len(told.thanked) < thanked:
            await asyncio.sleep(0.02)
    await asyncio.sleep(seconds)
    for process in (server.process.pid, *children(server.process.pid)):
        os.kill(process, signal.SIGKILL)
    server.process.wait()
    await asyncio.gather(*visits)


async def kept(settings: Settings, tokens: set[str]) -> dict[str, set[str]]:
    database = database_for(settings)
    store = JourneyStore(database, secret_keys_for(settings))
    try:
        found = {token: await store.find(token, BEGINNING) for token in tokens}
    finally:
        await database.close()
    return {token: set(journey.answers) for token, journey in found.items() if journey}


@pytest.mark.parametrize("kills", [1, pytest.param(40, marks=pytest.mark.soak)])
@pytest.mark.usefixtures("site")
def test_acknowledged_answers_survive_a_killed_server(
    db_settings: Settings, project: Project, kills: int, tmp_path: Path
) -> None:
    moments, numbers, told = random.Random(kills), count(), Acknowledged()
    settings = {
        "BROKER_STATE_DIR": str(db_settings.state_dir),
        "BROKER_DATABASE_URL": db_settings.database_url,
        "BROKER_SECRET_KEY": KEY,
        "BROKER_TRUSTED_PROXIES": "1",
    }
    for _ in range(kills):
        server = start(project, free_port(), log=tmp_path / "server.log", settings=settings)
        longest, thanked = (LONGEST, 0) if kills > 1 else (0.5, 1)
        asyncio.run(killed(server, moments.uniform(0.3, longest), numbers=numbers, told=told, thanked=thanked))
        answered = {token: steps for token, steps in told.steps.items() if token not in told.sending}
        found = asyncio.run(kept(db_settings, set(answered)))
        assert {token: steps - found.get(token, set()) for token, steps in answered.items()} == {
            token: set() for token in answered
        }
    messages = Counter(asyncio.run(stored(db_settings)).values())
    assert {each: messages[each] for each in told.thanked} == dict.fromkeys(told.thanked, 1)
    assert set(messages.values()) <= {1}
    assert told.thanked
