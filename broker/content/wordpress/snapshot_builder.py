"""Import of a WordPress site: its answers as a snapshot, with all issues."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path

from broker.content.files.validated_record import SLUG
from broker.content.guides import GuideCategory
from broker.content.models.pictures import Picture
from broker.content.snapshot.snapshot import ImportIssue, Severity, Snapshot, refused_removals, with_history
from broker.content.store import ContentStore, History
from broker.content.wordpress.broken_links import NO_FEED, without_broken_links
from broker.content.wordpress.client import Json, WordPressClient
from broker.content.wordpress.download import Answers, Download, Part, PartReader, download_site
from broker.content.wordpress.entities.guides import import_guides, import_towns
from broker.content.wordpress.entities.lenders import import_banners, import_lenders
from broker.content.wordpress.entities.pages import PageText, import_front_pages, page_texts
from broker.content.wordpress.entities.services import (
    import_deal_pages,
    import_faqs,
    import_looks,
    import_pages,
    import_services,
)
from broker.content.wordpress.entities.site import import_firm, import_menus, import_reviews
from broker.content.wordpress.fields import (
    GUIDE,
    TOWN,
    DateError,
    at,
    choices,
    day,
    guide_url,
    number,
    raw,
    text,
    title,
)
from broker.content.wordpress.images import DownloadedImages, LastImages, download_images, image_addresses
from broker.content.wordpress.import_context import ImportContext

Row = Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class LastImport:
    """The last import: its download, the folder of its pictures, and its snapshot.

    `accept_removals` lets an empty list replace a full one, and any number of pages be removed.
    """

    download: Download = field(default_factory=Download)
    pictures: Path = Path()
    snapshot: Snapshot | None = None
    accept_removals: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteImport:
    snapshot: Snapshot
    copies: DownloadedImages
    download: Download
    issues: tuple[ImportIssue, ...]


async def import_site(
    client: WordPressClient,
    fallback: ContentStore,
    *,
    last: LastImport,
    now: datetime,
    lenders: Mapping[int, str],
    feed: Mapping[int, str] = NO_FEED,
) -> SiteImport:
    """Import everything; `fallback` has what WordPress lacks, `lenders` are the slugs of the known lenders by id.

    `feed` are the names of the live feed's lenders by id, where they were read. A part that cannot be read is
    taken from the `last` import. Raises ContentApiError.
    """
    parts = PartReader(last.download.parts, now=now.isoformat(), accept_removals=last.accept_removals)
    types = tuple(service.slug for service in fallback.services())
    answers, faults = with_good_rows(await download_site(client, parts, types=types), last.download.parts)
    last_images = LastImages(pictures=last.download.pictures, folder=last.pictures)
    copies = await download_images(client, image_addresses(answers), last=last_images)
    source = client.settings.api_url.rstrip("/")
    snapshot, issues = build_snapshot(
        answers, source=source, fallback=fallback, copies=copies, today=now.date(), last=last.snapshot
    )
    live, ends = without_broken_links(snapshot, fallback, lenders=lenders, feed=feed)
    live = with_history(live, last.snapshot)
    refused = () if last.accept_removals else refused_removals(last.snapshot, live)
    download = Download(parts=answers.parts, pictures=copies.pictures)
    return SiteImport(snapshot=live, copies=copies, download=download, issues=(*faults, *issues, *ends, *refused))


def build_snapshot(
    answers: Answers,
    *,
    source: str,
    fallback: ContentStore,
    copies: DownloadedImages,
    today: date,
    last: Snapshot | None = None,
) -> tuple[Snapshot, tuple[ImportIssue, ...]]:
    """Return the answers as models, and all issues; a fatal one makes the snapshot unusable.

    `last` is the last snapshot, to which parts belong that could not be read.
    """
    unread = frozenset(name for name, part in answers.parts.items() if part.fault)
    context = ImportContext(source, fallback, pictures=copies.pictures, today=today, last=last, unread=unread)
    for name, part in answers.parts.items():
        if part.fault:
            stays = f"what was read on {part.read_at[:10]} stays" if part.read_at else "it was never read"
            context.note(f"call {name}", f"{part.fault}; {stays}")
    for address, reason in copies.failures.items():
        context.fault(
            f"picture {address}", f"{reason}; {'its last copy stays' if address in copies.pictures else 'left out'}"
        )
    for row in answers.site.get("seoGuidePages") or ():
        if (post_id := number(row.get("databaseId"))) and (url := guide_url(row)):
            context.place_guide(int(post_id), url)
    texts = page_texts(context, answers.pages)
    if not texts:
        context.refuse("every page", "is missing: no page was answered")
    snapshot = _snapshot(context, answers, source=source, texts=texts)
    snapshot = replace(snapshot, history=History(pages=context.pages, moved=context.aliases))
    return snapshot, tuple(context.issues)


def _snapshot(context: ImportContext, answers: Answers, *, source: str, texts: dict[str, PageText]) -> Snapshot:
    menus, faqs, site = import_menus(context, answers), import_faqs(context, answers.faqs), answers.site
    branches = [*(site.get("localPages") or ()), *(site.get("additionalBranchPages") or ())]
    services = import_services(context, answers, texts=texts, faqs=faqs)
    guides = import_guides(context, site.get("seoGuidePages") or (), texts=texts)
    towns = import_towns(context, branches, texts=texts)
    taken = {f"{GUIDE}{guide.url}/" for guide in guides} | {f"/{TOWN}{town.slug}/" for town in towns}
    taken |= {f"/{service.slug}/" for service in (*context.fallback.services(), *services)}
    return Snapshot(
        source=source,
        read_on=context.today.isoformat(),
        firm=import_firm(context, site.get("footers") or (), post=site.get("post")),
        menus=menus,
        services=services,
        front_pages=import_front_pages(context, texts, services=services),
        pages=import_pages(context, menus.sitemap.items, texts=texts, taken=taken),
        deal_pages=import_deal_pages(context, texts),
        guides=guides,
        towns=towns,
        lenders=import_lenders(context, answers.lender_pages),
        faqs={kind: tuple(posted.faq for posted in posts) for kind, posts in faqs.items()},
        reviews=import_reviews(context, site.get("reviews") or ()),
        banners=_banners(context, texts, branches) | import_banners(context, answers.lender_pages),
        looks=import_looks(context, answers),
    )


def _banners(context: ImportContext, texts: dict[str, PageText], branches: list[dict[str, Json]]) -> dict[str, Picture]:
    found: dict[str, Picture] = {}
    for branch in branches:
        if picture := context.picture(at(branch.get("branchPage"), "bannerImage")):
            found[f"/{text(branch.get('slug'))}/"] = picture
    return found | {path: page.banner for path, page in texts.items() if page.banner}


def with_good_rows(answers: Answers, last: Mapping[str, Part]) -> tuple[Answers, tuple[ImportIssue, ...]]:
    """Return answers without faulty rows, and the faults; `last` are the parts of the last download.

    A faulty row of an editor is replaced by that of the last download, or left out. The rows that remain are what the
    next download is compared with.
    """
    site, parts, faults = dict(answers.site), dict(answers.parts), list[ImportIssue]()
    for check in _ROW_CHECKS:
        before = last.get(check.part, Part()).answer or ()
        site[check.part] = _good_rows(check, site.get(check.part) or (), before, faults)
        parts[check.part] = replace(parts.get(check.part, Part()), answer=site[check.part])
    return replace(answers, site=site, parts=parts), tuple(faults)


class _RowError(ValueError):
    """A field that cannot be read; `str()` names it and how to write it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _RowCheck:
    """The check of the rows of one part: `read` raises _RowError; `key` is unique among the rows, or empty."""

    part: str
    kind: str
    read: Callable[[Row], object]
    key: Callable[[Row], str] = lambda _row: ""


def _check_guide(row: Row) -> None:
    url = guide_url(row)
    if not url:
        return
    if not SLUG.fullmatch(url):
        raise _RowError(f"the url {url!r} is none; small letters, digits and hyphens make one")
    if unknown := sorted(set(choices(at(row, "seoGuides", "guideCategory"))) - set(GuideCategory)):
        raise _RowError(f"unknown category {', '.join(unknown)}; known are {', '.join(GuideCategory)}")
    _check_day(at(row, "seoGuides", "createdDate"))


def _check_review(row: Row) -> None:
    _check_day(at(row, "reviewFields", "reviewDate"))


def _check_day(value: Json) -> None:
    try:
        day(value)
    except DateError as error:
        raise _RowError(str(error)) from error


_ROW_CHECKS = (
    _RowCheck(part="seoGuidePages", kind="guide", read=_check_guide, key=guide_url),
    _RowCheck(part="reviews", kind="review", read=_check_review),
)


def _row_id(row: Row) -> str:
    """Return the identity of a row across downloads: WordPress's id, else its title."""
    return raw(row.get("databaseId")) or title(row.get("title"))


def _good_rows(check: _RowCheck, rows: Sequence[Row], before: Sequence[Row], faults: list[ImportIssue]) -> list[Row]:
    last = {_row_id(row): row for row in before}
    good = [kept for row in rows if (kept := _good_row(check, row, last, faults)) is not None]
    return _without_doubles(check, good, last, faults)


def _good_row(check: _RowCheck, row: Row, last: Mapping[str, Row], faults: list[ImportIssue]) -> Row | None:
    """Return a row, or its last good version; None for a faulty row without one."""
    try:
        check.read(row)
    except _RowError as error:
        kept = last.get(_row_id(row))
        faults.append(_row_fault(check, row, str(error), is_kept=kept is not None))
        return kept
    return row


def _without_doubles(
    check: _RowCheck, rows: Sequence[Row], last: Mapping[str, Row], faults: list[ImportIssue]
) -> list[Row]:
    """Return rows with unique keys: of several, the one that had it before, else the oldest, which is listed last."""
    owners: dict[str, Row] = {}
    for row in rows:
        key = check.key(row)
        held = owners.get(key)
        if key and held is not None and _had_key(check, held, last) and not _had_key(check, row, last):
            continue
        owners[key] = row
    good: list[Row] = []
    for row in rows:
        key = check.key(row)
        if not key or owners[key] is row:
            good.append(row)
            continue
        kept = last.get(_row_id(row))
        stays = kept is not None and check.key(kept) not in owners
        words = f"has the url {key!r} of {title(owners[key].get('title'))!r}"
        faults.append(_row_fault(check, row, words, is_kept=stays))
        if kept is not None and stays:
            good.append(kept)
    return good


def _had_key(check: _RowCheck, row: Row, last: Mapping[str, Row]) -> bool:
    before = last.get(_row_id(row))
    return before is not None and check.key(before) == check.key(row)


def _row_fault(check: _RowCheck, row: Row, words: str, *, is_kept: bool) -> ImportIssue:
    return ImportIssue(
        item=f"{check.kind} {title(row.get('title'))}",
        words=f"{words}; {'its last version stays' if is_kept else 'left out'}",
        severity=Severity.FAULT,
        post_id=int(number(row.get("databaseId")) or 0),
    )
