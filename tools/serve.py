"""Serve the current release in production mode, and publish editors' changes meanwhile (`tools.publisher`)."""

import os
import signal
import sys
from types import FrameType

from broker.settings import Settings
from tools.project import Project, ToolError, load_settings, run_tool
from tools.server import Server, start


def main() -> None:
    """Start the server, print its address, and wait for its end or a signal; raises ToolError."""
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, _interrupt)
    settings = load_settings()
    given = {"BROKER_SITE_URL": settings.site_url} if os.environ.get("BROKER_SITE_URL", "").strip() else {}
    server = start(Project(), settings.port, settings=given)
    print(f"\nThe site is at {server.url} (Ctrl+C stops it)", flush=True)
    try:
        code = _wait(server, settings)
    finally:
        server.stop()
    if code:
        raise ToolError(f"The server ended with code {code}.")


def _wait(server: Server, settings: Settings) -> int:
    """Return the code of the server at its end; publish meanwhile, with a webhook or a content service."""
    if not (settings.content_hook_secrets or settings.api_url):
        return server.process.wait()
    from tools.publisher import publish_until_end  # 9 MB of memory

    return publish_until_end(server.process, Project(), settings=settings)


def _interrupt(_signum: int, _frame: FrameType | None) -> None:
    """Exit with 0, so that `make` reports no error; the server is stopped on the way."""
    sys.exit(0)


if __name__ == "__main__":
    run_tool(main)
