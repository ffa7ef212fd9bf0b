"""Promotions: what a public page showed when it was approved, and whether it has changed since (MCOB 3A.2 and 3A.9).

A page is a promotion when its text shows a rate, a payment or an APRC: a figure with % or £. Live figures change by the
day and are no change of the text: lines marked as live are not compared, and figures, dates and months of the others
are compared as if they were equal.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from hashlib import sha256

DUE_DAYS = 90
"""Days after which an approval is due again."""

NEAR_DAYS = 30
"""Days before that from which it is shown as due."""

LIVE = "[live] "
"""The start of a line that shows a table or a list of deals of the day."""

_RATE = re.compile(r"\d%|APRC|£\s?\d")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_LIVE = re.compile(rf"£?\d[\d,.]*\d%?|£?\d%?|\b(?:{_MONTHS})\b")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


class PromotionState(StrEnum):
    """How a page stands, those that need somebody first."""

    CHANGED = "changed"
    NEVER = "never"
    OVERDUE = "overdue"
    DUE = "due"
    APPROVED = "approved"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicPage:
    """A page of the release: its path, and what it shows, a line for each block."""

    path: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """What was approved, by whom and when; due again at the end of a day."""

    path: str
    text: str
    who: str
    at: datetime
    due: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    """A page with its last approval; `added` and `removed` are the sentences that differ from it."""

    page: PublicPage
    state: PromotionState
    approval: Approval | None = None
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def is_promotion(text: str) -> bool:
    """Return whether a text shows a rate, a payment or an APRC."""
    return _RATE.search(text) is not None


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text that are not live, with single spaces."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith(LIVE))
    return tuple(line for part in _SENTENCE.split(lines) if (line := " ".join(part.split())))


def without_figures(sentence: str) -> str:
    """Return a sentence with a mark for each figure and month, so that live rates make no difference."""
    return _LIVE.sub("#", sentence)


def promotion(page: PublicPage, approval: Approval | None, today: date) -> Promotion:
    """Return how a page stands."""
    if approval is None:
        return Promotion(page=page, state=PromotionState.NEVER)
    added, removed = _missing(page.text, approval.text), _missing(approval.text, page.text)
    if added or removed:
        state = PromotionState.CHANGED
    elif approval.due < today:
        state = PromotionState.OVERDUE
    else:
        state = PromotionState.DUE if (approval.due - today).days <= NEAR_DAYS else PromotionState.APPROVED
    return Promotion(page=page, state=state, approval=approval, added=added, removed=removed)


def digest_of(text: str) -> str:
    """Return the SHA-256 of what a page shows, live lines with it."""
    return sha256(text.encode()).hexdigest()


def register(pages: Iterable[PublicPage], approvals: Mapping[str, Approval], today: date) -> tuple[Promotion, ...]:
    """Return the promotions among pages, those that need somebody first, then by path."""
    found = [promotion(page, approvals.get(page.path), today) for page in pages if is_promotion(page.text)]
    order = list(PromotionState)
    return tuple(sorted(found, key=lambda each: (order.index(each.state), each.page.path)))


def _missing(text: str, other: str) -> tuple[str, ...]:
    """Return the sentences of a text that another one lacks, figures apart."""
    held = {without_figures(each) for each in sentences(other)}
    return tuple(each for each in sentences(text) if without_figures(each) not in held)
