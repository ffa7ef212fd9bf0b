"""Lenders of the sourcing service and their logos: calls 9 and 10 of specification 7."""

import base64
import binascii
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from broker.images import ImageFormat, image_format, image_size
from broker.rates.feed.client import LENDERS, LOGOS, FeedClient
from broker.rates.feed.errors import FeedParseError
from broker.rates.feed.html_text import plain_text
from broker.rates.feed.product_rows import MAX_LENDER_ID, NAME_LENGTH
from broker.rates.feed.response_tree import (
    Tree,
    as_rows,
    child,
    envelope_body,
    is_empty,
    parse_integer,
    raise_for_fault,
    raise_for_result,
    text_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedLender:
    lender_id: int
    name: str
    short_name: str = ""


async def fetch_lenders(client: FeedClient) -> tuple[FeedLender, ...]:
    """Return every lender, by id; raises FeedError."""
    return parse_lenders(await client.read(LENDERS))


def parse_lenders(tree: Tree) -> tuple[FeedLender, ...]:
    """Parse call 9; rows without an id or a name, and repeated ids, are skipped.

    Raises FeedFaultError for a fault or an error code, FeedParseError for another shape.
    """
    found: dict[int, FeedLender] = {}
    for row in response_rows(LENDERS.name, tree, response="GetLenderListResponse", list_name="Lenders"):
        lender_id = parse_integer(child(row, "ID"), maximum=MAX_LENDER_ID)
        name = plain_text(text_of(child(row, "Name")), NAME_LENGTH)
        if lender_id and name:
            short = plain_text(text_of(child(row, "ShortName")), NAME_LENGTH)
            found.setdefault(lender_id, FeedLender(lender_id=lender_id, name=name, short_name=short))
    return tuple(found[lender_id] for lender_id in sorted(found))


def response_rows(call: str, tree: Tree, *, response: str, list_name: str) -> list[dict[str, Tree]]:
    """Return the rows under `response`.`list_name`, whatever their element is called; none for an empty answer.

    Raises FeedFaultError for a fault or an error code, FeedParseError for another shape.
    """
    if is_empty(tree):
        return []
    raise_for_fault(call, tree)
    body = envelope_body(tree)
    answer = child(body if body is not None else tree, response)
    if answer is None:
        raise FeedParseError(call, f"an answer without {response}")
    found = as_rows(child(answer, list_name))
    if not found:
        raise_for_result(call, answer, result=response.replace("Response", "Result"))
    return found


MAX_LOGO_BYTES = 256 * 1024
MAX_PIXELS = 2_000
"""Pixels of a logo's longer side: a small file may decode to an image that fills a browser's memory."""
_FORMATS = (ImageFormat.PNG, ImageFormat.GIF, ImageFormat.JPEG)
_BASE64_OVERHEAD = 4 / 3 * 1.1
"""Length of base64 per byte, with a tenth for line breaks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Logo:
    """A lender's logo: a PNG, GIF or JPEG of at most 256 KB and 2,000 pixels a side, its type detected."""

    lender_id: int
    media_type: str
    data: bytes


class LogoFault(StrEnum):
    NO_DATA = "no-data"
    BROKEN_BASE64 = "broken-base64"
    OTHER_KIND = "other-kind"
    TOO_LARGE = "too-large"
    TOO_MANY_PIXELS = "too-many-pixels"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Logos:
    """Logos by lender id, and the fault of each entry without a usable image."""

    by_lender: dict[int, Logo]
    faults: Mapping[int, LogoFault]


async def fetch_logos(client: FeedClient, lender_ids: Sequence[int]) -> Logos:
    return await client.read_in_thread(LOGOS, parse_logos, query=logos_query(lender_ids))


def logos_query(lender_ids: Iterable[int]) -> str:
    """Return `id=1,75`: PHP keeps only the last of a repeated `id`."""
    return "id=" + ",".join(str(lender_id) for lender_id in lender_ids)


def parse_logos(tree: Tree) -> Logos:
    """Parse call 10; raises FeedFaultError or FeedParseError."""
    found: dict[int, Logo] = {}
    faults: dict[int, LogoFault] = {}
    for row in response_rows(LOGOS.name, tree, response="GetLenderLogosResponse", list_name="Logos"):
        lender_id = parse_integer(child(row, "LenderID"), maximum=MAX_LENDER_ID)
        if not lender_id or lender_id in found:
            continue
        logo = parse_logo(lender_id, text_of(child(row, "Data")))
        if isinstance(logo, Logo):
            found[lender_id] = logo
        else:
            faults.setdefault(lender_id, logo)
    return Logos(by_lender=found, faults={key: faults[key] for key in sorted(faults) if key not in found})


def parse_logo(lender_id: int, encoded: str | None) -> Logo | LogoFault:
    """Decode an image from base64, line breaks allowed; return a LogoFault if it is not usable."""
    if not encoded:
        return LogoFault.NO_DATA
    if len(encoded) > MAX_LOGO_BYTES * _BASE64_OVERHEAD:
        return LogoFault.TOO_LARGE
    try:
        data = base64.b64decode("".join(encoded.split()), validate=True)
    except (binascii.Error, ValueError):
        return LogoFault.BROKEN_BASE64
    media_type = image_format(data)
    if media_type is None or media_type not in _FORMATS:
        return LogoFault.OTHER_KIND
    if len(data) > MAX_LOGO_BYTES:
        return LogoFault.TOO_LARGE
    size = image_size(data)
    if size is None:
        return LogoFault.DAMAGED
    if max(size.width, size.height) > MAX_PIXELS:
        return LogoFault.TOO_MANY_PIXELS
    return Logo(lender_id=lender_id, media_type=media_type, data=data)
