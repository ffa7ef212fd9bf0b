"""The process that draws documents with Typst: run by its path, it imports nothing of the site's.

A request is a length of four bytes and a JSON text, an answer a length and a PDF, of no bytes where Typst refused. It
ends when its input does, and after IDLE_SECONDS without a request, which gives its memory back.
"""

import os
import select
import sys
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

import typst

FILES = Path(__file__).with_name("typst")

IDLE_SECONDS = 300.0

LOW_PRIORITY = 10
"""The niceness of the process: searches and pages go first."""

LENGTH_BYTES = 4

Standard: TypeAlias = Literal["ua-1"]

STANDARD: Standard = "ua-1"
"""What a PDF is checked against: PDF/UA-1, for screen readers."""


class Typesetter:
    """Draws documents with the fonts of the site, whatever the system has."""

    def __init__(self) -> None:
        fonts = typst.Fonts(include_system_fonts=False, font_paths=[FILES])
        self._compiler = typst.Compiler(FILES / "document.typ", root=FILES, font_paths=fonts)

    def draw(self, data: str) -> bytes:
        """Return the PDF of a document in JSON, empty where Typst refuses it.

        A character of no font is against the standard: such a document is tagged all the same.
        """
        return self._compiled(data, [STANDARD]) or self._compiled(data, [])

    def _compiled(self, data: str, standards: list[Standard]) -> bytes:
        try:
            found = self._compiler.compile(format="pdf", pdf_standards=[*standards], sys_inputs={"data": data})
        except typst.TypstError as error:
            if not standards:
                print(f"Typst refused a document: {error.message[:200]}", file=sys.stderr)  # noqa: T201 - no log here
            return b""
        return found if isinstance(found, bytes) else b""


def answer_all(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until there are no more."""
    typesetter = Typesetter()
    while select.select([requests], [], [], IDLE_SECONDS)[0] and (head := requests.read(LENGTH_BYTES)):
        pdf = typesetter.draw(requests.read(int.from_bytes(head)).decode())
        answers.write(len(pdf).to_bytes(LENGTH_BYTES) + pdf)
        answers.flush()


if __name__ == "__main__":
    os.nice(LOW_PRIORITY)
    answer_all(sys.stdin.buffer, sys.stdout.buffer)
