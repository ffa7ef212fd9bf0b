"""Uvicorn over what is built, with a supervisor that starts a worker again when it ends: `tools.web_server PORT`."""

import ctypes
import gc
import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory

import uvicorn
from prometheus_client.multiprocess import mark_process_dead
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess, multiprocess

from broker.log_format import log_config
from broker.settings import Settings, read_settings
from broker.storage.operation_files import DONE, FAILED, reload_file
from broker.web.release_folders import current_release
from tools.shared_listener import CountedWorker

APP, CONNECTIONS = "broker.broker:serve", "broker.web.serving.connections"
"""What the workers import: their supervisor does without, which is 15 MB."""

MAX_MESSAGE = 64 * 1024
"""Bytes of a socket's message, counted while its fragments arrive; the longest that a page sends has about 4,000."""

KEEP_ALIVE_SECONDS = 15
STOP_SECONDS = 5
"""Time that requests under way have to end when the server is stopped."""

WEB_FOLDER = "REFLEX_WEB_WORKDIR"
"""The variable that names Reflex the folder of the release."""

METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that prometheus_client reads in each worker."""

HEALTH_SECONDS = 30
"""Time that a worker has to answer its supervisor, which then starts another."""

START_SECONDS = 180
"""Time that a new worker has to start while the old one serves: five, but for a machine that is busy with much else."""

UNUSED = ("opentelemetry", "requests")
"""Packages of traces that redis and the socket library import too where they find them: 6 MiB for nothing of ours."""


@contextmanager
def _hidden(packages: tuple[str, ...]) -> Iterator[None]:
    """Have imports of packages fail as if they were not installed."""
    loaded = {package: sys.modules[package] for package in packages if package in sys.modules}
    sys.modules.update(dict.fromkeys(packages))  # pyright: ignore[reportArgumentType, reportCallIssue] - as Python documents
    try:
        yield
    finally:
        for package in packages:
            del sys.modules[package]
        sys.modules.update(loaded)


class StartConfig(uvicorn.Config):
    """Configuration that loads the application without garbage collection, which takes a fifth of the start."""

    def load(self) -> None:
        """Load the application; what it made stays until the end, and is left out of every later collection.

        A server with a setting for traces imports UNUSED after this.
        """
        gc.disable()
        with _hidden(UNUSED):
            super().load()
        gc.freeze()
        gc.enable()
        if sys.platform == "linux":
            ctypes.CDLL(None).malloc_trim(0)  # gives back 4 MB that only the start needed


class Worker(CountedWorker):
    """Worker whose death ends a ping under way: uvicorn holds its end of the pipe too, and waits HEALTH_SECONDS."""

    def start(self) -> None:
        super().start()
        self.child_conn.close()

    def wait_until_ready(self, timeout: float, should_exit: threading.Event | None = None) -> bool:  # noqa: ARG002 - HEALTH_SECONDS
        """Return whether the worker serves within START_SECONDS, which uvicorn gives no longer than to a ping."""
        return super().wait_until_ready(START_SECONDS, should_exit)

    def join(self) -> None:
        """Wait for the end of the worker, and take its open sockets from the figures of all workers."""
        super().join()
        if METRICS_FOLDER in os.environ:
            mark_process_dead(self.pid)


class Supervisor(Multiprocess):
    """Supervisor that, on SIGHUP, replaces each worker by one with the code and the release that are on disk by then.

    The new worker accepts connections before the old one stops, which has STOP_SECONDS for the requests under way.
    """

    def handle_hup(self) -> None:
        """Replace the workers, one after the other; a new one that does not start leaves the old one in place.

        The result is written for `tools.reload`, and for `/metrics`.
        """
        settings = read_settings()
        if release := current_release(settings.releases_dir):
            os.environ[WEB_FOLDER] = str(release.folder)
        before = list(self.processes)
        super().handle_hup()
        is_done = not any(process in before for process in self.processes)
        with suppress(OSError):  # a full disk
            reload_file(settings).write_text(DONE if is_done else FAILED)


def main() -> None:
    """Serve until a signal ends it; exits with uvicorn's STARTUP_FAILURE where the application cannot start."""
    multiprocess.Process = Worker
    settings = read_settings()
    with suppress(OSError):
        reload_file(settings).unlink(missing_ok=True)
    with _metrics_folder(settings), bound_listener(settings, port := int(sys.argv[1])) as listener:
        supervisor = Supervisor(server_config(settings, port), sockets=[listener])
        supervisor.run()
    if any(process.exitcode == STARTUP_FAILURE for process in supervisor.processes):
        sys.exit(STARTUP_FAILURE)


@contextmanager
def _metrics_folder(settings: Settings) -> Iterator[None]:
    """Name a folder through which several workers add up their figures, for as long as the server runs."""
    if settings.workers == 1 or not settings.metrics_tokens:
        yield
        return
    with TemporaryDirectory(prefix="metrics") as folder:
        os.environ[METRICS_FOLDER] = folder
        yield


def bound_listener(settings: Settings, port: int) -> socket.socket:
    """Return a bound socket that names TCP as its protocol, without which asyncio leaves Nagle's algorithm on.

    That, with the client's delayed acknowledgement, costs each answer 40 ms; uvicorn's `bind_socket` does not name it.
    """
    family = socket.AF_INET6 if ":" in settings.bind_address else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((settings.bind_address, port))
    return listener


def server_config(settings: Settings, port: int) -> uvicorn.Config:
    """Return the server's configuration; the site reads X-Forwarded-For itself, for the proxies it is told of."""
    return StartConfig(
        APP,
        factory=True,
        workers=settings.workers,
        host=settings.bind_address,
        port=port,
        http=f"{CONNECTIONS}:{'TimedHttp' if settings.trusted_proxies else 'CountedHttp'}",
        backlog=1,  # SharedListener has the room
        ws=f"{CONNECTIONS}:ReadSocket",
        ws_max_size=MAX_MESSAGE,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=log_config(settings.log_format),
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
        timeout_worker_healthcheck=HEALTH_SECONDS,
    )


if __name__ == "__main__":
    main()
