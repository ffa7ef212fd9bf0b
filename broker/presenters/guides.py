"""Guide cards and the filters of a guide list (specification 2, "Guides listing block")."""

from collections.abc import Iterable
from dataclasses import dataclass

from broker import routes
from broker.content.models.guides import Guide
from broker.domain.guides import ALL, GuideCategory, guides_shown, truncate

FILTERS = (
    (ALL, "All Guides"),
    (GuideCategory.PROPERTY.value, "Property Guides"),
    (GuideCategory.FIRST_TIME_BUYER.value, "First Time Buyer Guides"),
    (GuideCategory.REMORTGAGING.value, "Remortgage Guides"),
    (GuideCategory.MORTGAGING.value, "Mortgage Guides"),
)
"""Button label of each filter (specification 2)."""

CATEGORY_STYLES = {
    GuideCategory.PROPERTY: ("Property", "home-mover"),
    GuideCategory.FIRST_TIME_BUYER: ("First time buyer", "first-time-buyer"),
    GuideCategory.REMORTGAGING: ("Remortgage", "remortgaging"),
    GuideCategory.MORTGAGING: ("Mortgage", "buy-to-let"),
}
"""Tag and theme of a guide, by main category."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideCard:
    """A guide in a list; `short` is the description cut for a carousel slide, `theme` names its colours."""

    title: str
    description: str
    short: str
    href: str
    picture: str
    tag: str
    theme: str
    categories: tuple[str, ...]


def guide_card(guide: Guide) -> GuideCard:
    tag, theme = CATEGORY_STYLES[main_category(guide)]
    return GuideCard(
        title=guide.title,
        description=guide.description,
        short=truncate(guide.description),
        href=routes.guide(guide.url),
        picture=f"card-{guide.url}",
        tag=tag,
        theme=theme,
        categories=tuple(category.value for category in guide.categories),
    )


def main_category(guide: Guide) -> GuideCategory:
    """Return the first category of a guide; MORTGAGING for a guide without one."""
    return next(iter(guide.categories), GuideCategory.MORTGAGING)


def guide_cards(guides: Iterable[Guide], chosen: str = ALL) -> tuple[GuideCard, ...]:
    """Return the cards of the guides that a filter shows, in order."""
    return tuple(guide_card(guide) for guide in guides_shown(guides, chosen))


def by_line(guide: Guide) -> str:
    """Return author, date of the last update and reading time (specification 2, article banner)."""
    return f"By {guide.author}. Updated on {guide.updated:%-d %B, %Y}. {guide.minutes}-minute read"


def counted(count: int) -> str:
    """Return the sentence that counts the guides shown."""
    return "Showing 1 guide" if count == 1 else f"Showing {count} guides"
