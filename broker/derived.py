"""What is made from objects that may be replaced, such as the content, and made again once one of them was."""

import logging
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Made = TypeVar("Made")

log = logging.getLogger(__name__)


class Revision:
    """Counts how often one of some objects was replaced; it holds them, so that no new one has an old address."""

    def __init__(self) -> None:
        self._seen: tuple[object, ...] = ()
        self._count = 0

    def of(self, *objects: object) -> int:
        """Return a number that is equal as long as the objects are the same."""
        if len(objects) != len(self._seen) or any(
            now is not before for now, before in zip(objects, self._seen, strict=True)
        ):
            self._seen = objects
            self._count += 1
        return self._count


class Derived(Generic[Made]):
    """A value that is made from some objects when it is first asked for, and again once one of them was replaced.

    The value before stays where a new one cannot be made and a ValueError is raised, as for two pages of one path.
    """

    def __init__(self, make: Callable[[], Made], sources: Callable[[], tuple[object, ...]]) -> None:
        """`sources` returns the objects that the value is made from; each is replaced when it changes."""
        self._make, self._sources = make, sources
        self._revision, self._made_at = Revision(), 0
        self._lock = Lock()
        self.last: Made | None = None

    @property
    def version(self) -> int:
        """Return a number that rises with each change of the sources."""
        return self._revision.of(*self._sources())

    @property
    def is_current(self) -> bool:
        return self._made_at == self.version

    def current(self) -> Made:
        """Return the value; threads that ask while it is made wait. Raises ValueError where none could be made yet."""
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
            log.warning("what was made from the content before stays: %s", error)
            return self.last
