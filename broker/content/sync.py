"""Copy the content service into a snapshot to build from: `python -m broker.content.sync [--to folder]`.

Keeps the previous snapshot when anything is unusable. Prints every change and every issue with its item.
"""

import argparse
import asyncio
import csv
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from broker.clock import utc_now
from broker.content.errors import ContentApiError, ContentError
from broker.content.files.content_folder import EmbeddedStore
from broker.content.snapshot.serialisation import from_plain, to_plain
from broker.content.snapshot.snapshot import ImportIssue, Severity, Snapshot, changes, removed_items
from broker.content.snapshot.snapshot_folder import (
    has_snapshot,
    pictures_folder,
    read_download,
    read_report,
    read_snapshot,
    snapshot_folder,
    write_download,
    write_report,
    write_snapshot,
)
from broker.content.source import read_lender_list
from broker.content.store import ContentStore
from broker.content.wordpress.broken_links import NO_FEED
from broker.content.wordpress.client import WordPressClient, WordPressSettings
from broker.content.wordpress.download import Download, Part
from broker.content.wordpress.snapshot_builder import LastImport, SiteImport, import_site
from broker.lenders.lender import KnownLender, lenders_of_feed
from broker.settings import read_settings
from broker.staff.source_health import ContentFault, ContentPart, ContentReport, removals

LENDERS = Path("market") / "lenders.csv"
"""Path of the lender list in the data folder."""

Report = Callable[[str], object]
"""Receives each line of the sync's report."""


def sync(
    client: WordPressClient,
    fallback: ContentStore,
    *,
    to: Path,
    report: Report,
    lenders: Mapping[int, str] | None = None,
    feed: Mapping[int, str] = NO_FEED,
    accept_removals: bool = False,
) -> bool:
    """Take a snapshot where something changed; return False if the content could not be used. Raises OSError.

    Each line of what happened goes to `report`.

    `lenders` are the slugs of the known lenders by id: links to others, and texts for them, are reported as issues.
    `feed` are the names of the live feed's lenders by id: a text for another name is reported.
    Without `accept_removals` a snapshot that would remove many pages is refused.
    """
    old = _last_snapshot(to, report)
    last = LastImport(
        download=_last_download(to), pictures=pictures_folder(to), snapshot=old, accept_removals=accept_removals
    )
    try:
        copy = asyncio.run(_copied(client, fallback, last, lenders or {}, feed))
    except ContentApiError as error:
        report(f"{error}: {error.source}: {error.fault}")
        issue = ImportIssue(item=f"call {error.source}", words=error.fault, severity=Severity.FATAL)
        _write_report(to, last.download.parts, (issue,), gone=())
        return _keep_last(to, report)
    for issue in copy.issues:
        report(str(issue))
    if any(issue.severity is Severity.FATAL for issue in copy.issues):
        _write_report(to, copy.download.parts, copy.issues, gone=())
        return _keep_last(to, report)
    found, download = changes(old, copy.snapshot), to_plain(copy.download)
    if old and not found and old.history == copy.snapshot.history:
        write_download(to, download)
        report("nothing changed: the last snapshot stays")
    else:
        version = write_snapshot(to, copy.snapshot, files=copy.copies.files, download=download)
        for change in found:
            report(change)
        report(f"snapshot taken: {version}")
    _write_report(to, copy.download.parts, copy.issues, gone=removed_items(old, copy.snapshot))
    return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0, or 1 if the previous snapshot was kept."""
    parser = argparse.ArgumentParser(prog="python -m broker.content.sync", description=__doc__)
    parser.add_argument("--to", type=Path, help="folder of the snapshots (default: content in BROKER_STATE_DIR)")
    parser.add_argument("--accept-removals", action="store_true", help="let pages go, however many they are")
    options, settings = parser.parse_args(arguments), read_settings()
    if not settings.api_url:
        _print("BROKER_API_URL is not set: there is no content service to copy from")
        return 1
    client = WordPressClient(WordPressSettings(api_url=settings.api_url))
    try:
        feed = read_lender_list(settings)
        is_taken = sync(
            client,
            EmbeddedStore(settings.data_dir / "content"),
            to=options.to or snapshot_folder(settings),
            report=_print,
            lenders=read_lender_slugs(settings.data_dir / LENDERS, feed=feed),
            feed=feed,
            accept_removals=options.accept_removals,
        )
        return 0 if is_taken else 1
    except (ContentError, OSError) as error:
        _print(f"nothing was changed: {error}")
        return 1


def read_lender_slugs(file: Path, *, feed: Mapping[int, str] = NO_FEED) -> dict[int, str]:
    """Return the slugs of the market's lenders by id, or those of the `feed` with ours of the same name.

    Empty without such a file.
    """
    if not file.exists():
        return {}
    with file.open(encoding="utf-8", newline="") as lines:
        ours = [
            KnownLender(lender_id=int(row["lender_id"]), name=row["name"], slug=row["slug"])
            for row in csv.DictReader(lines)
        ]
    found = lenders_of_feed(feed, ours) if feed else ours
    return {lender.lender_id: lender.slug for lender in found if lender.slug}


async def _copied(
    client: WordPressClient,
    fallback: ContentStore,
    last: LastImport,
    lenders: Mapping[int, str],
    feed: Mapping[int, str],
) -> SiteImport:
    try:
        now = utc_now()
        return await import_site(client, fallback, last=last, now=now, lenders=lenders, feed=feed)
    finally:
        await client.aclose()


def _last_snapshot(folder: Path, report: Report) -> Snapshot | None:
    """Return the last snapshot; None for one in a format of an earlier version."""
    try:
        return read_snapshot(folder) if has_snapshot(folder) else None
    except ContentError as error:
        report(f"note: the last snapshot cannot be read: {error}")
        return None


def _last_download(folder: Path) -> Download:
    """Return what the last snapshot was made from; nothing for one in a format of an earlier version."""
    try:
        return from_plain(Download, read_download(folder) or {}, source=str(folder))
    except ContentError:
        return Download()


def _write_report(
    folder: Path, parts: Mapping[str, Part], issues: Sequence[ImportIssue], *, gone: Sequence[str]
) -> None:
    """Write for staff what a copy came to; an issue that is fatal means that it was not taken."""
    now, last = utc_now(), read_report(folder)
    reasons = [issue for issue in issues if issue.severity is Severity.FATAL]
    serious = (*reasons, *(issue for issue in issues if issue.severity is Severity.FAULT))
    content_parts = (
        ContentPart(name=name, fault=part.fault, read_at=datetime.fromisoformat(part.read_at) if part.read_at else None)
        for name, part in parts.items()
    )
    report = ContentReport(
        at=now,
        is_taken=not reasons,
        parts=tuple(content_parts),
        faults=tuple(ContentFault(item=each.item, words=each.words, post_id=each.post_id) for each in serious),
        removed=removals(last, tuple(gone), now=now),
    )
    write_report(folder, report)


def _keep_last(folder: Path, report: Report) -> bool:
    report("the last snapshot stays" if has_snapshot(folder) else "no snapshot was taken")
    return False


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
