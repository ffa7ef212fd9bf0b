"""PDFs of calculators, and searches beside them: `python -m tests.bench.bench_pdf`.

A visitor searches, one search after the other, alone and then while 20 others ask for a PDF at once, again and again.
What counts is the median of each. The server runs in a process of its own, with one process, over the built site.
"""

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2

from broker import routes
from broker.documents.pdf import LOW_PRIORITY
from tests.bench.bench_feed import percentiles
from tools.build import build
from tools.project import Project
from tools.server import Server, free_port, start

SEARCHES, FILES, TOGETHER, ROUNDS = 150, 40, 20, 10

TARGET_MS, MOST_SLOWER = 300.0, 0.5
"""Milliseconds of a PDF, and the share by which a search may slow down while 20 are drawn; both of medians."""

PDF = routes.calculator("repayment") + routes.RESULT_PDF

visitors = (f"10.{number // 250}.0.{number % 250}" for number in count(1))
"""Addresses of visitors: one may not have a hundred documents in a minute."""

loans = count(100_000)
"""Loans that nobody has asked for, so that no cache knows the answer."""


async def timed(client: httpx2.AsyncClient, address: str) -> float:
    """Return the milliseconds of an answer."""
    began = time.perf_counter()
    answer = await client.get(address, headers={"x-forwarded-for": next(visitors)})
    answer.raise_for_status()
    return (time.perf_counter() - began) * 1_000


async def search(client: httpx2.AsyncClient) -> float:
    return await timed(client, f"{routes.RATES}?price=900000&amount={next(loans)}")


async def pdf(client: httpx2.AsyncClient) -> float:
    return await timed(client, f"{PDF}?loan={next(loans)}")


async def searches(client: httpx2.AsyncClient) -> list[float]:
    return [await search(client) for _ in range(SEARCHES)]


async def crowd(client: httpx2.AsyncClient) -> list[float]:
    """Have 20 ask for a PDF at once, and again when all are answered."""
    return [spent for _ in range(ROUNDS) for spent in await asyncio.gather(*(pdf(client) for _ in range(TOGETHER)))]


def memory(server: Server) -> tuple[float, float]:
    """Return the megabytes of the process, and of the process that draws, 0 where there is none."""
    found = {False: 0.0, True: 0.0}
    for process in _below(server.process.pid):
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
        held = next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1_000
        draws = os.getpriority(os.PRIO_PROCESS, process) == LOW_PRIORITY
        found[draws] = max(found[draws], held)
    return found[False], found[True]


def _below(process: int) -> Iterator[int]:
    """Yield a process and all that it has started."""
    yield process
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        for child in children.read_text(encoding="ascii").split():
            yield from _below(int(child))


async def measured(server: Server) -> bool:
    """Measure, print the figures, and return whether the targets are met."""
    async with httpx2.AsyncClient(base_url=server.url, timeout=60) as client:
        await searches(client)
        before, first = memory(server), await pdf(client)
        warm = [await pdf(client) for _ in range(FILES)]
        alone = await searches(client)
        crowding, beside = asyncio.create_task(crowd(client)), []
        while not crowding.done():
            beside.append(await search(client))
        crowded = await crowding
        after = memory(server)
    one, usual, slow = (statistics.median(times) for times in (warm, alone, beside))
    slower = slow / usual - 1
    print(f"A PDF: first {first:.0f} ms, then {percentiles(warm)}")
    print(f"20 PDFs at once: {percentiles(crowded)}")
    print(f"A search alone: {percentiles(alone)}")
    print(f"A search beside 20 PDFs: {percentiles(beside)}; {slower:+.0%} at the median")
    drawn = len(warm) + len(crowded) + 1
    print(f"The process: {before[0]:.0f} MB before the first PDF, {after[0]:.0f} MB after {drawn}")
    print(f"The process that draws: {after[1]:.0f} MB")
    met = one <= TARGET_MS and slower <= MOST_SLOWER
    words = f"a PDF within {TARGET_MS:.0f} ms, a search at most {MOST_SLOWER:.0%} slower"
    print(f"  target: {words}: {'met' if met else 'MISSED'}")
    return met


def main() -> None:
    """Measure, and end with code 1 where a target is missed."""
    project = Project()
    build(project)
    with TemporaryDirectory() as folder:
        settings = {"BROKER_STATE_DIR": folder, "BROKER_TRUSTED_PROXIES": "1"}
        server = start(project, free_port(), log=Path(folder) / "server.log", settings=settings)
        try:
            met = asyncio.run(measured(server))
        finally:
            server.stop()
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
