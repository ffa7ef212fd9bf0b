"""The short form of the soak of a live site: an editor's work of hours, copied while one call after another fails."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from broker.content.snapshot.snapshot import Snapshot
from broker.content.snapshot.snapshot_folder import read_snapshot
from broker.content.sync import sync
from broker.content.wordpress.client import WordPressClient, WordPressSettings
from tests.our_content import STORE
from tests.soak.edited_content import Content
from tests.soak.editor import LENDERS, Editor, Ledger, Seen, fault_of, first_items
from tests.soak.faults import CONTENT_CALLS, any_fault
from tests.standin import Standin, running

ROUNDS, SEED = 16, 1


@pytest.fixture(scope="module")
def standin() -> Iterator[Standin]:
    with running() as standin:
        standin.rename(LENDERS)
        yield standin


def seen(snapshot: Snapshot, path: str) -> Seen:
    """Return what a site built from a snapshot answers at a path."""
    items = {
        **{f"/mortgage-guides/{guide.url}/": guide for guide in snapshot.guides},
        **{f"/mortgage-broker-{town.slug}/": town for town in snapshot.towns},
        **{page.path: page for page in snapshot.pages},
        **{f"/lenders/{slug}/": text for slug, text in snapshot.lenders.items()},
    }
    if path in items:
        return Seen(path=path, status=200, text=str(items[path]))
    if path in snapshot.history.moved:
        return Seen(path=path, status=301, location=snapshot.history.moved[path])
    return Seen(path=path, status=410 if path in snapshot.history.removed else 404)


def copy(standin: Standin, folder: Path, *, accept_removals: bool = False) -> list[str]:
    """Copy the content; return the report."""
    report: list[str] = []
    settings = WordPressSettings(api_url=standin.url, backoff_seconds=0, read=1, deadline=2)
    sync(
        WordPressClient(settings), STORE, to=folder, report=report.append, feed=LENDERS, accept_removals=accept_removals
    )
    return report


def test_pages_are_as_the_editor_left_them_whatever_call_fails(standin: Standin, tmp_path: Path) -> None:
    standin.edit()
    copy(standin, tmp_path)
    first, chance, wrong = read_snapshot(tmp_path), random.Random(SEED), list[str]()
    ledger = Ledger(Content(items={item.key: item for item in first_items(first.paths())}))
    ledger.publish([*first.live_paths()])
    editor = Editor(ledger=ledger, chance=chance)
    for turn in range(ROUNDS):
        done = [editor.edit() for _ in range(chance.randint(1, 4))]
        if turn % 8 == 5:
            editor.remove_many()
        standin.edit(ledger.now.edit)
        fault = any_fault(chance, CONTENT_CALLS) if turn % 3 else None
        standin.switch(*([fault.way] if fault else []), only=fault.call if fault else "")
        report = copy(standin, tmp_path)
        if not report[-1].startswith("snapshot taken"):
            if not ledger.may_be_refused():
                wrong.append(f"turn {turn}, {done}, {fault}: refused without a cause: {report}")
            report = copy(standin, tmp_path, accept_removals=True)
        standin.switch()
        snapshot = read_snapshot(tmp_path)
        ledger.publish([*snapshot.live_paths()])
        ledger.copied(whole=not any(line.startswith("note: call ") for line in report))
        for path in {*ledger.published, *ledger.now.live()}:
            if words := fault_of(seen(snapshot, path), ledger.states, ledger.published):
                wrong.append(f"turn {turn}, {done}, {fault}: {path}: {words}")
    assert wrong == []
    assert len(editor.edits) > 8
