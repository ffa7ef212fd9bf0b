"""Values that are derived from replaceable objects, such as the content, and made again when one is replaced."""

import logging
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Made = TypeVar("Made")

log = logging.getLogger(__name__)


class Revision:
    """Counts replacements of objects; it holds references to them, so that no new one has an old address."""

    def __init__(self) -> None:
        self._seen: tuple[object, ...] = ()
        self._count = 0

    def of(self, *objects: object) -> int:
        """Return a number that changes with the identity of any object."""
        if len(objects) != len(self._seen) or any(
            now is not before for now, before in zip(objects, self._seen, strict=True)
        ):
            self._seen = objects
            self._count += 1
        return self._count


class Derived(Generic[Made]):
    """A cached value, made at its first use and again when one of its sources is replaced.

    Where making it raises ValueError, as for two pages with one path, the previous value stays.
    """

    def __init__(self, make: Callable[[], Made], sources: Callable[[], tuple[object, ...]]) -> None:
        """`sources` returns the objects that the value is made from; they are replaced, never changed."""
        self._make, self._sources = make, sources
        self._revision, self._made_at = Revision(), 0
        self._lock = Lock()
        self.last: Made | None = None

    @property
    def version(self) -> int:
        """A number that rises with each replacement of a source."""
        return self._revision.of(*self._sources())

    @property
    def is_current(self) -> bool:
        return self._made_at == self.version

    def current(self) -> Made:
        """Return the value, made by one thread at a time; raises ValueError where none could be made yet."""
        with self._lock:
            if self._made_at != (version := self.version) or self.last is None:
                self.last, self._made_at = self._next(), version
            return self.last

    def _next(self) -> Made:
        try:
            return self._make()
        except ValueError as error:
            if self.last is None:
                raise
            log.warning("content cannot be used, the previous value stays: %s", error)
            return self.last
