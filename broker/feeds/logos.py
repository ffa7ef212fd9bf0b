"""Lenders' logos: call 10 of specification 7. Pictures by what they are, not by what they are said to be."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from broker.feeds.calls import LOGOS
from broker.feeds.client import FeedClient
from broker.feeds.figures import whole
from broker.feeds.lenders import response_rows
from broker.feeds.picture import sides
from broker.feeds.row import MOST_LENDER_ID
from broker.feeds.tree import Tree, scalar, step

MOST_LOGO_BYTES = 256 * 1024
MOST_PIXELS = 2_000
"""Pixels of a logo's longer side; a small file may unpack into a picture that fills a browser's memory."""
_MAGIC = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
    b"\xff\xd8\xff": "image/jpeg",
}
_TRANSPORT = 4 / 3 * 1.1
"""Base64 over its bytes, with a tenth for line breaks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Logo:
    """A lender's logo: a PNG, GIF or JPEG of at most 256 KB and 2,000 pixels a side, its type sniffed."""

    lender_id: int
    media_type: str
    data: bytes

    @property
    def data_url(self) -> str:
        """Return the picture as an address of its own."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.data).decode('ascii')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Logos:
    """The logos by lender id; `without` names the lenders whose entry holds no picture that may be shown."""

    by_lender: dict[int, Logo]
    without: tuple[int, ...]


async def fetch_logos(client: FeedClient, lender_ids: Sequence[int]) -> Logos:
    """Return the logos of some lenders; raises FeedError."""
    return await client.read_aside(LOGOS, read_logos, query=logos_query(lender_ids))


def logos_query(lender_ids: Iterable[int]) -> str:
    """Return the query string `id=1,75`: PHP keeps only the last of a repeated `id`."""
    return "id=" + ",".join(str(lender_id) for lender_id in lender_ids)


def read_logos(tree: Tree) -> Logos:
    """Read the answer of call 10; raises FeedFaultError or FeedRubbishError."""
    found: dict[int, Logo] = {}
    without: set[int] = set()
    for row in response_rows(LOGOS.name, tree, response="GetLenderLogosResponse", held="Logos"):
        lender_id = whole(step(row, "LenderID"), most=MOST_LENDER_ID)
        if not lender_id or lender_id in found:
            continue
        if logo := read_logo(lender_id, scalar(step(row, "Data"))):
            found[lender_id] = logo
        else:
            without.add(lender_id)
    return Logos(by_lender=found, without=tuple(sorted(without - set(found))))


def read_logo(lender_id: int, encoded: str | None) -> Logo | None:
    """Return the picture in base64, line wraps allowed; None for none, a broken, a too large or another kind of one."""
    if not encoded or len(encoded) > MOST_LOGO_BYTES * _TRANSPORT:
        return None
    try:
        data = base64.b64decode("".join(encoded.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    media_type = next((kind for magic, kind in _MAGIC.items() if data.startswith(magic)), None)
    if media_type is None or len(data) > MOST_LOGO_BYTES or not _has_sides(data):
        return None
    return Logo(lender_id=lender_id, media_type=media_type, data=data)


def _has_sides(data: bytes) -> bool:
    found = sides(data)
    return found is not None and all(0 < side <= MOST_PIXELS for side in found)
