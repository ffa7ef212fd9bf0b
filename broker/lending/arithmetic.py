"""Arithmetic that reads the same for a number and for a browser expression.

Formulas of the domain run twice: on numbers, and on browser expressions, where the same function builds the JavaScript
that the page computes with. Operators work on both. The functions here are what operators don't cover: they handle
numbers; `broker.components.client_values` registers their kind for browser expressions, and `broker.rates.arrays` some
of them for arrays of numbers.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import reduce, singledispatch
from math import log
from numbers import Real
from typing import Any, TypeAlias

Amount: TypeAlias = Any
"""A number (`float` or `int`), an array of them, or a browser expression for one."""

Text: TypeAlias = Any
"""A `str`, or a browser expression for one."""

SPACES = r"\t-\r \u00a0\u2000-\u200a\u202f\u205f\u3000\ufeff"
"""Spaces, as the set of a regular expression: `\\s` has other characters in Python than in JavaScript."""

_PENNY = Decimal("0.01")

_HALF_WIDTH = {0xFF01 + place: 0x21 + place for place in range(94)} | {0xFFE1: "£"}


@singledispatch
def choose(condition: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
    """Return `then()` where the condition holds, else `otherwise()`; only one of the two is called."""
    return then() if condition else otherwise()


@singledispatch
def maximum(first: Amount, second: Amount) -> Amount:
    """Return the larger of two amounts, either of which may be a browser expression."""
    return max(first, second) if isinstance(second, Real) else maximum(second, first)


@singledispatch
def minimum(first: Amount, second: Amount) -> Amount:
    """Return the smaller of two amounts, either of which may be a browser expression."""
    return min(first, second) if isinstance(second, Real) else minimum(second, first)


def half_width(text: str) -> str:
    """Return a text with its full-width digits, letters and signs, as East Asian keyboards type them, in ASCII."""
    return text.translate(_HALF_WIDTH)


@singledispatch
def matches(text: Text, pattern: str) -> Any:
    """Return whether the whole text matches a regular expression of the syntax common to Python and JavaScript.

    Full-width characters match as their ASCII counterparts.
    """
    return re.fullmatch(pattern, half_width(text)) is not None


@singledispatch
def number_in(text: Text, ignored: str) -> Amount:
    """Parse the number in a text, without the characters of `ignored`, a pattern's set. An empty text is 0."""
    return float(re.sub(f"[{ignored}]", "", half_width(text)) or 0)


@singledispatch
def sequence(count: Amount, item: Callable[[Amount], Any]) -> Any:
    """Return the list of `item(0)` to `item(count - 1)`; a fraction in `count` is dropped."""
    return [item(index) for index in range(int(count))]


@singledispatch
def first_index(count: Amount, item: Callable[[Amount], Any]) -> Amount:
    """Return the first of 0 to `count - 1` for which `item` is true; -1 for none."""
    return next((place for place in range(int(count)) if item(place)), -1)


@singledispatch
def lowest_index(count: Amount, item: Callable[[Amount], Amount]) -> Amount:
    """Return the first of 0 to `count - 1`, at least one, for which the amount of `item` is lowest."""
    return min(range(int(count)), key=item)


@singledispatch
def to_pennies(value: Amount) -> Amount:
    """Return an amount in pounds as it is shown to the penny, halves rounded up: sums of shown figures take these."""
    return float(Decimal(repr(float(value))).quantize(_PENNY, rounding=ROUND_HALF_UP))


@singledispatch
def logarithm(value: Amount) -> Amount:
    return log(value)


@singledispatch
def looked_up(key: Text, table: Mapping[str, str | Sequence[float]]) -> Any:
    """Return the entry of a table for a key that it has: a text, or a list of numbers."""
    return table[key]


@singledispatch
def shared(value: Any) -> Any:
    """Return a value that a formula uses often, so that the browser works it out once and not at each use.

    It may not depend on the month of a chart's line.
    """
    return value


def absolute(amount: Amount) -> Amount:
    return maximum(amount, 0 - amount)


def rounded_up(value: Amount) -> Amount:
    return 0 - (0 - value) // 1


def to_pounds(value: Amount) -> Amount:
    """Return an amount of 0 or more as it is shown in whole pounds: differences of shown figures take these."""
    return (value + 0.5) // 1


@singledispatch
def joined(texts: Any, separator: str) -> Text:
    """Return the texts of a list, which has one at least, as one text."""
    return reduce(lambda before, text: before + separator + text, texts)
