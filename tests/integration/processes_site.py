"""A site of several processes behind nginx that share Redis and PostgreSQL, which a test may kill and restart."""

import secrets
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from tests.databases.cluster import Cluster
from tests.databases.fixtures import KEY
from tests.databases.redis_server import RedisServer, redis_server
from tests.integration.nginx import Nginx, nginx
from tests.timeouts import ANSWER_TIMEOUT
from tools.project import Project
from tools.server import Server, free_port, start

PROCESSES = 2
REFUSED, ACCEPTED = "sockets are refused until", "sockets are accepted again"
"""What each process logs when Redis goes, and when it is back."""

METRICS_TOKEN = "a token of the tests that is long enough"


class ProcessesSite:
    """The running processes, and the nginx and the Redis that they share.

    What systemd does is done here: `start_ended` starts again those that have ended, `restart` one after another.
    """

    def __init__(
        self,
        project: Project,
        folder: Path,
        settings: Mapping[str, str],
        *,
        ports: list[int],
        redis: RedisServer,
        before: Nginx,
    ) -> None:
        self.redis, self.nginx, self.database_url = redis, before, settings["BROKER_DATABASE_URL"]
        self._project, self._folder, self._settings = project, folder, settings
        with ThreadPoolExecutor() as threads:
            self._servers = dict(zip(ports, threads.map(self._start, ports), strict=True))

    @property
    def url(self) -> str:
        """Return the address at which visitors reach all processes."""
        return self.nginx.url

    @property
    def own_urls(self) -> list[str]:
        """Return the address of each process."""
        return [server.url for server in self._servers.values()]

    def running(self) -> list[int]:
        """Return the process numbers of those that run."""
        return [each.process.pid for each in self._servers.values() if each.process.poll() is None]

    def said(self) -> str:
        """Return what all processes logged since they were started first."""
        logs = sorted(self._folder.glob("server-*.log"))
        return "".join(log.read_text(errors="replace") for log in logs)

    def kill(self, process: int) -> None:
        """Kill a process as the system does that runs out of memory, and wait until it has ended."""
        killed = next(each.process for each in self._servers.values() if each.process.pid == process)
        killed.kill()
        killed.wait()

    def start_ended(self) -> None:
        """Start the processes again that have ended, and wait until all answer."""
        for port, server in self._servers.items():
            if server.process.poll() is not None:
                self._servers[port] = self._start(port)

    def restart(self) -> None:
        """Restart the processes one after another, as docs/operate.md does."""
        for port, server in self._servers.items():
            server.stop()
            self._servers[port] = self._start(port)

    def stop(self) -> None:
        for server in self._servers.values():
            server.stop()

    def start_redis(self) -> None:
        """Start Redis again, and wait until every process that refused sockets takes them."""
        self.redis.start()
        deadline = time.monotonic() + ANSWER_TIMEOUT
        while self.said().count(REFUSED) > self.said().count(ACCEPTED):
            assert time.monotonic() < deadline, "sockets are refused"
            time.sleep(0.05)

    def _start(self, port: int) -> Server:
        log = self._folder / f"server-{time.time_ns()}-{port}.log"
        return start(self._project, port, log=log, settings=self._settings)


@contextmanager
def processes_site(
    project: Project,
    folder: Path,
    cluster: Cluster,
    *,
    processes: int = PROCESSES,
    is_secure: bool = False,
    given: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[ProcessesSite]:
    """Yield a site with a database and a Redis of its own, over TLS if `is_secure`; `given` are further settings."""
    name, ports = f"processes_{secrets.token_hex(4)}", [free_port() for _ in range(processes)]
    with redis_server() as redis, nginx(project, folder, *ports, is_secure=is_secure) as before:
        settings = {
            "REFLEX_REDIS_URL": redis.url,
            "BROKER_SITE_URL": before.url,
            "BROKER_DATABASE_URL": cluster.create(name),
            "BROKER_SECRET_KEY": KEY,
            "BROKER_STATE_DIR": str(folder / "kept"),
            "BROKER_TRUSTED_PROXIES": "2",  # nginx, and the address that each visitor claims
            "BROKER_METRICS_TOKEN": METRICS_TOKEN,
            **given,
        }
        site = ProcessesSite(project, folder, settings, ports=ports, redis=redis, before=before)
        try:
            yield site
        finally:
            site.stop()
            cluster.drop(name)
