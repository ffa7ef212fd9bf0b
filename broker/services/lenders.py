"""Who the lenders are: their names by id, and the pictures that stand for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownLender:
    """A lender: its id in the feed, the name we show, and the last part of its pages' addresses."""

    lender_id: int
    name: str
    slug: str


class LenderDirectory:
    """The lenders by id; joined by id, never by name."""

    def __init__(self, lenders: Iterable[KnownLender]) -> None:
        """Keep the lenders, sorted by name."""
        self.lenders = tuple(sorted(lenders, key=lambda lender: lender.name))

    def logos(self) -> Mapping[int, str]:
        """Return the address of each lender's drawn mark, by lender id."""
        return {lender.lender_id: f"/art/lender-{lender.slug}.svg" for lender in self.lenders}
