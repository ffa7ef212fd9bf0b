"""Logos of which every second is faulty, each in its own way, and additional lenders."""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from tests.standin.market import logo
from tests.standin.soap import Fields, Soap
from tests.standin.wire import HTML, Answer

FIRST = 50_001
"""The number of the first lender beside the market's own."""

STRANGER = 900_000_000
"""What a wrong number is higher by."""

_TOO_LARGE = 300 * 1024


class Fate(StrEnum):
    FINE = "fine"
    BROKEN_BASE64 = "broken base64"
    NO_PICTURE = "no picture"
    TOO_LARGE = "too large"
    CUT_OFF = "cut off"
    MISSING = "missing"
    WRONG_NUMBER = "wrong number"
    BATCH_FAILS = "batch fails"


_WAYS = tuple(fate for fate in Fate if fate is not Fate.FINE)


def more_ids(count: int) -> range:
    return range(FIRST, FIRST + count)


def with_more(lenders: Soap, count: int) -> Soap:
    rows = [{"ID": str(one), "Name": f"Rowan {one} Bank", "ShortName": f"Rowan {one}"} for one in more_ids(count)]
    return replace(lenders, rows=[*lenders.rows, *rows])


def fate_of(place: int) -> Fate:
    """Return what becomes of the logo of a lender by its place among all: every second one is fine.

    Only one of a hundred costs its whole batch.
    """
    if place % 2 == 0:
        return Fate.FINE
    if place % 100 == 99:
        return Fate.BATCH_FAILS
    return _WAYS[place // 2 % (len(_WAYS) - 1)]


def mixed_logos(ids: Sequence[int], everybody: Sequence[int]) -> Soap | Answer:
    """Return the answer to a call for some lenders' logos; `everybody` are all lenders, in their order."""
    fates = {one: fate_of(everybody.index(one)) for one in ids if one in everybody}
    if Fate.BATCH_FAILS in fates.values():
        return Answer(body=b"<html><h1>Bad Gateway</h1></html>", status=502, media_type=HTML)
    rows = [row for one, fate in fates.items() for row in _rows(one, fate)]
    return Soap(operation="GetLenderLogos", held="Logos", row="MBLenderLogo", rows=rows)


def _rows(lender_id: int, fate: Fate) -> list[Fields]:
    picture = b64decode(logo(lender_id))
    data = {
        Fate.BROKEN_BASE64: "!!! no picture !!!",
        Fate.NO_PICTURE: b64encode(b"<html>no logo</html>").decode(),
        Fate.TOO_LARGE: b64encode(picture + bytes(_TOO_LARGE)).decode(),
        Fate.CUT_OFF: b64encode(picture[:60]).decode(),
    }.get(fate, logo(lender_id))
    number = lender_id + STRANGER if fate is Fate.WRONG_NUMBER else lender_id
    return [] if fate is Fate.MISSING else [{"Data": data, "LenderID": str(number)}]
