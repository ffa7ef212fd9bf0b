"""Serve what is built, in production mode, until stopped; PORT and the other settings come from the environment.

What editors save is copied meanwhile, and published with a secret for the content service's webhook
(`tools.publisher`); of several servers over one `BROKER_STATE_DIR`, one does it.
"""

import os
import signal
import sys
from types import FrameType

from broker.settings import Settings
from tools.project import Project, ToolError, load_settings, run_tool
from tools.server import Server, start


def main() -> None:
    """Start the server, print its address, and wait until it ends or a signal comes; raises ToolError."""
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
    """Wait until the server ends, and return its code; publish meanwhile what editors save."""
    if not (settings.content_hook_secrets or settings.api_url):
        return server.process.wait()
    from tools.publisher import publish_until_end  # takes 9 MB

    return publish_until_end(server.process, Project(), settings=settings)


def _interrupt(_signum: int, _frame: FrameType | None) -> None:
    """Stop the server on the way out; having been asked to stop is no error, so `make` says nothing."""
    sys.exit(0)


if __name__ == "__main__":
    run_tool(main)
