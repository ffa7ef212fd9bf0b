"""One process of uvicorn over what is built: `tools.web_server PORT`."""

import sys
from contextlib import suppress

import uvicorn
from uvicorn.config import STARTUP_FAILURE

from broker.log_format import log_config
from broker.settings import Settings, read_settings

APP, SOCKETS = "broker.broker:serve", "broker.server.socket_frames:LimitedSocket"

MAX_MESSAGE = 64 * 1024
"""Bytes of a socket's message, counted while its fragments arrive; the longest that a page sends has about 4,000."""

KEEP_ALIVE_SECONDS = 15
STOP_SECONDS = 5
"""Time that requests under way have to end when the server is stopped."""


def main() -> None:
    """Serve until a signal ends it; exits with a code where the application cannot start."""
    server = uvicorn.Server(server_config(read_settings(), int(sys.argv[1])))
    with suppress(KeyboardInterrupt):
        server.run()
    if not server.started:
        sys.exit(STARTUP_FAILURE)


def server_config(settings: Settings, port: int) -> uvicorn.Config:
    """Return the server's configuration; the site reads X-Forwarded-For itself, for the proxies it is told of."""
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
