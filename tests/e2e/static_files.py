"""A server of files alone, as a static host would serve the export."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the overridden method's
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    """Does not wait for connections that a browser keeps open."""

    daemon_threads = True
    block_on_close = False


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    with _Server(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()
        thread.join()
