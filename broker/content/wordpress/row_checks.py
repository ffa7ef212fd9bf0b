"""Checks of the rows that editors fill in by hand; a row with a fault is that of the last download, or left out.

Everything else is published. The rows that remain are what the next download is compared with.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from broker.content.files.validated_record import SLUG
from broker.content.guides import GuideCategory
from broker.content.snapshot.snapshot import ImportIssue, Severity
from broker.content.wordpress.client import Json
from broker.content.wordpress.download import Answers
from broker.content.wordpress.fields import DateError, Part, at, choices, day, number, plain_letters, raw, text, title

Row = Mapping[str, Json]
GUIDES, REVIEWS = "seoGuidePages", "reviews"
LAST_VERSION = "its last version stays"


class RowError(ValueError):
    """A field that cannot be read; `str()` says which, and how to write it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCheck:
    """The check of the rows of one part: `read` raises RowError; `key` is unique among the rows, or empty."""

    part: str
    kind: str
    read: Callable[[Row], object]
    key: Callable[[Row], str] = lambda _row: ""


def guide_url(row: Row) -> str:
    """Return the last part of a guide's path; empty for a page that is not yet a guide."""
    return plain_letters(text(at(row, "seoGuides", "url"))).strip("/").rpartition("/")[2]


def _check_guide(row: Row) -> None:
    url = guide_url(row)
    if not url:
        return
    if not SLUG.fullmatch(url):
        raise RowError(f"the url {url!r} is none; small letters, digits and hyphens make one")
    if unknown := sorted(set(choices(at(row, "seoGuides", "guideCategory"))) - set(GuideCategory)):
        raise RowError(f"unknown category {', '.join(unknown)}; known are {', '.join(GuideCategory)}")
    _check_day(at(row, "seoGuides", "createdDate"))


def _check_review(row: Row) -> None:
    _check_day(at(row, "reviewFields", "reviewDate"))


def _check_day(value: Json) -> None:
    try:
        day(value)
    except DateError as error:
        raise RowError(str(error)) from error


CHECKS = (
    RowCheck(part=GUIDES, kind="guide", read=_check_guide, key=guide_url),
    RowCheck(part=REVIEWS, kind="review", read=_check_review),
)


def with_good_rows(answers: Answers, last: Mapping[str, Part]) -> tuple[Answers, tuple[ImportIssue, ...]]:
    """Return answers without faulty rows, and the faults; `last` are the parts of the last download."""
    site, parts, faults = dict(answers.site), dict(answers.parts), list[ImportIssue]()
    for check in CHECKS:
        before = last.get(check.part, Part()).answer or ()
        site[check.part] = _good_rows(check, site.get(check.part) or (), before, faults)
        parts[check.part] = replace(parts.get(check.part, Part()), answer=site[check.part])
    return replace(answers, site=site, parts=parts), tuple(faults)


def row_id(row: Row) -> str:
    """Return what a row is known by from one download to the next: WordPress's id, else its title."""
    return raw(row.get("databaseId")) or title(row.get("title"))


def _good_rows(check: RowCheck, rows: Sequence[Row], before: Sequence[Row], faults: list[ImportIssue]) -> list[Row]:
    last = {row_id(row): row for row in before}
    good = [kept for row in rows if (kept := _good_row(check, row, last, faults)) is not None]
    return _without_doubles(check, good, last, faults)


def _good_row(check: RowCheck, row: Row, last: Mapping[str, Row], faults: list[ImportIssue]) -> Row | None:
    """Return a row, or its last good version; None for a faulty row without one."""
    try:
        check.read(row)
    except RowError as error:
        kept = last.get(row_id(row))
        faults.append(_fault(check, row, str(error), is_kept=kept is not None))
        return kept
    return row


def _without_doubles(
    check: RowCheck, rows: Sequence[Row], last: Mapping[str, Row], faults: list[ImportIssue]
) -> list[Row]:
    """Return rows with unique keys: of several, the one that had it before, else the oldest, which is listed last."""
    owners: dict[str, Row] = {}
    for row in rows:
        key = check.key(row)
        held = owners.get(key)
        if key and held is not None and _had(check, held, last) and not _had(check, row, last):
            continue
        owners[key] = row
    good: list[Row] = []
    for row in rows:
        key = check.key(row)
        if not key or owners[key] is row:
            good.append(row)
            continue
        kept = last.get(row_id(row))
        stays = kept is not None and check.key(kept) not in owners
        words = f"has the url {key!r} of {title(owners[key].get('title'))!r}"
        faults.append(_fault(check, row, words, is_kept=stays))
        if kept is not None and stays:
            good.append(kept)
    return good


def _had(check: RowCheck, row: Row, last: Mapping[str, Row]) -> bool:
    """Return whether a row had the same key in the last download."""
    before = last.get(row_id(row))
    return before is not None and check.key(before) == check.key(row)


def _fault(check: RowCheck, row: Row, words: str, *, is_kept: bool) -> ImportIssue:
    return ImportIssue(
        item=f"{check.kind} {title(row.get('title'))}",
        words=f"{words}; {LAST_VERSION if is_kept else 'left out'}",
        severity=Severity.FAULT,
        post_id=int(number(row.get("databaseId")) or 0),
    )
