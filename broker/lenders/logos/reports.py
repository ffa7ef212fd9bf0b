"""Reports to staff on lenders' logos: a row for each lender, and the result of each change."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from broker.lenders.logos.logo import LogoSource, LogoVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderRow:
    """A lender, its use on the site, and its logo.

    `slug` is the last part of its pages' addresses, empty for a lender without pages. `in_feed` is whether the live
    feed lists it; `products` is its number in the sample market, None with a live feed. `logo` is the address of the
    current logo, empty for the monogram, whose address is `mark`. `is_hidden` is whether staff removed the logo.
    `number` is that of staff's newest version; `who`, `at` and `file_name` belong to it.
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
    """The result of a change. Only the first four changed something."""

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


_CHANGED = frozenset((LogoResult.ADDED, LogoResult.REPLACED, LogoResult.REMOVED, LogoResult.RESTORED))


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoReport:
    """The result of a change, with a sentence for staff.

    `newest` is staff's newest version after it; in a conflict, the other member's.
    """

    result: LogoResult
    sentence: str
    lender_id: int = 0
    lender: str = ""
    file_name: str = ""
    newest: LogoVersion | None = None

    @property
    def is_changed(self) -> bool:
        return self.result in _CHANGED


@dataclass(frozen=True, slots=True, kw_only=True)
class ZipReport:
    """The results of a zip file's files; `sentence` sums them up, or says why the zip file was refused."""

    sentence: str
    files: tuple[LogoReport, ...] = ()

    def count(self, result: LogoResult) -> int:
        return Counter(report.result for report in self.files)[result]
