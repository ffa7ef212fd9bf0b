"""File format and displayed size of a raster image, read by Pillow from its header."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, UnidentifiedImageError

SUFFIXES = {"PNG": "png", "GIF": "gif", "JPEG": "jpg", "WEBP": "webp"}
"""File suffix by Pillow's name of the format. SVG is not among them: it may hold scripts."""

_ORIENTATION = 0x0112
_SIDEWAYS = frozenset({5, 6, 7, 8})
"""EXIF orientations that turn an image by 90 degrees, which swaps width and height."""

_UNREADABLE = (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError, SyntaxError, MemoryError)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageFormat:
    """The file suffix of an image and the size in pixels at which browsers show it."""

    suffix: str
    width: int
    height: int


def image_format(data: bytes) -> ImageFormat | None:
    """Return the format of a PNG, GIF, JPEG or WebP; None for anything else.

    Only the header is read: no pixel is decoded, so that a decompression bomb costs nothing.
    """
    try:
        with warnings.catch_warnings(action="ignore"), Image.open(BytesIO(data), formats=tuple(SUFFIXES)) as image:
            exif = Image.Exif()
            exif.load(image.info.get("exif", b""))
            width, height = image.size
            suffix = SUFFIXES[image.format or ""]
    except _UNREADABLE:
        return None
    if not width or not height:
        return None
    if exif.get(_ORIENTATION) in _SIDEWAYS:
        width, height = height, width
    return ImageFormat(suffix=suffix, width=width, height=height)
