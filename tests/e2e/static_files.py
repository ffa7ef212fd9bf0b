"""A server of files alone, as a static host would serve the export."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

PAUSE = 0.3


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the overridden method's
        """Say nothing."""


class _Pausing(_Quiet):
    """Sends each HTML file in two parts, `PAUSE` apart: up to the first `mark`, and from there."""

    def __init__(self, *args: Any, mark: bytes, **names: Any) -> None:
        self._mark = mark
        super().__init__(*args, **names)

    def copyfile(self, source: Any, outputfile: Any) -> None:
        first, mark, rest = source.read().partition(self._mark)
        outputfile.write(first)
        if mark:
            sleep(PAUSE)
        outputfile.write(mark + rest)


class _Server(ThreadingHTTPServer):
    """Does not wait for connections that a browser keeps open."""

    daemon_threads = True
    block_on_close = False


@contextmanager
def serve_folder(folder: Path, *, pause_before: str = "") -> Iterator[str]:
    """Serve files; each pauses for `PAUSE` seconds where `pause_before` first stands in it."""
    kind = partial(_Pausing, mark=pause_before.encode()) if pause_before else _Quiet
    with _Server(("127.0.0.1", 0), partial(kind, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()
        thread.join()
