"""A small server on this machine that answers as it is told to: well, slowly, not at all, or with nonsense."""

import os
import socket
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast

from tests.unit.feeds.answers import answer, body, fault, row


class Server(ThreadingHTTPServer):
    """Answers as it is told to; `done` ends every silence, `paths` are what was asked for."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.manner = "good"
        self.paths: list[str] = []
        self.done = threading.Event()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that hang up: that is what is tested."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def site(self) -> Server:
        return cast(Server, self.server)

    def do_GET(self) -> None:
        self.do_POST()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.site.paths.append(self.path)
        getattr(self, f"be_{self.site.manner}")()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library calls it so
        """Keep quiet."""

    def send(self, status: int, content: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def be_good(self) -> None:
        self.send(200, body(answer(row())))

    def be_faulty(self) -> None:
        self.send(500, body(fault("Invalid LTV")))

    def be_failing(self) -> None:
        self.send(500, b"<html><h1>There has been a critical error</h1></html>")

    def be_leading(self) -> None:
        self.send(302, b"", Location="/elsewhere")

    def be_rubbish(self) -> None:
        self.send(200, b"<!DOCTYPE html><html><body>Welcome</body></html>")

    def be_silent(self) -> None:
        self.site.done.wait()

    def be_slow(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        while not self.site.done.wait(0.05):
            self.wfile.write(b" ")

    def be_huge(self) -> None:
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        while not self.site.done.is_set():
            self.wfile.write(b" " * 65_536)

    def be_short(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"Body":')
        self.close_connection = True

    def be_reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.connection.detach())
        self.close_connection = True

    def be_reset_once(self) -> None:
        self.site.manner = "good"
        self.be_reset()

    def be_nonsense(self) -> None:
        self.wfile.write(b"hello\r\n\r\n")
        self.close_connection = True
