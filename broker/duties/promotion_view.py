"""The register of promotions in words for staff."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from broker.duties.complaint_view import day
from broker.duties.promotion import LIVE, Promotion, PromotionState, digest_of

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
    """A page that is open; `digest` is of what it shows. Without a path none is open."""

    path: str = ""
    digest: str = ""
    state: str = ""
    tone: str = ""
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


def promotion_line(found: Promotion, today: date) -> PromotionLine:
    approval = found.approval
    figures = list(dict.fromkeys(_FIGURE.findall(found.page.text.partition(LIVE)[0])))[:3]
    live = "live list" if LIVE in found.page.text else ""
    return PromotionLine(
        path=found.page.path,
        rates=", ".join([*figures, *([live] if live else [])]),
        who=approval.who if approval else "",
        approved=day(approval.at.date(), today) if approval else "",
        due=day(approval.due, today) if approval and found.state is not PromotionState.CHANGED else "at once",
        state=state_words(found, today),
        tone=TONES[found.state],
    )


def promotion_view(found: Promotion, today: date) -> PromotionView:
    return PromotionView(
        path=found.page.path,
        digest=digest_of(found.page.text),
        state=state_words(found, today),
        tone=TONES[found.state],
        added=found.added[:MAX_SHOWN],
        removed=found.removed[:MAX_SHOWN],
        lines=tuple(found.page.text.splitlines()),
    )


def to_do(found: Sequence[Promotion]) -> str:
    """Return how many pages show a rate, and how many need somebody."""
    waiting = sum(each.state is not PromotionState.APPROVED for each in found)
    return f"{len(found)} public pages show a rate; {waiting} need somebody, and come first"


def state_words(found: Promotion, today: date) -> str:
    if found.state is PromotionState.CHANGED:
        count = len(found.added) + len(found.removed)
        return f"Changed since: {count} sentence{'s' if count > 1 else ''}"
    if found.state is PromotionState.NEVER or found.approval is None:
        return "Never approved"
    days = abs((found.approval.due - today).days)
    words = f"{days} day{'' if days == 1 else 's'}"
    return {PromotionState.OVERDUE: f"{words} overdue", PromotionState.DUE: f"due in {words}"}.get(
        found.state, "Approved"
    )
