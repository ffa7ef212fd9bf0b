"""A small repeatable choice maker, so that a slug always draws the same street."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar
from zlib import crc32

T = TypeVar("T")


class Seed:
    """A stream of choices that depends on a slug and on nothing else: no clock, no random source."""

    __slots__ = ("_number",)

    def __init__(self, slug: str) -> None:
        """Start the stream of a slug; any text will do, the empty one included."""
        self._number = crc32(slug.encode()) or 1

    def below(self, limit: int) -> int:
        """Return the next whole number from 0 to `limit` - 1; `limit` is 1 or more."""
        self._number = (self._number * 1103515245 + 12345) & 0x7FFFFFFF
        return (self._number >> 8) % limit

    def pick(self, options: Sequence[T]) -> T:
        """Return the next choice among the options, of which there is at least one."""
        return options[self.below(len(options))]
