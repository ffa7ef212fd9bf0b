"""How the sources of the site stand: values that staff are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

LENDERS_INTERVAL = timedelta(hours=1)
"""How often lenders and their logos are read from a live feed."""


class Source(StrEnum):
    """What the site reads from elsewhere."""

    RATES = "rates"
    BY_CUSTOMER = "rates-by-customer"
    BY_LENDER = "rates-by-lender"
    LENDERS = "lenders"
    LOGOS = "logos"
    CONTENT = "content"
    QUESTIONS = "questions"
    GUIDES = "guides"


SOURCE_NAMES: Mapping[Source, str] = {
    Source.RATES: "Rates, searched for",
    Source.BY_CUSTOMER: "Saved rates by customer type",
    Source.BY_LENDER: "Saved rates by lender",
    Source.LENDERS: "Lenders",
    Source.LOGOS: "Logos",
    Source.CONTENT: "Content",
    Source.QUESTIONS: "Frequently asked questions",
    Source.GUIDES: "Guides published since the build",
}
REFRESHED = (Source.RATES, Source.BY_CUSTOMER, Source.BY_LENDER, Source.LENDERS, Source.LOGOS)
"""What staff can have read now, where there is a live feed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """When a source was read last, None before the first time; and when it failed last, with the reason."""

    read_at: datetime | None = None
    failed_at: datetime | None = None
    problem: str = ""

    @property
    def is_failing(self) -> bool:
        """Tell whether the last try failed."""
        return self.failed_at is not None and (self.read_at is None or self.read_at < self.failed_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceHealth:
    """How one source stands: `live` is False where the program itself stands in for it, `words` say what else."""

    source: Source
    name: str
    live: bool
    reading: Reading
    stale: bool
    words: str
    can_refresh: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxStanding:
    """How the outbox stands: notes that wait, those of them that were tried in vain, since when the oldest one waits.

    `problem` is the mail server's last answer to one that waits, as a code, empty for none; `last_sent` is None before
    the first note went.
    """

    waiting: int
    failed: int
    oldest: datetime | None
    problem: str
    last_sent: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedRelease:
    """The version of the pages that visitors see, by its name, and when it was built.

    `waiting` is the name of a newer one that waits for a restart, as it belongs to another program; empty for none.
    """

    name: str
    built: datetime
    waiting: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthReport:
    """Every source, and the outbox, at a moment; `outbox` is None where the database does not answer.

    `live` tells whether there is a live feed, else everything is embedded; without a mail server notes wait.
    `release` is None where the pages are those of no release.
    """

    at: datetime
    live: bool
    sources: tuple[SourceHealth, ...]
    outbox: OutboxStanding | None
    has_mail_server: bool
    release: ServedRelease | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed:
    """A source was asked for anew: how it stands now; its reading tells whether that failed."""

    health: SourceHealth
