"""Serve what is built, in production mode, until stopped; PORT and the other settings come from the environment.

SIGUSR1, or `make reload`, replaces the workers by such as have the code and the release that are on disk by then, with
no request lost. What editors save is copied meanwhile, and published with a secret for the content service's webhook
(`tools.publisher`).
"""

import os
import signal
import sys
from pathlib import Path
from types import FrameType

from broker.settings import Settings
from tools.project import Project, ToolError, run_tool
from tools.server import Server, start
from tools.settings import load_settings


def main() -> None:
    """Start the server, print its address, and wait until it ends or a signal comes; raises ToolError."""
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, _interrupt)
    settings = load_settings()
    given = {"BROKER_SITE_URL": settings.site_url} if os.environ.get("BROKER_SITE_URL", "").strip() else {}
    server = start(Project(), settings.port, settings=given)
    print(f"\nThe site is at {server.url} (Ctrl+C stops it)", flush=True)
    signal.signal(signal.SIGUSR1, lambda _signum, _frame: server.process.send_signal(signal.SIGHUP))
    settings.state_dir.mkdir(parents=True, exist_ok=True)
    process_file(settings).write_text(str(os.getpid()))
    try:
        code = _wait(server, settings)
    finally:
        server.stop()
        process_file(settings).unlink(missing_ok=True)
    if code:
        raise ToolError(f"The server ended with code {code}.")


def process_file(settings: Settings) -> Path:
    """Return the file with the process number of the running server."""
    return settings.state_dir / "serve.pid"


def _wait(server: Server, settings: Settings) -> int:
    """Wait until the server ends, and return its code; publish meanwhile what editors save."""
    if not (settings.content_hook_secrets or settings.api_url):
        return server.process.wait()
    from tools.publisher import Publisher, publish_until_end  # takes 9 MB

    return publish_until_end(server.process, Publisher(Project(), settings))


def _interrupt(_signum: int, _frame: FrameType | None) -> None:
    """Stop the server on the way out; having been asked to stop is no error, so `make` says nothing."""
    sys.exit(0)


if __name__ == "__main__":
    run_tool(main)
