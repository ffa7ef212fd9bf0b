"""Former addresses of pages, which the edge redirects or answers as gone (410)."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from broker import routes
from broker.content.snapshot.history import NO_HISTORY, History
from broker.content.store import ContentStore
from broker.derived import Derived
from broker.lenders.directory import LenderDirectory
from broker.lenders.lender import KnownLender
from broker.lenders.page_view import kinds, lender_path
from broker.rates.deal_types import DEAL_TYPES


class PageHistory:
    """The history of the content, with lenders' pages of deals, which follow the page of their lender.

    A page that is back at a former address must be compiled first; until then the address stays redirected or gone.
    """

    def __init__(
        self,
        store: ContentStore,
        directory: LenderDirectory,
        *,
        ours: Iterable[KnownLender],
        is_served: Callable[[str], bool] = lambda _path: True,
    ) -> None:
        """`ours` are the lenders that may have a page; `is_served` returns whether a path has a page."""
        self._store, self._directory, self._ours, self._is_served = store, directory, tuple(ours), is_served
        self._history = Derived(self._build, lambda: (store.content, directory.lenders))

    def current(self) -> History:
        return self._history.current()

    def _build(self) -> History:
        made, last = self._of_content(), self._history.last or NO_HISTORY
        gone = {*made.removed}
        ended = [path for path in (*last.moved, *last.removed) if path not in made.moved]
        waiting = {path for path in ended if path not in gone and not self._is_served(path)}
        moved = {path: last.moved[path] for path in waiting if path in last.moved}
        return replace(made, moved={**made.moved, **moved}, removed=tuple(sorted(gone | waiting - moved.keys())))

    def _of_content(self) -> History:
        """Leave out addresses where a lender still has its page, and redirects to no page."""
        shown = {lender.slug: lender for lender in self._directory.lenders if lender.slug}
        held = self._store.content.history
        moved = {old: new for old, new in held.moved.items() if not _lender_slug(old)}
        for old, new in held.moved.items():
            if (slug := _lender_slug(old)) and slug not in shown and (lender := shown.get(_lender_slug(new))):
                deals = {kind: lender_path(lender, kind) for kind in kinds(lender)}
                moved[old] = new
                moved |= {routes.lender_product(slug, kind.slug): deals.get(kind, new) for kind in DEAL_TYPES}
        known = {_lender_slug(path) for path in (*held.removed, *held.moved)} | {each.slug for each in self._ours}
        gone = {
            *(path for path in held.removed if not _lender_slug(path)),
            *(path for slug in known - shown.keys() - {""} for path in _paths(slug)),
        }
        return replace(held, moved=moved, removed=tuple(sorted(gone - moved.keys())))


def _paths(slug: str) -> Iterator[str]:
    """Yield the paths of all pages that a lender may have."""
    yield routes.lender(slug)
    for kind in DEAL_TYPES:
        yield routes.lender_product(slug, kind.slug)


def _lender_slug(path: str) -> str:
    """Return the slug of a lender's page; empty for any other path."""
    slug = path.removeprefix(routes.LENDERS).strip("/")
    return slug if path == routes.lender(slug) else ""
