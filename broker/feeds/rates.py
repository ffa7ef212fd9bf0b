"""The rate source of the broker's own API: call 5 of specification 7."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from broker.domain.rates.customers import RULES
from broker.domain.rates.product import RateProduct, RatesAnswer
from broker.domain.rates.query import SORT_BY, RatesQuery, SortOrder
from broker.domain.rates.ranking import answer_of
from broker.feeds.client import FeedClient
from broker.feeds.endpoints import RATES
from broker.feeds.form_encoding import encode_form
from broker.feeds.parsing.product_rows import scheme_rows
from broker.feeds.products import ParsedProducts, parse_products

_log = logging.getLogger(__name__)

Clock = Callable[[], datetime]


def now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedRateSource:
    """A rate source that searches the live feed; each answer has the time of its call."""

    client: FeedClient
    clock: Clock = now

    async def search(self, query: RatesQuery) -> RatesAnswer:
        """Return the products for a query, in its order; raises FeedError."""
        read_at = self.clock()
        found = await self._read(query, sent=query)
        if not found.products and found.fee_free and query.sort is SortOrder.FEES:
            # A feed that truncates its list sent only fee-free products; sorted by rate it sends others too.
            found = await self._read(query, sent=replace(query, sort=SortOrder.RATE))
        if found.dropped:
            _log.info("%s: %d rows dropped, %d of them unusable", RATES.name, found.dropped, found.unusable)
        answer = answer_of(query, found.products, fee_free=found.fee_free, read_at=read_at, sample=False)
        return replace(answer, left_out=found.unusable)

    async def _read(self, asked: RatesQuery, *, sent: RatesQuery) -> ParsedProducts:
        """Return the products of one call for `sent`, in the order of `asked`."""
        tree = await self.client.read(RATES, form=rates_form(sent))
        return parse_products(scheme_rows(RATES.name, tree), asked)

    async def product(self, query: RatesQuery, product_id: str) -> RateProduct | None:
        """Return a product of the query's list, fee-free ones included, or None; raises RatesError."""
        answer = await self.search(replace(query, with_fee_free=True))
        return next((product for product in answer.products if product.product_id == product_id), None)


def rates_form(query: RatesQuery) -> bytes:
    """Return the form body of a search with the specification's fields in order; `lenderId` for lender pages."""
    lender = {} if query.lender_id is None else {"lenderId": query.lender_id}
    return encode_form(
        {
            **lender,
            "type": RULES[query.customer].sent_type,
            "LoanTerm": query.term,
            "mortgageFixed": query.fixed,
            "mortgageVariable": query.variable,
            "periodUptoTwo": query.two_years,
            "periodThree": query.three_years,
            "periodFive": query.five_years,
            "purchaseLoan": query.purchase,
            "repayment": query.repayment,
            "propertyPrice": query.price,
            "mortgageAmount": query.amount,
            "residential": query.residential,
            "sortBy": SORT_BY[query.sort],
        }
    )
