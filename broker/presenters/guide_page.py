"""The view of a guide's page: display strings, what the content says, and what to read next."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from broker import routes
from broker.content.models.guides import Guide
from broker.content.models.pages import Heading
from broker.content.models.pictures import BANNER, Picture, picture_source
from broker.domain.immutable import Immutable
from broker.presenters.guides import by_line, guide_card, main_category, suits_everybody
from broker.presenters.page_head import HeadView
from broker.presenters.themes import theme_style

CONTENTS = 2  # heading level listed in the table of contents
NEXT = 3
"""Guides to read next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BannerView:
    """Attributes of a banner picture; `src` is empty for a page that has a drawing in its place."""

    src: str = ""
    srcset: str = ""
    sizes: str = ""
    width: str = ""
    height: str = ""
    alt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextGuide:
    """A guide to read next; `picture` is the name of its drawing, `categories` and `filters` have spaces between."""

    title: str
    description: str
    href: str
    picture: str
    tag: str
    categories: str
    filters: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidePage(Immutable):
    """A guide's page; `html` and `disclaimer` are HTML, `listed` is the address of its category's guides.

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
    related: tuple[NextGuide, ...] = ()


def banner_view(picture: Picture | None) -> BannerView:
    """Return the attributes of a banner picture, all empty without one."""
    if not picture:
        return BannerView()
    source = picture_source(picture, BANNER)
    return BannerView(
        src=source.src,
        srcset=source.srcset,
        sizes=source.sizes,
        width=str(picture.width),
        height=str(picture.height),
        alt=picture.alt,
    )


def guide_page(
    guide: Guide, *, head: HeadView, banner: Picture | None = None, others: Iterable[Guide] = ()
) -> GuidePage:
    """Return the page of a guide; `others` are the guides that it may lead to."""
    card, for_all = guide_card(guide), suits_everybody(guide)
    category = "" if for_all else main_category(guide).value
    colours = theme_style(card.theme)
    return GuidePage(
        head=head,
        title=guide.title,
        summary=guide.summary,
        by=by_line(guide),
        tag="All guides" if for_all else f"{card.tag} guides",
        listed=routes.with_query(routes.GUIDES, {"category": category} if category else {}),
        theme=card.theme,
        colour=colours["--theme"],
        ground=colours["--theme-bg"],
        html=guide.html,
        disclaimer=guide.disclaimer,
        banner=banner_view(banner),
        headings=tuple(heading for heading in guide.headings if heading.level == CONTENTS),
        related=tuple(map(_next_guide, guides_to_read_next(guide, others))),
    )


def guides_to_read_next(guide: Guide, others: Iterable[Guide]) -> tuple[Guide, ...]:
    """Return the guides that a guide names, else the first of its category."""
    listed = tuple(others)
    named = {other.url: other for other in listed if other.url in guide.related}
    category = main_category(guide)
    alike = (other for other in listed if main_category(other) is category and other.url != guide.url)
    return tuple(named[url] for url in guide.related if url in named)[:NEXT] or tuple(islice(alike, NEXT))


def _next_guide(guide: Guide) -> NextGuide:
    card = guide_card(guide)
    return NextGuide(
        title=card.title,
        description=card.description,
        href=card.href,
        picture=card.picture,
        tag=card.tag,
        categories=" ".join(card.categories),
        filters=" ".join(card.filters),
    )
