"""Guide cards and the filters of a guide list (specification 2, "Guides listing block")."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from broker import routes
from broker.content.models.guides import Guide
from broker.content.models.pages import Service
from broker.domain.guide_subjects import USUAL_SUBJECTS, GuideSubject
from broker.domain.guides import ALL, GuideCategory, filters_of, guides_shown
from broker.domain.immutable import Immutable

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

FOR_EVERYBODY = "For everybody"
"""Tag of a guide of no category of its own."""

STARTERS = (
    ("Buying a first home", "first-time-buyer-guide"),
    ("Moving home", "home-mover-guide"),
    ("Remortgaging", "remortgaging-guide"),
    ("Buying to let", "buy-to-let-guide"),
    ("Working for yourself", "self-employed-guide"),
    ("Trouble paying", "help-if-you-cannot-pay"),
)
"""Situations that the page of all guides opens with, and the url of the guide to start from in each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideCard(Immutable):
    """A guide in a list; `picture` is the name of its drawing.

    `categories`, and `filters` that list it but for `ALL`, have spaces between.
    """

    title: str
    description: str
    href: str
    picture: str
    tag: str
    categories: str
    filters: str


def guide_card(guide: Guide) -> GuideCard:
    return GuideCard(
        title=guide.title,
        description=guide.description,
        href=routes.guide(guide.url),
        picture=f"card-{subject_of(guide)}-{guide.url}",
        tag=FOR_EVERYBODY if suits_everybody(guide) else CATEGORY_STYLES[main_category(guide)][0],
        categories=" ".join(guide.categories),
        filters=" ".join(filters_of(guide)),
    )


def main_category(guide: Guide) -> GuideCategory:
    """Return the first category of a guide; MORTGAGING for a guide without one."""
    return next(iter(guide.categories), GuideCategory.MORTGAGING)


def subject_of(guide: Guide) -> GuideSubject:
    """Return what a guide's picture shows: what it names, else the usual subject of its category."""
    return guide.subject or USUAL_SUBJECTS[main_category(guide)]


def suits_everybody(guide: Guide) -> bool:
    """Return whether a guide has no category because it suits everybody (decision 43)."""
    return guide.categories_complete and not guide.categories


def starter_cards(guides: Iterable[Guide]) -> tuple[GuideCard, ...]:
    """Return the cards of the guides to start from that are there, tagged with their situations."""
    by_url = {guide.url: guide for guide in guides}
    return tuple(replace(guide_card(by_url[url]), tag=situation) for situation, url in STARTERS if url in by_url)


def main_guide(guides: Iterable[Guide], service: Service) -> Guide | None:
    """Return the main guide of a service, at `/mortgage-guides/{pageId}-guide/` (specification 2)."""
    return next((guide for guide in guides if guide.url == f"{service.slug}-guide"), None)


def service_first(guides: Iterable[Guide], service: Service) -> tuple[Guide, ...]:
    """Return all guides: a service's main one, its own in their order, those that its filter lists, and the rest."""
    by_url = {guide.url: guide for guide in guides}
    shown = (guide.url for guide in guides_shown(by_url.values(), service.slug))
    order = dict.fromkeys((f"{service.slug}-guide", *service.guides, *shown, *by_url))
    return tuple(by_url[url] for url in order if url in by_url)


def by_line(guide: Guide) -> str:
    """Return author, date of the last update and reading time (specification 2, article banner)."""
    return f"By {guide.author}. Updated on {guide.updated:%-d %B, %Y}. {guide.minutes}-minute read"
