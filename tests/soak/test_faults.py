"""The real thing, broken part by part while visitors use it: what was acknowledged is kept once, and all goes on.

FAULT_KILLS is how many processes are killed, in FAULT_MINUTES at most. The run writes docs/reliability.md.
"""

import asyncio
import os
import random
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic

import pytest

from tests.integration.fault_records import compare
from tests.integration.fault_visitors import Seen, Visitors
from tests.integration.process_clock import SLACK
from tests.soak.broken_site import BrokenSite, broken_site
from tests.soak.reliability_page import FaultRow, page_html
from tools.project import Project

KILLS = int(os.environ.get("FAULT_KILLS", "200"))
KILL_MINUTES = float(os.environ.get("FAULT_MINUTES", "9"))
"""Time after which no further process is killed, on a machine where they start slowly."""

AWAY, DEPLOYS, QUIET = 10.0, 3, 3.0
"""Seconds for which a part is away, deploys in a row, and seconds without a failure after which a fault is over."""

HOUR = 3_600
MOST_WELL_AFTER = 15.0
PAGE = Project().root / "docs" / "reliability.md"
NO_CLOCK = "A clock that jumps: libfaketime, which sets the clock of single processes, is not installed here."
NO_DISK = "A full disk: no small disk could be mounted here."

pytestmark = pytest.mark.soak


class Run:
    """A run over the faults, and its rows."""

    def __init__(self, broken: BrokenSite, visitors: Visitors) -> None:
        self.broken, self.visitors, self.rows = broken, visitors, list[FaultRow]()
        self._acknowledged, self._lost, self._doubled = 0, 0, 0

    async def fault(self, name: str, notice: str, *steps: Callable[[], object]) -> None:
        """Take steps that break a part and mend it, and note what came of them once all is well again."""
        self.visitors.seen = Seen()
        for step in steps:
            await asyncio.to_thread(step)
        ended = monotonic()
        await asyncio.to_thread(self.broken.wait_until_well)
        well = monotonic()
        await self._wait_until_quiet()
        seen = self.visitors.seen
        found = await compare(self.broken.settings, self.visitors.told)
        row = FaultRow(
            name=name,
            notice=notice,
            seen=seen,
            well_after=max(well, seen.last_failure) - ended,
            acknowledged=found.acknowledged - self._acknowledged,
            lost=found.lost - self._lost,
            doubled=found.doubled - self._doubled,
        )
        self._acknowledged, self._lost, self._doubled = found.acknowledged, found.lost, found.doubled
        self.rows.append(row)
        sys.stderr.write(row.line())

    async def _wait_until_quiet(self) -> None:
        began = monotonic()
        async with asyncio.timeout(60):
            while monotonic() - max(began, self.visitors.seen.last_failure) < QUIET:
                await asyncio.sleep(0.1)


def waits(seconds: float) -> Callable[[], object]:
    return partial(time.sleep, seconds)


async def run(broken: BrokenSite) -> list[FaultRow]:
    visitors = Visitors(broken.nginx.url, origin=broken.site.url, trust=broken.nginx.trust())
    one = Run(broken, visitors)
    async with visitors.visiting():
        await one.fault("nothing", "Without any fault, for comparison.", waits(AWAY))
        await kills(one)
        await parts_away(one)
        await feeds(one)
        await clocks(one)
        await one.fault(
            f"{DEPLOYS} deploys under load",
            "Processes were replaced one after the other. Open tabs connected again to another process.",
            *[broken.deploy] * DEPLOYS,
        )
    return one.rows


async def kills(one: Run) -> None:
    moments, ends, done = random.Random(KILLS), monotonic() + KILL_MINUTES * 60, 0

    def kill() -> None:
        nonlocal done
        while done < KILLS and monotonic() < ends:
            time.sleep(moments.uniform(0, 1))
            done += one.broken.kill_some(moments, KILLS - done)

    await one.fault("processes killed", "", kill)
    notice = f"{done} kills at random moments, one or two of the three processes at once, the next when all run again. "
    notice += "Requests that were at a killed process failed, and its tabs connected again to another."
    one.rows[-1] = replace(one.rows[-1], name=f"process killed, {done} times", notice=notice)


async def parts_away(one: Run) -> None:
    redis, cluster = one.broken.site.redis, one.broken.cluster
    await one.fault(
        f"Redis away for {AWAY:.0f} s",
        "Pages, searches and forms worked as before. Open tabs said that the connection was lost, and went on with "
        "their answers once it was back.",
        *(redis.stop, waits(AWAY), redis.start),
    )
    await one.fault(
        "Redis restarted", "Open tabs connected again, and were filled from the database.", *(redis.stop, redis.start)
    )
    await one.fault(
        f"PostgreSQL away for {AWAY:.0f} s",
        "Pages and searches worked as before. Forms and questions said that nothing could be stored, and kept what was "
        "typed.",
        *(cluster.stop, waits(AWAY), cluster.start),
    )
    if one.broken.disk:
        await one.fault(
            f"disk of BROKER_STATE_DIR full for {AWAY:.0f} s",
            "Nothing: answers and enquiries are in PostgreSQL, and the feed's answers stayed in memory.",
            *(one.broken.fill_disk, waits(AWAY), one.broken.empty_disk),
        )


async def feeds(one: Run) -> None:
    feed = one.broken.feed
    for switch, words in (("slow", "slow"), ("html-200", "answers with a web page"), ("null", "answers with nothing")):
        await one.fault(
            f"feed {words} for {AWAY:.0f} s",
            "Searches showed the last rates, or that rates are not to be had; all else worked.",
            *(lambda switch=switch: feed.switch(switch), waits(AWAY), feed.switch),
        )


async def clocks(one: Run) -> None:
    if clock := one.broken.clock:
        for seconds, words in ((HOUR, "ahead"), (-HOUR, "back")):
            await one.fault(
                f"clock of the processes an hour {words} for {AWAY:.0f} s",
                "Pages, searches and forms worked as before, those too that had been begun before. A questionnaire "
                "begun while the processes disagreed about the time could not be found again after a reload.",
                *(partial(clock.set_ahead, seconds), waits(SLACK + AWAY), partial(clock.set_ahead, 0), waits(SLACK)),
            )


@pytest.mark.usefixtures("site")
def test_visitors_lose_nothing_whatever_breaks(project: Project, tmp_path: Path) -> None:
    began = monotonic()
    with broken_site(project, tmp_path) as broken:
        rows = asyncio.run(run(broken))
        left_out = [*([] if broken.clock else [NO_CLOCK]), *([] if broken.disk else [NO_DISK])]
    page_html(PAGE, rows, seconds=monotonic() - began, left_out=left_out)
    assert {row.name: (row.lost, row.doubled) for row in rows} == {row.name: (0, 0) for row in rows}
    assert [row.name for row in rows if row.well_after > MOST_WELL_AFTER] == []
