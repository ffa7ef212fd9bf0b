"""Publishing in words: whether editors' changes are published by themselves, and what came of the last time."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from broker.domain.staff.publishing import WEBHOOK, PublishingReport, PublishResult, PublishRun, PublishStep
from broker.presenters.staff.facts import Fact, Standing
from broker.presenters.staff.times import moment_fact, moment_words

LATE = timedelta(minutes=5)
"""Time after which a change should long have been taken up, or a publish be done."""

OFF = "Off: set BROKER_CONTENT_HOOK_SECRET, or publish with make publish after each change"
NOT_TAKEN_UP = "Nothing has taken it up: see that the site is served by make serve, and can write to its state folder"
TO_DO: Mapping[PublishResult, str] = {
    PublishResult.REFUSED: "Put it right in the content service and save again; all of it is listed under Content",
    PublishResult.FAILED: "Ask whoever looks after the server to read publishing/output.log in its state folder",
}
"""What to do after a publish that failed."""

UNDER_WAY: Mapping[PublishStep, str] = {
    PublishStep.CONTENT: "Copying the content",
    PublishStep.PAGES: "Building the pages. Guides, lenders and lists show the new content already",
}
"""What a publish does at the moment."""

DONE: Mapping[PublishStep, str] = {
    PublishStep.CONTENT: "The content. No page had to be built",
    PublishStep.PAGES: "The content, and the pages built from it",
}
"""What was published."""

TAGS: Mapping[PublishResult, tuple[str, str]] = {
    PublishResult.RUNNING: ("Publishing", "plain"),
    PublishResult.SUCCEEDED: ("Published", "good"),
    PublishResult.REFUSED: ("Not published", "bad"),
    PublishResult.FAILED: ("Not published", "bad"),
}


def publishing_standing(report: PublishingReport, *, now: datetime, needs_restart: bool = False) -> Standing:
    """Return what is known of publishing, under a tag; a release of other code `needs_restart` to be served."""
    tag, tone = _state(report, now)
    if needs_restart and (tag, tone) == TAGS[PublishResult.SUCCEEDED]:
        tag, tone = "Waits for a restart", "lamp"
    return Standing(
        tag=tag, tone=tone, facts=tuple(Fact(label=label, words=words) for label, words in _facts(report, now))
    )


def _state(report: PublishingReport, now: datetime) -> tuple[str, str]:
    if not report.is_on:
        return "Off", "plain"
    if report.is_waiting and not _is_running(report.run):
        return ("Late", "bad") if _is_late(report, now) else ("Waiting", "plain")
    return TAGS[report.run.result] if report.run else ("Ready", "plain")


def _facts(report: PublishingReport, now: datetime) -> Iterator[tuple[str, str]]:
    yield "Automatic publishing", "On" if report.is_on else OFF
    if report.is_on:
        by = f", from {report.change.by}" if report.change else ""
        yield "Last message", f"{moment_fact(report.change.at, now)}{by}" if report.change else f"None from {WEBHOOK}"
    if report.is_on and report.is_waiting and _is_late(report, now):
        yield "Not taken up", NOT_TAKEN_UP
    if report.run:
        yield from _run_facts(report.run, now)


def _run_facts(run: PublishRun, now: datetime) -> Iterator[tuple[str, str]]:
    if run.finished is None:
        yield "Under way", f"Since {moment_words(run.started, now)}"
        yield "At the moment", UNDER_WAY[run.step]
        return
    took = f"{(run.finished - run.started).total_seconds():.0f} seconds"
    if run.result is PublishResult.SUCCEEDED:
        yield "Last published", f"{moment_fact(run.finished, now)}, in {took}"
        yield "What was published", DONE[run.step]
        return
    yield "Failed", f"{moment_fact(run.finished, now)}, after {took}: what was published before stays"
    yield "Reason", (run.reason[:1].upper() + run.reason[1:]).rstrip(". ") or "None is known"
    yield "What to do", TO_DO[run.result]
    yield "Next try", moment_fact(run.retry_at, now) if run.retry_at else "After the next change"


def _is_running(run: PublishRun | None) -> bool:
    return run is not None and run.finished is None


def _is_late(report: PublishingReport, now: datetime) -> bool:
    return report.change is not None and not _is_running(report.run) and now - report.change.at > LATE
