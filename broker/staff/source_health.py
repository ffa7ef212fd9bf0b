"""The health of the site's sources and the report of the last content copy, for staff."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from broker.content.publishing import NO_WEBHOOK, PublishingReport

REMOVED_DAYS = timedelta(days=30)
"""Time for which a removal is listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentPart:
    """A part of the content: when it was last read, None for never, and why it was not read this time."""

    name: str
    read_at: datetime | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentFault:
    """Why an item was left out or kept from the last copy; `post_id` is WordPress's, 0 if unknown."""

    item: str
    words: str
    post_id: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedItem:
    """An item that the content service no longer has, and when that was noticed."""

    item: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentReport:
    """The last attempt to copy the content; without `is_taken` the previous copy stays.

    `faults` then begin with the reason.
    """

    at: datetime
    is_taken: bool
    parts: tuple[ContentPart, ...] = ()
    faults: tuple[ContentFault, ...] = ()
    removed: tuple[RemovedItem, ...] = ()


def removals(last: ContentReport | None, gone: tuple[str, ...], *, now: datetime) -> tuple[RemovedItem, ...]:
    """Return the items that are gone now, then earlier ones that are still listed."""
    known = last.removed if last else ()
    older = (each for each in known if now - each.at < REMOVED_DAYS and each.item not in gone)
    return (*(RemovedItem(item=item, at=now) for item in gone), *older)


LENDERS_INTERVAL = timedelta(hours=1)
"""How often lenders and their logos are read from a live feed."""


class Source(StrEnum):
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
    """The state of the outbox: waiting mails, those of them that failed, and the time of the oldest.

    `problem` is the last error code for a waiting mail, or empty; `last_sent` is None before the first. `given_up`
    counts those that were never sent.
    """

    waiting: int
    failed: int
    oldest: datetime | None
    problem: str
    last_sent: datetime | None
    given_up: int = 0


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

    `live` is whether there is a live feed; without a mail server mail waits. `content` is the last copy from the
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
    health: SourceHealth
