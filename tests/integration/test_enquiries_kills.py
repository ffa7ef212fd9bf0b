"""A server that is killed at random moments has lost nothing that it acknowledged, and doubled nothing."""

import asyncio
import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

import pytest
import sqlmodel

from broker.enquiries.store import EnquiryStore
from broker.questionnaire.journey_store import JourneyStore
from broker.settings import Settings
from broker.storage.database import database_for
from broker.storage.encryption import secret_keys_for
from broker.storage.tables import EnquiryRow
from tests.integration.answering import Start, Told, year
from tests.unit.enquiries.enquiring import BEGINNING

MAX_SECONDS = 0.15
"""How long a server lives at most after its first word; its start takes some 50 ms before."""


class Nursery:
    """Where servers come from, and what they tell."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        assert process.stdin
        assert process.stdout
        self._lines, self._words, self._rest = process.stdin, process.stdout.fileno(), b""

    def lived(self, start: Start, seconds: float) -> list[Told]:
        """Return what a server stored until it was killed, so many seconds after its first word."""
        self._lines.write(f"{json.dumps(asdict(start))}\n".encode())
        self._lines.flush()
        told: list[Told] = []
        deadline = time.monotonic() + 60
        while len(told) < 2 and time.monotonic() < deadline:
            told += self._told(60)
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            told += self._told(left)
        os.kill(next(each.begun for each in told if each.begun), signal.SIGKILL)
        while not any(each.ended for each in told):
            told += self._told(60)
        return [each for each in told if not each.begun and not each.ended]

    def _told(self, seconds: float) -> list[Told]:
        if not select.select([self._words], [], [], seconds)[0]:
            return []
        read = os.read(self._words, 65_536)
        assert read, "no server comes any longer"
        *lines, self._rest = (self._rest + read).split(b"\n")
        return [Told(**json.loads(line)) for line in lines]


@contextmanager
def nursery() -> Iterator[Nursery]:
    command = [sys.executable, "-m", "tests.integration.answering"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        yield Nursery(process)


async def stored(settings: Settings) -> dict[str, str]:
    database = database_for(settings)
    store = EnquiryStore(database, secret_keys_for(settings))
    try:
        rows = await database.read(lambda connection: connection.execute(sqlmodel.select(EnquiryRow.reference)))
        found = {row.reference: await store.find(row.reference) for row in rows}
    finally:
        await database.close()
    return {reference: each.enquiry.message for reference, each in found.items() if each}


async def answer(settings: Settings, token: str) -> tuple[int, object]:
    database = database_for(settings)
    try:
        found = await JourneyStore(database, secret_keys_for(settings)).find(token, BEGINNING)
    finally:
        await database.close()
    assert found
    return found.version, found.answers.get("q4")


@pytest.mark.parametrize("kills", [15, pytest.param(500, marks=pytest.mark.soak)])
def test_nothing_acknowledged_is_lost_or_doubled(db_settings: Settings, kills: int) -> None:
    moments, thanked = random.Random(kills), dict[int, str]()
    start = Start(folder=str(db_settings.state_dir), database_url=db_settings.database_url, number=0, token="")
    with nursery() as servers:
        for _ in range(kills):
            told = servers.lived(start, moments.uniform(0, MAX_SECONDS))
            thanked |= {each.number: each.reference for each in told if each.reference}
            answers = [each for each in told if each.token]
            token = answers[-1].token if answers else start.token
            start = Start(**{**asdict(start), "number": max(thanked, default=-1) + 1, "token": token})
            if token:
                version, kept = asyncio.run(answer(db_settings, token))
                assert version >= max((each.number for each in answers), default=0)
                assert kept == (year(version) if version > 2 else None)
    messages = asyncio.run(stored(db_settings))
    assert {number: messages.get(reference) for number, reference in thanked.items()} == {
        number: f"Enquiry {number}" for number in thanked
    }
    assert set(Counter(messages.values()).values()) == {1}
    assert len(thanked) >= kills
    assert len(messages) - len(thanked) in (0, 1)
