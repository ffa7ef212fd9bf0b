"""Rows of the sourcing service as products; missing figures are calculated where possible, else unknown.

A row without a lender, rate, deal length, APRC (decision 17) or readable total fees (specification 9) is dropped and
counted: no card can be drawn from it.
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from broker.domain.lending.mortgage import balance_after, interest_only_payment, monthly_payment
from broker.domain.rates.cost import CostTerms
from broker.domain.rates.product import NO_CHARGE, RateProduct, RateType, deal_kind
from broker.domain.rates.query import RatesQuery
from broker.domain.rates.ranking import ranked, with_fees, within_fees, within_filters
from broker.feeds.parsing.html import plain_text
from broker.feeds.parsing.product_row import TITLE_LENGTH, Row, parse_row
from broker.feeds.parsing.tree import Tree

RETENTION_LENDERS = frozenset({934})
"""Lender ids of product transfers, closed to new customers (Leeds Retention)."""

_FIXED_WORD = re.compile(r"\bfix(ed)?\b", re.IGNORECASE)
_COST_TOLERANCE = 0.02
"""A stated N-year cost that differs by more than this share of payments plus fees is not used for the true cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedProducts:
    """The ranked products of an answer, and the numbers of fee-free products and of dropped rows."""

    products: tuple[RateProduct, ...]
    fee_free: int
    dropped: int


def parse_products(
    rows: Iterable[Mapping[str, Tree]], query: RatesQuery, *, excluded_lenders: Collection[int] = RETENTION_LENDERS
) -> ParsedProducts:
    """Return the products of rows in the query's order, fee-free ones only if it asks for them.

    The filters on fees, cashback and charges and the lender are applied here: the feed has no such field, or may
    ignore `lenderId`.
    """
    found: dict[str, RateProduct] = {}
    count = 0
    for fields in rows:
        count += 1
        product = product_from_row(parse_row(fields), query)
        if product is None or product.lender_id in excluded_lenders:
            continue
        if query.lender_id in (None, product.lender_id):
            found.setdefault(product.product_id, product)
    wanted = within_filters(found.values(), query)
    charged = with_fees(wanted)
    listed = within_fees(wanted if query.with_fee_free else charged, query.most_fees)
    return ParsedProducts(
        products=tuple(ranked(listed, query.sort)), fee_free=len(wanted) - len(charged), dropped=count - len(found)
    )


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
        interest_only=not query.repayment if row.interest_only is None else row.interest_only,
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


def _figures(row: Row, deal: CostTerms, loan: float) -> dict[str, Any]:
    """Return the cost fields of a product; None for what is neither stated nor calculable."""
    payment = row.payment or _payment(deal, loan)
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


def _payment(deal: CostTerms, loan: float) -> float:
    level = interest_only_payment(loan, deal.rate) if deal.interest_only else _level(loan, deal.rate, deal.years)
    return round(level, 2)


def _level(loan: float, rate: float, years: float) -> float:
    return float(monthly_payment(loan, rate, years))


def _costs(deal: CostTerms, loan: float, *, payment: float, stated: float | None) -> tuple[float, float]:
    """Return the cash cost, as stated if it is, and the true cost: that less capital repaid and cashback.

    A stated cost that payments and fees contradict is shown, but not used for the true cost.
    """
    paid = round(payment * deal.months + deal.fees, 2)
    cash = stated or paid
    owed = loan if deal.interest_only else balance_after(loan, deal.rate, deal.years, deal.months)
    repaid = round(loan - float(owed), 2)
    sound = cash if abs(cash - paid) <= _COST_TOLERANCE * paid else paid
    return cash, round(sound - repaid - deal.cashback, 2)


def _follow_on(row: Row, deal: CostTerms, loan: float) -> tuple[float | None, float | None]:
    """Return the follow-on rate and payment as stated; a missing payment is calculated from the rate."""
    left, rate = deal.years * 12 - deal.months, row.final_rate or None
    if left == 0:
        return rate, 0.0
    if rate is None:
        return None, None
    if row.final_payment:
        return rate, row.final_payment
    if deal.interest_only:
        return rate, round(interest_only_payment(loan, rate), 2)
    return rate, round(_level(balance_after(loan, deal.rate, deal.years, deal.months), rate, left / 12), 2)


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
