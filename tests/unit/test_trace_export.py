"""Sending spans: what a server without a collector saves, and what a collector that is slow or away costs."""

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Event

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

from broker import trace_export, tracing
from broker.settings import ROOT, SettingsError
from broker.trace_export import Traces, traces_to

UNTRACED = """
import asyncio, sys
from broker import tracing
from broker.settings import read_settings
from tools.web_server import server_config

def imported() -> list[str]:
    return sorted(name for name in sys.modules if name.partition(".")[0] in ("opentelemetry", "google", "requests"))

async def run(url: str) -> None:
    async with tracing.running(url):
        print(tracing.span("search") is tracing.NO_SPAN, len(imported()) > 0)

server_config(settings := read_settings(), 3000).load()
asyncio.run(run(settings.traces_url))
asyncio.run(run("http://127.0.0.1:1"))
"""


def test_server_without_a_collector_imports_nothing_of_opentelemetry(tmp_path: Path) -> None:
    environment = {"__REFLEX_SKIP_COMPILE": "true", "PATH": "/usr/bin:/bin", "BROKER_STATE_DIR": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", UNTRACED], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert (run.stdout, run.returncode) == ("True False\nFalse True\n", 0), run.stderr


class HeldExporter(SpanExporter):
    """An exporter whose collector does not answer until `answered` is set; `ended` is set once it is shut down."""

    def __init__(self) -> None:
        self.answered, self.ended = Event(), Event()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        del spans
        self.answered.wait()
        return SpanExportResult.SUCCESS

    def shutdown(self) -> None:
        self.ended.set()


async def test_silent_collector_delays_neither_spans_nor_the_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_export, "STOP_SECONDS", 0.01)
    exporter = HeldExporter()
    traces = Traces(BatchSpanProcessor(exporter))
    with traces.running():
        for _ in range(5_000):
            with tracing.span("search"):
                pass
    await traces.stop()
    assert (tracing.span("search") is tracing.NO_SPAN, exporter.ended.is_set()) == (True, False)
    exporter.answered.set()  # so that no thread of this test writes into the log of another
    assert await asyncio.to_thread(exporter.ended.wait, 30)


def test_wrong_variable_of_opentelemetry_is_named_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "0")
    with pytest.raises(SettingsError, match=r"^a variable that begins with OTEL_ has .*max_queue_size must be a posi"):
        traces_to("http://127.0.0.1:4318")
