"""Product rows of the sourcing service (`MBPublicSchemeSummaryEX`, specification 3), and incentives in their texts."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from broker.markup import lines_of
from broker.rates.feed.errors import FeedParseError
from broker.rates.feed.html_text import plain_text, safe_html
from broker.rates.feed.response_tree import (
    Tree,
    as_rows,
    child,
    envelope_body,
    is_empty,
    parse_integer,
    parse_number,
    raise_for_fault,
    raise_for_result,
    text_of,
)
from broker.rates.product import FIRST_TIME_BUYERS_ONLY, HOME_MOVERS_ONLY, Incentives

ROW, LIST, RESPONSE = "MBPublicSchemeSummaryEX", "objSchemes", "GetSchemesExResponse"


def scheme_rows(call: str, tree: Tree) -> list[dict[str, Tree]]:
    """Return the product rows of an answer, none for an empty one.

    Raises FeedFaultError for a fault or a failed operation, FeedParseError for another shape. `false` is one: a backend
    returns it where it could not read the answer of its own source.
    """
    if tree is False:
        raise FeedParseError(call, "answered false")
    if is_empty(tree):
        return []
    raise_for_fault(call, tree)
    body = envelope_body(tree)
    response = child(body if body is not None else tree, RESPONSE)
    if response is None:
        if body is not None and is_empty(body):
            return []
        raise FeedParseError(call, f"an answer without {RESPONSE}")
    found = _listed(response)
    if not found:
        raise_for_result(call, response, result="GetSchemesExResult")
    return found


def holds_schemes(tree: Tree) -> bool:
    """Return whether a node is an answer with product rows, or a fault."""
    return envelope_body(tree) is not None or child(tree, RESPONSE) is not None


def is_row(node: Tree) -> bool:
    return isinstance(node, dict) and (child(node, "LenderName") is not None or child(node, "InitialRate") is not None)


def _listed(response: Tree) -> list[dict[str, Tree]]:
    schemes = child(response, LIST)
    if schemes is None:
        schemes = child(child(response, "GetSchemesExResult"), LIST)
    return as_rows(schemes, ROW) or as_rows(schemes)


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


MAX_TEXT_LENGTH = 4_000

MAX_CASHBACK = 10_000
"""Pounds; a larger amount is no cashback."""

_Value = TypeVar("_Value")

_Sentence: TypeAlias = tuple[str, ...]
"""The clauses of a sentence, in lower case, with single spaces."""

_SENTENCE_END = re.compile(r"[.;!?•|](?= |$)|\n")

_CLAUSE_END = re.compile(r",(?= )| [-–—](?= )")

_DENIED = r"no|not|non|never|without|excluding|excludes|isn't|aren't|doesn't|cannot|can't|unavailable"

_DOUBT = re.compile(
    rf"\b(?:{_DENIED}|or|up to|may|if|unless|except|only|subject|where|for(?! \d)|over|above|under|more than|less than"
    r"|min|minimum|max|maximum|selected|some)\b"
)
"""Words that make the statement of their own clause conditional."""

_LIMIT = re.compile(r"\b(?:not|if|unless|except|only|subject|where|for(?! \d))\b")
"""Words that may limit a statement from another clause of the sentence."""

_POUNDS = r"£ ?([0-9][0-9,]*(?:\.[0-9]{2})?)"

_CASHBACK = re.compile(rf"{_POUNDS} ?(?:of |in )?cash[ -]?back|cash[ -]?back(?: of|:)? ?{_POUNDS}")

_VALUATION = re.compile(r"\bfree (?:(?:standard|basic|mortgage) ){0,3}valuation")

_LEGAL_WORK = re.compile(r"\bfree (?:(?:standard|basic) ){0,2}(?:legals?|conveyancing)\b")

_WITHOUT_CHARGE = re.compile(
    r"\b(?:without|with no|no|free of)(?: an?| any)? (?:(?:early repayment )?charges?|ercs?|penalty|penalties)\b"
)

_CHARGED = re.compile(rf"\b(?:{_DENIED}|charges?|charged|ercs?|fees?|penalty|above|over|more|exceed(?:s|ing)?|if)\b")

_ALLOWANCE = r"(?: (?:allowed|permitted|allowance|of|are|is|up|to|a|an|by|the|each|per|year|annual|max|maximum))"

_SHARE_OF = r"(?: (?:of|the|a|an|each|per|year|annual|balance|outstanding|capital|loan))"

_OVERPAYMENT = re.compile(
    rf"overpay(?:ments?)?:?{_ALLOWANCE}{{0,6}} ([0-9]{{1,3}}) ?%"
    rf"|(?<![0-9.,])([0-9]{{1,3}}) ?%{_SHARE_OF}{{0,8}} overpay"
)

_PORTABLE = re.compile(r"\b(non[- ]?|(?:not|isn't) (?:[a-z]+ )?)?portable\b")

_KINDS = (
    (re.compile(r"(?:first[- ]time buyers?) only"), FIRST_TIME_BUYERS_ONLY),
    (re.compile(r"(?:home ?movers?) only"), HOME_MOVERS_ONLY),
    (re.compile(r"(?:existing (?:customers|borrowers)) only"), "Existing customers only"),
)

_NO_CHARGE = re.compile(
    r"(?:there (?:is|are) )?no (?:early repayment charges?(?: \(ercs?\))?|ercs?)(?: appl(?:y|ies)| payable)?"
)

_CHARGE = re.compile(r"\b(?:early repayment|repayment charges?|ercs?|redemption|exit charges?)\b")

_TIME = re.compile(
    r"\b(?:after|until|before|from|once|during|within|first|then|thereafter|while|overpay(?:ments?)?)\b|%"
)


def parse_incentives(*texts: str) -> Incentives:
    """Return the incentives that the texts of a product, plain or HTML, state.

    Only plain statements count: one that is denied, limited or contradicted counts as not stated. The visitor reads the
    texts themselves in the product's notes.
    """
    return _parse("\n".join(texts)[: MAX_TEXT_LENGTH + 1])


def states_no_charge(*texts: str) -> bool:
    """Return whether the texts of a product state that it has no early repayment charge, and name none."""
    return _states_no_charge("\n".join(texts)[: MAX_TEXT_LENGTH + 1])


@lru_cache(maxsize=4_096)
def _parse(text: str) -> Incentives:
    """Return the incentives in a text from a cache: the products of a lender repeat each other's."""
    sentences = _sentences(text)
    return Incentives(
        cashback=_cashback(sentences),
        free_valuation=_is_free(_VALUATION, sentences),
        free_legal_work=_is_free(_LEGAL_WORK, sentences),
        overpayment_percent=_only(_overpayments(sentences)),
        is_portable=_only(_portable(sentences)),
        eligibility=_only(_eligibility(sentences)) or "",
    )


@lru_cache(maxsize=4_096)
def _states_no_charge(text: str) -> bool:
    stated = False
    for sentence in _sentences(text):
        others = [clause for clause in sentence if not _NO_CHARGE.fullmatch(clause)]
        rest = ", ".join(others)
        if _CHARGE.search(rest) or ("%" in rest and "charge" in rest):
            return False
        if len(others) < len(sentence):
            if _TIME.search(rest) or _LIMIT.search(rest):
                return False
            stated = True
    return stated and len(text) <= MAX_TEXT_LENGTH


def _sentences(text: str) -> list[_Sentence]:
    """Return the sentences of a text; of one that is too long, without that in which it is cut off."""
    spaced = "\n".join(" ".join(line.split()) for line in lines_of(text[:MAX_TEXT_LENGTH])).lower().replace("’", "'")
    found = [_clauses(sentence) for sentence in _SENTENCE_END.split(spaced)]
    return found if len(text) <= MAX_TEXT_LENGTH else found[:-1]


def _clauses(sentence: str) -> _Sentence:
    return tuple(stripped for clause in _CLAUSE_END.split(sentence) if (stripped := clause.strip()))


def _is_doubtful(clause: str, sentence: _Sentence) -> bool:
    return _DOUBT.search(clause) is not None or any(_LIMIT.search(other) for other in sentence)


def _cashback(sentences: Iterable[_Sentence]) -> float:
    """Return the amount in pounds; 0 where none is stated plainly, or several that differ."""
    amounts: set[float] = set()
    for sentence in sentences:
        for clause in sentence:
            for found in _CASHBACK.finditer(clause):
                if clause.count("£") > 1 or _is_doubtful(clause, sentence):
                    return 0.0
                amounts.add(float((found[1] or found[2]).replace(",", "")))
    amount = amounts.pop() if len(amounts) == 1 else 0.0
    return amount if amount <= MAX_CASHBACK else 0.0


def _is_free(pattern: re.Pattern[str], sentences: Iterable[_Sentence]) -> bool:
    stated = [
        not _is_doubtful(clause, sentence) for sentence in sentences for clause in sentence if pattern.search(clause)
    ]
    return bool(stated) and all(stated)


def _overpayments(sentences: Iterable[_Sentence]) -> Iterable[float | None]:
    for sentence in sentences:
        for clause in sentence:
            if found := _OVERPAYMENT.search(clause):
                percent = float(found[1] or found[2])
                is_plain = percent <= 100 and not _CHARGED.search(_WITHOUT_CHARGE.sub("", clause))
                yield percent if is_plain else None


def _portable(sentences: Iterable[_Sentence]) -> Iterable[bool | None]:
    for sentence in sentences:
        for clause in sentence:
            if found := _PORTABLE.search(clause):
                rest = clause[: found.start()] + clause[found.end() :]
                yield None if _DOUBT.search(rest) else found[1] is None


def _eligibility(sentences: Iterable[_Sentence]) -> Iterable[str]:
    """Yield who may apply, from sentences of a single such clause."""
    for sentence in sentences:
        for kind, words in _KINDS:
            if len(sentence) == 1 and kind.fullmatch(sentence[0]):
                yield words


def _only(values: Iterable[_Value]) -> _Value | None:
    """Return the one value of several statements; None where there is none, or they differ."""
    found = set(values)
    return found.pop() if len(found) == 1 else None
