from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl

import pytest

from broker.cases.case_list import listing_in
from broker.content.publishing import WEBHOOK, ContentChange, PublishingReport, PublishResult, PublishRun, PublishStep
from broker.staff.overview_view import (
    COUNTED,
    KEPT,
    NEVER,
    NO_CONTENT,
    NO_DATABASE,
    NO_SERVER,
    NOT_TAKEN_UP,
    OFF,
    READ,
    TO_DO,
    UNDER_WAY,
    FaultLine,
    content_view,
    count_links,
    overdue_words,
    publishing_standing,
    refreshed_words,
    source_report,
)
from broker.staff.source_health import (
    REMOVED_DAYS,
    ContentFault,
    ContentPart,
    ContentReport,
    HealthReport,
    LastRead,
    OutboxStanding,
    RemovedItem,
    ServedRelease,
    Source,
    SourceHealth,
    removals,
)

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
    shown = [(one.count, one.is_pressing) for one in count_links((1_234, 2, 3))]
    assert shown == [("1,234", False), ("2", True), ("3", False)]
    found = [listing_in(dict(parse_qsl(one.href.partition("?")[2]))).wanted for one in count_links((1, 1, 1))]
    assert found == list(COUNTED)
    assert not count_links((0, 0, 0))[1].is_pressing


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
def test_source_says_its_state(source: SourceHealth, tag: str, tone: str, read: str, failed: str) -> None:
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
HELD_UP = ("3 mails, the oldest since yesterday at 14:02", "None", "Today at 14:02")
FAILING = OutboxStanding(waiting=1, failed=1, oldest=NOW, problem="550", last_sent=None)
FAILED = ("1 mail, the oldest since today at 14:02", "1 mail, the mail server last answered 550", "Never", NAMED)
GIVEN_UP = OutboxStanding(waiting=0, failed=0, oldest=None, problem="", last_sent=None, given_up=2)
OUTBOXES = {
    "quiet": (QUIET, True, "Nothing waits", "good", ("None", "None", "Never", NAMED)),
    "no server": (QUIET, False, "No mail server", "plain", ("None", "None", "Never", NO_SERVER)),
    "no server, and mail waits": (WAITING, False, "No mail server", "lamp", (*HELD_UP, NO_SERVER)),
    "on its way": (WAITING, True, "On its way", "plain", (*HELD_UP, NAMED)),
    "failing": (FAILING, True, "Failing", "bad", FAILED),
    "given up": (GIVEN_UP, True, "Nothing waits", "good", ("None", "None", "2 mails", "Never", NAMED)),
    "away": (None, False, "Not known", "bad", (NO_DATABASE, NO_SERVER)),
}


@pytest.mark.parametrize(("outbox", "server", "tag", "tone", "words"), OUTBOXES.values(), ids=OUTBOXES)
def test_outbox_says_its_state(
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
    assert overdue_words(0, 0, 0, now=NOW) == ""
    words = overdue_words(1, 2_000, 1, now=NOW)
    assert words.startswith("1 enquiry, 2,000 unsent questionnaires and 1 watch should have been deleted")
    assert "Thursday 2 July 2026, 14:02" in words


API = "https://broker.example/api"


def test_content_parts_are_grouped_by_kind_with_failures_first() -> None:
    parts = (
        ContentPart(name="pages", read_at=NOW),
        ContentPart(name="guide remortgages-guide", read_at=NOW),
        ContentPart(name="guide bridging-loans-guide", read_at=BEFORE, fault="answered 502"),
        ContentPart(name="faqs", fault="answered null"),
    )
    view = content_view(ContentReport(at=NOW, is_taken=True, parts=parts), url=API, now=NOW)
    assert [(line.name, line.tag, line.read, line.failed) for line in view.parts] == [
        ("Main guides of the services", KEPT, "Yesterday at 14:02", "answered 502"),
        ("Frequently asked questions", NEVER, "Never", "answered null"),
        ("Pages", READ, "Today at 14:02", ""),
    ]
    assert (view.summary, view.tag) == ("Last copied today at 14:02", "Something to mend")


def test_fault_leads_to_its_item_and_a_refused_copy_says_so() -> None:
    faults = (
        ContentFault(item="guide What is LTV?", words="no date", post_id=7),
        ContentFault(item="menus", words="x"),
    )
    removed = (RemovedItem(item="page /fees/", at=BEFORE),)
    report = ContentReport(at=NOW, is_taken=False, faults=faults, removed=removed)
    view = content_view(report, url=API, now=NOW)
    assert [(line.item, line.href) for line in view.faults] == [
        ("Guide: What is LTV?", f"{API}/wp-admin/post.php?post=7&action=edit"),
        ("menus", ""),
    ]
    assert (view.tone, view.removed) == ("bad", ("Page: /fees/, yesterday at 14:02",))
    assert content_view(None, url=API, now=NOW) == NO_CONTENT


def test_faults_of_the_questionnaire_are_listed_with_or_without_a_copy() -> None:
    fault = ContentFault(item="questionnaire q4 in next_option next_id", words="leads to 'q9', which is no step")
    line = FaultLine(item="Questionnaire: q4 in next_option next_id", words=fault.words)
    copied = content_view(ContentReport(at=NOW, is_taken=True), url=API, now=NOW, question_faults=(fault,))
    assert (copied.tag, copied.faults) == ("Something to mend", (line,))
    view = content_view(None, url=API, now=NOW, question_faults=(fault,) * 22)
    assert (view.tone, len(view.faults), view.faults[-1].words) == ("lamp", 21, "2 more faults")
    assert view.summary


def test_removals_are_listed_for_a_month() -> None:
    last = ContentReport(at=BEFORE, is_taken=True, removed=(RemovedItem(item="a", at=BEFORE),))
    later = BEFORE + REMOVED_DAYS
    assert [each.item for each in removals(last, ("b",), now=NOW)] == ["b", "a"]
    assert [each.item for each in removals(last, ("b",), now=later)] == ["b"]
    assert removals(last, ("a",), now=NOW) == (RemovedItem(item="a", at=NOW),)


CHANGE = ContentChange(at=NOW - timedelta(minutes=2), by=WEBHOOK)
RUN = PublishRun(change=CHANGE, started=NOW - timedelta(seconds=70))
DONE = replace(RUN, finished=NOW, result=PublishResult.SUCCEEDED)
REFUSED = replace(
    DONE, result=PublishResult.REFUSED, reason="guide pages: 3 of 13 would go.", retry_at=NOW + timedelta(minutes=1)
)
NOT_PUBLISHED = replace(DONE, result=PublishResult.FAILED)
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
        PublishingReport(is_on=True, change=CHANGE, run=NOT_PUBLISHED),
        "Not published",
        "bad",
        (
            *(ON, MESSAGE, ("Failed", STAYS), ("Reason", "None is known")),
            *(("What to do", TO_DO[PublishResult.FAILED]), ("Next try", "After the next change")),
        ),
    ),
}


@pytest.mark.parametrize(("report", "tag", "tone", "facts"), STANDINGS.values(), ids=STANDINGS)
def test_publishing_says_its_state(
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
