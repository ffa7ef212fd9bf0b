"""Numbers of a feed: read as decimals from the text that carries them, refused where they make no sense."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from broker.feeds.parsing.tree import Tree, scalar

_DRESSING = re.compile(r"[\s£,%]+")
_NUMBER = re.compile(r"\+?([0-9]{1,12}(\.[0-9]{0,30})?|\.[0-9]{1,30})([eE][+-]?[0-9]{1,2})?")
_SIMPLE = re.compile(r"[0-9]{1,10}(\.[0-9]{1,4})?")
_PLACES, _MOST = Decimal("0.0001"), Decimal(10) ** 12


MAX_DIGITS = 60


def figure(node: Tree, *, most: float) -> float | None:
    """Return a number from 0 to `most`, rounded to four places; None for anything else.

    Thousands commas, a pound sign, a percent sign and spaces do no harm. Not a number: NaN, infinities, negatives.
    """
    text = node if isinstance(node, str) else scalar(node)
    number = _number(text[:MAX_DIGITS]) if text else None
    return number if number is not None and number <= most else None


def whole(node: Tree, *, most: float) -> int | None:
    """Return a whole number from 0 to `most` (`000123` and `24.0` too); None for anything else."""
    number = figure(node, most=most)
    return int(number) if number is not None and number.is_integer() else None


@lru_cache(maxsize=8_192)
def _number(text: str) -> float | None:
    """Read a number; the terms, fees and lengths of a list are the same few texts again and again."""
    if _SIMPLE.fullmatch(text):
        # What a feed nearly always sends needs no rounding, so the way through Decimal would change nothing.
        return float(text)
    bare = _DRESSING.sub("", text)
    if not _NUMBER.fullmatch(bare):
        return None
    number = Decimal(bare)
    return float(number.quantize(_PLACES)) if number <= _MOST else None
