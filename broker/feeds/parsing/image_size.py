"""How large a picture is, read from its first bytes; nothing is unpacked."""

from __future__ import annotations

from typing import Literal

PNG, GIFS, JPEG = b"\x89PNG\r\n\x1a\n", (b"GIF87a", b"GIF89a"), b"\xff\xd8\xff"

_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Segments of a JPEG that tell its size (SOF0 to SOF15); the three left out are tables."""
_BARE = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers of a JPEG that no length follows."""


def sides(data: bytes) -> tuple[int, int] | None:
    """Return the width and height that a PNG, GIF or JPEG states, in pixels; None for what states none."""
    if data.startswith(PNG):
        return (_number(data[16:20]), _number(data[20:24])) if data[12:16] == b"IHDR" and len(data) >= 24 else None
    if data.startswith(GIFS):
        return (_number(data[6:8], "little"), _number(data[8:10], "little")) if len(data) >= 10 else None
    return _jpeg_sides(data) if data.startswith(JPEG) else None


def _jpeg_sides(data: bytes) -> tuple[int, int] | None:
    """Go from segment to segment until one tells the size; each step goes forward, so that it ends."""
    place = 2
    while place + 4 <= len(data) and data[place] == 0xFF:
        marker = data[place + 1]
        if marker == 0xFF or marker in _BARE:
            place += 1 if marker == 0xFF else 2
        elif marker in _FRAMES:
            frame = data[place + 5 : place + 9]
            return (_number(frame[2:]), _number(frame[:2])) if len(frame) == 4 else None
        else:
            place += 2 + max(_number(data[place + 2 : place + 4]), 2)
    return None


def _number(digits: bytes, order: Literal["big", "little"] = "big") -> int:
    return int.from_bytes(digits, order)
