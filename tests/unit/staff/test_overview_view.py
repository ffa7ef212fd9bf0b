from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from broker.enquiries.enquiry import EnquiryState
from broker.staff.enquiry_list_view import MINE, search_in
from broker.staff.enquiry_workflow import EnquiryCounts
from broker.staff.overview_view import (
    NO_DATABASE,
    NO_SERVER,
    count_links,
    overdue_words,
    refreshed_words,
    source_report,
)
from broker.staff.source_health import HealthReport, LastRead, OutboxStanding, ServedRelease, Source, SourceHealth

NOW = datetime(2026, 7, 2, 13, 2, tzinfo=UTC)
BEFORE = NOW - timedelta(days=1)
QUIET = OutboxStanding(waiting=0, failed=0, oldest=None, problem="", last_sent=None)


def health(
    name: str = "Lenders", reading: LastRead | None = None, *, live: bool = True, stale: bool = False
) -> SourceHealth:
    stands: dict[str, Any] = {"live": live, "stale": stale, "can_refresh": live, "reading": reading or LastRead()}
    return SourceHealth(source=Source.LENDERS, name=name, words="Said beside.", **stands)


def report(*sources: SourceHealth, **fields: Any) -> HealthReport:
    usual: dict[str, Any] = {"at": NOW, "live": True, "outbox": QUIET, "has_mail_server": True}
    return HealthReport(sources=sources, **{**usual, **fields})


def test_counts_lead_to_the_list_of_just_those() -> None:
    counts = EnquiryCounts(by_state={EnquiryState.NEW: 1_234, EnquiryState.CLOSED: 9}, overdue=2)
    new, overdue, mine = count_links(counts, 3)
    shown = [(one.count, one.is_pressing) for one in (new, overdue, mine)]
    assert shown == [("1,234", False), ("2", True), ("3", False)]
    searches = [search_in(dict([one.href.partition("?")[2].split("=")])) for one in (new, overdue, mine)]
    filters = [(one.state, one.overdue, one.whose) for one in searches]
    assert filters == [(EnquiryState.NEW, False, ""), (None, True, ""), (None, False, MINE)]
    assert not count_links(EnquiryCounts(by_state={}, overdue=0), 0)[1].is_pressing


SOURCES = {
    "up to date": (health(reading=LastRead(read_at=NOW)), "Up to date", "good", "Today at 14:02", ""),
    "late": (
        health(reading=LastRead(read_at=BEFORE), stale=True),
        "Stale: it is late",
        "bad",
        "Yesterday at 14:02",
        "",
    ),
    "failing": (
        health(reading=LastRead(read_at=BEFORE, failed_at=NOW, problem="answered 502."), stale=True),
        "Stale: it fails",
        "bad",
        "Yesterday at 14:02",
        "The last try failed today at 14:02: answered 502",
    ),
    "never read, and failing": (
        health(reading=LastRead(failed_at=NOW), stale=True),
        "Stale: it fails",
        "bad",
        "Not yet",
        "The last try failed today at 14:02: no reason is known",
    ),
    "well again": (
        health(reading=LastRead(read_at=NOW, failed_at=BEFORE, problem="answered 502")),
        "Up to date",
        "good",
        "Today at 14:02",
        "Failed once before that, yesterday at 14:02: answered 502",
    ),
    "not read yet": (health(), "Not read yet", "plain", "Not yet", ""),
    "embedded": (health(live=False), "Built in", "plain", "It is not read", ""),
}


@pytest.mark.parametrize(("source", "tag", "tone", "read", "failed"), SOURCES.values(), ids=SOURCES)
def test_source_says_how_it_stands(source: SourceHealth, tag: str, tone: str, read: str, failed: str) -> None:
    (line,) = source_report(report(source)).sources
    assert (line.tag, line.tone, line.read, line.failed, line.words) == (tag, tone, read, failed, "Said beside")
    assert line.can_refresh is source.live


def test_summary_names_what_is_stale() -> None:
    def summary(*stale: str) -> str:
        return source_report(report(health("Content"), *(health(name, stale=True) for name in stale))).summary

    assert summary() == "No source is stale"
    assert summary("Logos") == "1 source is stale: Logos"
    assert summary("Rates, searched for", "Lenders", "Logos") == (
        "3 sources are stale: Rates, searched for; Lenders; and Logos"
    )
    embedded = source_report(report(live=False))
    assert (embedded.summary[:21], embedded.at) == ("There is no live feed", "14:02")


WAITING = OutboxStanding(waiting=3, failed=0, oldest=BEFORE, problem="", last_sent=NOW)
NAMED = "One is named in BROKER_SMTP_URL"
HELD_UP = ("3 notes, the oldest since yesterday at 14:02", "None", "Today at 14:02")
FAILING = OutboxStanding(waiting=1, failed=1, oldest=NOW, problem="550", last_sent=None)
FAILED = ("1 note, the oldest since today at 14:02", "1 note, the mail server last answered 550", "Never", NAMED)
OUTBOXES = {
    "quiet": (QUIET, True, "Nothing waits", "good", ("None", "None", "Never", NAMED)),
    "no server": (QUIET, False, "No mail server", "plain", ("None", "None", "Never", NO_SERVER)),
    "no server, and notes wait": (WAITING, False, "No mail server", "lamp", (*HELD_UP, NO_SERVER)),
    "on its way": (WAITING, True, "On its way", "plain", (*HELD_UP, NAMED)),
    "failing": (FAILING, True, "Failing", "bad", FAILED),
    "away": (None, False, "Not known", "bad", (NO_DATABASE, NO_SERVER)),
}


@pytest.mark.parametrize(("outbox", "server", "tag", "tone", "words"), OUTBOXES.values(), ids=OUTBOXES)
def test_outbox_says_how_it_stands(
    outbox: OutboxStanding | None, server: bool, tag: str, tone: str, words: tuple[str, ...]
) -> None:
    shown = source_report(report(outbox=outbox, has_mail_server=server)).outbox
    assert (shown.tag, shown.tone, tuple(fact.words for fact in shown.facts)) == (tag, tone, words)


def test_release_says_when_it_was_built_and_what_waits() -> None:
    def words(release: ServedRelease | None) -> list[str]:
        return [fact.words for fact in source_report(report(release=release)).release]

    served = ServedRelease(name="release-1", built=BEFORE)
    assert words(None) == ["None was read"]
    assert words(served) == ["release-1", "Yesterday at 14:02"]
    waiting = ServedRelease(name="release-1", built=BEFORE, waiting="release-2")
    assert words(waiting)[2] == "release-2, made by another version of the software"


def test_refresh_reports_its_result_in_a_sentence() -> None:
    failed = LastRead(read_at=BEFORE, failed_at=NOW, problem="answered 502.")
    assert [refreshed_words(health(reading=reading)) for reading in (LastRead(read_at=NOW), failed, LastRead())] == [
        "Lenders: read at 14:02",
        "Lenders: not read, answered 502. What was read before stays",
        "Lenders: asked for again",
    ]


def test_overdue_deletions_are_reported_with_the_servers_time() -> None:
    assert overdue_words(0, 0, now=NOW) == ""
    words = overdue_words(1, 2_000, now=NOW)
    assert words.startswith("1 enquiry and 2,000 unsent questionnaires should have been deleted")
    assert "Thursday 2 July 2026, 14:02" in words
