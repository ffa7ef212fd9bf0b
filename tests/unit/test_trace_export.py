"""Sending spans: what a server without a collector saves, and what a collector that is slow or away costs."""

import logging
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from broker import tracing
from broker.settings import ROOT, SettingsError
from broker.trace_export import STOP_SECONDS, traces_to

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


async def test_silent_collector_delays_nothing_and_the_stop_by_two_seconds() -> None:
    for name in ("opentelemetry.exporter.otlp.proto.http.trace_exporter", "opentelemetry.sdk._shared_internal"):
        # its thread gives up while other tests run
        logging.getLogger(name).disabled = True
    with socket.create_server(("127.0.0.1", 0)) as silent:
        traces = traces_to(f"http://127.0.0.1:{silent.getsockname()[1]}")
        with traces.running():
            for _ in range(5_000):
                with tracing.span("search"):
                    pass
        began = time.monotonic()
        await traces.stop()
        assert time.monotonic() - began < STOP_SECONDS + 1
    assert tracing.span("search") is tracing.NO_SPAN


def test_wrong_variable_of_opentelemetry_is_named_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "0")
    with pytest.raises(SettingsError, match=r"^a variable that begins with OTEL_ has .*max_queue_size must be a posi"):
        traces_to("http://127.0.0.1:4318")
