"""Three workers that are killed while visitors answer and send, and a Redis that goes: all that was promised is kept.

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
from tests.integration.workers_site import WorkersSite, workers_site
from tools.project import Project

KILLS = 4
QUIET = 3.0


@pytest.mark.usefixtures("site")
def test_all_acknowledged_writes_outlive_kills(project: Project, cluster: Cluster, tmp_path: Path) -> None:
    with workers_site(project, tmp_path, cluster, WORKERS="3") as site:
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
        before = len(visitors.told.thanked)
        async with asyncio.timeout(60):
            while len(visitors.told.thanked) == before:
                await asyncio.sleep(0.1)
