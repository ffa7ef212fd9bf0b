"""A product row of the sourcing service (`MBPublicSchemeSummaryEX`, specification 3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from broker.domain.rates.incentives import Incentives
from broker.feeds.parsing.html import plain_text, safe_html
from broker.feeds.parsing.incentives import parse_incentives, states_no_charge
from broker.feeds.parsing.numbers import parse_integer, parse_number
from broker.feeds.parsing.tree import Tree, text_of

MAX_RATE, MAX_APRC, MAX_LOAN, MAX_FEES, MAX_COST = 25, 200, 1e9, 1e7, 1e10
"""Bounds in percent and pounds; a figure above its bound counts as missing."""

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
    """Fields of a row in percent, pounds, months and years; None or empty where missing."""

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
    incentives: Incentives
    has_no_charge: bool


def parse_row(fields: Mapping[str, Tree]) -> Row:
    """Parse a row, whatever prefix its names have; unknown fields and figures out of bounds are ignored."""
    known = {name: fields[name] for name in _FIELDS if name in fields}
    if len(known) < len(fields):
        # A name without a prefix wins over the same name with one.
        known = {name: value for key, value in fields.items() if (name := _ALIASES.get(key.rpartition(":")[2]))} | known
    get = known.get
    return Row(
        lender_id=parse_integer(get("LenderID"), maximum=MAX_LENDER_ID)
        or parse_integer(get("BaseLenderID"), maximum=MAX_LENDER_ID),
        lender_name=plain_text(text_of(get("LenderName")), NAME_LENGTH),
        loan=parse_number(get("LoanAmount"), maximum=MAX_LOAN),
        rate=parse_number(get("InitialRate"), maximum=MAX_RATE),
        months=parse_integer(get("InitialRateControlPeriod") or get("RateControlPeriod"), maximum=MAX_TERM * 12),
        payment=parse_number(get("InitialMonthlyPayment"), maximum=MAX_LOAN),
        most_ltv=parse_number(get("LTV"), maximum=100),
        fees=parse_number(get("TotalFees"), maximum=MAX_FEES),
        aprc=parse_number(get("APRC") or get("APR"), maximum=MAX_APRC),
        interest_only=_interest_only(text_of(get("RepaymentBasis")) or ""),
        term=parse_integer(get("Term"), maximum=MAX_TERM),
        cash_cost=parse_number(get("NYearCostIncFeesExERC"), maximum=MAX_COST),
        final_rate=parse_number(get("FinalRate"), maximum=MAX_RATE),
        final_payment=parse_number(get("FinalMonthlyPayment"), maximum=MAX_LOAN),
        **_texts(known),
    )


def _texts(known: Mapping[str, Tree]) -> dict[str, Any]:
    """Return the texts of a row, the HTML made safe, and what they state of its incentives."""
    title = plain_text(text_of(known.get("Note")), TITLE_LENGTH)
    notes, description = safe_html(text_of(known.get("Notes"))), safe_html(text_of(known.get("RateDescription")))
    return {
        "title": title,
        "notes": notes,
        "description": description,
        "incentives": parse_incentives(title, description, notes),
        "has_no_charge": states_no_charge(title, description, notes),
    }


@lru_cache(maxsize=64)
def _interest_only(text: str) -> bool | None:
    """Parse `REPAYMENT`, `INTEREST_ONLY`, `Interest Only` ...; None for anything else."""
    word = "".join(letter for letter in text[:40].lower() if letter.isalpha())
    return {"repayment": False, "interestonly": True}.get(word)
