"""Pseudo-random choices from a slug, so that it always gives the same drawing."""

from collections.abc import Sequence
from typing import TypeVar
from zlib import crc32

T = TypeVar("T")


class Seed:
    """A sequence of choices that depends on a slug alone."""

    __slots__ = ("_number",)

    def __init__(self, slug: str) -> None:
        """Seed the sequence with any text, even an empty one."""
        self._number = crc32(slug.encode()) or 1

    def below(self, limit: int) -> int:
        """Return the next integer from 0 to `limit` - 1; `limit` is at least 1."""
        self._number = (self._number * 1103515245 + 12345) & 0x7FFFFFFF
        return (self._number >> 8) % limit

    def pick(self, options: Sequence[T]) -> T:
        """Return the next choice of a sequence that is not empty."""
        return options[self.below(len(options))]
