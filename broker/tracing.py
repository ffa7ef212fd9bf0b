"""Traces: what the server did for a request, for an event of a tab or in a job, and how long each step took.

Where OTEL_EXPORTER_OTLP_ENDPOINT names a collector, `trace_export` makes the spans and sends them. Without it nothing
of OpenTelemetry is imported, and a span costs a call that returns NO_SPAN.

No span has personal data. Its name and its attributes come from this program alone: a route, a handler, a call of the
feed, the type of an error. Addresses, form values and the messages of errors are left out.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from types import MappingProxyType, TracebackType
from typing import Protocol, Self

INTERNAL, SERVER, CLIENT = "INTERNAL", "SERVER", "CLIENT"
"""Kinds of spans: a step, an answer to a request, a call to another service."""

STATUS = "http.response.status_code"
"""Attribute of the status that was answered, or that another service answered."""

Value = str | int
NO_ATTRIBUTES: Mapping[str, Value] = MappingProxyType({})


class Span:
    """A step of a trace, from the start of a `with` block to its end; this one keeps nothing."""

    __slots__ = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the step; the type of an error that ends it is kept, and its message is not."""

    def set(self, name: str, value: Value) -> None:
        """Keep an attribute, which must not be personal."""

    def fail(self, kind: str) -> None:
        """Mark the step as failed, by a type of error or a status."""


class Tracer(Protocol):
    """Makes spans, and names the trace of the step that is under way, empty for none."""

    def span(self, name: str, *, kind: str, attributes: Mapping[str, Value]) -> Span: ...

    def trace_id(self) -> str: ...


NO_SPAN = Span()

_installed: list[Tracer] = []


def install(*tracers: Tracer) -> None:
    """Have spans made by a tracer from now on; by none without one."""
    _installed[:] = tracers


def span(name: str, *, kind: str = INTERNAL, attributes: Mapping[str, Value] = NO_ATTRIBUTES) -> Span:
    """Return a step of the trace that is under way, or of a new one, for a `with` block."""
    return _installed[0].span(name, kind=kind, attributes=attributes) if _installed else NO_SPAN


def trace_id() -> str:
    """Return the identifier of the trace that is under way, 32 digits; empty for none."""
    return _installed[0].trace_id() if _installed else ""


@asynccontextmanager
async def running(url: str) -> AsyncIterator[None]:
    """Make traces and send them to the collector at an address while the server runs; none without an address."""
    if not url:
        yield
        return
    from broker.trace_export import exporting  # 6 MiB of OpenTelemetry

    async with exporting(url):
        yield
