"""Guides as cards of a list, and the filters of the list (specification 2, "Guides listing block")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from broker import routes
from broker.content.models.guides import Guide
from broker.domain.guides import ALL, GuideCategory, cut, guides_shown

FILTERS = (
    (ALL, "All Guides"),
    (GuideCategory.PROPERTY.value, "Property Guides"),
    (GuideCategory.FIRST_TIME_BUYER.value, "First Time Buyer Guides"),
    (GuideCategory.REMORTGAGING.value, "Remortgage Guides"),
    (GuideCategory.MORTGAGING.value, "Mortgage Guides"),
)
"""Each filter with the words of its button (specification 2)."""

_TAGS = {
    GuideCategory.PROPERTY: ("Property", "home-mover"),
    GuideCategory.FIRST_TIME_BUYER: ("First time buyer", "first-time-buyer"),
    GuideCategory.REMORTGAGING: ("Remortgage", "remortgaging"),
    GuideCategory.MORTGAGING: ("Mortgage", "buy-to-let"),
}
"""The tag and the colours of a guide, by its main category."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideCard:
    """A guide in a list; `short` is its description as a slide shows it, `theme` names its colours."""

    title: str
    description: str
    short: str
    href: str
    picture: str
    tag: str
    theme: str
    categories: tuple[str, ...]


def guide_card(guide: Guide) -> GuideCard:
    """Return the card of a guide."""
    tag, theme = _TAGS[main_category(guide)]
    return GuideCard(
        title=guide.title,
        description=guide.description,
        short=cut(guide.description),
        href=routes.guide(guide.url),
        picture=f"card-{guide.url}",
        tag=tag,
        theme=theme,
        categories=tuple(category.value for category in guide.categories),
    )


def main_category(guide: Guide) -> GuideCategory:
    """Return the first category of a guide; one that has lost its own is a guide to mortgages."""
    return next(iter(guide.categories), GuideCategory.MORTGAGING)


def guide_cards(guides: Iterable[Guide], chosen: str = ALL) -> tuple[GuideCard, ...]:
    """Return the cards of the guides that a filter shows, in their order."""
    return tuple(guide_card(guide) for guide in guides_shown(guides, chosen))


def by_line(guide: Guide) -> str:
    """Say who wrote a guide, when it changed, and how long it takes to read (specification 2, article banner)."""
    return f"By {guide.author}. Updated on {guide.updated:%-d %B, %Y}. {guide.minutes}-minute read"


def counted(count: int) -> str:
    """Say how many guides are shown."""
    return "Showing 1 guide" if count == 1 else f"Showing {count} guides"
