"""Arrays of numbers as amounts of the domain's formulas: each then counts many cases at once.

Importing this module registers `numpy.ndarray` with `broker.lending.arithmetic`. `choose` works out both of its sides
for all cases, so a division by zero in a side that is not taken is no error: use `np.errstate` around such formulas.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from broker.lending.arithmetic import Amount, choose, maximum, minimum, to_pennies

Floats = NDArray[np.float64]

_HALF = 0.5 + 1e-7
"""Halves are rounded up, including those that are a binary fraction too small."""


@choose.register(np.ndarray)
def _choose(condition: NDArray[np.bool_], then: Callable[[], Amount], otherwise: Callable[[], Amount]) -> Amount:
    return np.where(condition, then(), otherwise())


@maximum.register(np.ndarray)
def _maximum(first: Floats, second: Amount) -> Floats:
    return np.maximum(first, second)


@minimum.register(np.ndarray)
def _minimum(first: Floats, second: Amount) -> Floats:
    return np.minimum(first, second)


@to_pennies.register(np.ndarray)
def to_whole_pennies(amounts: Floats) -> Floats:
    """Return amounts in pounds rounded to whole pennies, halves away from zero."""
    return np.copysign(np.floor(np.abs(amounts) * 100 + _HALF) / 100, amounts)
