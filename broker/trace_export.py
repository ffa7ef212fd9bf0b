"""Makes spans by OpenTelemetry and sends them to a collector, in batches and from a thread; see `broker.tracing`.

A collector that is slow or away costs no request anything: spans wait in a queue of 2,048 (OTEL_BSP_MAX_QUEUE_SIZE),
and those that do not fit are dropped.

A `traceparent` that comes with a request is ignored, behind a proxy too: nginx passes on what a visitor sent, who could
choose the trace that a request belongs to, and have each one recorded where only a sample should be. The identifier of
the request, which is that of our own proxy, joins its log to our traces.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import Token
from threading import Thread
from types import TracebackType
from typing import Any, Self

from opentelemetry import context, trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, StatusCode
from reflex_base import otel

from broker import tracing
from broker.settings import SettingsError
from broker.tracing import Span, Value

PATH = "/v1/traces"
"""Where a collector takes traces, below its address."""

STOP_SECONDS = 2.0
"""Time that the last spans have to reach the collector when the server stops."""


class TracedSpan(Span):
    """A step that is recorded."""

    __slots__ = ("_token", "recorded")

    def __init__(self, recorded: trace.Span) -> None:
        self.recorded = recorded
        self._token: Token[context.Context] | None = None

    def __enter__(self) -> Self:
        self._token = context.attach(trace.set_span_in_context(self.recorded))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the step; a cancelled one has not failed."""
        if kind and issubclass(kind, Exception):
            self.fail(kind.__name__)
        elif kind:
            self.set("error.type", kind.__name__)
        if self._token:
            context.detach(self._token)
        self.recorded.end()

    def set(self, name: str, value: Value) -> None:
        self.recorded.set_attribute(name, value)

    def fail(self, kind: str) -> None:
        """Mark the step as failed."""
        self.set("error.type", kind)
        self.recorded.set_status(StatusCode.ERROR)


class Traces:
    """Makes spans, and has them exported by a processor."""

    def __init__(self, processor: SpanProcessor) -> None:
        """Set up OpenTelemetry, which reads its own variables; raises ValueError for one of them."""
        resource = Resource.create({SERVICE_NAME: "broker"}).merge(OTELResourceDetector().detect())
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("broker")

    def span(self, name: str, *, kind: str, attributes: Mapping[str, Value]) -> Span:
        return TracedSpan(self._tracer.start_span(name, kind=SpanKind[kind], attributes=attributes))

    def trace_id(self) -> str:
        current = trace.get_current_span().get_span_context()
        return trace.format_trace_id(current.trace_id) if current.is_valid else ""

    @contextmanager
    def running(self) -> Iterator[None]:
        """Make the spans of this process, those of Reflex's events among them."""
        otel.enable(EventTracers(self._tracer))
        tracing.install(self)
        try:
            yield
        finally:
            tracing.install()
            otel.disable()

    async def stop(self) -> None:
        """Send what waits, for at most STOP_SECONDS: a thread that still tries then ends with the process."""
        ending = Thread(target=self._provider.shutdown, daemon=True)
        ending.start()
        await asyncio.to_thread(ending.join, STOP_SECONDS)


class EventTracers(trace.TracerProvider, trace.Tracer):
    """Makes the spans of events for Reflex, named by the handler, with nothing of the tab.

    Reflex would add a digest of the tab's token, and take over a trace context that the page sends.
    """

    def __init__(self, tracer: trace.Tracer) -> None:
        self._tracer = tracer

    def get_tracer(self, *_name: Any, **_options: Any) -> trace.Tracer:
        return self

    def start_span(self, name: str, *_unused: Any, **options: Any) -> trace.Span:
        """Start the span of an event, of the trace that its own event belongs to, or of a new one."""
        handler = str(options["attributes"].get(otel.ATTR_CODE_FUNCTION_NAME, name))
        parent = options["context"]
        if parent is None or trace.get_current_span(parent).get_span_context().is_remote:
            parent = context.Context()
        named = f"event {'.'.join(handler.split('.')[-2:])}"
        return self._tracer.start_span(named, parent, options["kind"], {otel.ATTR_CODE_FUNCTION_NAME: handler})

    @contextmanager
    def start_as_current_span(  # pyright: ignore[reportIncompatibleMethodOverride] - async functions need no decorator
        self, name: str, *_unused: Any, **options: Any
    ) -> Iterator[trace.Span]:
        """Start the span of an event for a `with` block."""
        with TracedSpan(self.start_span(name, **options)) as span:
            yield span.recorded


def traces_to(url: str) -> Traces:
    """Return traces for the collector at an address; raises SettingsError for one of OpenTelemetry's own variables."""
    try:
        return Traces(BatchSpanProcessor(OTLPSpanExporter(endpoint=url + PATH)))
    except (ValueError, RuntimeError) as error:
        raise SettingsError(
            f"a variable that begins with OTEL_ has a value that OpenTelemetry refuses: {error}"
        ) from error


@asynccontextmanager
async def exporting(url: str) -> AsyncIterator[None]:
    """Make traces and send them to the collector at an address."""
    traces = traces_to(url)
    with traces.running():
        yield
    await traces.stop()
