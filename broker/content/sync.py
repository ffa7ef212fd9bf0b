"""Copy the content service into a snapshot to build from: `python -m broker.content.sync [--to folder]`.

Keeps the previous snapshot when anything is unusable. Prints every change and every issue with its item.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

from broker.content.errors import ContentApiError, ContentError
from broker.content.files.embedded_store import EmbeddedStore
from broker.content.snapshot.snapshot import ImportIssue, Snapshot, changes
from broker.content.snapshot.snapshot_folder import has_snapshot, read_snapshot, snapshot_folder, write_snapshot
from broker.content.store import ContentStore
from broker.content.wordpress.client import WordPressClient, WordPressSettings
from broker.content.wordpress.store import SiteImport, import_site
from broker.settings import read_settings

REQUIRED_KINDS = ("page", "guide", "town", "service")
"""Kinds of which a site that had some never has none: a service that answers so is in trouble."""

LENDERS = Path("market") / "lenders.csv"
"""Where the data folder lists our lenders."""

Print = Callable[[str], object]

NO_LENDERS: Mapping[int, str] = MappingProxyType({})


def sync(
    client: WordPressClient, rest: ContentStore, *, to: Path, say: Print, lenders: Mapping[int, str] = NO_LENDERS
) -> bool:
    """Take a snapshot and tell what happened; False where the one before, if any, was kept. Raises OSError.

    `lenders` are the slugs of our lenders by their ids: what links to any other, or has words for it, is remarked on.
    """
    try:
        copy = asyncio.run(_copied(client, rest, lenders))
    except ContentApiError as error:
        say(f"{error}: {error.source}: {error.fault}")
        return _kept(to, say)
    old = _last(to, say)
    issues = (*copy.issues, *missing_kinds(old, copy.snapshot))
    for remark in issues:
        say(str(remark))
    if any(remark.is_fatal for remark in issues):
        return _kept(to, say)
    version = write_snapshot(to, copy.snapshot, files=copy.copies.files, questionnaire=copy.questionnaire)
    for change in changes(old, copy.snapshot):
        say(f"{change.what}: {change.kind} {change.item}")
    say(f"snapshot taken: {version}")
    return True


def missing_kinds(old: Snapshot | None, new: Snapshot) -> tuple[ImportIssue, ...]:
    """Return a is_fatal remark for each kind that the last snapshot had and this one has none of."""
    before, after = ({kind for kind, _, _ in snapshot.items()} if snapshot else set[str]() for snapshot in (old, new))
    return tuple(
        ImportIssue(item=f"every {kind}", words="were there last time and none is there now", is_fatal=True)
        for kind in REQUIRED_KINDS
        if kind in before - after
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments, sync, and return 0, or 1 where the last snapshot was kept."""
    parser = argparse.ArgumentParser(prog="python -m broker.content.sync", description=__doc__)
    parser.add_argument("--to", type=Path, help="folder of the snapshots (default: content in BROKER_STATE_DIR)")
    given, settings = parser.parse_args(arguments), read_settings()
    if not settings.api_url:
        _say("BROKER_API_URL is not set: there is no content service to copy from")
        return 1
    client = WordPressClient(WordPressSettings(api_url=settings.api_url))
    try:
        rest, lenders = EmbeddedStore(settings.data_dir / "content"), read_lender_slugs(settings.data_dir / LENDERS)
        return 0 if sync(client, rest, to=given.to or snapshot_folder(settings), say=_say, lenders=lenders) else 1
    except (ContentError, OSError) as error:
        _say(f"nothing was changed: {error}")
        return 1


def read_lender_slugs(file: Path) -> dict[int, str]:
    """Return the slug of every lender of the market's list by its id; none where there is no such file."""
    if not file.exists():
        return {}
    with file.open(encoding="utf-8", newline="") as lines:
        return {int(row["lender_id"]): row["slug"] for row in csv.DictReader(lines)}


async def _copied(client: WordPressClient, rest: ContentStore, lenders: Mapping[int, str]) -> SiteImport:
    try:
        return await import_site(client, rest, today=datetime.now(tz=UTC).date(), lenders=lenders)
    finally:
        await client.aclose()


def _last(folder: Path, say: Print) -> Snapshot | None:
    """Return the last snapshot; one that an earlier version wrote, and nobody can read, counts as none."""
    try:
        return read_snapshot(folder) if has_snapshot(folder) else None
    except ContentError as error:
        say(f"note: the last snapshot cannot be read: {error}")
        return None


def _kept(folder: Path, say: Print) -> bool:
    say("the last snapshot stays" if has_snapshot(folder) else "no snapshot was taken")
    return False


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
