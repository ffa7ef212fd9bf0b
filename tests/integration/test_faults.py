"""Workers that are killed while visitors answer and send, a Redis that goes, a clock that jumps: all promised is kept.

The short form of `tests/soak/test_faults.py`.
"""

import asyncio
import os
import random
import signal
from pathlib import Path

import pytest

from broker.settings import Settings
from tests.databases.cluster import Cluster
from tests.databases.fixtures import KEY
from tests.integration.fault_records import compare
from tests.integration.fault_visitors import Visitors
from tests.integration.worker_clock import SLACK, WorkerClock, worker_clock
from tests.integration.workers_site import WorkersSite, workers_site
from tests.timeouts import ANSWER_TIMEOUT
from tools.project import Project

HOUR = 3_600
KILLS = 4
QUIET = 3.0


@pytest.mark.usefixtures("site")
def test_all_acknowledged_writes_outlive_kills(project: Project, cluster: Cluster, tmp_path: Path) -> None:
    with workers_site(project, tmp_path, cluster, workers=3) as site:
        visitors = Visitors(site.url, origin=site.url)
        settings = Settings(state_dir=tmp_path, database_url=site.database_url, secret_keys=(KEY,))
        asyncio.run(broken(site, visitors))
        found = asyncio.run(compare(settings, visitors.told))
    assert (found.lost, found.doubled) == (0, 0)
    assert found.acknowledged > 20


async def broken(site: WorkersSite, visitors: Visitors) -> None:
    """Kill workers, and take Redis away for seconds, with visitors on the site."""
    moments = random.Random(KILLS)
    async with visitors.visiting():
        for _ in range(KILLS):
            await asyncio.sleep(moments.uniform(0.5, 1.5))
            os.kill(moments.choice(site.workers()), signal.SIGKILL)
            await asyncio.to_thread(site.wait_for_workers)
        site.redis.stop()
        await asyncio.sleep(QUIET)
        await asyncio.to_thread(site.redis.start)
        await one_more_thanked(visitors)


async def one_more_thanked(visitors: Visitors) -> None:
    before = len(visitors.told.thanked)
    async with asyncio.timeout(2 * ANSWER_TIMEOUT):
        while len(visitors.told.thanked) == before:
            await asyncio.sleep(0.1)


@pytest.mark.usefixtures("site")
def test_visitors_go_on_while_the_clock_jumps(project: Project, cluster: Cluster, tmp_path: Path) -> None:
    with worker_clock(tmp_path / "clock") as clock:
        if clock is None:
            pytest.skip("libfaketime, which sets the clock of single processes, is not installed: see README.md")
        with workers_site(project, tmp_path, cluster, given=clock.settings) as site:
            visitors = Visitors(site.url, origin=site.url)
            settings = Settings(state_dir=tmp_path, database_url=site.database_url, secret_keys=(KEY,))
            asyncio.run(jumping(clock, visitors))
            found = asyncio.run(compare(settings, visitors.told))
    assert (found.lost, found.doubled) == (0, 0)
    assert [kind for kind, _ in visitors.seen.failures if kind in ("enquiries", "searches", "pages")] == []


async def jumping(clock: WorkerClock, visitors: Visitors) -> None:
    """Set the clock of the workers an hour ahead, then an hour back, with visitors on the site."""
    async with visitors.visiting():
        for seconds in (0, HOUR, -HOUR, 0):
            clock.set_ahead(seconds)
            await asyncio.sleep(SLACK)
            await one_more_thanked(visitors)
