"""The format and size of pictures, and bytes that are none."""

from __future__ import annotations

from io import BytesIO
from zlib import crc32

import pytest
from PIL import Image

from broker.content.wordpress.image_format import SUFFIXES, ImageFormat, image_format


def encoded(kind: str, size: tuple[int, int] = (640, 300), *, orientation: int = 1) -> bytes:
    """Return an image of one colour."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    file = BytesIO()
    Image.new("L", size).save(file, kind, exif=exif, lossless=kind == "WEBP")
    return file.getvalue()


@pytest.mark.parametrize("kind", SUFFIXES)
def test_format_and_size_are_read(kind: str) -> None:
    assert image_format(encoded(kind)) == ImageFormat(suffix=SUFFIXES[kind], width=640, height=300)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_orientation_swaps_the_sides_of_turned_pictures(kind: str) -> None:
    swapped = []
    for orientation in range(1, 9):
        found = image_format(encoded(kind, orientation=orientation))
        assert found
        swapped.append((found.width, found.height) == (300, 640))
    assert swapped == [False] * 4 + [True] * 4


@pytest.mark.parametrize(("side", "known"), [(13_000, True), (100_000, False)])
def test_huge_picture_is_not_decoded(side: int, known: bool) -> None:
    header = b"IHDR" + side.to_bytes(4) * 2 + b"\x08\0\0\0\0"
    data = encoded("PNG")
    huge = data[:12] + header + crc32(header).to_bytes(4) + data[33:]
    assert image_format(huge) == (ImageFormat(suffix="png", width=side, height=side) if known else None)


NO_PICTURES = [
    b"",
    b"<svg onload=x>",
    b"\xff\xd8\xff" + b"\xff" * 50,
    b"GIF89a\0\0\0\0",
    b"BM" + b"\0" * 60,
    *(encoded(kind)[:length] for kind in SUFFIXES for length in (4, 12)),
]


@pytest.mark.parametrize("data", NO_PICTURES)
def test_anything_else_is_no_picture(data: bytes) -> None:
    assert image_format(data) is None
