"""What staff are told of lenders' logos: a line for each lender, and what came of each change, file by file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from broker.domain.staff.logos import LogoSource, LogoVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderRow:
    """A lender: where it is used, and its logo.

    `slug` is the last part of its pages' addresses, empty for a lender without pages; `in_feed` says that the live feed
    lists it; `products` is how many the sample market has of it, None where a live feed answers. `logo` is the address
    of the logo that stands, empty where the monogram does, whose address is `mark`, empty for a lender without one.
    `is_hidden` says that staff removed what there was. `number` is what a change must say it was made to, and how many
    versions staff have made; `who`, `at` and `file_name` tell of the newest of them.
    """

    lender_id: int
    name: str
    slug: str
    residential: bool
    buy_to_let: bool
    in_feed: bool
    products: int | None
    logo: str
    mark: str
    source: LogoSource
    is_hidden: bool
    number: int
    who: str = ""
    at: datetime | None = None
    file_name: str = ""


class LogoResult(StrEnum):
    """What came of one change. The first four changed something, the others nothing."""

    ADDED = "added"
    REPLACED = "replaced"
    REMOVED = "removed"
    RESTORED = "restored"
    SAME = "same"
    REFUSED = "refused"
    NO_LENDER = "no-lender"
    CONFLICT = "conflict"
    TOO_OLD = "too-old"
    AWAY = "away"


CHANGED = frozenset((LogoResult.ADDED, LogoResult.REPLACED, LogoResult.REMOVED, LogoResult.RESTORED))


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoReport:
    """What came of one change, with a sentence for staff.

    `newest` is staff's newest version after it: in a conflict the one that somebody else made, None for none.
    """

    result: LogoResult
    sentence: str
    lender_id: int = 0
    lender: str = ""
    file_name: str = ""
    newest: LogoVersion | None = None

    @property
    def is_changed(self) -> bool:
        """Tell whether the site shows something else now."""
        return self.result in CHANGED


@dataclass(frozen=True, slots=True, kw_only=True)
class ZipReport:
    """What came of a zip file, file by file; `sentence` sums it up, or tells why all of it was refused."""

    sentence: str
    files: tuple[LogoReport, ...] = ()

    def count(self, result: LogoResult) -> int:
        """Return how many files ended so."""
        return Counter(report.result for report in self.files)[result]
