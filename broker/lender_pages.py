"""The pages of lenders as the edge and React ask for them. Part of the composition root."""

import logging
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace

from broker import routes
from broker.content.snapshot.history import NO_HISTORY, History
from broker.content.store import ContentStore
from broker.domain.rates.deal_types import DEAL_TYPES, DealType
from broker.domain.rates.lenders import KnownLender
from broker.domain.rates.lowest_rates import LenderWithoutRatesError
from broker.domain.rates.product import RatesError
from broker.domain.revision import Revision
from broker.pages.rates.lender_list import text_of
from broker.pages.rates.lenders import LENDER, LENDER_DEALS, page_of_lender
from broker.pages.registry import BuildInputs, Page
from broker.presenters.lender_page import LenderPage, kinds, lender_page, lender_path
from broker.presenters.page_head import HeadView
from broker.presenters.rates.rate_blocks import RateBlocks, lender_blocks
from broker.sections.data_page import shape
from broker.services.lenders import LenderDirectory
from broker.services.rates.lender_rates import LenderRates

log = logging.getLogger(__name__)


class LenderPages:
    """Finds the pages of lenders by path, or those of their deals of one kind, with the rates held at the moment."""

    shape = shape(LenderPage)

    def __init__(
        self,
        inputs: BuildInputs,
        directory: LenderDirectory,
        *,
        rates: LenderRates,
        template: str,
        head: Callable[[Page], HeadView],
    ) -> None:
        """`template` is LENDER or LENDER_DEALS, `head` returns the head of a page."""
        self.template = template
        self._inputs, self._directory, self._rates, self._head = inputs, directory, rates, head
        self._lenders: object = None
        self._revision = Revision()
        self._paths: Mapping[str, tuple[KnownLender, DealType | None]] = {}

    @property
    def paths(self) -> Mapping[str, tuple[KnownLender, DealType | None]]:
        """Return the lender and the deal type of each path."""
        if self._lenders is not self._directory.lenders:
            self._lenders = self._directory.lenders
            shown = (lender for lender in self._directory.lenders if lender.slug)
            self._paths = {lender_path(each, kind): (each, kind) for each in shown for kind in self._kinds(each)}
        return self._paths

    def _kinds(self, lender: KnownLender) -> tuple[DealType | None, ...]:
        return kinds(lender) if self.template == LENDER_DEALS else (None,)

    def version(self, _path: str) -> Hashable:
        """Return what is equal while every page is."""
        sources = (self._inputs.store.content, self._directory.lenders, self._directory.logos())
        return (self._revision.of(*sources), self._rates.version)

    async def find(self, path: str) -> LenderPage | None:
        """Return the page of a path; None where there is none."""
        if path not in self.paths:
            return None
        lender, kind = self.paths[path]
        page = page_of_lender(self._inputs, lender, kind=kind)
        return lender_page(
            lender,
            kind,
            text=text_of(self._inputs, lender),
            head=self._head(page),
            firm=self._inputs.store.site().name,
            blocks=await self._blocks(lender, kind),
            art=self._inputs.store.banner(path),
        )

    async def _blocks(self, lender: KnownLender, kind: DealType | None) -> RateBlocks | None:
        """Return the rates of a page; None where the lender has none, or they cannot be read."""
        if not lender.lender_id:
            return None
        try:
            best, listing = await self._rates.blocks(lender, kind)
        except LenderWithoutRatesError:
            return RateBlocks()
        except RatesError as error:
            log.warning("the rates of a lender's page could not be read: %s", error)
            return None
        return lender_blocks(best, listing, kind=kind, logos=self._directory.logos())


class LenderHistory:
    """Former addresses of pages, with those of lenders' deals: they follow the page of their lender.

    A page that is back at a former address has to be compiled first. Until then the address answers as before.
    """

    def __init__(
        self,
        store: ContentStore,
        directory: LenderDirectory,
        *,
        ours: Iterable[KnownLender],
        is_served: Callable[[str], bool] = lambda _path: True,
    ) -> None:
        """`ours` are the lenders that have a page wherever the feed has them; `is_served` is whether a path has one."""
        self._store, self._directory, self._ours, self._is_served = store, directory, tuple(ours), is_served
        self._revision = Revision()
        self._version, self._history = 0, NO_HISTORY

    def current(self) -> History:
        """Return the history of the content and of the lenders of the moment."""
        version = self._revision.of(self._store.content, self._directory.lenders)
        if self._version != version:
            self._version, self._history = version, self._with_last(self._made())
        return self._history

    def _with_last(self, made: History) -> History:
        gone = {*made.removed}
        ended = [path for path in (*self._history.moved, *self._history.removed) if path not in made.moved]
        waiting = {path for path in ended if path not in gone and not self._is_served(path)}
        moved = {path: self._history.moved[path] for path in waiting if path in self._history.moved}
        return replace(made, moved={**made.moved, **moved}, removed=tuple(sorted(gone | waiting - moved.keys())))

    def _made(self) -> History:
        """Leave out addresses at which a lender has its page all the same, and those that lead to no page."""
        shown = {lender.slug: lender for lender in self._directory.lenders if lender.slug}
        held = self._store.content.history
        moved = {old: new for old, new in held.moved.items() if not lender_slug(old)}
        for old, new in held.moved.items():
            if (slug := lender_slug(old)) and slug not in shown and (lender := shown.get(lender_slug(new))):
                deals = {kind: lender_path(lender, kind) for kind in kinds(lender)}
                moved[old] = new
                moved |= {routes.lender_product(slug, kind.slug): deals.get(kind, new) for kind in DEAL_TYPES}
        known = {lender_slug(path) for path in (*held.removed, *held.moved)} | {each.slug for each in self._ours}
        gone = {
            *(path for path in held.removed if not lender_slug(path)),
            *(path for slug in known - shown.keys() - {""} for path in _paths(slug)),
        }
        return replace(held, moved=moved, removed=tuple(sorted(gone - moved.keys())))


def _paths(slug: str) -> Iterator[str]:
    """Yield the paths of all pages that a lender may have."""
    yield routes.lender(slug)
    for kind in DEAL_TYPES:
        yield routes.lender_product(slug, kind.slug)


def lender_slug(path: str) -> str:
    """Return the slug of a lender's page; empty for any other path."""
    slug = path.removeprefix(routes.LENDERS).strip("/")
    return slug if path == routes.lender(slug) else ""


def lender_pages(
    inputs: BuildInputs, directory: LenderDirectory, *, rates: LenderRates, head: Callable[[Page], HeadView]
) -> tuple[LenderPages, ...]:
    """Return both kinds of a lender's pages."""
    kinds = (LENDER, LENDER_DEALS)
    return tuple(LenderPages(inputs, directory, rates=rates, template=name, head=head) for name in kinds)
