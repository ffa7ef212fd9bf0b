"""Pictures of the content: where they are on the site, and how large they are, read from their first bytes."""

from __future__ import annotations

from dataclasses import dataclass

PREFIX = "/content-pictures/"
"""Where copied pictures stand on the site."""

_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Segments of a JPEG that tell its size; the three left out are tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture on the site: `src` is its path, sides in pixels, `alt` empty where it only decorates."""

    src: str
    width: int
    height: int
    alt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """What a picture's bytes are: the ending of its file, and its sides in pixels."""

    ending: str
    width: int
    height: int


def format_of(data: bytes) -> Format | None:
    """Return what a PNG, GIF, JPEG or WebP states; None for anything else, drawings that may hold scripts among it."""
    for magic, read in ((b"\x89PNG\r\n\x1a\n", _png), (b"GIF8", _gif), (b"\xff\xd8\xff", _jpeg), (b"RIFF", _webp)):
        if data.startswith(magic):
            found = read(data)
            return found if found and found.width and found.height else None
    return None


def _png(data: bytes) -> Format | None:
    if data[12:16] != b"IHDR" or len(data) < 24:
        return None
    return Format(ending="png", width=int.from_bytes(data[16:20]), height=int.from_bytes(data[20:24]))


def _gif(data: bytes) -> Format | None:
    if len(data) < 10:
        return None
    return Format(ending="gif", width=int.from_bytes(data[6:8], "little"), height=int.from_bytes(data[8:10], "little"))


def _jpeg(data: bytes) -> Format | None:
    """Go from segment to segment until one tells the size; each step goes forward, so that it ends."""
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        if data[place + 1] == 0xFF:
            place += 1
        elif data[place + 1] in _FRAMES:
            height, width = int.from_bytes(data[place + 5 : place + 7]), int.from_bytes(data[place + 7 : place + 9])
            return Format(ending="jpg", width=width, height=height)
        else:
            place += 2 + max(int.from_bytes(data[place + 2 : place + 4]), 2)
    return None


def _webp(data: bytes) -> Format | None:
    kind = data[8:16]
    if len(data) < 30:
        return None
    if kind == b"WEBPVP8X":
        width, height = 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    elif kind == b"WEBPVP8L":
        bits = int.from_bytes(data[21:25], "little")
        width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    elif kind == b"WEBPVP8 ":
        width = int.from_bytes(data[26:28], "little") & 0x3FFF
        height = int.from_bytes(data[28:30], "little") & 0x3FFF
    else:
        return None
    return Format(ending="webp", width=width, height=height)
