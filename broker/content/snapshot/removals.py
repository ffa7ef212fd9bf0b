"""Pages that a new snapshot would remove: a few are editors' work, many are more likely a fault of the service."""

from collections.abc import Iterator, Set
from dataclasses import replace

from broker.content.models.menu import MenuItem, Menus
from broker.content.snapshot.history import NO_HISTORY, next_history
from broker.content.snapshot.snapshot import ImportIssue, Severity, Snapshot

MAX_REMOVED_SHARE = 0.1
"""Share of the pages of a kind that may go at once without being asked for."""

ACCEPT = "if that is meant, run it again with --accept-removals (make publish ARGS=--accept-removals)"


def with_history(new: Snapshot, last: Snapshot | None) -> Snapshot:
    """Return a new snapshot whose history goes on from the last one's; its own has the pages of now alone."""
    before = last.live_paths() if last else frozenset[str]()
    history = last.history if last else NO_HISTORY
    return replace(new, history=next_history(history, new.history, live=new.live_paths(), before=before))


def refused_removals(last: Snapshot | None, new: Snapshot) -> tuple[ImportIssue, ...]:
    """Return a fatal issue for each kind that would lose more than a tenth of its pages, and each page of a menu."""
    return tuple(_refused(last, new)) if last else ()


def _refused(last: Snapshot, new: Snapshot) -> Iterator[ImportIssue]:
    stays = new.live_paths() | set(new.history.moved)
    in_menus = set(_paths(last.menus))
    yield from _refused_front_pages(last, new, in_menus)
    for kind, paths in last.paths().items():
        gone = sorted(paths - stays)
        if len(gone) > MAX_REMOVED_SHARE * len(paths):
            words = f"{len(gone)} of {len(paths)} would go ({', '.join(gone)}): {ACCEPT}"
            yield ImportIssue(item=f"{kind} pages", words=words, severity=Severity.FATAL)
        for path in gone:
            if path in in_menus:
                words = f"would go, and stands in a menu: {ACCEPT}"
                yield ImportIssue(item=f"{kind} {path}", words=words, severity=Severity.FATAL)


def _refused_front_pages(last: Snapshot, new: Snapshot, in_menus: Set[str]) -> Iterator[ImportIssue]:
    """Yield an issue for each front page that stands in a menu and has no words any more."""
    for path in sorted(in_menus & last.front_pages.keys() - new.front_pages.keys()):
        yield ImportIssue(item=f"page {path}", words=f"would lose its words: {ACCEPT}", severity=Severity.FATAL)


def _paths(menus: Menus) -> Iterator[str]:
    """Yield the paths of all entries of the menus but `sitemap`, which lists every page there is."""
    for name in Menus.__dataclass_fields__:
        if name != "sitemap" and (menu := getattr(menus, name)):
            for item in menu.items:
                yield from _paths_below(item)


def _paths_below(item: MenuItem) -> Iterator[str]:
    yield item.path
    for child in item.children:
        yield from _paths_below(child)
