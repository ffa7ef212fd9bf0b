"""A site of two workers that share Redis and PostgreSQL, whose workers a test may kill."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.databases.cluster import Cluster
from tests.databases.fixtures import KEY
from tests.databases.redis_server import RedisServer, redis_server
from tests.integration.hostile import children
from tools.project import Project
from tools.server import Server, free_port, start

WORKERS = 2
PATIENCE = 30.0


class WorkersSite:
    """A running server, and the Redis that its workers share."""

    def __init__(self, server: Server, redis: RedisServer) -> None:
        self.server, self.redis = server, redis

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
        """Wait until all workers run again; a worker that has begun to listen has its database open."""
        deadline = time.monotonic() + PATIENCE
        while len(self.workers()) < WORKERS:
            assert time.monotonic() < deadline, "no other worker was started"
            time.sleep(0.1)


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


@contextmanager
def workers_site(project: Project, folder: Path, cluster: Cluster) -> Iterator[WorkersSite]:
    name = f"workers_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
    with redis_server() as redis:
        settings = {
            "WORKERS": str(WORKERS),
            "REFLEX_REDIS_URL": redis.url,
            "BROKER_DATABASE_URL": cluster.create(name),
            "BROKER_SECRET_KEY": KEY,
            "BROKER_STATE_DIR": str(folder / "kept"),
            "BROKER_TRUSTED_PROXIES": "1",
        }
        server = start(project, free_port(), log=folder / "server.log", settings=settings)
        try:
            yield WorkersSite(server, redis)
        finally:
            server.stop()
            cluster.drop(name)
