"""Serve what is built, in production mode, until stopped; PORT and the other settings come from the environment.

With a secret for the content service's webhook, what editors save is published meanwhile (`tools.publisher`).
"""

import os
import signal
import subprocess
import sys
from types import FrameType

from tools.build import load_settings
from tools.project import Project, ToolError, run_tool
from tools.publisher import LOOK_SECONDS, Publisher
from tools.server import Server, start


def main() -> None:
    """Start the server, print its address, and wait until it ends or a signal comes; raises ToolError."""
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, _interrupt)
    settings = load_settings()
    given = {"BROKER_SITE_URL": settings.site_url} if os.environ.get("BROKER_SITE_URL", "").strip() else {}
    publisher = Publisher(Project(), settings) if settings.content_hook_secrets else None
    server = start(Project(), settings.port, settings=given)
    print(f"\nThe site is at {server.url} (Ctrl+C stops it)", flush=True)
    try:
        code = _publish_until_end(server, publisher) if publisher else server.process.wait()
    finally:
        server.stop()
        if publisher:
            publisher.stop()
    if code:
        raise ToolError(f"The server ended with code {code}.")


def _publish_until_end(server: Server, publisher: Publisher) -> int:
    """Look for changes of the content until the server ends, and return its code."""
    problem = ""
    while True:
        try:
            return server.process.wait(timeout=LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            before, problem = problem, _look(publisher)
        if problem not in ("", before):
            print(f"What editors save is not published at the moment: {problem}", flush=True)


def _look(publisher: Publisher) -> str:
    """Have the publisher look, and return what kept it from that; empty for nothing."""
    try:
        publisher.look()
    except OSError as error:
        return str(error)
    return ""


def _interrupt(_signum: int, _frame: FrameType | None) -> None:
    """Stop the server on the way out; having been asked to stop is no error, so `make` says nothing."""
    sys.exit(0)


if __name__ == "__main__":
    run_tool(main)
