"""nginx, as the project ships it: what it reports to the site, what it logs, what it refuses, and who gets a form."""

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.integration.nginx import nginx
from tests.timeouts import ANSWER_TIMEOUT
from tools.project import Project
from tools.server import free_port

LIMIT = 3


class Site(ThreadingHTTPServer):
    """Responds once `may_respond` is set; `breaks` ends a connection without a response."""

    def __init__(self, *, breaks: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.breaks, self.requested, self.may_respond = breaks, threading.Semaphore(0), threading.Event()


class Handler(BaseHTTPRequestHandler):
    """Responds with the headers of a GET, and with the form of a POST."""

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.respond(json.dumps(headers).encode())

    def do_POST(self) -> None:
        self.respond(self.rfile.read(int(self.headers.get("content-length", 0))))

    def respond(self, body: bytes) -> None:
        assert isinstance(self.server, Site)
        if self.path != "/ping":  # by which the test knows that nginx answers
            self.server.requested.release()
            self.server.may_respond.wait(ANSWER_TIMEOUT)
            if self.server.breaks:
                self.connection.shutdown(socket.SHUT_RDWR)
                return
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library calls it so
        """Log nothing."""


@contextmanager
def running(*, breaks: bool = False, waits: bool = False) -> Iterator[Site]:
    with Site(breaks=breaks) as site:
        if not waits:
            site.may_respond.set()
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        try:
            yield site
        finally:
            site.may_respond.set()
            site.shutdown()
            thread.join()


def test_site_receives_host_client_and_request(project: Project, tmp_path: Path) -> None:
    with running() as site, nginx(project, tmp_path, site.server_port, is_secure=False) as front, front.client() as one:
        for path in ("/", "/_event/"):
            plain = one.get(path, headers={"x-forwarded-for": "192.0.2.7", "accept-encoding": "br, gzip"}).json()
            upgraded = one.get(path, headers={"upgrade": "websocket", "connection": "upgrade"}).json()
            assert (plain["host"], plain["x-forwarded-for"]) == (f"localhost:{front.port}", "192.0.2.7, 127.0.0.1")
            assert (len(plain["x-request-id"]), plain["accept-encoding"]) == (32, "br, gzip")
            assert "upgrade" not in plain
            assert (upgraded["upgrade"], upgraded["connection"]) == ("websocket", "upgrade")


def test_log_has_no_figures_of_an_address(project: Project, tmp_path: Path) -> None:
    with running() as site, nginx(project, tmp_path, site.server_port, is_secure=False) as front, front.client() as one:
        one.get("/contact/?result=/a/result.pdf&loan=187500", headers={"referer": f"{front.url}/a/?loan=187500"})
    log = (tmp_path / "site.log").read_text()
    assert '"GET /contact/" 200' in log
    assert "187500" not in log


def test_log_has_no_address_of_a_calendar(project: Project, tmp_path: Path) -> None:
    """Nor has the error log where the site breaks off."""
    secret = "Zk3nQ0m8VvJX2yq7Tn5cB1aL"
    for breaks, status in ((False, 200), (True, 502)):
        with (
            running(breaks=breaks) as site,
            nginx(project, tmp_path, site.server_port, is_secure=False) as front,
            front.client() as one,
        ):
            assert one.get(f"/staff/diary/feed/{secret}.ics").status_code == status
        logs = {file.name: file.read_text() for file in tmp_path.glob("*.log")}
        assert f'"GET /staff/diary/feed/" {status}' in logs["site.log"]
        assert [name for name, text in logs.items() if secret in text] == []


def test_network_with_too_many_connections_has_to_wait(project: Project, tmp_path: Path) -> None:
    changes = {"limit_conn site_network 600;": f"limit_conn site_network {LIMIT};"}
    with (
        running(waits=True) as site,
        nginx(project, tmp_path, site.server_port, is_secure=False, changes=changes) as front,
        front.client() as client,
        ThreadPoolExecutor() as threads,
    ):
        held = [threads.submit(client.post, f"/{number}") for number in range(LIMIT)]
        for _ in held:
            assert site.requested.acquire(timeout=ANSWER_TIMEOUT)
        refused = client.get("/one-more")
        site.may_respond.set()
        assert [each.result().status_code for each in held] == [200] * LIMIT
        assert client.get("/again").status_code == 200
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "60")
    assert refused.text.startswith("Too many connections are open from your network.")


def test_client_that_is_slow_over_its_headers_is_closed(project: Project, tmp_path: Path) -> None:
    changes = {"client_header_timeout 10s;": "client_header_timeout 1s;"}
    with (
        running() as site,
        nginx(project, tmp_path, site.server_port, is_secure=False, changes=changes) as front,
        socket.create_connection(("127.0.0.1", front.port), ANSWER_TIMEOUT) as client,
    ):
        client.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\n")
        assert client.recv(1_000) == b""
        assert not site.requested.acquire(blocking=False)


SAME_NETWORK = {
    "192.0.2.1": "192.0.2.1",
    "2001:db8:1:2::5": "2001:db8:1:2:a:b:c:d",
    "2001:db8::5": "2001:db8::a:b:c:d",
    "2001:db8:1::b:c:d": "2001:db8:1:0:a:b:c:d",
    "2001:a0a:a0a:a0a::5": "2001:a0a:a0a:a0a:a:b:c:a0a",
}
OTHER_NETWORK = {"192.0.2.1": "192.0.2.2", "2001:db8:1:2::5": "2001:db8:1:3::5"}


def test_subscriber_of_ipv6_counts_as_one_network(project: Project, tmp_path: Path) -> None:
    trust = "    set_real_ip_from 127.0.0.1;\n    real_ip_header X-Client;\n"
    changes = {"    limit_conn site_network 600;": f"{trust}    limit_conn site_network 1;"}
    with (
        running(waits=True) as site,
        nginx(project, tmp_path, site.server_port, is_secure=False, changes=changes) as front,
        front.client() as client,
        ThreadPoolExecutor() as threads,
    ):

        def statuses(first: str, second: str, *, is_same: bool) -> list[int]:
            site.may_respond.clear()
            held = threads.submit(client.post, "/held", headers={"x-client": first})
            assert site.requested.acquire(timeout=ANSWER_TIMEOUT)
            other = threads.submit(client.post, "/other", headers={"x-client": second})
            assert other.result() if is_same else site.requested.acquire(timeout=ANSWER_TIMEOUT), (first, second)
            site.may_respond.set()
            return [held.result().status_code, other.result().status_code]

        for pair in SAME_NETWORK.items():
            assert (pair, statuses(*pair, is_same=True)) == (pair, [200, 429])
        for pair in OTHER_NETWORK.items():
            assert (pair, statuses(*pair, is_same=False)) == (pair, [200, 200])


def test_form_of_staff_is_done_once(project: Project, tmp_path: Path) -> None:
    with running(breaks=True) as breaking, running() as site:
        ports = breaking.server_port, site.server_port
        with nginx(project, tmp_path, *ports, is_secure=False) as front, front.client() as client:
            for path in ("/staff/sign-in/code", "/staff/logos"):
                statuses = [client.post(path, data={"code": 1}).status_code for _ in range(4)]
                requests = [0, 0]
                for number, each in enumerate((breaking, site)):
                    while each.requested.acquire(blocking=False):
                        requests[number] += 1
                assert (path, set(statuses)) == (path, {200, 502})
                assert requests == [statuses.count(502), statuses.count(200)]


@pytest.mark.parametrize("breaks", [True, False], ids=["breaks off", "is not there"])
def test_form_goes_to_another_process_where_one(breaks: bool, project: Project, tmp_path: Path) -> None:
    with running(breaks=breaks) as away, running() as site:
        ports = [away.server_port if breaks else free_port(), site.server_port]
        with nginx(project, tmp_path, *ports, is_secure=False) as front, front.client() as client:
            for number in range(4):
                answer = client.post("/contact/", data={"name": number})
                assert (answer.status_code, answer.text) == (200, f"name={number}")
            if not breaks:
                assert [client.post("/staff/sign-in").status_code for _ in range(4)] == [200] * 4
