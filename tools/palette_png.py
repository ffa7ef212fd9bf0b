"""A picture of flat colours as a small PNG: at most 256 colours, chosen so that edges stay smooth."""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

COLOURS = 256
_ROUNDS = 6

Pixels = NDArray[np.uint8]
"""A picture's pixels: rows, columns, and red, green and blue."""


def palette_png(pixels: Pixels) -> bytes:
    """Return a picture as a PNG with a palette; the same pixels give the same bytes."""
    height, width = pixels.shape[:2]
    colours, places, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    palette = _palette(colours.astype(np.float64), counts)
    nearest = _nearest(colours.astype(np.float64), palette)
    rows = nearest[places.reshape(-1)].astype(np.uint8).reshape(height, width)
    lines = np.hstack([np.zeros((height, 1), np.uint8), rows]).tobytes()
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
        + _chunk(b"PLTE", palette.round().astype(np.uint8).tobytes())
        + _chunk(b"IDAT", zlib.compress(lines, 9))
        + _chunk(b"IEND", b"")
    )


def _palette(colours: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the colours to keep: the commonest as they are, the rest drawn towards those they stand for."""
    if len(colours) <= COLOURS:
        return colours
    common = np.argsort(-counts, kind="stable")
    kept, exact = colours[common[:COLOURS]], COLOURS // 4
    # each colour counts by the root of how often it stands: a rare edge matters beside a wide wall
    weight = np.sqrt(counts)[:, None]
    for _ in range(_ROUNDS):
        owner = _nearest(colours, kept)
        totals, weights = np.zeros_like(kept), np.zeros((len(kept), 1))
        np.add.at(totals, owner, colours * weight)
        np.add.at(weights, owner, weight)
        moved = np.where(weights > 0, totals / np.maximum(weights, 1e-9), kept)
        kept = np.vstack([kept[:exact], moved[exact:]])
    return kept


def _nearest(colours: NDArray[np.float64], palette: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return, for every colour, the place of the closest one of a palette."""
    squares = (palette**2).sum(axis=1)
    return np.argmin(squares[None, :] - 2 * colours @ palette.T, axis=1)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
