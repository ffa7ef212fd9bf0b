"""Processes killed while visitors answer and send, Redis away, a clock that jumps: nothing acknowledged is lost.

The short form of `tests/soak/test_faults.py`.
"""

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from broker.settings import Settings
from tests.databases.cluster import Cluster
from tests.databases.fixtures import KEY
from tests.integration.fault_records import compare
from tests.integration.fault_visitors import Seen, Visitors
from tests.integration.process_clock import SLACK, ProcessClock, process_clock
from tests.integration.processes_site import ProcessesSite, processes_site
from tests.timeouts import ANSWER_TIMEOUT
from tools.project import Project

HOUR = 3_600
KILLS = 3
QUIET = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Visited:
    """A site with its visitors; `clock` is None where it cannot be set."""

    site: ProcessesSite
    visitors: Visitors
    clock: ProcessClock | None
    settings: Settings


@pytest.fixture(scope="module")
def visited(
    site: Path, project: Project, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Visited]:
    del site
    folder = tmp_path_factory.mktemp("faults")
    with process_clock(folder / "clock") as clock:
        given = clock.settings if clock else {}
        with processes_site(project, folder, cluster, processes=3, given=given) as running:
            settings = Settings(state_dir=folder, database_url=running.database_url, secret_keys=(KEY,))
            visitors = Visitors(running.url, origin=running.url)
            yield Visited(site=running, visitors=visitors, clock=clock, settings=settings)


async def assert_nothing_lost(visited: Visited) -> None:
    found = await compare(visited.settings, visited.visitors.told)
    assert (found.lost, found.doubled) == (0, 0)
    assert found.acknowledged > 20


async def one_more_thanked(visitors: Visitors) -> None:
    before = len(visitors.told.thanked)
    async with asyncio.timeout(2 * ANSWER_TIMEOUT):
        while len(visitors.told.thanked) == before:
            await asyncio.sleep(0.1)


async def test_all_acknowledged_writes_outlive_kills(visited: Visited) -> None:
    moments, site = random.Random(KILLS), visited.site
    async with visited.visitors.visiting():
        for _ in range(KILLS):
            await asyncio.sleep(moments.uniform(0.5, 1.5))
            site.kill(moments.choice(site.running()))
            await asyncio.to_thread(site.start_ended)
        site.redis.stop()
        await asyncio.sleep(QUIET)
        await asyncio.to_thread(site.redis.start)
        await one_more_thanked(visited.visitors)
    await assert_nothing_lost(visited)


async def test_visitors_go_on_while_the_clock_jumps(visited: Visited) -> None:
    """Set the clock of the processes an hour ahead, then an hour back."""
    if visited.clock is None:
        pytest.skip("libfaketime, which sets the clock of single processes, is not installed: see README.md")
    visited.visitors.seen = Seen()
    async with visited.visitors.visiting():
        for seconds in (0, HOUR, -HOUR, 0):
            visited.clock.set_ahead(seconds)
            await asyncio.sleep(SLACK)
            await one_more_thanked(visited.visitors)
    await assert_nothing_lost(visited)
    failed = {kind for kind, _ in visited.visitors.seen.failures}
    assert failed & {"enquiries", "searches", "pages"} == set()
