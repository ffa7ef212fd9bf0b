"""nginx over the site with the configuration that the project ships, on ports and with a certificate of a test."""

import os
import re
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import httpx

from tests.timeouts import ANSWER_TIMEOUT
from tools.project import Project
from tools.server import free_port

SERVERS = "\n".join(f"    server 127.0.0.1:{port} max_fails=0;" for port in (3001, 3002, 3003))
"""The processes of the site, as the configuration names them."""

WHOLE = """
daemon off;
{user}
error_log {folder}/error.log;
pid {folder}/nginx.pid;
events {{ worker_connections 8192; }}
http {{
    include /etc/nginx/mime.types;
    access_log off;
    include {folder}/site.conf;
}}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nginx:
    """A running nginx; `certificate` is the one that its clients trust, None without TLS."""

    port: int
    certificate: Path | None

    @property
    def url(self) -> str:
        return f"{'https' if self.certificate else 'http'}://localhost:{self.port}"

    def trust(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.certificate)

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, verify=self.trust(), timeout=ANSWER_TIMEOUT)


@contextmanager
def nginx(
    project: Project,
    folder: Path,
    *site_ports: int,
    is_secure: bool = True,
    changes: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Nginx]:
    """Start nginx before processes on ports of this machine, and yield it once it answers.

    Where it is not secure it answers without TLS, which clients of a test would have to be told to trust.
    `changes` are replaced in the configuration.
    """
    certificate = certificate_in(folder) if is_secure else None
    ports = {"80": free_port(), "443": free_port()}
    text = (project.root / "deploy" / "nginx.conf").read_text()
    for old, new in {
        SERVERS: "\n".join(f"    server 127.0.0.1:{port} max_fails=0;" for port in site_ports),
        "/etc/ssl/site": str(folder),
        "/var/lib/nginx/site": str(folder / "cache"),
        "/var/log/nginx": str(folder),
        "listen 80;": f"listen {ports['80']};",
        "listen 443 ssl": f"listen {ports['443']} ssl",
        "    listen [::]:80;\n": "",
        "    listen [::]:443 ssl http2;\n": "",
        **changes,
    }.items():
        assert old in text, old
        text = text.replace(old, new)
    if not is_secure:
        text = re.sub(r" ssl http2;|\n    ssl_.*;", lambda found: ";" if found[0].startswith(" ssl") else "", text)
    (folder / "site.conf").write_text(text)
    config = folder / "nginx.conf"
    config.write_text(WHOLE.format(folder=folder, user="user root;" if os.geteuid() == 0 else ""))
    program = shutil.which("nginx")
    assert program, "nginx is missing: run `python -m tools.environment --tests`"
    with (folder / "error.log").open("w") as log:
        process = subprocess.Popen([program, "-c", str(config)], stderr=log)
    running = Nginx(port=ports["443"], certificate=certificate)
    try:
        _wait(running, process, folder / "error.log")
        yield running
    finally:
        process.terminate()
        process.wait()


def certificate_in(folder: Path) -> Path:
    """Make a key and a certificate for localhost, and return the certificate."""
    key, certificate = folder / "privkey.pem", folder / "fullchain.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    return certificate


def _wait(running: Nginx, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + ANSWER_TIMEOUT
    while True:
        try:
            with running.client() as client:
                client.get("/ping")
        except httpx.TransportError:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, "nginx did not answer"
            time.sleep(0.05)
        else:
            return
