"""Parse numbers of the feed from their text, within bounds."""

import re
from decimal import Decimal
from functools import lru_cache

from broker.feeds.parsing.tree import Tree, text_of

_IGNORED = re.compile(r"[\s£,%]+")
_NUMBER = re.compile(r"\+?([0-9]{1,12}(\.[0-9]{0,30})?|\.[0-9]{1,30})([eE][+-]?[0-9]{1,2})?")
_SIMPLE = re.compile(r"[0-9]{1,10}(\.[0-9]{1,4})?")
_PLACES, _MAX = Decimal("0.0001"), Decimal(10) ** 12


MAX_DIGITS = 60


def parse_number(node: Tree, *, maximum: float) -> float | None:
    """Return a number from 0 to `maximum`, rounded to four places; None for anything else.

    Commas, pound and percent signs and spaces are ignored. NaN, infinities and negative numbers are refused.
    """
    text = node if isinstance(node, str) else text_of(node)
    number = _number(text[:MAX_DIGITS]) if text else None
    return number if number is not None and number <= maximum else None


def parse_integer(node: Tree, *, maximum: float) -> int | None:
    """Return an integer from 0 to `maximum` (`000123` and `24.0` too); None for anything else."""
    number = parse_number(node, maximum=maximum)
    return int(number) if number is not None and number.is_integer() else None


@lru_cache(maxsize=8_192)
def _number(text: str) -> float | None:
    """Return a number from a cache: terms, fees and periods repeat in a list."""
    if _SIMPLE.fullmatch(text):
        # The usual form needs no rounding, so Decimal would change nothing.
        return float(text)
    bare = _IGNORED.sub("", text)
    if not _NUMBER.fullmatch(bare):
        return None
    number = Decimal(bare)
    return float(number.quantize(_PLACES)) if number <= _MAX else None
