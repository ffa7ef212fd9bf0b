"""Pages through nginx as it ships, beside a bare nginx over the same files: figures for `bench_workers`.

Run as a process of its own it is the load: connections over TLS, on which it asks for a page so often that it only
has to count bytes. What counts is what nginx answers for a second of its processor time, since the load shares the
machine; both send the gzipped page of the build to a client that stays connected.
"""

import json
import shutil
import socket
import ssl
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict

from broker import routes
from tests.bench.process_times import processor_seconds
from tests.integration.nginx import WHOLE, Nginx, nginx
from tools.project import Project
from tools.server import free_port

AT_ONCE, BATCHES = 1, 900
"""Requests that are on their way, and how often that on one connection, which nginx closes after 1,000 requests."""

BARE = """
server {{
    listen {port} ssl http2;
    ssl_certificate {folder}/fullchain.pem;
    ssl_certificate_key {folder}/privkey.pem;
    ssl_protocols TLSv1.2 TLSv1.3;
    server_tokens off;
    root {root};
    gzip_static on;
    etag off;
}}
"""


class Speed(TypedDict):
    """Pages a second, and pages for a second of nginx's processor time."""

    rate: float
    each: float


def asked(port: int, process: int, *, path: str, seconds: float) -> Speed:
    """Ask nginx for a page on one connection after the other until the time is over."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    request = f"GET {path} HTTP/1.1\r\nhost: localhost:{port}\r\naccept-encoding: gzip\r\n\r\n".encode()
    done, began, spent = 0, time.perf_counter(), processor_seconds(process)
    while (took := time.perf_counter() - began) < seconds:
        with socket.create_connection(("localhost", port)) as plain, trusting.wrap_socket(plain) as connection:
            length = _length(connection, request)
            for _ in range(BATCHES):
                connection.sendall(request * AT_ONCE)
                _read(connection, length * AT_ONCE)
        done += 1 + BATCHES * AT_ONCE
    return Speed(rate=done / took, each=done / (processor_seconds(process) - spent))


def _read(connection: ssl.SSLSocket, length: int) -> None:
    """Read so many bytes; raises ConnectionError where the connection ends before."""
    while length:
        heard = len(connection.recv(min(length, 1 << 16)))
        if not heard:
            raise ConnectionError
        length -= heard


def _length(connection: ssl.SSLSocket, request: bytes) -> int:
    """Return the bytes of one answer with its head, which is the same for each."""
    connection.sendall(request)
    held = b""
    while b"\r\n\r\n" not in held:
        held += connection.recv(1 << 16)
    head, blank, body = held.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 "), head
    assert b"content-encoding: gzip" in head.lower(), head
    size = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n", 1)[0])
    _read(connection, size - len(body))
    return len(head) + len(blank) + size


@contextmanager
def bare(root: Path, folder: Path, shipped: Nginx) -> Iterator[tuple[int, int]]:
    """Start an nginx over files alone, with the certificate of another; yield its port and its process."""
    port = free_port()
    for each in ("privkey.pem", "fullchain.pem"):
        shutil.copy(shipped.certificate.parent / each, folder)
    (folder / "site.conf").write_text(BARE.format(port=port, folder=folder, root=root))
    user = "user root;" if "user root;" in shipped.config.read_text() else ""
    (folder / "nginx.conf").write_text(WHOLE.format(folder=folder, user=user))
    program = shutil.which("nginx")
    assert program
    with subprocess.Popen([program, "-c", str(folder / "nginx.conf")]) as process:
        try:
            time.sleep(1)
            yield port, process.pid
        finally:
            process.terminate()


def speeds(project: Project, root: Path, folder: Path, *, site_port: int, turns: int) -> tuple[Speed, Speed]:
    """Return the medians of the shipped nginx and of the bare one, asked in turn."""
    folders = folder / "shipped", folder / "bare"
    for each in folders:
        each.mkdir()
    found: tuple[list[Speed], list[Speed]] = ([], [])
    with nginx(project, folders[0], site_port) as shipped, bare(root, folders[1], shipped) as other:
        shipped_process = int((folders[0] / "nginx.pid").read_text())
        for _ in range(turns):
            for kept, (port, process) in zip(found, ((shipped.port, shipped_process), other), strict=True):
                kept.append(_told(port, process))
    return _median(found[0]), _median(found[1])


def _told(port: int, process: int) -> Speed:
    command = [sys.executable, "-m", "tests.bench.static_pages", str(port), str(process)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, start_new_session=True)
    return json.loads(done.stdout)


def _median(found: list[Speed]) -> Speed:
    return Speed(
        rate=statistics.median(each["rate"] for each in found), each=statistics.median(each["each"] for each in found)
    )


if __name__ == "__main__":
    print(json.dumps(asked(int(sys.argv[1]), int(sys.argv[2]), path=routes.ABOUT, seconds=2.0)))
