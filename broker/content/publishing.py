"""Publishing what editors changed: when it is due, and what came of the last time.

A change is a message of the content service, or a member of staff who asks. Those of a burst are published together.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

MAX_WAIT = timedelta(seconds=60)
"""Time after the first of a burst of changes at which they are published, though more keep coming."""

RETRY_AFTER = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15))
"""Times after a failure at which it is tried again; after that it waits for the next change."""

WEBHOOK = "the content service"
"""Who reported a change with a signed message."""


class PublishResult(StrEnum):
    """What came of publishing."""

    RUNNING = "running"
    SUCCEEDED = "succeeded"
    REFUSED = "refused"
    """The content was not taken; what is served stays."""
    FAILED = "failed"


class PublishStep(StrEnum):
    """What a publish does: it copies the content, which servers then show; pages are built only where that needs it."""

    CONTENT = "content"
    PAGES = "pages"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentChange:
    """The last change that was reported, and by whom: WEBHOOK, or an account of staff."""

    at: datetime
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishRun:
    """One publishing of all changes up to `change`; `reason` says why it failed, `retry_at` when it is tried again.

    `step` is the last that was begun: PAGES where pages were built.
    """

    change: ContentChange
    started: datetime
    step: PublishStep = PublishStep.CONTENT
    finished: datetime | None = None
    result: PublishResult = PublishResult.RUNNING
    reason: str = ""
    retry_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishingReport:
    """How publishing stands, for staff: whether the webhook is on, the last change, and the last run; None for none."""

    is_on: bool
    change: ContentChange | None = None
    run: PublishRun | None = None

    @property
    def is_waiting(self) -> bool:
        """Return whether a change has been reported that no run has taken up."""
        return self.change is not None and (self.run is None or self.run.change != self.change)


NO_WEBHOOK = PublishingReport(is_on=False)


def is_due(*, first: datetime, last: datetime, now: datetime, quiet: timedelta) -> bool:
    """Return whether a burst of changes is over: nothing came for a while, or the first has waited long enough.

    It is over too where the clock has been set back since, which tells no longer how long that was.
    """
    return now - last >= quiet or now - first >= MAX_WAIT or now < first


def is_retried(retry_at: datetime, *, now: datetime) -> bool:
    """Return whether a failed run is tried again; also where the clock was ahead when the time was set for that."""
    return now >= retry_at or retry_at - now > max(RETRY_AFTER)
