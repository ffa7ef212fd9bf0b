"""The views of lists of guides: that of all guides, and that of a service."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from broker.content.models.guides import Guide
from broker.content.models.pages import ContentPage, Service, ServiceLook
from broker.domain.guides import ALL, KNOWN_FILTERS, guides_shown
from broker.domain.immutable import Immutable
from broker.presenters.guides import GuideCard, guide_card, main_guide, service_first, starter_cards
from broker.presenters.page_head import HeadView
from broker.presenters.page_parts import BannerView, LinkView
from broker.presenters.themes import theme_style

NO_CARD = GuideCard(title="", description="", href="", picture="mark", tag="", categories="", filters="")
"""The first card where there is none; the head of a page preloads its picture, so that it has one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiles(Immutable):
    """Cards side by side: the first, whose picture is the largest paint of its page, apart from the others."""

    first: GuideCard
    others: tuple[GuideCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideGrid(Immutable):
    """A grid of guides: the filter of its page, what counts its guides, and that of each filter."""

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
    """The page of all guides; `count` and `counts` are those of a grid, `opening` opens the text `html`."""

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


def grid_view(guides: Iterable[Guide], chosen: str = ALL) -> GuideGrid:
    """Return a grid of all guides, first those that a filter shows."""
    listed = tuple(guides)
    shown = guides_shown(listed, chosen)
    first = {guide.url for guide in shown}
    cards = tuple(map(guide_card, (*shown, *(guide for guide in listed if guide.url not in first))))
    own = chosen if chosen in KNOWN_FILTERS else ALL
    counts = {value: _counted(len(guides_shown(listed, value))) for value in KNOWN_FILTERS}
    return GuideGrid(chosen=own, count=counts[own], counts=counts, tiles=_tiles(cards))


def service_guides_page(
    guides: Iterable[Guide],
    service: Service,
    *,
    head: HeadView,
    crumbs: tuple[LinkView, ...],
    look: ServiceLook | None = None,
) -> ServiceGuidesPage:
    """Return the page of a service's guides, its main one first, whose disclaimer wins over that of the service."""
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
    """Return the page of all guides with its own text."""
    listed = tuple(guides)
    counts = {value: f"{len(guides_shown(listed, value))} of {len(listed)} shown" for value in KNOWN_FILTERS}
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


def _tiles(cards: tuple[GuideCard, ...]) -> Tiles:
    return Tiles(first=cards[0] if cards else NO_CARD, others=cards[1:])


def _counted(count: int) -> str:
    return "Showing 1 guide" if count == 1 else f"Showing {count} guides"
