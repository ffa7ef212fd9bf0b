"""The beginnings of pictures, which tell their size."""

from __future__ import annotations

import struct


def png(width: int, height: int) -> bytes:
    """Return the beginning of a PNG."""
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + b"x" * 60


def gif(width: int, height: int) -> bytes:
    """Return the beginning of a GIF."""
    return b"GIF89a" + struct.pack("<HH", width, height) + b"x" * 60


def jpeg(width: int, height: int, *, frame: int = 0xC0, before: bytes = b"") -> bytes:
    """Return the beginning of a JPEG: an APP0 segment, what comes `before`, and the frame that tells the size."""
    start = b"\xff\xd8\xff\xe0" + struct.pack(">H", 6) + b"JFIF"
    return start + before + bytes((0xFF, frame)) + struct.pack(">HBHH", 17, 8, height, width) + b"x" * 60


PNG, GIF, JPEG = png(100, 40), gif(100, 40), jpeg(100, 40)
