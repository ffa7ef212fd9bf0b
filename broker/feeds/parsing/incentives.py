"""Incentives in the texts of a product: the sourcing service has no fields for them.

Only plain statements count: an amount of cashback that is stated once, in pounds. Everything else is shown to the
visitor as it is written, in the product's notes.
"""

import re
from functools import lru_cache

from broker.domain.rates.incentives import FIRST_TIME_BUYERS_ONLY, HOME_MOVERS_ONLY, Incentives

MAX_TEXT_LENGTH = 4_000
MAX_CASHBACK = 10_000
"""Pounds; a larger amount is no cashback."""

_TAG = re.compile(r"<[^>]*>")
_POUNDS = r"£\s?([0-9][0-9,]*(?:\.[0-9]{2})?)"
_CASHBACK = re.compile(rf"{_POUNDS}\s+cash\s?-?back|cash\s?-?back\s+(?:of\s+)?{_POUNDS}", re.IGNORECASE)
_VALUATION = re.compile(r"\bfree\s+(?:standard\s+|basic\s+|mortgage\s+)*valuation", re.IGNORECASE)
_LEGAL_WORK = re.compile(r"\bfree\s+(?:standard\s+|basic\s+)*(?:legals?|conveyancing)\b", re.IGNORECASE)
_OVERPAYMENT = re.compile(
    r"overpay(?:ments?)?[^.%;]{0,60}?\b([0-9]{1,2})\s?%|([0-9]{1,2})\s?%[^.%;]{0,60}?\boverpayment", re.IGNORECASE
)
_PORTABLE = re.compile(r"\b(not\s+)?portable\b", re.IGNORECASE)
_ELIGIBILITY = re.compile(
    r"\b(?:(first[- ]time buyers?)|(home ?movers?)|(existing (?:customers|borrowers)))\s+only\b", re.IGNORECASE
)
_ELIGIBLE = (FIRST_TIME_BUYERS_ONLY, HOME_MOVERS_ONLY, "Existing customers only")
_NO_CHARGE = re.compile(r"\bno\s+(?:early\s+repayment\s+charges?|ERCs?)\b", re.IGNORECASE)


def parse_incentives(*texts: str) -> Incentives:
    """Return what the texts of a product, plain or HTML, state of its incentives."""
    return _parse(_words(texts))


def states_no_charge(*texts: str) -> bool:
    """Return whether the texts of a product state that it has no early repayment charge."""
    return _NO_CHARGE.search(_words(texts)) is not None


def _words(texts: tuple[str, ...]) -> str:
    return ". ".join(_TAG.sub(". ", text) for text in texts)[:MAX_TEXT_LENGTH]


@lru_cache(maxsize=4_096)
def _parse(words: str) -> Incentives:
    """Return the incentives in words from a cache: the products of a lender repeat each other's."""
    overpayment, portable = _OVERPAYMENT.search(words), _PORTABLE.search(words)
    return Incentives(
        cashback=_cashback(words),
        free_valuation=_VALUATION.search(words) is not None,
        free_legal_work=_LEGAL_WORK.search(words) is not None,
        overpayment_percent=float(overpayment[1] or overpayment[2]) if overpayment else None,
        is_portable=portable[1] is None if portable else None,
        eligibility=_eligibility(words),
    )


def _cashback(words: str) -> float:
    """Return the amount in pounds; 0 where none is stated, or several that differ."""
    amounts = {float((found[1] or found[2]).replace(",", "")) for found in _CASHBACK.finditer(words)}
    amount = amounts.pop() if len(amounts) == 1 else 0.0
    return amount if amount <= MAX_CASHBACK else 0.0


def _eligibility(words: str) -> str:
    found = _ELIGIBILITY.search(words)
    return _ELIGIBLE[(found.lastindex or 1) - 1] if found else ""
