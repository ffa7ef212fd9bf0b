"""Visitors of several processes who press on few slots at the same moment."""

import asyncio
import json
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

from broker.appointments.appointment import Medium
from broker.storage.database import Database, database_address
from tests.integration.slot_presser import GIVEN, TOLD
from tests.unit.appointments.booking import add_adviser, cells_of
from tests.unit.enquiries.enquiring import BEGINNING
from tests.unit.storage.stores import Stores, stores_of

WORKERS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Presses:
    """What became of the presses, the appointments in the database, and seconds until each press was answered."""

    outcomes: Counter[str]
    appointments: int
    doubled: int
    cells: int
    seconds: tuple[float, ...]

    def quantile(self, share: float) -> float:
        return self.seconds[min(len(self.seconds) - 1, int(share * len(self.seconds)))]

    def line(self, name: str) -> str:
        """Return the figures as a line of a table."""
        median, slow, slowest = (self.quantile(share) * 1_000 for share in (0.5, 0.95, 1))
        return (
            f"{name:12} {self.outcomes[GIVEN]:6,} given {self.outcomes[TOLD]:6,} told {self.doubled:3} doubled"
            f"   p50 {median:5.0f} ms   p95 {slow:5.0f} ms   all {slowest:5.0f} ms"
        )


def press_at_once(database_url: str, *, presses: int, slots: int, advisers: int = 1) -> Presses:
    """Have visitors of WORKERS processes press at once, each on one of some slots that do not overlap."""
    wanted = asyncio.run(_prepare(database_url, slots, advisers=advisers))
    count = presses // WORKERS
    sizes = [count + (each < presses - count * WORKERS) for each in range(WORKERS)]
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.integration.slot_presser", database_url, str(at), str(size), *wanted],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for at, size in enumerate(sizes)
    ]
    for each in workers:
        assert each.stdout
        assert each.stdout.readline() == "ready\n"
    for each in workers:
        assert each.stdin
        each.stdin.write("\n")
        each.stdin.flush()
    found = [json.loads(each.communicate()[0]) for each in workers]
    answers = [(outcome, seconds) for worker in found for outcome, seconds in worker]
    appointments, doubled, cells = asyncio.run(_stored(database_url))
    return Presses(
        outcomes=Counter(outcome for outcome, _ in answers),
        appointments=appointments,
        doubled=doubled,
        cells=cells,
        seconds=tuple(sorted(seconds for _, seconds in answers)),
    )


async def _prepare(database_url: str, count: int, *, advisers: int) -> list[str]:
    """Add advisers, and return some slots of which none overlaps another."""
    database = Database(database_address(database_url))
    stores = stores_of(database)
    for each in range(advisers):
        await add_adviser(stores, f"adviser{each}", at=BEGINNING)
    free = await stores.appointments.free(20, Medium.TELEPHONE, now=BEGINNING)
    await database.close()
    chosen = [free[0]]
    for each in free:
        if each.start - chosen[-1].start >= timedelta(minutes=40):
            chosen.append(each)
    return [each.value for each in chosen[:count]]


async def _stored(database_url: str) -> tuple[int, int, int]:
    """Return how many appointments there are, how many overlap another of their adviser, and their cells."""
    database = Database(database_address(database_url))
    stores: Stores = stores_of(database)
    week = await stores.appointments.between(BEGINNING, BEGINNING + timedelta(days=60))
    booked = sorted((each.appointment for each in week), key=lambda each: (each.adviser, each.slot.start))
    doubled = sum(
        first.adviser == second.adviser and second.slot.start < first.slot.end for first, second in pairwise(booked)
    )
    cells = len(await cells_of(database))
    await database.close()
    return len(booked), doubled, cells
