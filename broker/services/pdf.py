"""Documents as PDF: A4, tagged for screen readers, drawn by `pdf_process` from `typst/document.typ`.

One is drawn at a time, in a process of low priority that the first document starts: its work and its memory are not
those of the server, whose searches go on.
"""

import asyncio
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from threading import Timer

from broker.domain.documents import Document, Letterhead

MAX_WAITING = 40
"""Documents that may wait or be drawn at once."""

MAX_SECONDS = 10.0
"""Time to draw a document, after which the process is ended."""

PROCESS = Path(__file__).with_name("pdf_process.py")

LENGTH_BYTES = 4
"""Bytes in front of each request and answer, which have its length."""


class PdfError(Exception):
    """A document could not be drawn."""


class PdfBusyError(PdfError):
    """Too many documents wait already."""


class PdfService:
    """Draws documents in their order."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pdf")
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting = 0

    async def draw(self, document: Document, letterhead: Letterhead, *, mark: str) -> bytes:
        """Return a document as a PDF; raises PdfBusyError or PdfError. `mark` is the firm's mark as an SVG."""
        if self._waiting >= MAX_WAITING:
            raise PdfBusyError("too many documents wait")
        data = {"document": asdict(document), "letterhead": asdict(letterhead), "mark": mark}
        request = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._drawn, request)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the process, if there is one."""
        self._thread.submit(self._end).result()

    def _drawn(self, request: bytes) -> bytes:
        """Return the PDF of a request; a process that had ended, idle, is started again. Raises PdfError."""
        is_new = self._process is None
        answer = self._answer(request)
        if answer is None and not is_new:
            answer = self._answer(request)
        if not answer:
            raise PdfError("Typst refused a document" if answer is not None else "the process ended")
        return answer

    def _answer(self, request: bytes) -> bytes | None:
        """Return what the process answers; None where it has ended, or takes too long and is ended."""
        process = self._process = self._process or _started()
        timer = Timer(MAX_SECONDS, process.kill)
        timer.start()
        try:
            answer = _exchanged(process, request)
        finally:
            timer.cancel()
        if answer is None:
            self._end()
        return answer

    def _end(self) -> None:
        if process := self._process:
            process.kill()
            with suppress(OSError), process:  # closes the pipes, and waits
                self._process = None


def _started() -> subprocess.Popen[bytes]:
    """Start the process; one thread of Typst's is enough for a page or two."""
    command = [sys.executable, "-I", str(PROCESS)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, env={"RAYON_NUM_THREADS": "1"})


def _exchanged(process: subprocess.Popen[bytes], request: bytes) -> bytes | None:
    """Send a request, and return its answer; None where the process ended before it was whole."""
    assert process.stdin
    assert process.stdout
    with suppress(OSError):
        process.stdin.write(len(request).to_bytes(LENGTH_BYTES) + request)
        process.stdin.flush()
        head = process.stdout.read(LENGTH_BYTES)
        answer = process.stdout.read(int.from_bytes(head))
        if len(head) == LENGTH_BYTES and len(answer) == int.from_bytes(head):
            return answer
    return None
