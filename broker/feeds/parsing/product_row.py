"""One product row of the sourcing service, read field by field (`MBPublicSchemeSummaryEX`, specification 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from broker.feeds.parsing.html import plain, safe_html
from broker.feeds.parsing.numbers import figure, whole
from broker.feeds.parsing.tree import Tree, scalar

MAX_RATE, MAX_APRC, MAX_LOAN, MAX_FEES, MAX_COST = 50, 200, 1e9, 1e7, 1e10
"""Bounds beyond which a figure is taken for a mistake: percent, percent, and pounds."""

MAX_TERM, MAX_LENDER_ID = 60, 10**9
NAME_LENGTH, TITLE_LENGTH = 80, 160

_TEXTS = ("LenderName", "RepaymentBasis", "Note", "Notes", "RateDescription")
_FIGURES = (
    *("LenderID", "BaseLenderID", "LoanAmount", "LTV", "Term", "TotalFees", "APRC", "APR", "NYearCostIncFeesExERC"),
    *("InitialRate", "InitialRateControlPeriod", "RateControlPeriod", "InitialMonthlyPayment"),
    *("FinalRate", "FinalMonthlyPayment"),
)
_FIELDS = (*_TEXTS, *_FIGURES)
_ALIASES = {f"{letter}{name}": name for name in _FIELDS for letter in ("", "a", "s")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What a row says; None and empty texts for what it leaves out. Percent, pounds, months and years."""

    lender_id: int | None
    lender_name: str
    title: str
    loan: float | None
    rate: float | None
    months: int | None
    payment: float | None
    most_ltv: float | None
    fees: float | None
    aprc: float | None
    interest_only: bool | None
    term: int | None
    cash_cost: float | None
    final_rate: float | None
    final_payment: float | None
    notes: str
    description: str


def read_row(fields: Mapping[str, Tree]) -> Row:
    """Read a row, whatever prefix its names have; unknown names and figures out of bounds count as left out."""
    known = {name: fields[name] for name in _FIELDS if name in fields}
    if len(known) < len(fields):
        # Where a name comes both with and without a prefix, the plain one counts.
        known = {name: value for key, value in fields.items() if (name := _ALIASES.get(key.rpartition(":")[2]))} | known
    get = known.get
    return Row(
        lender_id=whole(get("LenderID"), most=MAX_LENDER_ID) or whole(get("BaseLenderID"), most=MAX_LENDER_ID),
        lender_name=plain(scalar(get("LenderName")), NAME_LENGTH),
        title=plain(scalar(get("Note")), TITLE_LENGTH),
        loan=figure(get("LoanAmount"), most=MAX_LOAN),
        rate=figure(get("InitialRate"), most=MAX_RATE),
        months=whole(get("InitialRateControlPeriod") or get("RateControlPeriod"), most=MAX_TERM * 12),
        payment=figure(get("InitialMonthlyPayment"), most=MAX_LOAN),
        most_ltv=figure(get("LTV"), most=100),
        fees=figure(get("TotalFees"), most=MAX_FEES),
        aprc=figure(get("APRC") or get("APR"), most=MAX_APRC),
        interest_only=_interest_only(scalar(get("RepaymentBasis")) or ""),
        term=whole(get("Term"), most=MAX_TERM),
        cash_cost=figure(get("NYearCostIncFeesExERC"), most=MAX_COST),
        final_rate=figure(get("FinalRate"), most=MAX_RATE),
        final_payment=figure(get("FinalMonthlyPayment"), most=MAX_LOAN),
        notes=safe_html(scalar(get("Notes"))),
        description=safe_html(scalar(get("RateDescription"))),
    )


@lru_cache(maxsize=64)
def _interest_only(text: str) -> bool | None:
    """Read `REPAYMENT`, `INTEREST_ONLY`, `Interest Only` ...; None for anything else."""
    word = "".join(letter for letter in text[:40].lower() if letter.isalpha())
    return {"repayment": False, "interestonly": True}.get(word)
