"""Spans: what stands in them, and what never does."""

import asyncio
import logging
from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanContext
from reflex_base import otel
from reflex_base.event import Event
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from broker import tracing
from broker.domain.rates.query import RatesQuery
from broker.feeds.endpoints import RATES
from broker.feeds.errors import FeedFaultError, FeedUnavailableError
from broker.log_format import RequestIdFilter
from broker.services.background_tasks import in_background, refresh_periodically
from broker.services.rates.search import RatesService
from broker.state.rates.compare import CompareState
from broker.trace_export import Traces
from broker.web.middleware.request_log import RequestLog
from tests.unit.feeds.recorded import client as feed_client
from tests.unit.feeds.recorded import replied
from tests.unit.services.clock import Clock
from tests.unit.services.sources import ListSource, many

PERSONAL = ("ada@example.com", "secret-token", "203.0.113.7", "4bf92f3577b34da6a3ce929d0e0e4736")
TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
QUERY = RatesQuery(price=300_000)


@pytest.fixture
def kept() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    with Traces(SimpleSpanProcessor(exporter)).running():
        yield exporter


def told(kept: InMemorySpanExporter) -> list[tuple[str, dict[str, object]]]:
    return [(each.name, dict(each.attributes or {})) for each in kept.get_finished_spans()]


def only(kept: InMemorySpanExporter) -> ReadableSpan:
    (span,) = kept.get_finished_spans()
    return span


def context_of(span: ReadableSpan) -> SpanContext:
    context = span.get_span_context()
    assert context
    return context


def site(status: int = 200) -> TestClient:
    async def page(_: Request) -> Response:
        return PlainTextResponse(tracing.trace_id(), status)

    app = Starlette(routes=[Route("/{path:path}", page, methods=["GET", "POST"])])
    return TestClient(RequestLog(app, lambda _: "/your-enquiry/", is_proxied=True, is_logged=True))


def test_request_has_its_route_status_and_identifier_and_no_more(kept: InMemorySpanExporter) -> None:
    site().get("/your-enquiry/", headers={"x-request-id": "one-of-the-tests"})
    assert told(kept) == [
        (
            "GET /your-enquiry/",
            {
                "http.request.method": "GET",
                "http.route": "/your-enquiry/",
                "broker.request_id": "one-of-the-tests",
                "http.response.status_code": 200,
            },
        )
    ]


def test_nothing_that_a_visitor_sends_is_in_a_span(kept: InMemorySpanExporter) -> None:
    headers = {
        "cookie": "journey=secret-token",
        "x-forwarded-for": "203.0.113.7",
        "referer": "https://broker.example/?email=ada@example.com",
        "traceparent": TRACEPARENT,
        "tracestate": "a=secret-token",
        "baggage": "email=ada@example.com",
    }
    form = {"email": "ada@example.com"}
    site().post("/your-enquiry/secret-token?email=ada@example.com", headers=headers, data=form)
    span = only(kept)
    assert [each for each in PERSONAL if each in span.to_json()] == []
    assert span.parent is None


def test_request_that_fails_is_marked_by_its_status(kept: InMemorySpanExporter) -> None:
    site(503).get("/")
    span = only(kept)
    assert span.attributes
    assert (span.attributes["error.type"], span.status.is_ok) == ("503", False)


def test_error_is_told_by_its_type_alone(kept: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match="ada"), tracing.span("search"):
        raise ValueError("ada@example.com")
    span = only(kept)
    assert (told(kept), span.status.is_ok) == ([("search", {"error.type": "ValueError"})], False)
    assert "ada@" not in span.to_json()


async def test_cancelled_step_has_not_failed(kept: InMemorySpanExporter) -> None:
    with pytest.raises(asyncio.CancelledError), tracing.span("search"):
        raise asyncio.CancelledError
    assert (told(kept), only(kept).status.is_ok) == ([("search", {"error.type": "CancelledError"})], True)


def test_log_line_names_the_trace_that_it_belongs_to(kept: InMemorySpanExporter) -> None:
    def line() -> dict[str, object]:
        record = logging.LogRecord("broker", logging.INFO, "", 0, "text", (), None)
        RequestIdFilter().filter(record)
        return vars(record)

    assert "trace_id" not in line()
    with tracing.span("search"):
        trace_id = line()["trace_id"]
    assert trace_id == f"{context_of(only(kept)).trace_id:032x}"
    assert "trace_id" not in line()


def test_event_has_its_handler_and_nothing_of_the_tab_or_its_page(kept: InMemorySpanExporter) -> None:
    with otel.remote_context({"traceparent": TRACEPARENT, "tracestate": "a=secret-token"}):
        context: Any = SimpleNamespace(token="secret-token", txid="1", otel_context=otel.capture_context())
    handler: Any = SimpleNamespace(handler=CompareState.event_handlers["open"])
    event = Event(name="compare_state.open", payload={"form": {"email": "ada@example.com"}})
    with pytest.raises(ValueError, match="ada"), otel.event_span(event, context, handler):
        raise ValueError("ada@example.com")
    span = only(kept)
    named = {"code.function.name": "broker.state.rates.compare.CompareState.open"}
    assert told(kept) == [("event CompareState.open", {**named, "error.type": "ValueError"})]
    assert [each for each in PERSONAL if each in span.to_json()] == []
    assert span.parent is None


async def test_search_says_what_answered_it_and_not_what_was_asked(kept: InMemorySpanExporter) -> None:
    source, clock = ListSource(many(1)), Clock()
    service = RatesService(source, fresh_for=timedelta(seconds=1), clock=clock)
    for clock.now, source.away in ((0.0, False), (0.5, False), (2.0, True)):
        await service.search(QUERY)
    assert told(kept) == [("search", {"broker.answered_by": each}) for each in ("source", "cache", "stale")]


async def test_call_of_the_feed_says_what_came_of_it(kept: InMemorySpanExporter) -> None:
    def away(_request: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("no luck")

    assert await feed_client(lambda _: replied(b"{}")).read(RATES, form=b"price=300000") == {}
    with pytest.raises(FeedUnavailableError):
        await feed_client(away).read(RATES, form=b"price=300000")
    fault = b'{"Fault": {"faultstring": "No rates for ada@example.com"}}'
    with pytest.raises(FeedFaultError):
        await feed_client(lambda _: replied(fault)).read_in_thread(RATES, lambda tree: tree)
    assert told(kept) == [
        ("feed get_rates", {"http.response.status_code": 200}),
        ("feed get_rates", {"error.type": "FeedUnavailableError"}),
        ("feed get_rates", {"http.response.status_code": 200, "error.type": "FeedFaultError"}),
    ]
    assert [each for each in kept.get_finished_spans() if "ada@" in each.to_json() or "300000" in each.to_json()] == []


async def test_call_of_the_feed_belongs_to_the_search_that_made_it(kept: InMemorySpanExporter) -> None:
    with tracing.span("search"):
        await feed_client(lambda _: replied(b"{}")).read(RATES)
    call, search = kept.get_finished_spans()
    assert call.parent == context_of(search)


async def test_job_is_a_trace_of_its_own(kept: InMemorySpanExporter) -> None:
    done = asyncio.Event()

    async def refresh() -> None:
        done.set()

    async with in_background(refresh_periodically("lenders and logos", refresh, every=timedelta(minutes=1))):
        await done.wait()
    assert told(kept) == [("refresh lenders and logos", {})]
