"""Numbers of a feed: read as decimals from the text that carries them, refused where they make no sense."""

from __future__ import annotations

import re
from decimal import Decimal

from broker.feeds.tree import Tree, scalar

_DRESSING = re.compile(r"[\s£,%]+")
_NUMBER = re.compile(r"\+?([0-9]{1,12}(\.[0-9]{0,30})?|\.[0-9]{1,30})([eE][+-]?[0-9]{1,2})?")
_PLACES = Decimal("0.0001")


def figure(node: Tree, *, most: float) -> Decimal | None:
    """Return a number from 0 to `most`, rounded to four places; None for anything else.

    Thousands commas, a pound sign, a percent sign and spaces do no harm. Not a number: NaN, infinities, negatives.
    """
    text = _DRESSING.sub("", (scalar(node) or "")[:60])
    if not _NUMBER.fullmatch(text):
        return None
    number = Decimal(text)
    return number.quantize(_PLACES) if number <= most else None


def whole(node: Tree, *, most: float) -> int | None:
    """Return a whole number from 0 to `most` (`000123` and `24.0` too); None for anything else."""
    number = figure(node, most=most)
    return int(number) if number is not None and number == int(number) else None
