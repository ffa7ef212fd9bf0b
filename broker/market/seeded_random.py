"""Repeatable chance: draws that depend on their names alone, never on the order they are made in.

A product keeps its figures when a lender is added before it, on every machine and version of Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from statistics import NormalDist
from typing import TypeVar

_SEED = "sample market 2025-08"
Choice = TypeVar("Choice")


def uniform(*names: object) -> float:
    """Return a number in [0, 1), evenly spread over names."""
    digest = sha256("/".join(map(str, (_SEED, *names))).encode()).digest()
    return (int.from_bytes(digest[:6], "big") + 0.5) / 2**48


def normal(deviation: float, *names: object) -> float:
    """Return a draw from the normal distribution round 0 with a standard deviation."""
    return NormalDist(0, deviation).inv_cdf(uniform(*names))


def choice(choices: Sequence[Choice], *names: object) -> Choice:
    """Return one of the choices, each as likely."""
    return choices[int(uniform(*names) * len(choices))]
