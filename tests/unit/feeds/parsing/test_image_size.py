"""The size of a picture, from its first bytes."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.feeds.parsing.image_size import sides
from tests.standin.market import GIF as SMALLEST
from tests.standin.market import logo
from tests.unit.feeds.pictures import GIF, JPEG, PNG, gif, jpeg, png

TABLE = b"\xff\xc4\x00\x06\xff\xc0\x00\x00"
PICTURES: dict[str, tuple[bytes, tuple[int, int] | None]] = {
    "PNG": (png(100, 40), (100, 40)),
    "a PNG of the stand-in": (base64.b64decode(logo(42)), (100, 40)),
    "GIF": (gif(320, 200), (320, 200)),
    "an older GIF": (b"GIF87a" + gif(3, 4)[6:], (3, 4)),
    "a GIF of one pixel": (SMALLEST, (1, 1)),
    "JPEG": (jpeg(640, 480), (640, 480)),
    "a progressive JPEG": (jpeg(640, 480, frame=0xC2), (640, 480)),
    "a JPEG with a table that looks like a frame": (jpeg(640, 480, before=TABLE), (640, 480)),
    "a JPEG with filling": (jpeg(640, 480, before=b"\xff\xff"), (640, 480)),
    "a JPEG with a bare marker": (jpeg(640, 480, before=b"\xff\x01"), (640, 480)),
    "a huge one": (png(2**31, 2**31), (2**31, 2**31)),
    "a PNG cut off": (PNG[:23], None),
    "a PNG that begins otherwise": (PNG.replace(b"IHDR", b"IDAT"), None),
    "a GIF cut off": (GIF[:9], None),
    "a JPEG cut off": (JPEG[:18], None),
    "a JPEG without a frame": (JPEG[:12], None),
    "a JPEG whose segments lead nowhere": (b"\xff\xd8\xff\xe0\x00\x00" * 10, None),
    "nothing": (b"", None),
    "text": (b"<svg width='1' height='1'/>", None),
}


@pytest.mark.parametrize(("data", "found"), PICTURES.values(), ids=PICTURES)
def test_sides_are_those_that_the_picture_states(data: bytes, found: tuple[int, int] | None) -> None:
    assert sides(data) == found


@given(st.sampled_from([PNG[:8], GIF[:6], JPEG[:3], JPEG[:12], b""]), st.binary(max_size=200))
def test_sides_of_any_bytes_are_two_whole_numbers_or_none(start: bytes, rest: bytes) -> None:
    found = sides(start + rest)
    assert found is None or all(side >= 0 for side in found)
