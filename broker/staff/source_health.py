"""The health of the site's sources, for staff."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from broker.content.publishing import NO_WEBHOOK, PublishingReport
from broker.staff.content_report import ContentFault, ContentReport

LENDERS_INTERVAL = timedelta(hours=1)
"""How often lenders and their logos are read from a live feed."""


class Source(StrEnum):
    """An external source of the site."""

    RATES = "rates"
    BY_CUSTOMER = "rates-by-customer"
    BY_LENDER = "rates-by-lender"
    LENDERS = "lenders"
    LOGOS = "logos"
    QUESTIONNAIRE = "questionnaire"
    CONTENT = "content"
    QUESTIONS = "questions"


SOURCE_NAMES: Mapping[Source, str] = {
    Source.RATES: "Rates, searched for",
    Source.BY_CUSTOMER: "Saved rates by customer type",
    Source.BY_LENDER: "Saved rates by lender",
    Source.LENDERS: "Lenders",
    Source.LOGOS: "Logos",
    Source.QUESTIONNAIRE: "Questionnaire",
    Source.CONTENT: "Content",
    Source.QUESTIONS: "Frequently asked questions",
}
REFRESHED = (Source.RATES, Source.BY_CUSTOMER, Source.BY_LENDER, Source.LENDERS, Source.LOGOS, Source.QUESTIONNAIRE)
"""The sources that staff can refresh, with a live feed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastRead:
    """The times of a source's last success and last failure, None before the first, and the reason of the failure.

    `left_out` counts the products with figures that are missing or cannot be, in the last read that had any.
    """

    read_at: datetime | None = None
    failed_at: datetime | None = None
    problem: str = ""
    left_out: int = 0
    left_out_at: datetime | None = None

    @property
    def is_failing(self) -> bool:
        """Return whether the last attempt failed."""
        return self.failed_at is not None and (self.read_at is None or self.read_at < self.failed_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceHealth:
    """The health of a source: `live` is False for embedded data, `words` adds details."""

    source: Source
    name: str
    live: bool
    reading: LastRead
    stale: bool
    words: str
    can_refresh: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxStanding:
    """The state of the outbox: waiting notes, those of them that failed, and the time of the oldest.

    `problem` is the mail server's last error code for a waiting note, or empty; `last_sent` is None before the first.
    """

    waiting: int
    failed: int
    oldest: datetime | None
    problem: str
    last_sent: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedRelease:
    """The served version of the pages: its name and build time.

    `waiting` is the name of a newer one that needs a restart because it belongs to other code, or empty.
    """

    name: str
    built: datetime
    waiting: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineHealth:
    """What an operator watches: bytes that are free for `BROKER_STATE_DIR`, and the last backup."""

    free_bytes: int
    last_backup: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthReport:
    """The health of every source and the outbox at a time; `outbox` is None if the database does not answer.

    `live` is whether there is a live feed; without a mail server notes wait. `content` is the last copy from the
    content service at `content_url`, None for none. `question_faults` are those for which the questionnaire of that
    service is not used. `release` is None for pages without a release.
    """

    at: datetime
    live: bool
    sources: tuple[SourceHealth, ...]
    outbox: OutboxStanding | None
    has_mail_server: bool
    content: ContentReport | None = None
    content_url: str = ""
    question_faults: tuple[ContentFault, ...] = ()
    release: ServedRelease | None = None
    publishing: PublishingReport = NO_WEBHOOK
    machine: MachineHealth | None = None

    def age_of(self, source: SourceHealth) -> float | None:
        """Return the seconds since a source was read, none fewer than 0; None for one that was never read."""
        read_at = source.reading.read_at
        return max(0.0, (self.at - read_at).total_seconds()) if read_at else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed:
    """The health of a source after a refresh."""

    health: SourceHealth
