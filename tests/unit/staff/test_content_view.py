from datetime import UTC, datetime, timedelta

from broker.staff.overview_view import KEPT, NEVER, NO_CONTENT, READ, FaultLine, content_view
from broker.staff.source_health import REMOVED_DAYS, ContentFault, ContentPart, ContentReport, RemovedItem, removals

NOW = datetime(2026, 7, 2, 13, 2, tzinfo=UTC)
BEFORE = NOW - timedelta(days=1)
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
