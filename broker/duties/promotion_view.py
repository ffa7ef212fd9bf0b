"""The register of promotions in words for staff."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from broker.clock import uk_date
from broker.duties.complaint_view import day
from broker.duties.promotion import LIVE, Promotion, PromotionState, PublicPage
from broker.lending.money import counted

MAX_SHOWN = 40
"""Sentences of a comparison, and lines of a text on screen."""

TONES: Mapping[PromotionState, str] = {
    PromotionState.CHANGED: "red",
    PromotionState.NEVER: "red",
    PromotionState.OVERDUE: "red",
    PromotionState.DUE: "orange",
    PromotionState.APPROVED: "green",
}

_FIGURE = re.compile(r"\d+(?:\.\d+)?%(?: APRC)?|£\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionLine:
    path: str
    rates: str
    who: str
    approved: str
    due: str
    state: str
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionView:
    """A page or a family that is open; `digest` is of what it shows. Without a path none is open.

    `pages` are the addresses of its pages, those that need somebody first; `lines` are of the first of them.
    """

    path: str = ""
    pages: tuple[str, ...] = ()
    digest: str = ""
    state: str = ""
    tone: str = ""
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


def promotion_line(found: Promotion, today: date) -> PromotionLine:
    approval, first = found.approval, _first(found)
    figures = list(dict.fromkeys(_FIGURE.findall(first.text.partition(LIVE)[0])))[:3]
    live = "live list" if LIVE in first.text else ""
    return PromotionLine(
        path=found.path,
        rates=f"{len(found.pages)} pages" if len(found.pages) > 1 else ", ".join([*figures, *([live] if live else [])]),
        who=approval.who if approval else "",
        approved=day(uk_date(approval.at), today) if approval else "",
        due=day(approval.due, today) if approval and found.state is not PromotionState.CHANGED else "at once",
        state=state_words(found, today),
        tone=TONES[found.state],
    )


def promotion_view(found: Promotion, today: date) -> PromotionView:
    return PromotionView(
        path=found.path,
        pages=tuple(dict.fromkeys(page.path for page in (*found.waiting, *found.pages)))[:MAX_SHOWN],
        digest=found.digest,
        state=state_words(found, today),
        tone=TONES[found.state],
        added=found.added[:MAX_SHOWN],
        removed=found.removed[:MAX_SHOWN],
        lines=tuple(_first(found).text.splitlines()),
    )


def to_do(found: Sequence[Promotion]) -> str:
    """Return how many pages show a rate or a payment, and how many of them need somebody."""
    pages, waiting = sum(len(each.pages) for each in found), sum(len(each.waiting) for each in found)
    verb = "page shows" if pages == 1 else "pages show"
    return f"{pages} public {verb} a rate or a payment; {waiting} need somebody, and come first"


def _first(found: Promotion) -> PublicPage:
    """Return the page that is shown: the first that needs somebody."""
    return next(iter(found.waiting or found.pages))


def state_words(found: Promotion, today: date) -> str:
    words = _state_words(found, today)
    return (
        f"{words}, {len(found.waiting)} of {len(found.pages)} pages"
        if len(found.pages) > 1 and found.waiting
        else words
    )


def _state_words(found: Promotion, today: date) -> str:
    if found.state is PromotionState.CHANGED:
        count = len(found.added) + len(found.removed)
        return f"Changed since: {counted(count, 'sentence')}"
    if found.state is PromotionState.NEVER or found.approval is None:
        return "Never approved"
    days = abs((found.approval.due - today).days)
    words = counted(days, "day")
    return {PromotionState.OVERDUE: f"{words} overdue", PromotionState.DUE: f"due in {words}"}.get(
        found.state, "Approved"
    )
