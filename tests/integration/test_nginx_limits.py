"""What nginx, as the project ships it, keeps from the site: slow headers, too many connections, ended processes."""

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
    """Answers once it is told to; it may end a connection without an answer before."""

    def __init__(self, *, ends: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.ends, self.asked, self.is_told = ends, threading.Semaphore(0), threading.Event()


class Handler(BaseHTTPRequestHandler):
    """Answers with the form that was sent."""

    def do_GET(self) -> None:
        assert isinstance(self.server, Site)
        if self.path != "/ping":  # by which the test knows that nginx answers
            self.server.asked.release()
            self.server.is_told.wait(ANSWER_TIMEOUT)
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.server.ends and self.path != "/ping":
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library calls it so
        """Keep quiet."""


@contextmanager
def running(*, ends: bool = False, waits: bool = False) -> Iterator[Site]:
    with Site(ends=ends) as site:
        if not waits:
            site.is_told.set()
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        try:
            yield site
        finally:
            site.is_told.set()
            site.shutdown()
            thread.join()


def test_network_with_too_many_connections_is_told_to_wait(project: Project, tmp_path: Path) -> None:
    changes = {"limit_conn site_network 600;": f"limit_conn site_network {LIMIT};"}
    with (
        running(waits=True) as site,
        nginx(project, tmp_path, site.server_port, is_secure=False, changes=changes) as front,
        front.client() as client,
        ThreadPoolExecutor() as threads,
    ):
        held = [threads.submit(client.post, f"/{number}") for number in range(LIMIT)]
        for _ in held:
            assert site.asked.acquire(timeout=ANSWER_TIMEOUT)
        refused = client.get("/one-more")
        site.is_told.set()
        assert [each.result().status_code for each in held] == [200] * LIMIT
        assert client.get("/again").status_code == 200
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "60")
    assert refused.text.startswith("Too many connections are open from your network.")


def test_client_that_is_slow_over_its_headers_is_left(project: Project, tmp_path: Path) -> None:
    changes = {"client_header_timeout 10s;": "client_header_timeout 1s;"}
    with (
        running() as site,
        nginx(project, tmp_path, site.server_port, is_secure=False, changes=changes) as front,
        socket.create_connection(("127.0.0.1", front.port), ANSWER_TIMEOUT) as client,
    ):
        client.sendall(b"GET / HTTP/1.1\r\nhost: localhost\r\n")
        assert client.recv(1_000) == b""
        assert not site.asked.acquire(blocking=False)


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ("192.0.2.1", "192.0.2.2", 200),
        ("192.0.2.1", "192.0.2.1", 429),
        ("2001:db8:1:2::5", "2001:db8:1:2:a:b:c:d", 429),
        ("2001:db8:1:2::5", "2001:db8:1:3::5", 200),
        ("2001:db8::5", "2001:db8::a:b:c:d", 429),
        ("2001:db8:1::b:c:d", "2001:db8:1:0:a:b:c:d", 429),
        ("2001:a0a:a0a:a0a::5", "2001:a0a:a0a:a0a:a:b:c:a0a", 429),
    ],
)
def test_subscriber_of_ipv6_counts_as_one_network(
    first: str, second: str, status: int, project: Project, tmp_path: Path
) -> None:
    trust = "    set_real_ip_from 127.0.0.1;\n    real_ip_header X-Client;\n"
    changes = {"    limit_conn site_network 600;": f"{trust}    limit_conn site_network 1;"}
    with (
        running(waits=True) as site,
        nginx(project, tmp_path, site.server_port, is_secure=False, changes=changes) as front,
        front.client() as client,
        ThreadPoolExecutor() as threads,
    ):
        held = threads.submit(client.post, "/held", headers={"x-client": first})
        assert site.asked.acquire(timeout=ANSWER_TIMEOUT)
        other = threads.submit(client.post, "/other", headers={"x-client": second})
        if status == 200:
            assert site.asked.acquire(timeout=ANSWER_TIMEOUT)
        else:
            assert other.result().status_code == status
        site.is_told.set()
        assert (held.result().status_code, other.result().status_code) == (200, status)


@pytest.mark.parametrize("path", ["/staff/sign-in/code", "/staff/logos"])
def test_form_of_staff_is_done_once(path: str, project: Project, tmp_path: Path) -> None:
    with running(ends=True) as ending, running() as site:
        ports = ending.server_port, site.server_port
        with nginx(project, tmp_path, *ports, is_secure=False) as front, front.client() as client:
            statuses = [client.post(path, data={"code": 1}).status_code for _ in range(4)]
        asked = [0, 0]
        for number, each in enumerate((ending, site)):
            while each.asked.acquire(blocking=False):
                asked[number] += 1
    assert set(statuses) == {200, 502}
    assert asked == [statuses.count(502), statuses.count(200)]


@pytest.mark.parametrize("ends", [True, False], ids=["ends before it answers", "is not there"])
def test_form_goes_to_another_process_where_one(ends: bool, project: Project, tmp_path: Path) -> None:
    with running(ends=ends) as away, running() as site:
        ports = [away.server_port if ends else free_port(), site.server_port]
        with nginx(project, tmp_path, *ports, is_secure=False) as front, front.client() as client:
            for number in range(4):
                answer = client.post("/contact/", data={"name": number})
                assert (answer.status_code, answer.text) == (200, f"name={number}")


def test_form_of_staff_goes_to_another_process_where_one_is_not_there(project: Project, tmp_path: Path) -> None:
    with (
        running() as site,
        nginx(project, tmp_path, free_port(), site.server_port, is_secure=False) as front,
        front.client() as client,
    ):
        assert [client.post("/staff/sign-in").status_code for _ in range(4)] == [200] * 4
