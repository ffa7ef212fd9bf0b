"""Publishing changed content: when it is due, and the outcome of the last run.

A change is a message of the content service, or a request of staff. Those of a burst are published together.
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
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    REFUSED = "refused"
    """The content was refused; the site keeps the previous one."""
    FAILED = "failed"


class PublishStep(StrEnum):
    """Steps of a publish: content is copied, which servers then show; pages are built only where they changed."""

    CONTENT = "content"
    PAGES = "pages"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentChange:
    """A reported change; `by` is WEBHOOK or an account of staff."""

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
    """The state of publishing for staff; `is_on` is whether the webhook is."""

    is_on: bool
    change: ContentChange | None = None
    run: PublishRun | None = None

    @property
    def is_waiting(self) -> bool:
        """Return whether a change was reported after the last run began."""
        return self.change is not None and (self.run is None or self.run.change != self.change)


NO_WEBHOOK = PublishingReport(is_on=False)


def is_due(*, first: datetime, last: datetime, now: datetime, quiet: timedelta) -> bool:
    """Return whether a burst of changes is over: `quiet` has passed since the last one, or MAX_WAIT since the first.

    It is over too where the clock was set back since, as the elapsed time is then unknown.
    """
    return now - last >= quiet or now - first >= MAX_WAIT or now < first


def is_retried(retry_at: datetime, *, now: datetime) -> bool:
    """Return whether a failed run is tried again; also where the clock was ahead when `retry_at` was set."""
    return now >= retry_at or retry_at - now > max(RETRY_AFTER)
