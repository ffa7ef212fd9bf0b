"""A site of workers that share Redis and PostgreSQL, whose workers a test may kill."""

import os
import re
import secrets
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.databases.cluster import Cluster
from tests.databases.fixtures import KEY
from tests.databases.redis_server import RedisServer, redis_server
from tests.integration.hostile import children
from tools.project import Project
from tools.server import START_TIMEOUT, Server, free_port, start

WORKERS = 2
PATIENCE = WORKERS * START_TIMEOUT
REFUSED, TAKEN = "sockets are refused until", "sockets are taken again"
"""What each worker logs when Redis goes, and when it is back."""

METRICS_TOKEN = "a token of the tests that is long enough"


class WorkersSite:
    """A running server, and the Redis that its workers share."""

    def __init__(self, server: Server, redis: RedisServer, settings: Mapping[str, str]) -> None:
        self.server, self.redis = server, redis
        self.count, self.database_url = int(settings["WORKERS"]), settings["BROKER_DATABASE_URL"]

    @property
    def url(self) -> str:
        return self.server.url

    def workers(self) -> list[int]:
        """Return the process numbers of the workers, without those that multiprocessing starts for itself."""
        return [pid for pid in children(self.server.process.pid) if "spawn_main" in command_of(pid)]

    def kill(self, worker: int) -> None:
        """Kill a worker as the system does that runs out of memory."""
        os.kill(worker, signal.SIGKILL)

    def wait_for_workers(self) -> None:
        """Wait until all workers run again, and have said that they have started."""
        deadline = time.monotonic() + PATIENCE
        while len(ready := [worker for worker in self.workers() if self._has_started(worker)]) < self.count:
            assert time.monotonic() < deadline, f"only {ready} started"
            time.sleep(0.05)

    def start_redis(self) -> None:
        """Start Redis again, and wait until every worker that refused sockets takes them."""
        self.redis.start()
        deadline = time.monotonic() + PATIENCE
        while self.server.said().count(REFUSED) > self.server.said().count(TAKEN):
            assert time.monotonic() < deadline, "sockets are refused"
            time.sleep(0.05)

    def wait_until_replaced(self, before: set[int]) -> None:
        """Wait until none of some workers runs, and as many others do."""
        deadline = time.monotonic() + PATIENCE
        while before & set(self.workers()):
            assert time.monotonic() < deadline, "a worker was not replaced"
            time.sleep(0.1)
        self.wait_for_workers()

    def _has_started(self, worker: int) -> bool:
        """Tell whether a worker has logged that it has started, in either format."""
        lines = self.server.said().splitlines()
        return any("Application startup complete." in line and re.search(rf"\b{worker}\b", line) for line in lines)


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


@contextmanager
def workers_site(project: Project, folder: Path, cluster: Cluster, **given: str) -> Iterator[WorkersSite]:
    """Yield a site with a database and a Redis of its own; `given` are further settings."""
    name = f"workers_{secrets.token_hex(4)}"
    with redis_server() as redis:
        settings = {
            "WORKERS": str(WORKERS),
            "REFLEX_REDIS_URL": redis.url,
            "BROKER_DATABASE_URL": cluster.create(name),
            "BROKER_SECRET_KEY": KEY,
            "BROKER_STATE_DIR": str(folder / "kept"),
            "BROKER_TRUSTED_PROXIES": "1",
            "BROKER_METRICS_TOKEN": METRICS_TOKEN,
            **given,
        }
        server = start(project, free_port(), log=folder / "server.log", settings=settings)
        try:
            site = WorkersSite(server, redis, settings)
            site.wait_for_workers()
            yield site
        finally:
            server.stop()
            cluster.drop(name)
