"""Many visitors answering the questionnaire over sockets at once: `python -m tests.bench.bench_questionnaire`.

Each opens the first question, answers it, opens the next one, and so on to the page that checks the answers, with a
pause before every answer. What counts is the time from an answer's leaving until the server says where it leads: the
answer is on disk by then. The server runs in a process of its own, over the built site and a database of its own.
"""

import argparse
import asyncio
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.bench_feed import percentile, percentiles
from tests.integration.tabs import Tab
from tests.unit.questionnaire.journeys import JOURNEYS, ScriptedJourney
from tools.build import build
from tools.project import Project
from tools.server import free_port, start

JOURNEY = JOURNEYS["home mover, property found, a loan"]
"""The journey that all of them take: with figures, and a page of deals."""

TARGET = 100.0
"""Milliseconds that 95 of 100 answers may take at most."""


@dataclass(slots=True)
class Tally:
    """Result: milliseconds of each answer, and what went wrong."""

    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    ended: int = 0


async def visit(url: str, place: int, *, journey: ScriptedJourney, pause: float, tally: Tally) -> None:
    await asyncio.sleep(pause * (place % 97) / 97)
    tab = await Tab.connected(url, f"bench-{place:04}-{time.time_ns()}")
    try:
        for step, words in journey.replies:
            await tab.open(step)
            await asyncio.sleep(pause)
            began = time.perf_counter()
            await tab.answer(step, words)
            tally.times.append((time.perf_counter() - began) * 1_000)
        tally.ended += 1
    except (TimeoutError, OSError) as error:
        tally.errors.append(repr(error))
    finally:
        await tab.leave()


async def visits(url: str, *, visitors: int, pause: float) -> Tally:
    tally = Tally()
    await asyncio.gather(*(visit(url, each, journey=JOURNEY, pause=pause, tally=tally) for each in range(visitors)))
    return tally


def measured(visitors: int, pause: float) -> Tally:
    project = Project()
    build(project)
    with TemporaryDirectory() as folder:
        server = start(project, free_port(), log=Path(folder) / "server.log", settings={"BROKER_STATE_DIR": folder})
        try:
            return asyncio.run(visits(server.url, visitors=visitors, pause=pause))
        finally:
            server.stop()


def main() -> None:
    """Measure, print the figures, and end with code 1 where the target is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_questionnaire", description=__doc__)
    parser.add_argument("--visitors", type=int, default=300)
    parser.add_argument("--pause", type=float, default=6.0, help="seconds before each answer (by default %(default)g)")
    given = parser.parse_args()
    tally = measured(given.visitors, given.pause)
    p95 = percentile(tally.times, 0.95)
    met = p95 <= TARGET and not tally.errors and tally.ended == given.visitors
    print(f"{given.visitors} visitors, an answer each {given.pause:g} s: {len(tally.times):,} answers")
    print(f"  ms: {percentiles(tally.times)}")
    print(f"  errors {len(tally.errors)}  finished {tally.ended}")
    print(f"  target: p95 at most {TARGET:.0f} ms, all finished, no error: {'met' if met else 'MISSED'}")
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
