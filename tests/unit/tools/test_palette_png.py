"""Pictures written with a palette."""

import zlib
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from broker.image_header import ImageSize, image_size
from tools.palette_png import palette_png

Pixels = NDArray[np.uint8]


def chunks(data: bytes) -> Iterator[tuple[str, bytes]]:
    place = 8
    while place < len(data):
        size = int.from_bytes(data[place : place + 4])
        kind, content = data[place + 4 : place + 8], data[place + 8 : place + 8 + size]
        assert int.from_bytes(data[place + 8 + size : place + 12 + size]) == zlib.crc32(kind + content)
        yield kind.decode(), content
        place += size + 12


def shown(data: bytes) -> Pixels:
    pieces, stated = dict(chunks(data)), image_size(data)
    assert stated
    palette = np.frombuffer(pieces["PLTE"], np.uint8).reshape(-1, 3)
    lines = np.frombuffer(zlib.decompress(pieces["IDAT"]), np.uint8).reshape(stated.height, stated.width + 1)
    assert not lines[:, 0].any()
    return palette[lines[:, 1:]]


def shades(count: int, *, width: int = 40, height: int = 30) -> Pixels:
    places = np.arange(width * height) % count
    pixels = np.stack([places % 251, places // 251 * 40, 255 - places % 251], axis=1)
    return pixels.astype(np.uint8).reshape(height, width, 3)


@pytest.mark.parametrize("count", [1, 2, 255, 256])
def test_few_colours_stay_as_they_are(count: int) -> None:
    data = palette_png(shades(count))
    assert image_size(data) == ImageSize(width=40, height=30)
    assert np.array_equal(shown(data), shades(count))


def test_many_colours_become_the_same_256_and_stay_close() -> None:
    pixels = shades(900)
    found = shown(palette_png(pixels))
    assert len(np.unique(found.reshape(-1, 3), axis=0)) <= 256
    assert np.abs(found.astype(int) - pixels.astype(int)).mean() < 4
    assert palette_png(shades(900)) == palette_png(pixels)
    pixels[:15] = (16, 64, 72)
    assert (shown(palette_png(pixels))[:15] == (16, 64, 72)).all(), "a common colour stays exact"
