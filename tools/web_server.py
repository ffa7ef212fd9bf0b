"""One process of uvicorn over the current release: `tools.web_server PORT`."""

import gc
import sys
from contextlib import suppress

import uvicorn
from uvicorn.config import STARTUP_FAILURE

from broker.log_format import log_config
from broker.settings import Settings, read_settings

APP, SOCKETS = "broker.broker:serve", "broker.server.socket_frames:LimitedSocket"

MAX_MESSAGE = 64 * 1024
"""Bytes of a socket's message; the longest of a page has about 4,000."""

KEEP_ALIVE_SECONDS = 15
STOP_SECONDS = 5
"""Time for running requests when the server is stopped."""


def main() -> None:
    """Serve until a signal; exit with STARTUP_FAILURE if the application cannot start."""
    server = uvicorn.Server(_loaded(server_config(read_settings(), int(sys.argv[1]))))
    with suppress(KeyboardInterrupt):
        server.run()
    if not server.started:
        sys.exit(STARTUP_FAILURE)


def _loaded(config: uvicorn.Config) -> uvicorn.Config:
    """Load the application, and leave what it consists of out of garbage collection.

    It stays until the process ends. Each full collection would search it, which halts all answers for a quarter of a
    second, and find nothing.
    """
    gc.disable()
    config.load()
    gc.freeze()
    gc.enable()
    return config


def server_config(settings: Settings, port: int) -> uvicorn.Config:
    """Return uvicorn's configuration; the site itself reads X-Forwarded-For."""
    return uvicorn.Config(
        APP,
        factory=True,
        host=settings.bind_address,
        port=port,
        http="h11",
        ws=SOCKETS,
        ws_max_size=MAX_MESSAGE,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=log_config(settings.log_format),
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STOP_SECONDS,
    )


if __name__ == "__main__":
    main()
