"""What a picture states of itself in its first bytes."""

from __future__ import annotations

import pytest

from broker.content.models.pictures import Format, format_of

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (640).to_bytes(4) + (300).to_bytes(4) + b"\x08\x02\0\0\0"
JPEG = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xff\xc2\x00\x11\x08" + (300).to_bytes(2) + (640).to_bytes(2) + b"\x03"
LOSSY = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a" + (640).to_bytes(2, "little") + (300).to_bytes(2, "little")
LOSSLESS = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + (639 | 299 << 14).to_bytes(4, "little") + b"\0" * 8
EXTENDED = b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0" + (639).to_bytes(3, "little") + (299).to_bytes(3, "little")
GIF = b"GIF89a" + (640).to_bytes(2, "little") + (300).to_bytes(2, "little")


@pytest.mark.parametrize(
    ("data", "ending"),
    [(PNG, "png"), (JPEG, "jpg"), (LOSSY, "webp"), (LOSSLESS, "webp"), (EXTENDED, "webp"), (GIF, "gif")],
)
def test_sides_are_read_from_the_bytes(data: bytes, ending: str) -> None:
    assert format_of(data) == Format(ending=ending, width=640, height=300)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<svg onload=x>",
        PNG[:20],
        GIF[:8],
        JPEG[:9],
        EXTENDED[:20],
        b"\xff\xd8\xff" + b"\xff" * 50,
        b"GIF89a\0\0\0\0",
    ],
)
def test_what_states_no_sides_is_no_picture(data: bytes) -> None:
    assert format_of(data) is None
