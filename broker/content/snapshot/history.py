"""Addresses of a content service's pages over time: where a page moved, and which pages are gone.

A page is known by the content service's id, so that a changed slug or url is a move and no removal.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class PageIdentity:
    """What a page is known by: the content service's id, and its slug there."""

    post_id: int
    slug: str


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Addresses up to one snapshot: `pages` is the identity of each page by its path.

    `moved` is the present path of a page by each former one; `removed` are paths that had a page, and have none now.
    """

    pages: Mapping[str, PageIdentity] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)
    removed: tuple[str, ...] = ()

    def path_of(self, page: PageIdentity, stated: str, *, folder: str) -> str:
        """Return the path of a page that states one itself, below `folder`.

        The stated path counts, unless the slug changed since and the stated path did not: then the page moved too.
        """
        before = next((path for path, known in self.pages.items() if known.post_id == page.post_id), "")
        if not before or stated not in (before, *(old for old, new in self.moved.items() if new == before)):
            return stated
        return before if self.pages[before].slug == page.slug else f"{folder}{page.slug}/"


NO_HISTORY = History()


def next_history(last: History, new: History, *, live: Set[str], before: Set[str]) -> History:
    """Return the history with a new snapshot, whose paths are `live`; `before` are those of the last one.

    `new` has its pages, and what is theirs besides: addresses with letters that ours do not have.
    """
    pages = new.pages
    by_id = {page.post_id: path for path, page in pages.items() if path in live}
    moves = {path: by_id[page.post_id] for path, page in last.pages.items() if page.post_id in by_id}
    targets = {old: moves.get(path, path) for old, path in last.moved.items()} | moves | {**new.moved}
    moved = {old: path for old, path in targets.items() if old not in live and path in live}
    ended = {*before, *last.moved, *last.removed} - live - set(moved)
    known = {path: page for path, page in pages.items() if path in live}
    return History(pages=known, moved=moved, removed=tuple(sorted(ended)))
