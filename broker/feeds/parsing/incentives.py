"""Incentives in the texts of a product: the sourcing service has no fields for them.

Only plain statements count: what is denied, limited or said in two ways counts as not stated. The visitor reads
everything as it is written, in the product's notes.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias, TypeVar

from broker.domain.rates.incentives import FIRST_TIME_BUYERS_ONLY, HOME_MOVERS_ONLY, Incentives
from broker.markup import lines_of

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
"""In a clause, what makes its statement depend on more than it says."""

_LIMIT = re.compile(r"\b(?:not|if|unless|except|only|subject|where|for(?! \d))\b")
"""In another clause of the sentence, what may limit the statement."""

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
    """Return what the texts of a product, plain or HTML, state of its incentives."""
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
    """Yield who may apply, from sentences that say nothing else."""
    for sentence in sentences:
        for kind, words in _KINDS:
            if len(sentence) == 1 and kind.fullmatch(sentence[0]):
                yield words


def _only(values: Iterable[_Value]) -> _Value | None:
    """Return the one value of several statements; None where there is none, or they differ."""
    found = set(values)
    return found.pop() if len(found) == 1 else None
