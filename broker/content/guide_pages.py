"""Guide cards, lists of guides with their filters, and the page of a guide (specification 2)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from broker import routes
from broker.content.guides import (
    ALL,
    KNOWN_FILTERS,
    USUAL_SUBJECTS,
    GuideCategory,
    GuideSubject,
    filter_guides,
    filters_of,
)
from broker.content.models.pages import ContentPage, Guide, Heading, Service, ServiceLook
from broker.content.models.pictures import Picture
from broker.content.page_head import HeadView
from broker.content.page_parts import BannerView, LinkView, banner_view, theme_style
from broker.lending.immutable import Immutable

FILTERS = (
    (ALL, "All Guides"),
    (GuideCategory.PROPERTY.value, "Property Guides"),
    (GuideCategory.FIRST_TIME_BUYER.value, "First Time Buyer Guides"),
    (GuideCategory.REMORTGAGING.value, "Remortgage Guides"),
    (GuideCategory.MORTGAGING.value, "Mortgage Guides"),
)
"""Button label of each filter (specification 2)."""

_CATEGORY_STYLES = {
    GuideCategory.PROPERTY: ("Property", "home-mover"),
    GuideCategory.FIRST_TIME_BUYER: ("First time buyer", "first-time-buyer"),
    GuideCategory.REMORTGAGING: ("Remortgage", "remortgaging"),
    GuideCategory.MORTGAGING: ("Mortgage", "buy-to-let"),
}
"""Tag and theme of a guide, by main category."""

FOR_EVERYBODY = "For everybody"
"""Tag of a guide without a category of its own."""

STARTERS = (
    ("Buying a first home", "first-time-buyer-guide"),
    ("Moving home", "home-mover-guide"),
    ("Remortgaging", "remortgaging-guide"),
    ("Buying to let", "buy-to-let-guide"),
    ("Working for yourself", "self-employed-guide"),
    ("Trouble paying", "help-if-you-cannot-pay"),
)
"""Situations that the page of all guides opens with, and the url of the guide to start from in each."""

_CONTENTS_LEVEL = 2
"""Level of the headings in the table of contents."""

_NEXT = 3
"""Number of guides to read next."""


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


NO_CARD = GuideCard(title="", description="", href="", picture="mark", tag="", categories="", filters="")
"""The first card of an empty list; it has a picture, because the head of a page preloads that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiles(Immutable):
    """Cards side by side; the picture of the first is the largest paint of its page."""

    first: GuideCard
    others: tuple[GuideCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideGrid(Immutable):
    """A grid of guides: the filter of its page, the text with their count, and that text for each filter."""

    chosen: str
    count: str
    counts: Mapping[str, str]
    tiles: Tiles


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceGuidesPage(Immutable):
    """The page of a service's guides; `disclaimer` is HTML, `colour` and `ground` are values of CSS."""

    head: HeadView
    crumbs: tuple[LinkView, ...]
    service: str
    colour: str
    ground: str
    grid: GuideGrid
    disclaimer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AllGuidesPage(Immutable):
    """The page of all guides; `count` and `counts` are those of a grid, `opening` is before the text `html`."""

    head: HeadView
    title: str
    summary: str
    by: str
    starters: Tiles
    count: str
    counts: Mapping[str, str]
    guides: tuple[GuideCard, ...]
    opening: str
    html: str
    banner: BannerView = field(default_factory=BannerView)


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidePage(Immutable):
    """The page of a guide; `html` and `disclaimer` are HTML, `listed` is the address of its category's guides.

    `theme` names the drawing of a guide without a picture, `colour` and `ground` are values of CSS.
    """

    head: HeadView
    title: str
    summary: str
    by: str
    tag: str
    listed: str
    theme: str
    colour: str
    ground: str
    html: str
    disclaimer: str = ""
    banner: BannerView = field(default_factory=BannerView)
    headings: tuple[Heading, ...] = ()
    related: tuple[GuideCard, ...] = ()


def grid_view(guides: Iterable[Guide], chosen: str = ALL) -> GuideGrid:
    """Return a grid of all guides, first those that a filter shows."""
    listed = tuple(guides)
    shown = filter_guides(listed, chosen)
    first = {guide.url for guide in shown}
    cards = tuple(map(guide_card, (*shown, *(guide for guide in listed if guide.url not in first))))
    own = chosen if chosen in KNOWN_FILTERS else ALL
    counts = {value: _count_text(len(filter_guides(listed, value))) for value in KNOWN_FILTERS}
    return GuideGrid(chosen=own, count=counts[own], counts=counts, tiles=_tiles(cards))


def service_guides_page(
    guides: Iterable[Guide],
    service: Service,
    *,
    head: HeadView,
    crumbs: tuple[LinkView, ...],
    look: ServiceLook | None = None,
) -> ServiceGuidesPage:
    """Return the page of a service's guides, its main one first, whose disclaimer replaces that of the service."""
    ordered = service_first(guides, service)
    main, colours = main_guide(ordered, service), theme_style(service.theme, look)
    return ServiceGuidesPage(
        head=head,
        crumbs=crumbs,
        service=service.title,
        colour=colours["--theme"],
        ground=colours["--theme-bg"],
        grid=grid_view(ordered, service.slug),
        disclaimer=(main and main.disclaimer) or service.footer_disclaimer,
    )


def all_guides_page(guides: Iterable[Guide], page: ContentPage, *, head: HeadView, banner: BannerView) -> AllGuidesPage:
    listed = tuple(guides)
    counts = {value: f"{len(filter_guides(listed, value))} of {len(listed)} shown" for value in KNOWN_FILTERS}
    return AllGuidesPage(
        head=head,
        title=page.title,
        summary=page.summary,
        by=f"Updated on {page.updated:%-d %B, %Y}",
        starters=_tiles(starter_cards(listed)),
        count=counts[ALL],
        counts=counts,
        guides=tuple(map(guide_card, listed)),
        opening=page.meta_title.partition("|")[0].strip(),
        html=page.html,
        banner=banner,
    )


def guide_page(
    guide: Guide, *, head: HeadView, banner: Picture | None = None, others: Iterable[Guide] = ()
) -> GuidePage:
    """Return the page of a guide; `others` are the guides that it may link to."""
    is_for_all = _is_for_all_readers(guide)
    category = "" if is_for_all else _main_category(guide).value
    tag, theme = _CATEGORY_STYLES[_main_category(guide)]
    colours = theme_style(theme)
    return GuidePage(
        head=head,
        title=guide.title,
        summary=guide.summary,
        by=_by_line(guide),
        tag="All guides" if is_for_all else f"{tag} guides",
        listed=routes.with_query(routes.GUIDES, {"category": category} if category else {}),
        theme=theme,
        colour=colours["--theme"],
        ground=colours["--theme-bg"],
        html=guide.html,
        disclaimer=guide.disclaimer,
        banner=banner_view(banner),
        headings=tuple(heading for heading in guide.headings if heading.level == _CONTENTS_LEVEL),
        related=tuple(map(guide_card, guides_to_read_next(guide, others))),
    )


def guide_card(guide: Guide) -> GuideCard:
    return GuideCard(
        title=guide.title,
        description=guide.description,
        href=routes.guide(guide.url),
        picture=f"card-{subject_of(guide)}-{guide.url}",
        tag=FOR_EVERYBODY if _is_for_all_readers(guide) else _CATEGORY_STYLES[_main_category(guide)][0],
        categories=" ".join(guide.categories),
        filters=" ".join(filters_of(guide)),
    )


def starter_cards(guides: Iterable[Guide]) -> tuple[GuideCard, ...]:
    """Return the cards of the known guides to start from, tagged with their situations."""
    by_url = {guide.url: guide for guide in guides}
    return tuple(replace(guide_card(by_url[url]), tag=situation) for situation, url in STARTERS if url in by_url)


def _main_category(guide: Guide) -> GuideCategory:
    """Return the first category of a guide; MORTGAGING for a guide without one."""
    return next(iter(guide.categories), GuideCategory.MORTGAGING)


def subject_of(guide: Guide) -> GuideSubject:
    """Return the subject of a guide's picture: its own, else the usual one of its category."""
    return guide.subject or USUAL_SUBJECTS[_main_category(guide)]


def _is_for_all_readers(guide: Guide) -> bool:
    """Return whether a guide has no category because it is for all readers (decision 43)."""
    return guide.categories_complete and not guide.categories


def main_guide(guides: Iterable[Guide], service: Service) -> Guide | None:
    """Return the main guide of a service, at `/mortgage-guides/{pageId}-guide/` (specification 2)."""
    return next((guide for guide in guides if guide.url == f"{service.slug}-guide"), None)


def service_first(guides: Iterable[Guide], service: Service) -> tuple[Guide, ...]:
    """Return all guides: a service's main one, its own in their order, those that its filter lists, and the rest."""
    by_url = {guide.url: guide for guide in guides}
    shown = (guide.url for guide in filter_guides(by_url.values(), service.slug))
    order = dict.fromkeys((f"{service.slug}-guide", *service.guides, *shown, *by_url))
    return tuple(by_url[url] for url in order if url in by_url)


def guides_to_read_next(guide: Guide, others: Iterable[Guide]) -> tuple[Guide, ...]:
    """Return the guides that a guide names, else the first of its category."""
    listed = tuple(others)
    named = {other.url: other for other in listed if other.url in guide.related}
    category = _main_category(guide)
    alike = (other for other in listed if _main_category(other) is category and other.url != guide.url)
    return tuple(named[url] for url in guide.related if url in named)[:_NEXT] or tuple(islice(alike, _NEXT))


def _by_line(guide: Guide) -> str:
    """Return author, date of the last update and reading time (specification 2, article banner)."""
    return f"By {guide.author}. Updated on {guide.updated:%-d %B, %Y}. {guide.minutes}-minute read"


def _tiles(cards: tuple[GuideCard, ...]) -> Tiles:
    return Tiles(first=cards[0] if cards else NO_CARD, others=cards[1:])


def _count_text(count: int) -> str:
    return "Showing 1 guide" if count == 1 else f"Showing {count} guides"
