"""Pseudo-random values seeded by names, independent of the order of calls, the machine and the Python version.

A product keeps its figures when a lender is added before it.
"""

from collections.abc import Sequence
from hashlib import sha256
from statistics import NormalDist
from typing import TypeVar

_SEED = "sample market 2025-08"
Choice = TypeVar("Choice")


def uniform(*names: object) -> float:
    """Return a number in [0, 1), uniformly distributed over names."""
    digest = sha256("/".join(map(str, (_SEED, *names))).encode()).digest()
    return (int.from_bytes(digest[:6], "big") + 0.5) / 2**48


def normal(deviation: float, *names: object) -> float:
    """Return a value of the normal distribution with mean 0 and a standard deviation."""
    return NormalDist(0, deviation).inv_cdf(uniform(*names))


def choice(choices: Sequence[Choice], *names: object) -> Choice:
    """Return one of the choices, with equal probability."""
    return choices[int(uniform(*names) * len(choices))]
