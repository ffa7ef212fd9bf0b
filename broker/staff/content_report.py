"""What the last copy of the content came to, for staff: parts read and kept, faults to mend, what was removed."""

from dataclasses import dataclass
from datetime import datetime, timedelta

REMOVED_DAYS = timedelta(days=30)
"""How long a removal is listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentPart:
    """One call's answer: when it was last read whole, None for never; `fault` is why it was not read this time."""

    name: str
    read_at: datetime | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentFault:
    """An item that was kept from before or left out, and why; `post_id` is WordPress's, 0 where it is unknown."""

    item: str
    words: str
    post_id: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedItem:
    """An item that the content service no longer has, and when that was seen."""

    item: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentReport:
    """The last try to copy the content; `is_taken` is False where the copy before stays.

    `faults` of a try that was not taken begin with the reason.
    """

    at: datetime
    is_taken: bool
    parts: tuple[ContentPart, ...] = ()
    faults: tuple[ContentFault, ...] = ()
    removed: tuple[RemovedItem, ...] = ()


def removals(last: ContentReport | None, gone: tuple[str, ...], *, now: datetime) -> tuple[RemovedItem, ...]:
    """Return the items that are gone now, before those of the last report that are still listed."""
    known = last.removed if last else ()
    older = (each for each in known if now - each.at < REMOVED_DAYS and each.item not in gone)
    return (*(RemovedItem(item=item, at=now) for item in gone), *older)
