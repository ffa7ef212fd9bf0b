"""Documents as PDF: A4, tagged for screen readers, drawn by Typst from `typst/document.typ`.

One is drawn at a time, in a process of low priority that the first document starts, so that searches are not delayed.
"""

import asyncio
import json
import os
import signal
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from broker.documents.document import Document, Letterhead

if TYPE_CHECKING:
    import typst

MAX_WAITING = 40
"""Documents that may wait or be drawn at once."""

MAX_SECONDS = 10
"""Time to draw a document, after which the process is ended."""

LOW_PRIORITY = 10
"""The niceness of the process: searches and pages go first."""

FILES = Path(__file__).with_name("typst")


class PdfError(Exception):
    """A document could not be drawn."""


class PdfBusyError(PdfError):
    """Too many documents wait already."""


class PdfService:
    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._waiting = 0

    async def draw(self, document: Document, letterhead: Letterhead, *, mark: str) -> bytes:
        """Return a document as a PDF; raises PdfBusyError or PdfError. `mark` is the firm's mark as an SVG."""
        if self._waiting >= MAX_WAITING:
            raise PdfBusyError("too many documents wait")
        data = {"document": asdict(document), "letterhead": asdict(letterhead), "mark": mark}
        text = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace").decode()
        self._waiting += 1
        try:
            return await asyncio.wrap_future(self._submitted(text))
        except BrokenProcessPool as error:
            raise PdfError("the process ended") from error
        finally:
            self._waiting -= 1

    def close(self) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def _submitted(self, text: str) -> Future[bytes]:
        """Pass a document to the process, or to a new one if that has ended."""
        with suppress(BrokenProcessPool):
            if self._pool:
                return self._pool.submit(_draw, text, MAX_SECONDS)
        self._pool = ProcessPoolExecutor(1, get_context("spawn"), _prepare_process)
        return self._pool.submit(_draw, text, MAX_SECONDS)


def _prepare_process() -> None:
    """Lower the priority of this process, and end it when the server ends in any way.

    Ctrl+C is left to the server, which stops this process once the document is drawn.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(LOW_PRIORITY)
    server = parent_process()
    assert server

    def end() -> None:
        server.join()
        os._exit(0)

    Thread(target=end, daemon=True).start()


@cache
def _compiler() -> "typst.Compiler":
    """Return the compiler with the fonts of the site alone."""
    import typst  # 50 MB, which the server does not need

    fonts = typst.Fonts(include_system_fonts=False, font_paths=[FILES])
    return typst.Compiler(FILES / "document.typ", root=FILES, font_paths=fonts)


def _draw(text: str, seconds: int) -> bytes:
    """Return the PDF of a document in JSON, and end this process where that takes too long; raises PdfError.

    It is checked against PDF/UA-1, for screen readers. A character of no font is against the standard: such a document
    is tagged all the same.
    """
    signal.alarm(seconds)
    try:
        try:
            pdf = _compiler().compile(format="pdf", pdf_standards=["ua-1"], sys_inputs={"data": text})
        except RuntimeError:
            pdf = _compiler().compile(format="pdf", sys_inputs={"data": text})
    except RuntimeError as error:  # TypstError, which another process cannot read
        raise PdfError(f"Typst refused a document: {str(error)[:200]}") from None
    finally:
        signal.alarm(0)
    assert isinstance(pdf, bytes)
    return pdf
