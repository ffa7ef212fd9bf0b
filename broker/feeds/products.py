"""Rows of the sourcing service to our products: figures as given, missing ones worked out or left unknown.

A row is dropped, and counted, where a card cannot be drawn from it: no lender, no rate, no deal length, no APRC
(decision 17), or total fees that cannot be read (specification 9 asks that they be above 0).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from broker.domain.mortgage import balance_after, interest_only_payment, monthly_payment
from broker.domain.rates.cost import Deal
from broker.domain.rates.product import RateProduct, RateType
from broker.domain.rates.query import RatesQuery
from broker.domain.rates.ranking import ranked, with_fees, within_fees
from broker.feeds.parsing.html import plain
from broker.feeds.parsing.product_row import TITLE_LENGTH, Row, read_row
from broker.feeds.parsing.tree import Tree

RETENTION_LENDERS = frozenset({934})
"""Lender ids of product transfers, which no new customer can have (Leeds Retention)."""

_FIXED_WORD = re.compile(r"\bfix(ed)?\b", re.IGNORECASE)
_CLOSE = 0.02
"""A stated N-year cost that is further off than this, as a share of payments plus fees, decides no true cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The products of an answer, ranked; how many fee-free ones were left out, and rows that made no product."""

    products: tuple[RateProduct, ...]
    fee_free: int
    dropped: int


def read_products(
    rows: Iterable[Mapping[str, Tree]], query: RatesQuery, *, left_out: Collection[int] = RETENTION_LENDERS
) -> Reading:
    """Return the products of an answer's rows, in the query's order, fee-free ones only where it asks for them.

    The feed knows no highest fees, so they are held here, as is the lender, whatever the feed made of `lenderId`.
    """
    found: dict[str, RateProduct] = {}
    count = 0
    for fields in rows:
        count += 1
        product = product_from(read_row(fields), query)
        if product is None or product.lender_id in left_out:
            continue
        if query.lender_id in (None, product.lender_id):
            found.setdefault(product.product_id, product)
    charged = with_fees(found.values())
    listed = within_fees(found.values() if query.with_fee_free else charged, query.most_fees)
    return Reading(
        products=tuple(ranked(listed, query.sort)),
        fee_free=len(found) - len(charged),
        dropped=count - len(found),
    )


def product_from(row: Row, query: RatesQuery) -> RateProduct | None:
    """Return the product that a row describes, or None where too much is missing."""
    if not (row.lender_id and row.lender_name and row.rate and row.aprc) or row.months is None or row.fees is None:
        return None
    loan, years = row.loan or float(query.amount), row.term or query.term
    deal = Deal(
        rate=row.rate,
        fees=row.fees,
        months=years * 12 if row.months <= 1 else min(row.months, years * 12),
        years=years,
        interest_only=not query.repayment if row.interest_only is None else row.interest_only,
    )
    return RateProduct(
        product_id=_product_id(row),
        lender_id=row.lender_id,
        lender_name=row.lender_name,
        title=_title(row),
        rate_type=_rate_type(row, query),
        most_ltv=row.most_ltv or round(query.ltv, 2),
        aprc=row.aprc,
        early_repayment_charge="",
        notes=row.notes,
        description=row.description,
        **_figures(row, deal, loan),
    )


def _figures(row: Row, deal: Deal, loan: float) -> dict[str, Any]:
    """Return what the loan costs; None for what neither the feed nor arithmetic tells."""
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


def _payment(deal: Deal, loan: float) -> float:
    level = interest_only_payment(loan, deal.rate) if deal.interest_only else _level(loan, deal.rate, deal.years)
    return round(level, 2)


def _level(loan: float, rate: float, years: float) -> float:
    return float(monthly_payment(loan, rate, years))


def _costs(deal: Deal, loan: float, *, payment: float, stated: float | None) -> tuple[float, float]:
    """Return the cash cost, as stated where it is, and the true cost: cash less what comes off the loan.

    A stated cost that payments and fees do not bear out is shown, and decides no true cost.
    """
    paid = round(payment * deal.months + deal.fees, 2)
    cash = stated or paid
    owed = loan if deal.interest_only else balance_after(loan, deal.rate, deal.years, deal.months)
    repaid = round(loan - float(owed), 2)
    sound = cash if abs(cash - paid) <= _CLOSE * paid else paid
    return cash, round(sound - repaid, 2)


def _follow_on(row: Row, deal: Deal, loan: float) -> tuple[float | None, float | None]:
    """Return the follow-on rate and payment, as given; a payment is worked out from a rate, never a rate from prose."""
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


def _title(row: Row) -> str:
    """Return the modal's title: Note, else the rate's description in plain words, else the lender's name."""
    return row.title or plain(row.description, TITLE_LENGTH) or row.lender_name


def _rate_type(row: Row, query: RatesQuery) -> RateType:
    """Return how the first rate behaves: what was asked for, and the product's own word where both were."""
    if query.fixed != query.variable:
        return RateType.FIXED if query.fixed else RateType.VARIABLE
    worded = _FIXED_WORD.search(f"{row.title} {plain(row.description, TITLE_LENGTH)} {plain(row.notes, TITLE_LENGTH)}")
    return RateType.FIXED if worded else RateType.VARIABLE


def _product_id(row: Row) -> str:
    """Return an id that stays while the product does: a hash of lender, rate, months, fees, LTV and title."""
    parts = (row.lender_id, row.rate, row.months, row.fees, row.most_ltv, _title(row))
    return "f-" + hashlib.sha256(repr(parts).encode("utf-8")).hexdigest()[:16]
