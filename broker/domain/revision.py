"""A number that tells whether anything was replaced."""


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
