"""Drawings that pages show: each is a file of the export, or of a kind that the edge draws when it is asked for."""

import re
from collections.abc import Mapping
from pathlib import Path

from broker import routes
from broker.markup import parse_page
from broker.server.drawings import KINDS

_NAME = re.compile(rf"{routes.ART}([\w./-]+)")
_DRAWN = re.compile(rf"(?:{'|'.join(KINDS)})-[\w-]+\.svg")


class MissingDrawingError(ValueError):
    """A page shows a drawing that is neither a file nor drawn at the edge; the message names both."""


def check_drawings(folder: Path, pages: Mapping[str, Path]) -> None:
    """Look for the drawings that `pages`, by path, show; raises MissingDrawingError."""
    for path, file in pages.items():
        page = parse_page(file.read_text(encoding="utf-8"))
        texts = page.xpath("//@*[contains(., $art)] | //style/text()[contains(., $art)]", art=routes.ART)
        for name in {name for text in texts for name in _NAME.findall(text)}:
            if not _DRAWN.fullmatch(name) and not (folder / routes.ART.strip("/") / name).is_file():
                raise MissingDrawingError(f"{path} shows {routes.ART}{name}, which is neither a file nor drawn")
