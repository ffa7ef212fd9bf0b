"""The overview in words: what waits, how each source stands, the outbox and the release."""

from datetime import UTC, datetime, timedelta

import pytest

from broker.domain.enquiries.stored_records import EnquiryState
from broker.domain.staff.enquiry_workflow import EnquiryCounts
from broker.domain.staff.source_health import HealthReport, OutboxStanding, Reading, ServedRelease, Source, SourceHealth
from broker.presenters.staff.enquiry_search import MINE, search_in
from broker.presenters.staff.overview import NO_DATABASE, NO_SERVER, count_links, refreshed_words, source_report

NOW = datetime(2026, 7, 2, 13, 2, tzinfo=UTC)
BEFORE = NOW - timedelta(days=1)
QUIET = OutboxStanding(waiting=0, failed=0, oldest=None, problem="", last_sent=None)


def health(
    name: str = "Lenders", reading: Reading | None = None, *, live: bool = True, stale: bool = False
) -> SourceHealth:
    """Return how a source stands."""
    return SourceHealth(
        source=Source.LENDERS,
        name=name,
        live=live,
        reading=reading or Reading(),
        stale=stale,
        words="Said beside.",
        can_refresh=live,
    )


def report(
    *sources: SourceHealth,
    outbox: OutboxStanding | None = QUIET,
    server: bool = True,
    release: ServedRelease | None = None,
) -> HealthReport:
    """Return a report of a site with a live feed."""
    return HealthReport(at=NOW, live=True, sources=sources, outbox=outbox, has_mail_server=server, release=release)


def test_counts_lead_to_the_list_of_just_those() -> None:
    counts = EnquiryCounts(by_state={EnquiryState.NEW: 1_234, EnquiryState.CLOSED: 9}, overdue=2)
    new, overdue, mine = count_links(counts, 3)
    assert [(one.count, one.is_pressing) for one in (new, overdue, mine)] == [
        ("1,234", False),
        ("2", True),
        ("3", False),
    ]
    asked = [search_in(dict([one.href.partition("?")[2].split("=")])) for one in (new, overdue, mine)]
    assert [(one.state, one.overdue, one.whose) for one in asked] == [
        (EnquiryState.NEW, False, ""),
        (None, True, ""),
        (None, False, MINE),
    ]
    assert not count_links(EnquiryCounts(by_state={}, overdue=0), 0)[1].is_pressing


SOURCES = {
    "up to date": (health(reading=Reading(read_at=NOW)), "Up to date", "good", "Today at 14:02", ""),
    "late": (health(reading=Reading(read_at=BEFORE), stale=True), "Stale: it is late", "bad", "Yesterday at 14:02", ""),
    "failing": (
        health(reading=Reading(read_at=BEFORE, failed_at=NOW, problem="answered 502."), stale=True),
        "Stale: it fails",
        "bad",
        "Yesterday at 14:02",
        "The last try failed today at 14:02: answered 502",
    ),
    "never read, and failing": (
        health(reading=Reading(failed_at=NOW), stale=True),
        "Stale: it fails",
        "bad",
        "Not yet",
        "The last try failed today at 14:02: no reason is known",
    ),
    "well again": (
        health(reading=Reading(read_at=NOW, failed_at=BEFORE, problem="answered 502")),
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


def test_site_without_a_feed_says_so() -> None:
    embedded = HealthReport(at=NOW, live=False, sources=(), outbox=QUIET, has_mail_server=True)
    assert source_report(embedded).summary.startswith("There is no live feed")
    assert source_report(embedded).at == "14:02"


WAITING = OutboxStanding(waiting=3, failed=0, oldest=BEFORE, problem="", last_sent=NOW)
OUTBOXES = {
    "quiet": (QUIET, True, "Nothing waits", "good", ("None", "None", "Never", "One is named in BROKER_SMTP_URL")),
    "no server": (QUIET, False, "No mail server", "plain", ("None", "None", "Never", NO_SERVER)),
    "no server, and notes wait": (
        WAITING,
        False,
        "No mail server",
        "lamp",
        ("3 notes, the oldest since yesterday at 14:02", "None", "Today at 14:02", NO_SERVER),
    ),
    "on its way": (
        WAITING,
        True,
        "On its way",
        "plain",
        ("3 notes, the oldest since yesterday at 14:02", "None", "Today at 14:02", "One is named in BROKER_SMTP_URL"),
    ),
    "failing": (
        OutboxStanding(waiting=1, failed=1, oldest=NOW, problem="550", last_sent=None),
        True,
        "Failing",
        "bad",
        (
            "1 note, the oldest since today at 14:02",
            "1 note, the mail server last answered 550",
            "Never",
            "One is named in BROKER_SMTP_URL",
        ),
    ),
    "away": (None, False, "Not known", "bad", (NO_DATABASE, NO_SERVER)),
}


@pytest.mark.parametrize(("outbox", "server", "tag", "tone", "words"), OUTBOXES.values(), ids=OUTBOXES)
def test_outbox_says_how_it_stands(
    outbox: OutboxStanding | None, server: bool, tag: str, tone: str, words: tuple[str, ...]
) -> None:
    told = source_report(report(outbox=outbox, server=server)).outbox
    assert (told.tag, told.tone, tuple(fact.words for fact in told.facts)) == (tag, tone, words)


def test_release_says_when_it_was_built_and_what_waits() -> None:
    def words(release: ServedRelease | None) -> list[str]:
        return [fact.words for fact in source_report(report(release=release)).release]

    served = ServedRelease(name="release-1", built=BEFORE)
    assert words(None) == ["None was read"]
    assert words(served) == ["release-1", "Yesterday at 14:02"]
    waiting = ServedRelease(name="release-1", built=BEFORE, waiting="release-2")
    assert words(waiting)[2] == "release-2, made by another version of the software"


REFRESHED = {
    "read": (Reading(read_at=NOW), "Lenders: read at 14:02"),
    "failed": (
        Reading(read_at=BEFORE, failed_at=NOW, problem="answered 502."),
        "Lenders: not read, answered 502. What was read before stays",
    ),
    "neither": (Reading(), "Lenders: asked for anew"),
}


@pytest.mark.parametrize(("reading", "said"), REFRESHED.values(), ids=REFRESHED)
def test_what_came_of_a_refresh_is_a_sentence(reading: Reading, said: str) -> None:
    assert refreshed_words(health(reading=reading)) == said
