"""The lenders of the sample market: real names (`data/market/directory.csv`), invented figures.

A lender's rates, limits and fees are pseudo-random, seeded by names and not by the order of calls: a product keeps its
figures when a lender is added before it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from statistics import NormalDist
from typing import TypeVar

from broker.market.catalogue import read_table

FILE = "directory.csv"

_COLUMNS = {"lender_id": int, "name": str, "kind": str, "residential": bool, "buy_to_let": bool}
_SEED = "sample market 2025-08"
Choice = TypeVar("Choice")


class Kind(StrEnum):
    """The kind of a lender."""

    BANK = "bank"
    SOCIETY = "building-society"
    SPECIALIST = "specialist"


_MIN_OFFSET, _MAX_OFFSET = -0.25, 0.40
_DEARER = {Kind.BANK: -0.03, Kind.SOCIETY: 0.04, Kind.SPECIALIST: 0.55}
_MIN_LOANS = {
    Kind.BANK: (10_000, 25_000, 25_000),
    Kind.SOCIETY: (25_000, 30_000, 50_000),
    Kind.SPECIALIST: (25_000, 40_000),
}


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


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderProfile:
    """A lender and its figures: rates in percent or points, loans in pounds."""

    lender_id: int
    name: str
    kind: Kind
    residential: bool
    buy_to_let: bool

    @property
    def slug(self) -> str:
        """Return the name in addresses and product ids."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower().replace("&", "and")).strip("-")

    @property
    def offset(self) -> float:
        """Return the difference of its residential rates from the average, in points: -0.25 at the lowest."""
        drawn = normal(0.15, self.lender_id, "offset") + (_DEARER[self.kind] if self.kind is not Kind.SPECIALIST else 0)
        dearer = _DEARER[Kind.SPECIALIST] if self.kind is Kind.SPECIALIST else 0
        return min(max(drawn, _MIN_OFFSET), _MAX_OFFSET) + dearer

    @property
    def buy_to_let_offset(self) -> float:
        """Return the difference of its buy-to-let rates from their average, in points."""
        return min(max(normal(0.15, self.lender_id, "buy-to-let offset"), _MIN_OFFSET), _MAX_OFFSET)

    @property
    def follow_on_rate(self) -> float:
        """Return the residential follow-on rate in percent: 6.25 to 8.75, ending in 4 or 9."""
        middle = 7.9 if self.kind is Kind.SPECIALIST else 7.35
        drawn = min(max(middle + normal(0.5, self.lender_id, "follow-on"), 6.3), 8.75)
        return round(round(drawn * 20) / 20 - 0.01, 2)

    @property
    def buy_to_let_follow_on_rate(self) -> float:
        """Return the buy-to-let follow-on rate in percent: above the residential one, 9.19 at most."""
        drawn = self.follow_on_rate + 0.01 + 0.25 + 0.5 * uniform(self.lender_id, "buy-to-let follow-on")
        return round(min(round(drawn * 20) / 20, 9.2) - 0.01, 2)

    @property
    def least_loan(self) -> int:
        """Return the smallest loan it makes, in pounds."""
        return choice(_MIN_LOANS[self.kind], self.lender_id, "least loan")

    @property
    def lends_interest_only(self) -> bool:
        """Return whether its residential loans may be interest only."""
        return uniform(self.lender_id, "interest only") < 0.35


def read_directory(folder: Path) -> Iterator[LenderProfile]:
    """Yield the lenders of a market folder, in the order of the file; raises OSError where it is missing."""
    for row in read_table(folder / FILE, _COLUMNS).to_dict("records"):
        yield LenderProfile(**{**row, "kind": Kind(row["kind"])})
