from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from broker.content.publishing import WEBHOOK, ContentChange, PublishingReport, PublishResult, PublishRun, PublishStep
from broker.staff.overview_view import NOT_TAKEN_UP, OFF, TO_DO, UNDER_WAY, publishing_standing

NOW = datetime(2026, 7, 2, 13, 2, tzinfo=UTC)
CHANGE = ContentChange(at=NOW - timedelta(minutes=2), by=WEBHOOK)
RUN = PublishRun(change=CHANGE, started=NOW - timedelta(seconds=70))
DONE = replace(RUN, finished=NOW, result=PublishResult.SUCCEEDED)
REFUSED = replace(
    DONE, result=PublishResult.REFUSED, reason="guide pages: 3 of 13 would go.", retry_at=NOW + timedelta(minutes=1)
)
FAILED = replace(DONE, result=PublishResult.FAILED)
MESSAGE = ("Last message", f"Today at 14:00, from {WEBHOOK}")
ON = ("Automatic publishing", "On")
STAYS = "Today at 14:02, after 70 seconds: what was published before stays"

STANDINGS = {
    "off": (PublishingReport(is_on=False), "Off", "plain", (("Automatic publishing", OFF),)),
    "ready": (PublishingReport(is_on=True), "Ready", "plain", (ON, ("Last message", f"None from {WEBHOOK}"))),
    "waiting": (PublishingReport(is_on=True, change=CHANGE), "Waiting", "plain", (ON, MESSAGE)),
    "not taken up": (
        PublishingReport(is_on=True, change=replace(CHANGE, at=NOW - timedelta(minutes=6))),
        "Late",
        "bad",
        (ON, ("Last message", f"Today at 13:56, from {WEBHOOK}"), ("Not taken up", NOT_TAKEN_UP)),
    ),
    "under way": (
        PublishingReport(is_on=True, change=CHANGE, run=RUN),
        "Publishing",
        "plain",
        (ON, MESSAGE, ("Under way", "Since today at 14:00"), ("At the moment", "Copying the content")),
    ),
    "under way, and another change waits": (
        PublishingReport(is_on=True, change=replace(CHANGE, by="ada"), run=RUN),
        "Publishing",
        "plain",
        (
            *(ON, ("Last message", "Today at 14:00, from ada"), ("Under way", "Since today at 14:00")),
            ("At the moment", "Copying the content"),
        ),
    ),
    "pages are built": (
        PublishingReport(is_on=True, change=CHANGE, run=replace(RUN, step=PublishStep.PAGES)),
        "Publishing",
        "plain",
        (ON, MESSAGE, ("Under way", "Since today at 14:00"), ("At the moment", UNDER_WAY[PublishStep.PAGES])),
    ),
    "done": (
        PublishingReport(is_on=True, change=CHANGE, run=DONE),
        "Published",
        "good",
        (
            *(ON, MESSAGE, ("Last published", "Today at 14:02, in 70 seconds")),
            ("What was published", "The content. No page had to be built"),
        ),
    ),
    "refused": (
        PublishingReport(is_on=True, change=CHANGE, run=REFUSED),
        "Not published",
        "bad",
        (
            *(ON, MESSAGE, ("Failed", STAYS), ("Reason", "Guide pages: 3 of 13 would go")),
            *(("What to do", TO_DO[PublishResult.REFUSED]), ("Next try", "Today at 14:03")),
        ),
    ),
    "failed": (
        PublishingReport(is_on=True, change=CHANGE, run=FAILED),
        "Not published",
        "bad",
        (
            *(ON, MESSAGE, ("Failed", STAYS), ("Reason", "None is known")),
            *(("What to do", TO_DO[PublishResult.FAILED]), ("Next try", "After the next change")),
        ),
    ),
}


@pytest.mark.parametrize(("report", "tag", "tone", "facts"), STANDINGS.values(), ids=STANDINGS)
def test_publishing_says_how_it_stands(
    report: PublishingReport, tag: str, tone: str, facts: tuple[tuple[str, str], ...]
) -> None:
    shown = publishing_standing(report, now=NOW)
    assert (shown.tag, shown.tone) == (tag, tone)
    assert tuple((fact.label, fact.words) for fact in shown.facts) == facts


def test_release_that_needs_a_restart_does_not_count_as_published() -> None:
    def tag(run: PublishRun) -> str:
        report = PublishingReport(is_on=True, change=CHANGE, run=run)
        return publishing_standing(report, now=NOW, needs_restart=True).tag

    assert [tag(DONE), tag(RUN)] == ["Waits for a restart", "Publishing"]
