"""Filling an unfilled page: its marks are exchanged for escaped texts, in one pass.

Nothing is looked for in what was filled in: a text that looks like a mark of ours stays a text.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from broker.presenters.marks import IF, Values

_NAME = "[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*"
_MARK = re.compile(
    rf"__\[(?P<opens>{_NAME})\[__|__\](?P<closes>{_NAME})\]__"
    rf'| {IF}(?P<attribute>[a-z-]+)="__(?P<flag>{_NAME})__"'
    rf"|__(?P<text>{_NAME})__"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """HTML as it stands, and what comes behind it: a text, an attribute under a flag, or a part."""

    html: str
    text: str = ""
    attribute: str = ""
    flag: str = ""
    part: str = ""
    pieces: tuple[_Piece, ...] = ()


def filled(html: str, values: Values) -> str:
    """Return an unfilled page with its texts, attributes and parts; each text is escaped, for attributes too."""
    return "".join(_written(_pieces(html), values))


def exchanged(html: str, written: Mapping[str, str]) -> str:
    """Return a page with each text exchanged that is a key; of two that begin alike the longer one."""
    wanted = re.compile("|".join(map(re.escape, sorted(written, key=len, reverse=True))))
    return wanted.sub(lambda found: written[found[0]], html)


def safe(text: str) -> str:
    """Return a text as it stands in HTML and in its attributes; halves of characters, which no page can hold, as ?."""
    return escape(text.encode("utf-8", "replace").decode())


def _written(pieces: tuple[_Piece, ...], values: Values) -> Iterator[str]:
    for piece in pieces:
        yield piece.html
        if piece.text:
            value = values.get(piece.text, "")
            yield safe(value) if isinstance(value, str) else ""
        elif piece.attribute and values.get(piece.flag):
            yield f' {piece.attribute}="true"'
        elif piece.part:
            entries = values.get(piece.part, ())
            for entry in entries if isinstance(entries, Sequence) and not isinstance(entries, str) else ():
                yield from _written(piece.pieces, ChainMap(dict(entry), dict(values)))


@lru_cache(maxsize=32)
def _pieces(html: str) -> tuple[_Piece, ...]:
    """Return a page taken apart at its marks; taken apart once, however often it is filled."""
    levels: list[tuple[str, str, list[_Piece]]] = [("", "", [])]
    at = 0
    for found in _MARK.finditer(html):
        before, at = html[at : found.start()], found.end()
        if found["opens"]:
            levels.append((found["opens"], before, []))
        elif found["closes"]:
            name, before_it, inner = levels.pop()
            inner.append(_Piece(html=before))
            levels[-1][2].append(_Piece(html=before_it, part=name, pieces=tuple(inner)))
        else:
            text, attribute, named = (found[name] or "" for name in ("text", "attribute", "flag"))
            levels[-1][2].append(_Piece(html=before, text=text, attribute=attribute, flag=named))
    return (*levels[0][2], _Piece(html=html[at:]))
