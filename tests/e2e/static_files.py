"""A server of files alone, as a static host would serve the export."""

from collections.abc import Iterator, Sequence
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
    """Sends each HTML file in parts, `PAUSE` seconds apart: it pauses before the first of each of `marks`."""

    def __init__(self, *args: Any, marks: Sequence[str], **names: Any) -> None:
        self._marks = [mark.encode() for mark in marks]
        super().__init__(*args, **names)

    def copyfile(self, source: Any, outputfile: Any) -> None:
        text, sent = source.read(), 0
        for place in sorted(text.find(mark) for mark in self._marks if mark in text):
            outputfile.write(text[sent:place])
            sent = place
            sleep(PAUSE)
        outputfile.write(text[sent:])


class _Server(ThreadingHTTPServer):
    """Does not wait for connections that a browser keeps open."""

    daemon_threads = True
    block_on_close = False


@contextmanager
def serve_folder(folder: Path, *, pause_before: Sequence[str] = ()) -> Iterator[str]:
    """Serve files; each pauses for `PAUSE` seconds before the first of each text of `pause_before`."""
    kind = partial(_Pausing, marks=pause_before) if pause_before else _Quiet
    with _Server(("127.0.0.1", 0), partial(kind, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()
        thread.join()
