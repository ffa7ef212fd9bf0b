from datetime import UTC, datetime, timedelta

import pytest

from broker.content.publishing import MAX_WAIT, ContentChange, PublishingReport, PublishRun, is_due, is_retried

NOW = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)
QUIET = timedelta(seconds=10)


@pytest.mark.parametrize(
    ("first", "last", "due"),
    [
        *((0, 0, False), (9, 9, False), (10, 10, True), (30, 9, False), (30, 10, True), (59, 0, False), (60, 0, True)),
        (-3_600, -3_600, True),  # the clock has been set back since
    ],
)
def test_burst_is_published_once_it_is_over_or_after_a_minute(first: int, last: int, due: bool) -> None:
    ago = {"first": NOW - timedelta(seconds=first), "last": NOW - timedelta(seconds=last)}
    assert is_due(**ago, now=NOW, quiet=QUIET) is due
    assert timedelta(seconds=60) == MAX_WAIT


def test_change_waits_until_a_run_has_taken_it_up() -> None:
    change, later = (ContentChange(at=NOW + timedelta(seconds=second), by="ada") for second in (0, 1))
    run = PublishRun(change=change, started=NOW)
    waiting = [
        PublishingReport(is_on=True, change=seen, run=done).is_waiting
        for seen, done in ((None, None), (change, None), (change, run), (later, run))
    ]
    assert waiting == [False, True, False, True]


@pytest.mark.parametrize(("minutes", "retried"), [(1, False), (0, True), (-3, True), (15, False), (61, True)])
def test_failure_is_tried_again_in_time_though_the_clock_goes_back(minutes: int, retried: bool) -> None:
    assert is_retried(NOW + timedelta(minutes=minutes), now=NOW) is retried
