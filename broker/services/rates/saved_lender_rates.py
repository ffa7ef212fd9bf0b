"""The rates of lender pages from the saved lists of a live feed (call 4 of specification 7)."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from broker.domain.rates.deal_types import BEST_LTV, DEAL_TYPES, DealType, ltvs, narrowed, type_of
from broker.domain.rates.lenders import KnownLender
from broker.domain.rates.lowest_rates import LenderListing, LenderWithoutRatesError, LowestRates
from broker.domain.rates.product import RateProduct, RatesAnswer, RatesError
from broker.domain.rates.query import RatesQuery, SortOrder
from broker.domain.rates.ranking import answer_of, ranked
from broker.services.lenders import LenderDirectory
from broker.services.rates.saved_rates import SavedLists


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedLenderRates:
    """Narrows saved lists to deal types, as a search would; interest-only products are left out, as in a search."""

    saved: SavedLists
    directory: LenderDirectory

    @property
    def version(self) -> Hashable:
        return self.saved.version

    def best(self, lender: KnownLender, kind: DealType) -> RatesAnswer:
        """Return a lender's products of a deal type at BEST_LTV, none where no list of that loan to value is held."""
        query, lists = narrowed(lender.query, kind), self._lists(lender)
        held = lists.get(BEST_LTV)
        if held is None:
            read_at = min(each.read_at for each in lists.values())
            is_stale = any(each.stale for each in lists.values())
            return replace(answer_of(query, (), fee_free=0, read_at=read_at, sample=False), stale=is_stale)
        products = _by_type(held, query).get(kind, [])
        return replace(answer_of(query, products, fee_free=0, read_at=held.read_at, sample=False), stale=held.stale)

    def market(self, *, residential: bool) -> LowestRates:
        """Return the lowest rates of all lenders that lend on homes, or of those that lend on let property alone.

        Lists from before a failure count only where there is no other.
        """
        query = RatesQuery(residential=residential)
        of_lets = {lender.lender_id for lender in self.directory.lenders if not lender.residential}
        ids = [lender_id for lender_id in self.saved.lenders if (lender_id in of_lets) is not residential]
        held = [(ltv, answer) for each in ids for ltv, answer in self.saved.of_lender(each).items()]
        if not held:
            raise self._error(f"no list of a lender of {'homes' if residential else 'let property'} is held")
        return _lowest(query, [(ltv, answer) for ltv, answer in held if not answer.stale] or held)

    def listing(self, lender: KnownLender, *, market: LowestRates) -> LenderListing:
        """Return a lender's lowest rates at the loans to value of its tables, or at others where no list is of those.

        Whether it lends interest-only is not known.
        """
        query, lists = lender.query, self._lists(lender)
        places = [ltv for ltv in ltvs(query) if ltv in lists] or sorted(lists)
        held = [(ltv, lists[ltv]) for ltv in places]
        listed = (product for _, each in held for products in _by_type(each, query).values() for product in products)
        return LenderListing(
            lender=lender,
            lowest=_lowest(query, held),
            market=market,
            products=tuple({product.product_id: product for product in listed}.values()),
            interest_only=None,
        )

    def _lists(self, lender: KnownLender) -> dict[int, RatesAnswer]:
        if lists := self.saved.of_lender(lender.lender_id):
            return dict(lists)
        raise self._error(f"no list of lender {lender.lender_id} is held")

    def _error(self, problem: str) -> RatesError:
        return LenderWithoutRatesError(problem) if any(self.saved.lenders) else RatesError(problem)


def _by_type(answer: RatesAnswer, query: RatesQuery) -> dict[DealType, list[RateProduct]]:
    """Return the products of each deal type that repay as the query does, in rate order."""
    found: dict[str, list[RateProduct]] = {kind.slug: [] for kind in DEAL_TYPES}
    for product in answer.products:
        kind = type_of(product)
        if kind and product.interest_only is not query.repayment:
            found[kind.slug].append(product)
    return {kind: products for kind in DEAL_TYPES if (products := found[kind.slug])}


def _lowest(query: RatesQuery, lists: Sequence[tuple[int, RatesAnswer]]) -> LowestRates:
    """Return the lowest rates of lists, at least one, by loan to value in percent."""
    firsts: dict[tuple[int, DealType], list[RateProduct]] = {}
    for ltv, answer in lists:
        for kind, products in _by_type(answer, query).items():
            firsts.setdefault((ltv, kind), []).append(products[0])
    places = [(kind, ltv) for ltv in sorted({ltv for ltv, _ in lists}) for kind in DEAL_TYPES]
    return LowestRates(
        query=query,
        found={
            (kind, ltv): ranked(firsts[ltv, kind], SortOrder.RATE)[0] for kind, ltv in places if (ltv, kind) in firsts
        },
        read_at=min(answer.read_at for _, answer in lists),
        sample=False,
        stale=any(answer.stale for _, answer in lists),
    )
