"""A collector of traces on a port of this machine, which reads what it is sent by OTLP."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.timeouts import ANSWER_TIMEOUT

PATIENCE = ANSWER_TIMEOUT
"""Seconds in which a span must arrive: the server sends what it has every five."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentSpan:
    """A span as it arrived; `parent` is empty for the first of a trace."""

    name: str
    trace_id: str
    span_id: str
    parent: str
    attributes: dict[str, str | int]
    failed: bool


class Collector:
    """Keeps the spans that arrive, and the bytes that they came in."""

    def __init__(self) -> None:
        self.spans: list[SentSpan] = []
        self.services: set[str] = set()
        self.received = b""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def named(self, name: str) -> list[SentSpan]:
        """Return the spans of a name, at least one; waits for it."""
        until = time.monotonic() + PATIENCE
        while not (found := [each for each in self.spans if each.name == name]):
            assert time.monotonic() < until, f"no {name!r} among {sorted({each.name for each in self.spans})}"
            time.sleep(0.05)
        return found

    def take(self, path: str, body: bytes) -> None:
        """Keep the spans of a message."""
        assert path == "/v1/traces"
        self.received += body
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.services.add(str(_attributes(resource.resource.attributes)["service.name"]))
            self.spans += (_span(each) for scope in resource.scope_spans for each in scope.spans)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        take = self.take

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                take(self.path, self.rfile.read(int(self.headers["content-length"])))
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
                del format, args

        return Handler

    @contextmanager
    def up(self) -> Iterator[None]:
        """Listen while the block runs."""
        thread = threading.Thread(target=self._server.serve_forever)
        thread.start()
        try:
            yield
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()


def _span(sent: Any) -> SentSpan:
    return SentSpan(
        name=sent.name,
        trace_id=sent.trace_id.hex(),
        span_id=sent.span_id.hex(),
        parent=sent.parent_span_id.hex(),
        attributes=_attributes(sent.attributes),
        failed=sent.status.code == sent.status.STATUS_CODE_ERROR,
    )


def _attributes(pairs: Any) -> dict[str, str | int]:
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in pairs}
