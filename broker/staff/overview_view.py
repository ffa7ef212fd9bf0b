"""The first page of the staff area: open work, health of the sources, and the outbox."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from broker.enquiries.enquiry import EnquiryState
from broker.enquiries.working_time import UK
from broker.staff.content_view import NO_CONTENT, ContentView, content_view, publishing_standing
from broker.staff.enquiry_list_view import MINE, EnquirySearch, address_of
from broker.staff.enquiry_workflow import EnquiryCounts
from broker.staff.source_health import HealthReport, OutboxStanding, ServedRelease, SourceHealth
from broker.staff.times import NOT_KNOWN, Fact, Standing, clock, moment_fact, moment_words

NO_DATABASE = "The database did not answer, so it is not known what waits"
NO_SERVER = "None is named in BROKER_SMTP_URL, so notes wait; enquiries are in the list all the same"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountLink:
    """How many enquiries there are of a sort, with the list of them; `is_pressing` where somebody is kept waiting."""

    count: str
    words: str
    href: str
    is_pressing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """How one source stands; `failed` says what went wrong last, empty where nothing did since the server started."""

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
    """The sources, the outbox, the release, the content and its publishing at a moment.

    `summary` says whether anything is wrong with a source; `can_publish` is whether staff can have it published now.
    """

    at: str = ""
    summary: str = ""
    sources: tuple[SourceLine, ...] = ()
    outbox: Standing = NOT_KNOWN
    release: tuple[Fact, ...] = ()
    content: ContentView = NO_CONTENT
    publishing: Standing = NOT_KNOWN
    can_publish: bool = False


def count_links(counts: EnquiryCounts, mine: int) -> tuple[CountLink, ...]:
    """Return what waits for staff: what is new, what should have been called by now, what is somebody's own."""
    new = counts.by_state.get(EnquiryState.NEW, 0)
    return (
        CountLink(count=f"{new:,}", words="New", href=address_of(EnquirySearch(state=EnquiryState.NEW))),
        CountLink(
            count=f"{counts.overdue:,}",
            words="Overdue: the promised time has passed",
            href=address_of(EnquirySearch(overdue=True)),
            is_pressing=counts.overdue > 0,
        ),
        CountLink(count=f"{mine:,}", words="Assigned to you", href=address_of(EnquirySearch(whose=MINE))),
    )


def overdue_words(enquiries: int, journeys: int, *, now: datetime) -> str:
    """Return what is past its time and was not deleted without asking; empty for nothing."""
    if not enquiries and not journeys:
        return ""
    unsent = _many(journeys, "unsent questionnaire", "unsent questionnaires")
    counts = f"{_many(enquiries, 'enquiry', 'enquiries')} and {unsent}"
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
    """Return in a sentence what came of a source that was asked for again."""
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
    """Return the words of a source's tag, and its look."""
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
        return Standing(tag="Not known", tone="bad", facts=(Fact(label="Notes", words=NO_DATABASE), server))
    since = f", the oldest since {moment_words(outbox.oldest, now)}" if outbox.oldest else ""
    waiting = f"{_many(outbox.waiting, 'note', 'notes')}{since}" if outbox.waiting else "None"
    answer = f", the mail server last answered {outbox.problem}" if outbox.problem else ""
    failed = f"{_many(outbox.failed, 'note', 'notes')}{answer}" if outbox.failed else "None"
    sent = moment_fact(outbox.last_sent, now) if outbox.last_sent else "Never"
    tag, tone = _outbox_state(outbox, has_server=has_server)
    facts = (
        Fact(label="Waiting", words=waiting),
        Fact(label="Failed attempts", words=failed),
        Fact(label="Last note sent", words=sent),
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
