"""The last copy of the content in words: its parts, what was kept or left out, and what was removed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from broker.content.publishing import WEBHOOK, PublishingReport, PublishResult, PublishRun, PublishStep
from broker.staff.content_report import ContentFault, ContentPart, ContentReport
from broker.staff.times import Fact, Standing, moment_fact, moment_words

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


KEPT, READ, NEVER = "Kept from before", "Read", "Never read"
TO_MEND = "Something to mend"


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLine:
    """How one part of the content stands; `failed` says why it is kept from before, empty for one that was read."""

    name: str
    tag: str
    tone: str
    read: str
    failed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultLine:
    """An item with a fault, why, and the address where an editor mends it, empty where that is not known."""

    item: str
    words: str
    href: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentView:
    """The content section; `summary` is empty where no content service is copied from."""

    summary: str = ""
    tag: str = ""
    tone: str = ""
    parts: tuple[PartLine, ...] = ()
    faults: tuple[FaultLine, ...] = ()
    removed: tuple[str, ...] = ()


PART_NAMES: Mapping[str, str] = {
    "seoGuidePages": "Guides",
    "localPages": "Town pages",
    "additionalBranchPages": "Branch pages",
    "services": "Services",
    "pages": "Pages",
    "lender_pages": "Lender pages",
    "faqs": "Frequently asked questions",
    "reviews": "Reviews",
    "post": "Review settings",
    "footers": "Footer and details of the firm",
    "mainMenu": "Main menu",
    "footerMenu": "Footer menu",
    "footerLegal": "Legal menu of the footer",
    "servicesMenu": "Services menu",
    "sitemapMenu": "Sitemap menu",
    "guide": "Main guides of the services",
    "extra_seo": "Further texts of the services",
}
"""Parts by the first word of their name; others keep their own."""

NO_CONTENT = ContentView()

MAX_QUESTION_FAULTS = 20
"""Faults of the questionnaire that are listed; most of a hundred follow from the first."""


def content_view(
    report: ContentReport | None, *, url: str, now: datetime, question_faults: Sequence[ContentFault] = ()
) -> ContentView:
    """Return the content section, empty where there is nothing to report; content is edited below `url`.

    `question_faults` are those of the questionnaire, which is read by the running site and not copied.
    """
    asked = tuple(_question_faults(question_faults, url))
    if report is None:
        words = "Not copied yet, but the site has read the questionnaire"
        return ContentView(summary=words, tag=TO_MEND, tone="lamp", faults=asked) if asked else NO_CONTENT
    kept = sum(1 for part in report.parts if part.fault)
    tag, tone = ("In order", "good") if not kept and not report.faults and not asked else (TO_MEND, "lamp")
    if not report.is_taken:
        tag, tone = "Not taken: the copy before stays", "bad"
    return ContentView(
        summary=f"Last copied {moment_words(report.at, now)}",
        tag=tag,
        tone=tone,
        parts=tuple(_part_lines(report.parts, now)),
        faults=(*(_fault_line(fault, url) for fault in report.faults), *asked),
        removed=tuple(f"{_item(each.item)}, {moment_words(each.at, now)}" for each in report.removed),
    )


def _part_name(name: str) -> str:
    """Return the name of a part in words: that of its kind, as for each `guide remortgages-guide`."""
    return PART_NAMES.get(name.partition(" ")[0], name)


def _part_lines(parts: Iterable[ContentPart], now: datetime) -> Iterable[PartLine]:
    """Yield a line a kind of part, those that failed first; a kind was read when the oldest of its parts was."""
    kinds: dict[str, list[ContentPart]] = {}
    for part in parts:
        kinds.setdefault(_part_name(part.name), []).append(part)
    for name, of_kind in sorted(kinds.items(), key=lambda kind: not any(part.fault for part in kind[1])):
        faults = dict.fromkeys(part.fault for part in of_kind if part.fault)
        moments = [part.read_at for part in of_kind if part.read_at]
        yield PartLine(
            name=name,
            tag=(KEPT if moments else NEVER) if faults else READ,
            tone="bad" if faults else "good",
            read=moment_fact(min(moments), now) if moments else "Never",
            failed="; ".join(faults),
        )


def _question_faults(faults: Sequence[ContentFault], url: str) -> Iterable[FaultLine]:
    yield from (_fault_line(fault, url) for fault in faults[:MAX_QUESTION_FAULTS])
    if (more := len(faults) - MAX_QUESTION_FAULTS) > 0:
        yield FaultLine(item="Questionnaire", words=f"{more} more faults")


def _fault_line(fault: ContentFault, url: str) -> FaultLine:
    href = f"{url}/wp-admin/post.php?post={fault.post_id}&action=edit" if fault.post_id else ""
    return FaultLine(item=_item(fault.item), words=fault.words, href=href)


def _item(item: str) -> str:
    """Return an item as a beginning of a line: `guide What is LTV?` as `Guide: What is LTV?`."""
    kind, _, name = item.partition(" ")
    return f"{kind[:1].upper()}{kind[1:]}: {name}" if name else item
