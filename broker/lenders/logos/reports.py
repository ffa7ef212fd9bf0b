"""Reports to staff on lenders' logos: a row for each lender, and the result of each change."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from broker.lenders.logos.logo import LogoSource


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderRow:
    """A lender, its use on the site, and its logo.

    `slug` is the last part of its pages' addresses, empty for a lender without pages. `in_feed` is whether the live
    feed lists it; `products` is its number in the sample market, None with a live feed. `logo` is the address of the
    current logo, empty for the monogram, whose address is `mark`. `is_hidden` is whether staff removed the logo.
    `width` is that of the logo in pixels, 0 for the monogram. `number` is that of staff's newest version; `who`, `at`
    and `file_name` belong to it.
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
    width: int = 0
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
    NOT_SENT = "not-sent"


NOTHING_TO_UNDO = -1

CHANGES = frozenset((LogoResult.ADDED, LogoResult.REPLACED, LogoResult.REMOVED, LogoResult.RESTORED))


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoReport:
    """The result of one file or change, as the server sends it and the page shows it: `outcomes.logo_report` makes it.

    `what` is a word or two, `tone` good, warn, bad or empty, and `sentence` names the file. `now` and `picture` are
    what a conflict left in place. `undo_to` is the version to put back, `number` the one after the change, and `at` its
    time in UTC by ISO 8601, empty where nothing changed.
    """

    result: LogoResult
    what: str
    tone: str
    sentence: str
    lender_id: int = 0
    lender: str = ""
    file_name: str = ""
    now: str = ""
    picture: str = ""
    undo_to: int = NOTHING_TO_UNDO
    number: int = 0
    at: str = ""

    @property
    def is_changed(self) -> bool:
        return self.result in CHANGES
