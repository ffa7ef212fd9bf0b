"""What nginx, as the project ships it, tells the site of a request, and what it logs of it."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.integration.nginx import nginx
from tools.project import Project


class Echo(BaseHTTPRequestHandler):
    """Answers with the headers that it was asked with."""

    def do_GET(self) -> None:
        body = json.dumps({name.lower(): value for name, value in self.headers.items()}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library calls it so
        """Keep quiet."""


@contextmanager
def echo() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("path", ("/", "/_event/"))
def test_site_is_told_of_host_client_and_request(project: Project, tmp_path: Path, path: str) -> None:
    with echo() as port, nginx(project, tmp_path, port) as before, before.client() as client:
        told = client.get(path, headers={"x-forwarded-for": "192.0.2.7", "accept-encoding": "br, gzip"}).json()
        upgraded = client.get(path, headers={"upgrade": "websocket", "connection": "upgrade"}).json()
    assert (told["host"], told["x-forwarded-for"]) == (f"localhost:{before.port}", "192.0.2.7, 127.0.0.1")
    assert len(told["x-request-id"]) == 32
    assert told["accept-encoding"] == "br, gzip"
    assert "upgrade" not in told
    assert (upgraded["upgrade"], upgraded["connection"]) == ("websocket", "upgrade")


def test_log_has_no_figures_of_an_address(project: Project, tmp_path: Path) -> None:
    with echo() as port, nginx(project, tmp_path, port) as before, before.client() as client:
        client.get("/contact/?result=/a/result.pdf&loan=187500", headers={"referer": f"{before.url}/a/?loan=187500"})
    log = (tmp_path / "site.log").read_text()
    assert '"GET /contact/" 200' in log
    assert "187500" not in log
