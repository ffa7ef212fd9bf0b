"""Promotions: what a public page showed when it was approved, and whether it has changed since (MCOB 3A.2 and 3A.9).

A page is a promotion when a sentence of it shows an interest rate with its %, an APRC or a monthly payment (MCOB
3A.5.1R: any rate or figure of the cost of credit). Live figures change by the day and are no change of the text: lines
marked as live are not compared, and figures, dates and months of the others are compared as if they were equal. Pages
that are made from data by the hundred are a family, which is approved as one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from hashlib import sha256

DUE_DAYS = 90
"""Days after which an approval is due again, unless a setting says others."""

NEAR_DAYS = 30
"""Days before that from which it is shown as due."""

LIVE = "[live] "
"""The start of a line that shows a table or a list of deals of the day."""

FAMILIES = ("/lenders/", "/mortgage-broker-")
"""Starts of the addresses of families; the address of a family is its start with a *."""

_RATE = re.compile(
    r"\d\s?%\s*(?:APRC|fixed|variable|tracker)"
    r"|\b(?:rates?|interest|APRC|SVR|fix(?:ed)?|deal \d,):?\s*(?:(?!tax|to\s)[^\s%]+\s+){0,4}\d+(?:\.\d+)?\s?%"
    r"|\b(?:at|from) (?:an example )?\d+\.\d+%",
    re.IGNORECASE,
)
"""A rate and its words, with at most four between them, or what begins from a rate or is worked out at it; not tax."""

_MONTHLY = re.compile(r"£\s?\d[\d,.]*\s+(?:a|per|each|every)\s+month|\bmonthly payments?\b.*£\s?\d", re.IGNORECASE)
_OF_A_LOAN = re.compile(r"\b(?:pay|payments?|costs?|interest|mortgage|loan)\b", re.IGNORECASE)
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
    """A page, or a family, with its last approval; `added` and `removed` are the sentences that differ from it.

    `path` is the address of the page or of the family, `waiting` the pages of it that need somebody. The approval of a
    family is the one that is due first.
    """

    path: str
    pages: tuple[PublicPage, ...]
    state: PromotionState
    waiting: tuple[PublicPage, ...] = ()
    approval: Approval | None = None
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Return the SHA-256 of what the pages show, live lines with it."""
        return digest_of("\n".join(f"{page.path}\n{page.text}" for page in self.pages))


def is_promotion(text: str) -> bool:
    """Return whether a text shows an interest rate, an APRC or a monthly payment."""
    return any(
        _RATE.search(each) or (_MONTHLY.search(each) and _OF_A_LOAN.search(each)) for each in _SENTENCE.split(text)
    )


def family_of(path: str) -> str:
    """Return the address of the family of a page, or the path itself."""
    return next((f"{start}*" for start in FAMILIES if path.startswith(start) and path != start), path)


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text that are not live, with single spaces."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith(LIVE))
    return tuple(line for part in _SENTENCE.split(lines) if (line := " ".join(part.split())))


def without_figures(sentence: str) -> str:
    """Return a sentence with a mark for each figure and month, so that live rates make no difference."""
    return _LIVE.sub("#", sentence)


def promotion(page: PublicPage, approval: Approval | None, today: date) -> Promotion:
    """Return how a page stands."""
    added, removed = (), ()
    if approval is None:
        state = PromotionState.NEVER
    else:
        added, removed = _missing(page.text, approval.text), _missing(approval.text, page.text)
        if added or removed:
            state = PromotionState.CHANGED
        elif approval.due < today:
            state = PromotionState.OVERDUE
        else:
            state = PromotionState.DUE if (approval.due - today).days <= NEAR_DAYS else PromotionState.APPROVED
    waiting = () if state is PromotionState.APPROVED else (page,)
    return Promotion(
        path=page.path, pages=(page,), state=state, waiting=waiting, approval=approval, added=added, removed=removed
    )


def family(path: str, found: Sequence[Promotion]) -> Promotion:
    """Return how a family stands: as the page that needs somebody most; a sentence of several pages is named once."""
    approvals = [each.approval for each in found if each.approval]
    return Promotion(
        path=path,
        pages=tuple(page for each in found for page in each.pages),
        state=min((each.state for each in found), key=list(PromotionState).index),
        waiting=tuple(page for each in found for page in each.waiting),
        approval=min(approvals, key=lambda each: each.due, default=None),
        added=_distinct(line for each in found for line in each.added),
        removed=_distinct(line for each in found for line in each.removed),
    )


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text."""
    return sha256(text.encode()).hexdigest()


def register(pages: Iterable[PublicPage], approvals: Mapping[str, Approval], today: date) -> tuple[Promotion, ...]:
    """Return the promotions among pages, those that need somebody first, then by path."""
    members = dict[str, list[Promotion]]()
    for page in sorted(pages, key=lambda page: page.path):
        if is_promotion(page.text):
            members.setdefault(family_of(page.path), []).append(promotion(page, approvals.get(page.path), today))
    found = (each[0] if path == each[0].path else family(path, each) for path, each in members.items())
    order = list(PromotionState)
    return tuple(sorted(found, key=lambda each: (order.index(each.state), each.path)))


def _distinct(lines: Iterable[str]) -> tuple[str, ...]:
    """Return sentences without those that differ from an earlier one in figures only."""
    return tuple({without_figures(line): line for line in reversed(list(lines))}.values())[::-1]


def _missing(text: str, other: str) -> tuple[str, ...]:
    """Return the sentences of a text that another one lacks, figures apart."""
    held = {without_figures(each) for each in sentences(other)}
    return tuple(each for each in sentences(text) if without_figures(each) not in held)
