"""A PDF as its readers get it: its text, its tags, and what it says of itself."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject

_AMOUNT = re.compile(r"£[\d,]+(?:\.\d+)?|\d[\d,]*(?:\.\d+)?%")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPdf:
    """A PDF: the words of its pages, its tags in their order, and the texts in place of drawings.

    `links` are the addresses that it leads to, `standard` the part of PDF/UA that it claims to keep to.
    """

    title: str
    language: str
    pages: int
    sizes: frozenset[tuple[int, int]]
    words: str
    tags: tuple[str, ...]
    alternatives: tuple[str, ...]
    links: tuple[str, ...]
    standard: str

    @property
    def text(self) -> str:
        """Return the text without white space."""
        return squeezed(self.words)

    @property
    def amounts(self) -> frozenset[str]:
        """Return the pounds and percentages in the text."""
        return amounts_in(self.words)


def amounts_in(text: str) -> frozenset[str]:
    return frozenset(_AMOUNT.findall(text))


def squeezed(text: str) -> str:
    """Return a text without white space, which lines of a page break elsewhere."""
    return re.sub(r"[\s\u200b\xad]+", "", text)


def read_pdf(body: bytes) -> ReadPdf:
    """Read a PDF strictly."""
    reader = PdfReader(io.BytesIO(body), strict=True)
    root: Any = reader.trailer["/Root"]
    elements = list(_elements(root["/StructTreeRoot"]))
    metadata = root["/Metadata"].get_data().decode()
    notes: list[Any] = [note.get_object() for page in reader.pages for note in page.get("/Annots", ())]
    return ReadPdf(
        title=str(reader.metadata.title if reader.metadata else ""),
        language=str(root.get("/Lang", "")),
        pages=len(reader.pages),
        sizes=frozenset((round(page.mediabox.width), round(page.mediabox.height)) for page in reader.pages),
        words=" ".join(" ".join(page.extract_text() for page in reader.pages).split()),
        tags=tuple(str(each["/S"]).removeprefix("/") for each in elements if "/S" in each),
        alternatives=tuple(str(each["/Alt"]) for each in elements if "/Alt" in each),
        links=tuple(str(note["/A"]["/URI"]) for note in notes if "/A" in note),
        standard="".join(re.findall(r"pdfuaid:part>(\d)<", metadata)),
    )


def _elements(node: Any) -> Iterator[DictionaryObject]:
    found = node.get_object()
    if isinstance(found, ArrayObject):
        for each in found:
            yield from _elements(each)
    elif isinstance(found, DictionaryObject):
        yield found
        if "/K" in found:
            yield from _elements(found["/K"])
