"""Rows of the sourcing service as products; missing figures are calculated where possible, else unknown.

A row without a lender, rate, deal length, APRC (decision 17) or readable total fees (specification 9) is left out and
counted: no card can be drawn from it. So is one whose figures contradict each other.
"""

import hashlib
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from broker.clock import utc_now
from broker.lending.mortgage import balance_after, interest_only_payment, monthly_payment
from broker.rates.costs import CostTerms
from broker.rates.customers import RULES
from broker.rates.feed.client import RATES, FeedClient, encode_form
from broker.rates.feed.html_text import plain_text
from broker.rates.feed.product_rows import TITLE_LENGTH, Row, parse_row, scheme_rows
from broker.rates.feed.response_tree import Tree
from broker.rates.product import NO_CHARGE, RateProduct, RatesAnswer, RateType, deal_kind
from broker.rates.query import SORT_BY, RatesQuery, SortOrder
from broker.rates.ranking import answer_of, ranked, with_fees, within_fees, within_filters

_log = logging.getLogger(__name__)

RETENTION_LENDERS = frozenset({934})
"""Lender ids of product transfers, closed to new customers (Leeds Retention)."""

_FIXED_WORD = re.compile(r"\bfix(ed)?\b", re.IGNORECASE)

_COST_TOLERANCE = 0.02
"""A stated N-year cost that differs by more than this share of payments plus fees is not used."""

_PAYMENT_TOLERANCE = 0.1
"""A stated payment may differ by this share from that of the rate and term: lenders round, and count days."""

MIN_RATE = 0.1
"""The lowest rate and APRC that a mortgage has, in percent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedProducts:
    """The ranked products of an answer, and the numbers of fee-free products and of dropped rows.

    `unusable` are the dropped rows with a figure that is missing or cannot be; the others are not for this query.
    """

    products: tuple[RateProduct, ...]
    fee_free: int
    dropped: int
    unusable: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedRateSource:
    """A rate source that searches the live feed; each answer has the time of its call."""

    client: FeedClient
    clock: Callable[[], datetime] = utc_now

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

    async def _read(self, query: RatesQuery, *, sent: RatesQuery) -> ParsedProducts:
        """Return the products of one call for `sent`, in the order of `query`."""
        tree = await self.client.read(RATES, form=rates_form(sent))
        return parse_products(scheme_rows(RATES.name, tree), query)

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


def parse_products(rows: Iterable[Mapping[str, Tree]], query: RatesQuery) -> ParsedProducts:
    """Return the products of rows in the query's order, fee-free ones only where it includes them.

    The filters and the lender are applied here: the feed has no such field, or may ignore `lenderId`.
    """
    found: dict[str, RateProduct] = {}
    count = unusable = 0
    for fields in rows:
        count += 1
        product = product_from_row(parse_row(fields), query)
        if product is None or not is_consistent(product):
            unusable += 1
            continue
        if product.lender_id in RETENTION_LENDERS:
            continue
        if query.lender_id in (None, product.lender_id):
            found.setdefault(product.product_id, product)
    wanted = within_filters(found.values(), query)
    charged = with_fees(wanted)
    listed = within_fees(wanted if query.with_fee_free else charged, query.most_fees)
    return ParsedProducts(
        products=tuple(ranked(listed, query.sort)),
        fee_free=len(wanted) - len(charged),
        dropped=count - len(found),
        unusable=unusable,
    )


def is_consistent(product: RateProduct) -> bool:
    """Return whether the figures of a product can be: its rate, its payment for rate and term, and its costs.

    The payment may be that of the loan with the fees added to it.
    """
    if min(product.initial_rate, product.aprc) < MIN_RATE:
        return False
    least, most = (
        _payment(product.initial_rate, product.term_years, loan=loan, interest_only=product.interest_only)
        for loan in (product.loan_amount, product.loan_amount + product.total_fees)
    )
    is_close = least * (1 - _PAYMENT_TOLERANCE) <= product.initial_payment <= most * (1 + _PAYMENT_TOLERANCE)
    return is_close and product.initial_interest >= 0 and product.true_cost >= 0


def product_from_row(row: Row, query: RatesQuery) -> RateProduct | None:
    """Return the product of a row, or None if a required field is missing."""
    if not (row.lender_id and row.lender_name and row.rate and row.aprc) or row.months is None or row.fees is None:
        return None
    loan, years = row.loan or float(query.amount), row.term or query.term
    deal = CostTerms(
        rate=row.rate,
        fees=row.fees,
        months=years * 12 if row.months <= 1 else min(row.months, years * 12),
        years=years,
        interest_only=_is_interest_only(row, query, loan=loan, years=years),
        cashback=row.incentives.cashback,
    )
    return RateProduct(
        product_id=_product_id(row),
        lender_id=row.lender_id,
        lender_name=row.lender_name,
        title=row.title or deal_kind(_rate_type(row, query), deal.months),
        rate_type=_rate_type(row, query),
        most_ltv=row.most_ltv or round(query.ltv, 2),
        aprc=row.aprc,
        early_repayment_charge=NO_CHARGE if row.has_no_charge else "",
        notes=row.notes,
        description=row.description,
        incentives=row.incentives,
        **_figures(row, deal, loan),
    )


def _is_interest_only(row: Row, query: RatesQuery, *, loan: float, years: int) -> bool:
    """Return the basis as stated, else that of the payment, else that of the query."""
    if row.interest_only is not None:
        return row.interest_only
    if not row.payment:
        return not query.repayment
    only, level = (_payment(row.rate or 0, years, loan=loan, interest_only=basis) for basis in (True, False))
    return abs(row.payment - only) < abs(row.payment - level)


def _figures(row: Row, deal: CostTerms, loan: float) -> dict[str, Any]:
    """Return the cost fields of a product; None for what is neither stated nor calculable."""
    payment = row.payment or _payment(deal.rate, deal.years, loan=loan, interest_only=deal.interest_only)
    cash, true = _costs(deal, loan, payment=payment, stated=row.cash_cost)
    later_rate, later_payment = _follow_on(row, deal, loan)
    return {
        "loan_amount": loan,
        "term_years": deal.years,
        "interest_only": deal.interest_only,
        "initial_rate": deal.rate,
        "initial_months": deal.months,
        "initial_payment": payment,
        "total_fees": deal.fees,
        "cash_cost": cash,
        "true_cost": true,
        "follow_on_rate": later_rate,
        "follow_on_payment": later_payment,
        "least_loan": None,
        "most_loan": None,
    }


def _payment(rate: float, years: float, *, loan: float, interest_only: bool) -> float:
    """Return the monthly payment of a loan, to the penny."""
    exact = interest_only_payment(loan, rate) if interest_only else monthly_payment(loan, rate, years)
    return round(float(exact), 2)


def _costs(deal: CostTerms, loan: float, *, payment: float, stated: float | None) -> tuple[float, float]:
    """Return the cash cost, and the true cost: that less capital repaid and cashback.

    The cash cost is as stated, unless payments and fees contradict it.
    """
    paid = round(payment * deal.months + deal.fees, 2)
    cash = stated if stated and abs(stated - paid) <= _COST_TOLERANCE * paid else paid
    owed = loan if deal.interest_only else balance_after(loan, deal.rate, deal.years, deal.months)
    repaid = round(loan - float(owed), 2)
    return cash, round(cash - repaid - deal.cashback, 2)


def _follow_on(row: Row, deal: CostTerms, loan: float) -> tuple[float | None, float | None]:
    """Return the follow-on rate and payment as stated; a payment far from the rate is calculated, and a missing one."""
    left, rate = deal.years * 12 - deal.months, row.final_rate or 0
    if rate < MIN_RATE:
        return None, None if left else 0.0
    if left == 0:
        return rate, 0.0
    owed = loan if deal.interest_only else float(balance_after(loan, deal.rate, deal.years, deal.months))
    payment = _payment(rate, left / 12, loan=owed, interest_only=deal.interest_only)
    stated = row.final_payment or 0
    return rate, stated if abs(stated - payment) <= _PAYMENT_TOLERANCE * payment else payment


def _rate_type(row: Row, query: RatesQuery) -> RateType:
    """Return the rate type of the query, or that in the product's texts if the query has both."""
    if query.fixed != query.variable:
        return RateType.FIXED if query.fixed else RateType.VARIABLE
    worded = _FIXED_WORD.search(
        f"{row.title} {plain_text(row.description, TITLE_LENGTH)} {plain_text(row.notes, TITLE_LENGTH)}"
    )
    return RateType.FIXED if worded else RateType.VARIABLE


def _product_id(row: Row) -> str:
    """Return a stable id: a hash of lender, rate, months, fees, LTV and title, else description or lender's name."""
    text = row.title or plain_text(row.description, TITLE_LENGTH) or row.lender_name
    parts = (row.lender_id, row.rate, row.months, row.fees, row.most_ltv, text)
    return "f-" + hashlib.sha256(repr(parts).encode("utf-8")).hexdigest()[:16]
