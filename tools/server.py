"""The production server as a child process: uvicorn over the current release."""

import os
import random
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from types import MappingProxyType

from broker.server.health import LIVE_PATH
from broker.server.releases import current_release
from broker.settings import read_settings
from tools.project import Project, ToolError

POLL_SECONDS = 0.05

START_TIMEOUT = 180
"""Seconds for a server to start: it takes five, more on a busy machine."""

PORTS = (20_000, 32_000)
"""Range of free ports, below those of Linux for outgoing connections."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A running server: its address without a trailing slash, its process, and its log file, if any."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path | None = None

    def stop(self) -> None:
        """End the server and wait for it, if it runs."""
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def said(self) -> str:
        """Return the log; empty for a server that writes to the terminal."""
        return self.log.read_text(errors="replace") if self.log else ""


def start(
    project: Project, port: int, *, log: Path | None = None, settings: Mapping[str, str] = MappingProxyType({})
) -> Server:
    """Start a server over the current release, and return it once it responds; `settings` are environment variables.

    Its site is `http://localhost:PORT` without BROKER_SITE_URL. Raises ToolError if nothing is built, the port is
    taken, or it does not respond within START_TIMEOUT.
    """
    read = read_settings({**os.environ, **settings})
    release = current_release(read.releases_dir)
    if release is None:
        raise ToolError("Nothing is built yet: run `make build` first.")
    check_free(port, read.bind_address)
    address = f"http://localhost:{port}"
    environment = project.environment(REFLEX_WEB_WORKDIR=str(release.folder), **serving(address, settings))
    command = [str(project.python), "-m", "tools.web_server", str(port)]
    output = log.open("wb") if log else None
    process = subprocess.Popen(
        command, cwd=project.root, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
    )
    if output:
        output.close()
    server = Server(url=address, process=process, log=log)
    try:
        _wait(server, own_url(read.bind_address, port))
    except BaseException:  # including SystemExit by a signal
        server.stop()
        raise
    return server


def serving(address: str, settings: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variables of a server: no compilation by Reflex."""
    return {"BROKER_SITE_URL": address, "REFLEX_ENV_MODE": "prod", "__REFLEX_SKIP_COMPILE": "true", **settings}


def own_url(bind: str, port: int) -> str:
    """Return the local URL of a server that listens on an IP address."""
    host = "localhost" if ip_address(bind).is_unspecified else f"[{bind}]" if ":" in bind else bind
    return f"http://{host}:{port}"


def check_free(port: int, bind: str = "0.0.0.0") -> None:
    """Raise ToolError if the port of an IP address of this machine cannot be bound."""
    with socket.socket(socket.AF_INET6 if ":" in bind else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((bind, port))
        except OSError as error:
            raise ToolError(
                f"Port {port} of {bind} is not available ({error.strerror}): stop what uses it, or name another, as in "
                "PORT=8080. BROKER_BIND takes an address of this machine."
            ) from error


def free_port() -> int:
    """Return a free port in PORTS."""
    while True:
        port = random.randrange(*PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def _wait(server: Server, url: str) -> None:
    deadline = time.monotonic() + START_TIMEOUT
    while not _answers(url):
        if server.process.poll() is not None or time.monotonic() > deadline:
            raise ToolError(f"{server.said()}\nThe server did not start.".lstrip())
        time.sleep(POLL_SECONDS)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url + LIVE_PATH, timeout=5) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False
