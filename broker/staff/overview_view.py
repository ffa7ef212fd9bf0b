"""View of the first staff page: open work, health of the sources, content, publishing and outbox."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from broker.cases.case_list import ME, CaseFilter, Due, Listing, Tab
from broker.cases.list_view import address_of
from broker.clock import UK
from broker.content.publishing import WEBHOOK, PublishingReport, PublishResult, PublishRun, PublishStep
from broker.enquiries.enquiry import EnquiryState
from broker.lending.money import capitalised
from broker.staff.source_health import (
    ContentFault,
    ContentPart,
    ContentReport,
    HealthReport,
    OutboxStanding,
    ServedRelease,
    SourceHealth,
)
from broker.staff.times import NOT_KNOWN, Fact, Standing, clock, moment_fact, moment_words

LATE = timedelta(minutes=5)
"""Time after which a change that no publish has taken up is late."""

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
"""The current step of a publish."""

DONE: Mapping[PublishStep, str] = {
    PublishStep.CONTENT: "The content. No page had to be built",
    PublishStep.PAGES: "The content, and the pages built from it",
}
"""What was published."""

_RUN_TAGS: Mapping[PublishResult, tuple[str, str]] = {
    PublishResult.RUNNING: ("Publishing", "plain"),
    PublishResult.SUCCEEDED: ("Published", "good"),
    PublishResult.REFUSED: ("Not published", "bad"),
    PublishResult.FAILED: ("Not published", "bad"),
}


def publishing_standing(report: PublishingReport, *, now: datetime, needs_restart: bool = False) -> Standing:
    """Return the state of publishing; `needs_restart` is for a new release of other code."""
    tag, tone = _publishing_state(report, now)
    if needs_restart and (tag, tone) == _RUN_TAGS[PublishResult.SUCCEEDED]:
        tag, tone = "Waits for a restart", "lamp"
    return Standing(
        tag=tag, tone=tone, facts=tuple(Fact(label=label, words=words) for label, words in _facts(report, now))
    )


def _publishing_state(report: PublishingReport, now: datetime) -> tuple[str, str]:
    if not report.is_on:
        return "Off", "plain"
    if report.is_waiting and not _is_running(report.run):
        return ("Late", "bad") if _is_late(report, now) else ("Waiting", "plain")
    return _RUN_TAGS[report.run.result] if report.run else ("Ready", "plain")


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
    yield "Reason", capitalised(run.reason).rstrip(". ") or "None is known"
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
    """A part of the content; `failed` says why its last copy is kept, empty for one that was read."""

    name: str
    tag: str
    tone: str
    read: str
    failed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultLine:
    """A faulty item of the content; `href` is where an editor corrects it, empty if unknown."""

    item: str
    words: str
    href: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentView:
    """The content section; `summary` is empty without a content service."""

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
"""Names of parts by the first word of their key."""

NO_CONTENT = ContentView()

MAX_QUESTION_FAULTS = 20
"""Faults of the questionnaire that are listed; most follow from the first."""


def content_view(
    report: ContentReport | None, *, url: str, now: datetime, question_faults: Sequence[ContentFault] = ()
) -> ContentView:
    """Return the content section, empty for nothing to report; content is edited below `url`.

    `question_faults` are those of the questionnaire, which the running site reads itself.
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
    """Return the name of the kind of a part, such as `guide remortgages-guide`."""
    return PART_NAMES.get(name.partition(" ")[0], name)


def _part_lines(parts: Iterable[ContentPart], now: datetime) -> Iterable[PartLine]:
    """Yield a line for each kind of part, failed ones first; its time is that of its oldest part."""
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
    """Return an item as the start of a line: `guide What is LTV?` as `Guide: What is LTV?`."""
    kind, _, name = item.partition(" ")
    return f"{capitalised(kind)}: {name}" if name else item


NO_DATABASE = "The database did not answer, so it is not known what waits"
NO_SERVER = "None is named in BROKER_SMTP_URL, so mail waits; enquiries are in the list all the same"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountLink:
    """A number of enquiries, with the link to their list; `is_pressing` if a visitor is kept waiting."""

    count: str
    words: str
    href: str
    is_pressing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """A source; `failed` is its last failure since the server started, or empty."""

    key: str
    name: str
    tag: str
    tone: str
    read: str
    failed: str
    words: str
    can_refresh: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReport:
    """The health report in words; `summary` says whether a source is stale, `can_publish` whether publishing is on."""

    at: str = ""
    summary: str = ""
    sources: tuple[SourceLine, ...] = ()
    outbox: Standing = NOT_KNOWN
    release: tuple[Fact, ...] = ()
    content: ContentView = NO_CONTENT
    publishing: Standing = NOT_KNOWN
    can_publish: bool = False


COUNTED = (
    CaseFilter(tab=Tab.OPEN, state=EnquiryState.NEW),
    CaseFilter(tab=Tab.OPEN, due=Due.LATE),
    CaseFilter(tab=Tab.OPEN, adviser=ME),
)
"""The lists that the overview counts: new cases, late ones, and the account's own."""


def count_links(counts: Sequence[int]) -> tuple[CountLink, ...]:
    """Return the links to the lists of `COUNTED`, with their counts."""
    words = ("New", "Late: the promised time has passed", "Assigned to you")
    return tuple(
        CountLink(
            count=f"{count:,}",
            words=each,
            href=address_of(Listing(wanted=wanted)),
            is_pressing=wanted.due is Due.LATE and count > 0,
        )
        for wanted, each, count in zip(COUNTED, words, counts, strict=True)
    )


def overdue_words(enquiries: int, journeys: int, watches: int, *, now: datetime) -> str:
    """Return the question whether to delete what is past its retention; empty for nothing."""
    if not enquiries and not journeys and not watches:
        return ""
    unsent = _many(journeys, "unsent questionnaire", "unsent questionnaires")
    counts = f"{_many(enquiries, 'enquiry', 'enquiries')}, {unsent} and {_many(watches, 'watch', 'watches')}"
    return (
        f"{counts} should have been deleted more than a day ago. Either the server was off, or its clock is wrong: it "
        f"says {now.astimezone(UK):%A %-d %B %Y, %H:%M}. If that is right, delete them now."
    )


def source_report(report: HealthReport) -> SourceReport:
    return SourceReport(
        at=clock(report.at),
        summary=_summary(report),
        sources=tuple(_source_line(health, report.at) for health in report.sources),
        outbox=_outbox(report.outbox, now=report.at, has_server=report.has_mail_server),
        release=tuple(_release(report.release, report.at)),
        content=content_view(
            report.content, url=report.content_url, now=report.at, question_faults=report.question_faults
        ),
        publishing=publishing_standing(
            report.publishing, now=report.at, needs_restart=bool(report.release and report.release.waiting)
        ),
        can_publish=report.publishing.is_on,
    )


def refreshed_words(health: SourceHealth) -> str:
    """Return the outcome of a refresh in a sentence."""
    reading = health.reading
    if reading.is_failing:
        return f"{health.name}: not read, {_plain(reading.problem)}. What was read before stays"
    return f"{health.name}: read at {clock(reading.read_at)}" if reading.read_at else f"{health.name}: asked for again"


def _source_line(health: SourceHealth, now: datetime) -> SourceLine:
    reading = health.reading
    tag, tone = _state(health)
    failed, unread = "", "Not yet" if health.live else "It is not read"
    if reading.failed_at:
        once = "The last try failed" if reading.is_failing else "Failed once before that,"
        failed = f"{once} {moment_words(reading.failed_at, now)}: {_plain(reading.problem)}"
    return SourceLine(
        key=health.source.value,
        name=health.name,
        tag=tag,
        tone=tone,
        read=moment_fact(reading.read_at, now) if reading.read_at else unread,
        failed=failed,
        words=health.words.rstrip(". "),
        can_refresh=health.can_refresh,
    )


def _state(health: SourceHealth) -> tuple[str, str]:
    """Return the tag of a source, and its tone."""
    if health.stale:
        return ("Stale: it fails" if health.reading.is_failing else "Stale: it is late"), "bad"
    if not health.live:
        return "Built in", "plain"
    return ("Up to date", "good") if health.reading.read_at else ("Not read yet", "plain")


def _summary(report: HealthReport) -> str:
    stale = [health.name for health in report.sources if health.stale]
    if stale:
        listed = "; and ".join(part for part in ("; ".join(stale[:-1]), stale[-1]) if part)
        return f"{_many(len(stale), 'source is', 'sources are')} stale: {listed}"
    return "No source is stale" if report.live else "There is no live feed: what is built in answers"


def _outbox(outbox: OutboxStanding | None, *, now: datetime, has_server: bool) -> Standing:
    server = Fact(label="Mail server", words="One is named in BROKER_SMTP_URL" if has_server else NO_SERVER)
    if outbox is None:
        return Standing(tag="Not known", tone="bad", facts=(Fact(label="Mail", words=NO_DATABASE), server))
    since = f", the oldest since {moment_words(outbox.oldest, now)}" if outbox.oldest else ""
    waiting = f"{_many(outbox.waiting, 'mail', 'mails')}{since}" if outbox.waiting else "None"
    answer = f", the mail server last answered {outbox.problem}" if outbox.problem else ""
    failed = f"{_many(outbox.failed, 'mail', 'mails')}{answer}" if outbox.failed else "None"
    given_up = [Fact(label="Given up", words=_many(outbox.given_up, "mail", "mails"))] if outbox.given_up else []
    sent = moment_fact(outbox.last_sent, now) if outbox.last_sent else "Never"
    tag, tone = _outbox_state(outbox, has_server=has_server)
    facts = (
        Fact(label="Waiting", words=waiting),
        Fact(label="Failed attempts", words=failed),
        *given_up,
        Fact(label="Last mail sent", words=sent),
        server,
    )
    return Standing(tag=tag, tone=tone, facts=facts)


def _outbox_state(outbox: OutboxStanding, *, has_server: bool) -> tuple[str, str]:
    if outbox.failed:
        return "Failing", "bad"
    if not has_server:
        return "No mail server", "lamp" if outbox.waiting else "plain"
    return ("On its way", "plain") if outbox.waiting else ("Nothing waits", "good")


def _release(release: ServedRelease | None, now: datetime) -> Sequence[Fact]:
    if release is None:
        return (Fact(label="Release", words="None was read"),)
    waiting = Fact(label="Waits for a restart", words=f"{release.waiting}, made by another version of the software")
    return (
        Fact(label="Release", words=release.name),
        Fact(label="Built", words=moment_fact(release.built, now)),
        *([waiting] if release.waiting else []),
    )


def _plain(problem: str) -> str:
    return problem.rstrip(". ") or "no reason is known"


def _many(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"
