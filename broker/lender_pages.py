"""The pages of lenders as the edge and React ask for them. Part of the composition root."""

import logging
from collections.abc import Callable, Hashable, Mapping

from broker.domain.rates.deal_types import DealType
from broker.domain.rates.lenders import KnownLender
from broker.domain.rates.lowest_rates import LenderWithoutRatesError
from broker.domain.rates.product import RatesError
from broker.domain.revision import Derived, Revision
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
        self._lenders = Derived(self._by_path, lambda: (directory.lenders,))
        self._revision = Revision()

    @property
    def paths(self) -> Mapping[str, tuple[KnownLender, DealType | None]]:
        """Return the lender and the deal type of each path."""
        return self._lenders.current()

    def _by_path(self) -> Mapping[str, tuple[KnownLender, DealType | None]]:
        shown = (lender for lender in self._directory.lenders if lender.slug)
        return {lender_path(each, kind): (each, kind) for each in shown for kind in self._kinds(each)}

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


def lender_pages(
    inputs: BuildInputs, directory: LenderDirectory, *, rates: LenderRates, head: Callable[[Page], HeadView]
) -> tuple[LenderPages, ...]:
    """Return both kinds of a lender's pages."""
    kinds = (LENDER, LENDER_DEALS)
    return tuple(LenderPages(inputs, directory, rates=rates, template=name, head=head) for name in kinds)
