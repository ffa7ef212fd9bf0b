"""Arithmetic that reads the same for a number and for a browser expression.

Formulas in this package run twice: on numbers, in Python, and on browser expressions, where the same
function builds the JavaScript that the page computes with. Operators carry over by themselves; the
functions here are the four things that do not. Their numeric kind is below, and
`broker.components.client_values` registers the kind for browser expressions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import singledispatch
from typing import Any, TypeAlias

Amount: TypeAlias = Any
"""A number (`float` or `int`), or a browser expression that stands for one."""

Text: TypeAlias = Any
"""A `str`, or a browser expression that stands for one."""


@singledispatch
def choose(condition: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
    """Return `then()` where the condition holds, else `otherwise()`; only one of the two is run."""
    return then() if condition else otherwise()


def maximum(first: Amount, second: Amount) -> Amount:
    """Return the larger of two amounts."""
    return choose(first > second, lambda: first, lambda: second)


def minimum(first: Amount, second: Amount) -> Amount:
    """Return the smaller of two amounts."""
    return choose(first < second, lambda: first, lambda: second)


@singledispatch
def matches(text: Text, pattern: str) -> Any:
    """Tell whether the whole text fits a regular expression that Python and JavaScript read alike."""
    return re.fullmatch(pattern, text) is not None


@singledispatch
def number_in(text: Text, ignored: str) -> Amount:
    """Read the number in a text; `ignored` is a pattern's set of characters to leave out. An empty text is 0."""
    return float(re.sub(f"[{ignored}]", "", text) or 0)


@singledispatch
def sequence(count: Amount, item: Callable[[Amount], Any]) -> Any:
    """Return the list of `item(0)` to `item(count - 1)`; a fraction in `count` is dropped."""
    return [item(index) for index in range(int(count))]
