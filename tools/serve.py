"""Serve what is built, in production mode, until stopped; PORT and the other settings come from the environment."""

import os
import signal
import sys
from types import FrameType

from tools.build import load_settings
from tools.project import Project, ToolError, run_tool
from tools.server import start


def main() -> None:
    """Start the server, print its address, and wait until it ends or a signal comes; raises ToolError."""
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, _interrupt)
    settings = load_settings()
    given = {"BROKER_SITE_URL": settings.site_url} if os.environ.get("BROKER_SITE_URL", "").strip() else {}
    server = start(Project(), settings.port, settings=given)
    print(f"\nThe site is at {server.url} (Ctrl+C stops it)", flush=True)
    try:
        code = server.process.wait()
    finally:
        server.stop()
    if code:
        raise ToolError(f"The server ended with code {code}.")


def _interrupt(_signum: int, _frame: FrameType | None) -> None:
    """Stop the server on the way out; having been asked to stop is no error, so `make` says nothing."""
    sys.exit(0)


if __name__ == "__main__":
    run_tool(main)
