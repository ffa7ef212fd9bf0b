"""The real site to be broken: nginx, three processes, PostgreSQL, Redis, a feed, and a small disk for what it keeps."""

import random
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import httpx

from broker.settings import Settings
from tests.databases.cluster import Cluster, own_cluster
from tests.databases.fixtures import KEY
from tests.integration.nginx import Nginx
from tests.integration.process_clock import ProcessClock, process_clock
from tests.integration.processes_site import ProcessesSite, processes_site
from tests.standin import Standin, running
from tools.project import Project

DISK = "24m"
MOST_SECONDS = 60.0
"""Time after which a site that is not well again is given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenSite:
    """The running parts; `disk` is None where no small disk can be mounted, `clock` where it cannot be set."""

    site: ProcessesSite
    cluster: Cluster
    nginx: Nginx
    feed: Standin
    disk: Path | None
    clock: ProcessClock | None
    settings: Settings

    def kill_some(self, moments: random.Random, most: int) -> int:
        """Kill one or two of the processes at once, wait until all run again, and return how many there were."""
        killed = moments.sample(self.site.running(), min(most, moments.choice((1, 2, 2))))
        for process in killed:
            self.site.kill(process)
        time.sleep(0.05)
        self.site.start_ended()
        return len(killed)

    def deploy(self) -> None:
        """Restart the processes, one after the other."""
        self.site.restart()

    def fill_disk(self) -> None:
        assert self.disk
        with suppress(OSError), (self.disk / "filling").open("wb", buffering=0) as file:
            while True:
                file.write(b"\0" * 4_096)

    def empty_disk(self) -> None:
        assert self.disk
        (self.disk / "filling").unlink()

    def wait_until_well(self) -> None:
        """Wait until `/health/ready` says that nothing is amiss but the feed, whose age it tells."""
        deadline = monotonic() + MOST_SECONDS
        while not self._is_well():
            assert monotonic() < deadline, "the site is not well again"
            time.sleep(0.1)

    def _is_well(self) -> bool:
        try:
            tree = httpx.get(f"{self.site.own_urls[0]}/health/ready", timeout=5).json()
        except httpx.HTTPError:
            return False
        return (tree["database"], tree["redis"]) == ("writable", "answers")


@contextmanager
def broken_site(project: Project, folder: Path) -> Iterator[BrokenSite]:
    """Start all parts, each of its own."""
    with (
        own_cluster() as cluster,
        running() as feed,
        small_disk(folder / "disk") as disk,
        process_clock(folder / "clock") as clock,
    ):
        given = {
            **(clock.settings if clock else {}),
            "BROKER_API_URL": feed.url,
            "BROKER_RATES_MINUTES": "1",
            "BROKER_STATE_DIR": str(disk or folder / "kept"),
        }
        with processes_site(project, folder, cluster, processes=3, is_secure=True, given=given) as site:
            settings = Settings(state_dir=folder, database_url=site.database_url, secret_keys=(KEY,))
            yield BrokenSite(
                site=site, cluster=cluster, nginx=site.nginx, feed=feed, disk=disk, clock=clock, settings=settings
            )


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """Mount a small disk in memory, and yield its folder; None where that is not allowed."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
