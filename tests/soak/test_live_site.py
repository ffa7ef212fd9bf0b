"""A live site for half an hour: an editor edits, calls fail one at a time, and two hundred visitors read and search.

No page is lost that the editor left, no block of rates is empty, and nothing old is shown without a notice. How long it
runs is SOAK_MINUTES, 30 by default; SOAK_SEED is the seed of everything that is left to chance.
"""

import os
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from broker.content.snapshot.snapshot_folder import read_snapshot
from tests.integration.hostile import memory
from tests.soak.edited_content import Content
from tests.soak.editor import Editor, Ledger, first_items
from tests.soak.live_site import (
    PUBLISHED,
    SECRET,
    Services,
    Site,
    edit_and_publish,
    faults,
    publish,
    record_first_release,
    serving,
)
from tests.soak.live_visitors import READERS, SEARCHERS, visiting
from tests.soak.live_world import World
from tools.project import Project

MINUTES, SEED = float(os.environ.get("SOAK_MINUTES", "30")), int(os.environ.get("SOAK_SEED", "15"))
MAX_MEMORY = 600
"""MiB that the server may hold."""

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def site(project: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("live")
    with Services(ctx=get_context("spawn")) as services:
        service: Any = services.Service()  # pyright: ignore[reportAttributeAccessIssue] - registered above
        settings = {
            "BROKER_API_URL": service.url(),
            "BROKER_STATE_DIR": str(folder / "state"),
            "BROKER_RELEASES_DIR": str(folder / "releases"),
            "BROKER_RATES_MINUTES": "1",
            "BROKER_CONTENT_HOOK_SECRET": SECRET,
        }
        service.edit(Content())
        said = publish(project, settings)
        assert said[-1].startswith(PUBLISHED), said
        first = read_snapshot(folder / "state" / "content")
        ledger = Ledger(Content(items={item.key: item for item in first_items(first.paths())}))
        editor, world = Editor(ledger=ledger, chance=random.Random(SEED)), World(ledger=ledger)
        yield Site(project=project, settings=settings, service=service, world=world, editor=editor)


def table(site: Site, seconds: float) -> str:
    """Return what was done and seen."""
    world = site.world
    requests, server, taken = sum(world.statuses.values()), site.server, world.publish_times
    rows = {
        "length": f"{seconds / 60:.0f} minutes, seed {SEED}, {READERS + SEARCHERS} visitors",
        "publishes": f"{counts(world.publishes)}; {min(taken):.0f} to {max(taken):.0f} s each",
        "edits": counts(site.editor.edits),
        **{f"{kind} seen": spread(seconds) for kind, seconds in world.seen_after.items()},
        "faults by call": counts(Counter(each.call for each in world.faults)),
        "faults by way": counts(Counter(each.way for each in world.faults)),
        "requests": f"{requests:,}, {requests / seconds:.0f} a second: {counts(world.statuses)}",
        "searches": counts(world.searches),
        "rate blocks": counts(world.blocks),
        "latency": f"median {world.percentile(0.5):.0f} ms, 95th percentile {world.percentile(0.95):.0f} ms",
        "memory at most": f"{memory(server.process.pid) if server else 0} MiB",
        "violations": counts(world.violations) or "none",
    }
    lines = [f"{name:<16}{text}" for name, text in rows.items()]
    return "\n".join(["", *lines, ""])


def spread(seconds: list[float]) -> str:
    """Return after how many seconds edits were seen."""
    if len(seconds) < 2:
        return "too few"
    shares = statistics.quantiles(seconds, n=100, method="inclusive")
    named = f"p50 {shares[49]:.1f} s, p95 {shares[94]:.1f} s, max {max(seconds):.1f} s"
    return f"{len(seconds)} edits, after the message: {named}"


def counts(found: dict[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in sorted(found.items()))


def test_nothing_is_lost_empty_or_old_without_a_notice(
    site: Site, project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(project, site.settings, tmp_path / "server.log") as site.server:
        record_first_release(site)
        began, turn, told = time.monotonic(), 0, 0
        with faults(site, SEED + 1), visiting(site.server.url, site.world, SEED):
            while not turn or time.monotonic() + (site.world.publish_times or [0.0])[-1] < began + MINUTES * 60:
                edit_and_publish(site, turn)
                turn += 1
                with capsys.disabled():
                    sys.stdout.write(f"{time.strftime('%H:%M:%S')} {counts(site.world.violations) or 'well'}\n")
                    sys.stdout.writelines(f"  {example}\n" for example in site.world.examples[told:])
                    told = len(site.world.examples)
                    sys.stdout.flush()
            time.sleep(max(0.0, began + MINUTES * 60 - time.monotonic()))
        held = memory(site.server.process.pid)
        with capsys.disabled():
            sys.stdout.write(table(site, time.monotonic() - began))
    assert dict(site.world.violations) == {}
    assert site.world.publishes["copied whole"]
    assert held < MAX_MEMORY
